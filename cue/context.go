package rules

//lint:file-ignore SA1019 cue.Runtime is deprecated; newContext says why it is used.

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"

	// The packages that the module imports.
	_ "cuelang.org/go/pkg/list"
	_ "cuelang.org/go/pkg/net"
	_ "cuelang.org/go/pkg/strings"
)

// newContext is a context in which a module is compiled; nothing of it is evaluated.
//
// cuecontext, which CUE's documentation asks for, links all that a CUE file might
// import: with HTTP, protobuf and OpenAPI, which make the program larger, and its start
// slower (make bench). This type is a context but for its methods.
func newContext(instance *build.Instance) (*cue.Context, error) {
	runtime := new(cue.Runtime)
	_, err := runtime.BuildInstances([]*build.Instance{instance})
	return (*cue.Context)(runtime), err
}
