package gen

import "strings"

// halfWritten begins the second line of the kustomization of a directory that is
// being written; the folder that holds what was there stands behind it.
const halfWritten = "# Half-written: a render was cut short. The next one puts it right, from "

// HalfWritten is the kustomization of a directory that is being written. It does
// not build, and says why.
func HalfWritten(staging string) []byte {
	return []byte(Header + halfWritten + staging + `
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- half-written-run-valkey-expose-render-again
`)
}

// HalfWrittenFrom reads the folder out of such a kustomization; ok is false for any other.
func HalfWrittenFrom(kustomization []byte) (staging string, ok bool) {
	rest, ok := strings.CutPrefix(string(kustomization), Header+halfWritten)
	staging, _, _ = strings.Cut(rest, "\n")
	return staging, ok
}
