package stream

import "testing"

// TestMember: aliases are followed; a member of its own counts before a merged one,
// of several merged the first.
func TestMember(t *testing.T) {
	o := parsed(t, `
x: &x {a: x, b: x}
y: &y {b: y, c: y}
z: &z {<<: *x, d: z}
one: {<<: *x, a: own}
list: {<<: [*x, *y]}
nested: {<<: [*z]}
alias: *z
string: {"<<": *x}
key: &k named
aliased: {*k : v}
not: [a]
`)
	for _, test := range []struct{ mapping, name, want string }{
		{"one", "a", "own"}, {"one", "b", "x"}, {"one", "c", ""},
		{"list", "b", "x"}, {"list", "c", "y"},
		{"nested", "a", "x"}, {"nested", "d", "z"},
		{"alias", "d", "z"},
		{"string", "a", ""},
		{"aliased", "named", "v"},
		{"not", "a", ""}, {"missing", "a", ""},
	} {
		if got := o.Text(test.mapping, test.name); got != test.want {
			t.Errorf("%s.%s is %q, want %q", test.mapping, test.name, got, test.want)
		}
		if n := o.Member(test.mapping, test.name); (n != nil) != (test.want != "") {
			t.Errorf("%s.%s: %v", test.mapping, test.name, n)
		}
	}
	for text, want := range map[string]string{"a: ~": "", "a: 1": "1", "a: '~'": "~", "a: [1]": ""} {
		if got := parsed(t, text).Text("a"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
