package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/manifest"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Stream renders documents as one YAML stream. An exposed cluster becomes its
// objects, at its place; every other document passes through byte for byte.
func Stream(documents []schema.Document, o Options) ([]byte, error) {
	all, err := allParts(documents, o)
	if err != nil {
		return nil, err
	}
	texts, err := write(all, manifest.YAML)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i, text := range texts {
		appendDocument(&out, all[i], text)
	}
	return out.Bytes(), nil
}

// List renders documents as one JSON object of kind List.
func List(documents []schema.Document, o Options) ([]byte, error) {
	all, err := allParts(documents, o)
	if err != nil {
		return nil, err
	}
	texts, err := write(all, manifest.JSON)
	if err != nil {
		return nil, err
	}
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{"v1", "List", []json.RawMessage{}}
	for i, text := range texts {
		if all[i].value == nil {
			if text, err = yaml.YAMLToJSON(text); err != nil {
				return nil, fmt.Errorf("converting a document to JSON: %w", err)
			}
			if string(text) == "null" {
				continue
			}
		}
		list.Items = append(list.Items, text)
	}
	out, err := json.MarshalIndent(list, "", "    ")
	return append(out, '\n'), err
}

// write turns the parts into text, objects on all processors: writing them is
// nearly all of the work.
func write(all []part, marshal func(object any) ([]byte, error)) ([][]byte, error) {
	texts := make([][]byte, len(all))
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(all) && errs[w] == nil; i += workers {
				if all[i].value == nil {
					texts[i] = all[i].text
					continue
				}
				texts[i], errs[w] = marshal(all[i].value)
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// appendDocument adds a document to a stream, with the separator it needs if it
// does not bring its own. Text behind the mark of a document's end needs none;
// an object gets one even there, for kubectl splits streams at "---" alone.
func appendDocument(out *bytes.Buffer, p part, text []byte) {
	if out.Len() > 0 {
		if !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			out.WriteByte('\n')
		}
		switch line := firstLine(text); {
		case bytes.HasPrefix(line, []byte("---")) || p.value == nil && endsDocument(out.Bytes()):
		case bytes.HasPrefix(line, []byte("%")):
			out.WriteString("...\n") // directives only stand after an end
		default:
			out.WriteString("---\n")
		}
	}
	out.Write(text)
}

// firstLine is the first line that is neither blank nor a comment.
func firstLine(text []byte) []byte {
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			return line
		}
	}
	return nil
}

// endsDocument reports whether the last line is the marker of a document's end.
func endsDocument(text []byte) bool {
	text = bytes.TrimRight(text, " \r\n")
	return bytes.Equal(text, []byte("...")) || bytes.HasSuffix(text, []byte("\n..."))
}
