package gen

import (
	"bytes"
	"runtime"
	"sync"
)

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
