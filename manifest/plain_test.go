package manifest

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// words are texts that are written in one way or another.
var words = []string{
	"", "a", "server", "v1", "500m", "128Mi", "30s", "10.0.0.1", "0-0.static.conf", "10-0.static.conf", "2-0.static.conf",
	"0", "7", "07", "08", "30000", "-1", "+1", "1.5", "1e3", "0x1f", "0o17", "0b1", "1_000", ".5", ".inf", "12:30", "190:20:30", "2001-01-02", "2001-01-02T15:04:05Z",
	"999999999999999", "99999999999999999999", strings.Repeat("9", 400),
	"true", "True", "TRUE", "tRUE", "false", "null", "Null", "~", "y", "Y", "yes", "No", "on", "Off", "off", "n", "none", "<<", "=", "yesterday", "nullable",
	"-", "--", "---", "--- a", "--include", "--plan=/etc/plan.json", "-a", "- a", "...", "? a", "?", ":", ": a", "a:", "a: b", "a:b", "a #b", "a#b", "#b", " a", "a ", " ",
	"*", "&a", "!a", "!has(object.spec)", "|", ">", "%", "@a", "`a", "{}", "{a", "[]", "['a', 'b'].all(l, l in m)", "'", "''a", `"`, `a "b"`, `\`, `a\b`, "$(JOB_NAME)", "(a)", "/etc/x", "_operator", "a,b", "a/b",
	"a\n", "a\nb", "a\nb\n", "a\n\n b\n", "a\n\nb", "a\n\n", "\n", "\na", " a\nb", "a \nb", "a\nb ", "a\n b", "a: b\n#c\n", "a\tb", "\t", "a\r\nb", "a\x00", "a\x7f", "ü", "ü\n", "\u2028", "\ufeff", "😀", "\xff",
	strings.Repeat("k", maxKey), strings.Repeat("k", maxKey+1), strings.Repeat("long text ", 40) + "end",
}

// TestPlainIsTheLibrarys: every word is written as the library writes it, as a value,
// an element and a key, at several depths.
func TestPlainIsTheLibrarys(t *testing.T) {
	plain := 0
	for _, word := range words {
		for _, value := range []any{
			map[string]any{"a": word},
			map[string]any{word: "a", "m": map[string]any{word: word, "b": word}},
			map[string]any{word: map[string]any{}, "m": map[string]any{word: []any{word, []any{word, word}}}},
			[]any{word, "a"},
			[]any{[]any{word, map[string]any{"a": []any{word}, "b": word}}, map[string]any{word: []any{}}},
		} {
			if same(t, value) {
				plain++
			}
		}
	}
	if want := 5 * 70; plain < want {
		t.Errorf("only %d are plain, less than %d", plain, want)
	}
}

// TestPlainOrder: keys are ordered as the library orders them. All are plain, or
// there is nothing to compare.
func TestPlainOrder(t *testing.T) {
	keys := []string{"a", "b", "B", "ab", "a1", "a2", "a10", "a01", "a1b", "a10b", "a1-b", "a-b", "a_b", "a.b", "a/b", "a0", "a00", "a100", "a1001", "a102", "0", "00", "1", "10", "2-0.static.conf", "10-0.static.conf", "a9223372036854775808x", "a9223372036854775807x", "a1-", "-1", "_", "z"}
	for i, a := range keys {
		for _, b := range keys[:i] {
			if !same(t, map[string]any{a: "x", b: "x"}) {
				t.Errorf("%q and %q are not plain", a, b)
			}
		}
	}
}

// TestPlainTakesWhatIsRendered: the shapes that most objects are made of need no library.
func TestPlainTakesWhatIsRendered(t *testing.T) {
	for name, value := range map[string]any{
		"numbers":      map[string]any{"port": int64(6379), "weight": 1, "n": int64(-1)},
		"booleans":     map[string]any{"on": true, "off": false},
		"null":         map[string]any{"containers": nil},
		"empty":        map[string]any{"l": []any{}, "m": map[string]any{}},
		"annotations":  map[string]any{"metadata": map[string]any{"annotations": map[string]any{"argocd.argoproj.io/sync-wave": "-1", "valkey.io/shard-index": "0"}}},
		"announcement": map[string]any{"data": map[string]any{"0-0.static.conf": "cluster-announce-hostname shard-0.valkey.example.com\n"}},
		"expressions":  []any{map[string]any{"expression": "!has(object.spec.volumes)", "name": "has-no-volume"}},
		"arguments":    map[string]any{"args": []any{"--plan=/etc/plan.json", "--job=$(JOB_NAME)"}},
	} {
		if !same(t, value) {
			t.Errorf("%s is not plain", name)
		}
	}
}

// TestObjectsAreTheLibrarys: what goes through JSON comes out as the library writes its
// Fields, whatever it holds.
func TestObjectsAreTheLibrarys(t *testing.T) {
	plain := 0
	for _, word := range words {
		if sameObject(t, map[string]any{
			"status": word, "a": map[string]any{"status": word, word: []any{word, nil, true, false, -7}, "n": nil},
			"e": map[string]any{}, "l": []any{}, "o": map[string]any{"n": nil},
		}) {
			plain++
		}
	}
	if plain < 70 {
		t.Errorf("only %d are plain", plain)
	}
	for _, number := range []any{1.5, -1e300, 1e-9, 1e21, uint64(math.MaxUint64), json.Number("1e999")} {
		if sameObject(t, map[string]any{"a": number, "b": []any{number}}) {
			t.Errorf("%v is plain", number)
		}
	}
	for _, value := range []any{0, int64(math.MaxInt64), int64(math.MinInt64), json.RawMessage(`{ "a" : [ 1 , "\u0065\"\\" ] }`)} {
		if !sameObject(t, map[string]any{"a": value, "b": []any{value}}) {
			t.Errorf("%v is not plain", value)
		}
	}
	for _, value := range []any{nil, "text", 1, []any{}, math.NaN()} {
		if sameObject(t, value) {
			t.Errorf("%v is an object", value)
		}
	}
}

// sameObject compares what is written of an object with the library's; false if it
// is not plain.
func sameObject(t *testing.T, value any) bool {
	t.Helper()
	got, gotErr := YAML(value)
	var want []byte
	f, err := Fields(value)
	if err == nil {
		want, err = libraryYAML(f)
	}
	if string(got) != string(want) || (gotErr == nil) != (err == nil) {
		t.Errorf("%#v:\n%s %v\nwant\n%s %v", value, got, gotErr, want, err)
	}
	_, plain := plainObject(value)
	return plain
}

// FuzzPlain makes values of bytes and words, and holds what is written against the library.
func FuzzPlain(f *testing.F) {
	f.Add([]byte{0, 3, 3, 0, 3, 1, 1, 2, 3, 3, 4, 5, 6}, "a\nb", "x: y")
	f.Add([]byte{1, 3, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "0x1", "2001-01-01")
	for i, word := range words {
		f.Add([]byte{0, 2, 0, 1, 1, 2, 3, 3}, word, words[len(words)-1-i])
	}
	f.Fuzz(func(t *testing.T, shape []byte, a, b string) {
		m := maker{shape: shape, words: append([]string{a, b, a + b}, words...)}
		value := m.value(0)
		same(t, value)
		sameObject(t, value)
	})
}

// same compares what is written directly with the library's; false if it is not plain.
func same(t *testing.T, value any) bool {
	t.Helper()
	text, ok := plainYAML(value)
	if !ok {
		return false
	}
	want, err := libraryYAML(value)
	if err != nil || string(text) != string(want) {
		t.Errorf("%#v:\n%s\nwant %v\n%s", value, text, err, want)
	}
	return true
}

// maker makes a value of bytes.
type maker struct {
	shape []byte
	words []string
}

func (m *maker) next() int {
	if len(m.shape) == 0 {
		return 0
	}
	b := m.shape[0]
	m.shape = m.shape[1:]
	return int(b)
}

func (m *maker) word() string { return m.words[m.next()%len(m.words)] }

func (m *maker) value(depth int) any {
	kind := m.next()
	if depth == 0 {
		kind %= 2
	}
	if len(m.shape) == 0 || depth > 40 {
		kind = 3
	}
	switch kind % 8 {
	case 0:
		all := map[string]any{}
		for range m.next() % 6 {
			all[m.word()] = m.value(depth + 1)
		}
		return all
	case 1:
		all := []any{}
		for range m.next() % 6 {
			all = append(all, m.value(depth+1))
		}
		return all
	case 2:
		return int64(m.next()) - 100
	case 4:
		return m.next()%2 == 0
	case 5:
		return nil
	}
	return m.word()
}
