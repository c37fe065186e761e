package schema

import (
	"bytes"
	"encoding/json"
)

// PlainYAML returns a document as a YAML parser takes it: in JSON that is
// indented with tabs, these are blanks. Every byte keeps its place.
func PlainYAML(source []byte) []byte {
	if bytes.IndexByte(source, '\t') < 0 || !json.Valid(source) {
		return source
	}
	return bytes.ReplaceAll(source, []byte("\t"), []byte(" "))
}
