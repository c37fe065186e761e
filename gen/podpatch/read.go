package podpatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// maxSize bounds a patch, in bytes: a Job holds 1.5 MiB, and a pod's template is
// a few KiB.
const maxSize = 256 << 10

// Read reads a patch for the pod template of a Job, in YAML or JSON. It is held to
// the API's types, and adds and changes only: what is the Job's own stays. It gives
// the patch as Merge takes it, or every problem.
func Read(file string, text []byte, job Own) (json.RawMessage, []schema.Problem) {
	r := &reader{file: file, job: job}
	if len(text) > maxSize {
		r.problem(nil, "", "is larger than %d KiB", maxSize>>10)
		return nil, r.problems
	}
	root := r.document(text)
	if root == nil {
		return nil, r.problems
	}
	value := r.read(root, reflect.TypeFor[corev1.PodTemplateSpec](), "")
	r.keep(root)
	schema.SortProblems(r.problems)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	patch, err := json.Marshal(value)
	if err == nil {
		err = r.resources(root, patch)
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	if err != nil {
		return nil, []schema.Problem{{Position: schema.Position{File: file}, Message: err.Error()}}
	}
	return patch, nil
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// document is the one document of the file, nil if there is a problem.
func (r *reader) document(text []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(yamledit.WithoutTabs(text)))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if err == nil {
		if err := decoder.Decode(&second); err == nil {
			r.problem(&second, "", "is a second document: one patch a file")
			return nil
		} else if errors.Is(err, io.EOF) {
			return document.Content[0]
		} else {
			r.syntax(err)
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		r.problem(nil, "", "is empty")
	} else {
		r.syntax(err)
	}
	return nil
}

func (r *reader) syntax(err error) {
	parts := yamlError.FindStringSubmatch(err.Error())
	if parts == nil {
		r.problem(nil, "", "%v", err)
		return
	}
	line, _ := strconv.Atoi(parts[1]) // 0 is the file as a whole
	r.problem(&yaml.Node{Line: line}, "", "%s", parts[2])
}
