package manifest

import (
	"slices"
	"strconv"
)

// plainYAML writes a map or list of the plain shapes that nearly every object is made
// of, without the library: with that, a large cluster would take several times as long
// (make bench). It is false for any other value; what it writes is byte
// for byte what the library would.
func plainYAML(value any) ([]byte, bool) {
	w := plainWriter{out: make([]byte, 0, 1024)}
	switch value.(type) {
	case map[string]any, members, []any:
	default:
		return nil, false
	}
	if !w.value(value, 0) {
		return nil, false
	}
	w.newline(0)
	return w.out, true
}

// plainWriter writes values, each without the line break behind it. Its methods are
// false if a value is not plain; what has been written is of no use then.
type plainWriter struct {
	out []byte
}

// value writes a value where its first line has begun; further lines are indented.
func (w *plainWriter) value(value any, indent int) bool {
	switch x := value.(type) {
	case map[string]any:
		return w.mapping(membersOf(x), indent)
	case members:
		return w.mapping(x, indent)
	case []any:
		return w.list(x, indent)
	case string:
		return w.text(x, indent)
	case bool:
		w.out = strconv.AppendBool(w.out, x)
	case int64:
		w.out = strconv.AppendInt(w.out, x, 10)
	case int:
		w.out = strconv.AppendInt(w.out, int64(x), 10)
	case nil:
		w.out = append(w.out, "null"...)
	default:
		return false
	}
	return true
}

// mapping sorts the members and writes them.
func (w *plainWriter) mapping(all members, indent int) bool {
	if len(all) == 0 {
		w.out = append(w.out, "{}"...)
		return true
	}
	slices.SortFunc(all, func(a, b member) int { return compareKeys(a.key, b.key) })
	for i, m := range all {
		if i > 0 {
			w.newline(indent)
		}
		if !w.key(m.key) || !w.member(m.value, indent) {
			return false
		}
	}
	return true
}

func membersOf(m map[string]any) members {
	all := make(members, 0, len(m))
	for key, value := range m {
		all = append(all, member{key, value})
	}
	return all
}

// member writes the value of a key: on the key's line, unless it has lines of its own.
func (w *plainWriter) member(value any, indent int) bool {
	if m, ok := value.(map[string]any); ok {
		value = membersOf(m)
	}
	switch x := value.(type) {
	case members:
		if len(x) > 0 {
			w.newline(indent + 2)
			return w.mapping(x, indent+2)
		}
	case []any:
		if len(x) > 0 {
			w.newline(indent)
			return w.list(x, indent)
		}
	}
	w.out = append(w.out, ' ')
	return w.value(value, indent+2)
}

func (w *plainWriter) list(list []any, indent int) bool {
	if len(list) == 0 {
		w.out = append(w.out, "[]"...)
		return true
	}
	for i, element := range list {
		if i > 0 {
			w.newline(indent)
		}
		w.out = append(w.out, "- "...)
		if !w.value(element, indent+2) {
			return false
		}
	}
	return true
}

const blanks = "                                                                "

func (w *plainWriter) newline(indent int) {
	// A text of several lines brings its own last line break.
	if n := len(w.out); n == 0 || w.out[n-1] != '\n' {
		w.out = append(w.out, '\n')
	}
	for ; indent > len(blanks); indent -= len(blanks) {
		w.out = append(w.out, blanks...)
	}
	w.out = append(w.out, blanks[:indent]...)
}
