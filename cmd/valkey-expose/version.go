package main

import "runtime/debug"

// Set at build time with -ldflags "-X main.version=… -X main.readbackImage=…".
var (
	version       = "" // without one, the module's
	readbackImage = "" // default of --readback-image; without one the flag is demanded
)

// buildVersion is the version of this build: the one it was given, or that of the
// module, which go install takes from the module's tag and go build from Git.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
