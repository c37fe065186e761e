package yamledit

import (
	"bytes"
	"encoding/json"
)

// WithoutTabs returns a document as the YAML parser takes it: JSON may begin with
// tabs, YAML may not, so those of JSON become blanks. Every byte keeps its
// place. Any other text is returned as it is.
func WithoutTabs(text []byte) []byte {
	if bytes.IndexByte(text, '\t') < 0 || !json.Valid(text) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
}
