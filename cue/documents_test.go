package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Parts of the inputs below. The block's domain and type leave nothing to warn of.
const (
	head   = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\n"
	access = "externalAccess: {enabled: true, domain: a.example, preferredEndpointType: hostname}"
	orders = head + "metadata: {name: orders, namespace: shop}\nspec: {shards: 1, " + access + "}\n"
	wrong  = head + "metadata: {name: orders, namespace: shop}\nspec: {shards: 1, externalAccess: {enabled: true, domain: 7}}\n"
	asJSON = `{"apiVersion":"valkey.io/v1alpha1","kind":"ValkeyCluster","metadata":{"name":"orders","namespace":"shop"},` +
		`"spec":{"shards":1,"externalAccess":{"enabled":true,"domain":"a.example","preferredEndpointType":"hostname"}}}`
	plain = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`
)

// said is what was said of an input, a line each, less "f:".
func said(t *testing.T, input string) (documents []schema.Document, lines []string) {
	t.Helper()
	documents, problems := newRules(t).Check("f", []byte(input))
	for _, p := range problems {
		lines = append(lines, strings.TrimPrefix(p.String(), "f:"))
	}
	return documents, lines
}

func newRules(t *testing.T) *Rules {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holds checks that an input has exactly these clusters with external access, and
// problems that begin so.
func holds(t *testing.T, input string, clusters []string, problems ...string) {
	t.Helper()
	documents, got := said(t, input)
	var names []string
	for _, d := range documents {
		if d.Cluster != nil && d.Cluster.Exposed() {
			names = append(names, d.Cluster.Name)
		}
	}
	if fmt.Sprint(names) != fmt.Sprint(clusters) {
		t.Errorf("%.300q: clusters %v, want %v; %v", input, names, clusters, got)
	}
	if len(got) != len(problems) {
		t.Errorf("%.300q: got %q, want %q", input, got, problems)
		return
	}
	for i, want := range problems {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("%.300q: got %q, want %q", input, got[i], want)
		}
	}
}

// TestDocumentOnTheLineOfItsMarker: kubectl says "invalid Yaml document separator", and
// reads nothing of such a file.
func TestDocumentOnTheLineOfItsMarker(t *testing.T) {
	holds(t, "--- "+asJSON+"\n", nil, "1:5: stands on the line of a document's marker")
	holds(t, orders+"---\t"+plain+"\n", []string{"orders"}, "5:5: stands on")
	holds(t, "--- !!map\n"+orders, nil, "1:5: stands on")
	holds(t, "\ufeff---  &a\n"+orders, nil, "1:6: stands on")
	holds(t, "kind: A\nkey: \"-----BEGIN\n-----END\"\n---\n"+orders, []string{"orders"}, "3:4: stands on")
	holds(t, "--- # the shop's\n"+orders+"---\t\n"+plain+"\n--- #\n", []string{"orders"})
}

// TestWhatIsNoTextIsToldInItsPlace: the parser tells no place of such bytes.
func TestWhatIsNoTextIsToldInItsPlace(t *testing.T) {
	for bad, want := range map[string]string{
		"a\xffb": "byte 0xFF is no UTF-8", "a\xc3": "byte 0xC3 is no UTF-8",
		"a\x01b": "U+0001 is a control", "a\u0080": "U+0080 is a control", "a\uffff": "U+FFFF is a control",
	} {
		holds(t, plain+"\n---\n"+orders+"# \u00e9"+bad+"\n", nil, "7:5: YAML syntax: "+want)
		holds(t, plain+"\n---\n"+orders+"\n  x: \""+bad+"\"\n", nil, "8:8: YAML syntax: "+want)
	}
	holds(t, orders+"# \u00e9 \u00a0 \U0001F600 \ufffd\t\r\n", []string{"orders"})
}

// TestBlockWhereItIsNotRead: at a wrong level, or under a key that is given twice, it
// is not passed over in silence.
func TestBlockWhereItIsNotRead(t *testing.T) {
	const metadata = "metadata: {name: orders, namespace: shop}\n"
	holds(t, head+metadata+"spec: {shards: 1}\n"+access+"\n", nil, "5:1: externalAccess: is not read there")
	holds(t, head+metadata+"Spec: {shards: 1, "+access+"}\n", nil, "4:19: Spec.externalAccess: is not read there")
	holds(t, head+metadata+"spec:\n  shards: 1\n  networking:\n    "+access+"\n", nil, "7:5: spec.networking.externalAccess: is not read there")
	holds(t, head+metadata+"spec:\n  containers: [{"+access+"}]\n", nil, "5:17: spec.containers[0].externalAccess: is not read")
	holds(t, head+metadata+"spec: {shards: 1}\nspec: {"+access+"}\n", nil, "5:8: spec.externalAccess: stands under a key that is given twice")
	holds(t, "kind: ConfigMap\n"+orders, nil, "3:1: kind: duplicate key")
	holds(t, "apiVersion: v1\n"+orders, nil, "2:1: apiVersion: duplicate key")

	// Fields of that name may be others'.
	holds(t, head+metadata+"spec: {shards: 1, x: {externalAccess: true, y: {externalAccess: {}}}}\n", nil)
	holds(t, "kind: ConfigMap\nkind: Secret\nspec: {"+access+"}\n", nil)
}

func TestDocumentBehindAJSONDocument(t *testing.T) {
	one := []string{"orders"}
	holds(t, plain+"\n"+asJSON+"\n", one)
	holds(t, plain+asJSON, one)
	holds(t, "---\n"+plain+"\n# of the shop\n\n"+asJSON+" # the end\n", one)
	holds(t, asJSON+"\n"+strings.Replace(asJSON, "orders", "carts", 1)+"\n---\n"+plain, []string{"orders", "carts"})
	bad := strings.Replace(asJSON, `"shards":1`, `"shards":0`, 1)
	holds(t, plain+"\n"+bad, nil, "2:124: spec.shards: must be")
	holds(t, plain+" "+bad, nil, "1:187: spec.shards: must be")

	// What is no JSON, behind what is.
	holds(t, plain+"\n\n"+orders, nil, "3:1: begins behind a JSON document")
	holds(t, plain+" ]", nil, "1:63: begins behind a JSON document")
	holds(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n\n"+orders, nil, "3:1: begins behind the end of a document")
	holds(t, "{kind: A}\n  {kind: B}\n", nil, "2:3: begins behind the end of a document")

	documents, _ := said(t, plain+"\n# kept\n"+asJSON+"\n")
	if got := string(documents[0].Source) + "|" + string(documents[1].Source); got != plain+"\n# kept\n|"+asJSON+"\n" {
		t.Errorf("cut into %s", got)
	}
}

func TestLineEndsThatOnlySomeReadersCount(t *testing.T) {
	for name, r := range map[string]string{"U+2028": "\u2028", "U+2029": "\u2029", "U+0085": "\u0085", "a carriage return": "\r"} {
		note := "metadata:\n  name: orders\n  annotations: {note: \"one" + r + "two\"}\n"
		holds(t, head+note+"spec:\n  shards: 1\n  "+access, nil, "5:27: holds "+name)
		holds(t, head+"# one"+r+" \n"+note+"spec: {"+access+"}", nil, "3:6: holds "+name, "6:27: holds "+name)

		// Other objects are left alone, and what is wrong below has the right line.
		holds(t, "kind: A\nx: \"1"+r+"2\"\n---\n"+wrong, nil, "7:59: spec.externalAccess.domain: must be")
		holds(t, "kind: A"+r+"x: 1"+r+"---"+r+"kind: B", nil, "1:14: begins a second document")
		holds(t, head+"metadata: {name: a}\nx: 1"+r+"spec: {y: 1, z: \""+r+r+r+"\"}\n", nil) // no block
		holds(t, "kind: A"+r+"x: 1\n---\nkind: B\ny: [}", nil, "4:1: YAML syntax: did not find")
	}
	escaped := strings.Replace(orders, "namespace: shop", `annotations: {note: "\u2028\u2029\x85\r"}`, 1)
	holds(t, escaped, []string{"orders"})
	holds(t, strings.ReplaceAll(orders, "\n", "\r\n"), []string{"orders"})
	// The whole file with the line ends of an old Macintosh.
	if _, got := said(t, strings.ReplaceAll(orders, "\n", "\r")); len(got) != 4 || !strings.HasPrefix(got[0], "1:31: holds a carriage return") {
		t.Errorf("got %q", got)
	}
}

func TestPanicIsAProblemOfItsDocument(t *testing.T) {
	input := "kind: A\n---\n" + orders + "---\nkind: B\n"
	documents, problems := new(Rules).Check("f", []byte(input))
	if len(documents) != 3 || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "f:2:1: cannot be read: ") {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}

func TestByteOrderMarks(t *testing.T) {
	const mark = "\ufeff"
	one := []string{"orders"}
	for _, input := range []string{
		mark + orders, mark + "---\n" + orders, "---\n" + mark + orders, mark + "---\n" + mark + orders,
		mark + "# a comment\n" + orders, "kind: A\n" + mark + "---\n" + orders, "kind: A\n---\n" + mark + orders,
		mark + asJSON, plain + "\n---\n" + mark + asJSON, mark + "%YAML 1.1\n---\n" + orders,
	} {
		holds(t, input, one)
		documents, _ := said(t, input)
		for _, d := range documents {
			if strings.Contains(string(d.Source), mark) {
				t.Errorf("%q: left in %q", input, d.Source)
			}
		}
	}
	holds(t, "kind: A\n---\n"+mark+wrong, nil, "6:59: spec.externalAccess.domain: must be")
	holds(t, "kind: A\n"+mark+"x: 1\n---\n"+orders, one, "2:1: begins with a byte order mark")
	holds(t, "# a comment\n"+head+mark+"spec: {"+access+"}\n", nil, "4:1: begins with a byte order mark")
	holds(t, strings.Replace(orders, "shop", "\"sh\ufeffop\"", 1), nil, "3:37: metadata.namespace: must be")
}

func TestNameThroughAMergeKey(t *testing.T) {
	documents, got := said(t, head+"metadata: {<<: {name: a, namespace: shop}}\nspec: {shards: 1, "+access+"}\n")
	if d := documents[0]; d.Name != "a" || d.Namespace != "shop" || got != nil {
		t.Errorf("%s/%s, %q", d.Namespace, d.Name, got)
	}
	holds(t, "x: &x {name: a}\ny: &y {name: b, namespace: shop}\n"+head+"metadata: {<<: [*x, *y]}\nspec: {shards: 1, "+access+"}\n", []string{"a"})
	holds(t, "<<: {apiVersion: valkey.io/v1alpha1, kind: ValkeyCluster}\nmetadata: {name: a}\nspec: {shards: 1, "+access+"}\n", []string{"a"})
	holds(t, head+"metadata: {name: a}\nspec: {<<: {externalAccess: {enabled: true, domain: 7}}, shards: 1}\n", nil, "4:53: spec.externalAccess.domain: must be")
}

func TestAliasesWithoutEnd(t *testing.T) {
	holds(t, "a: &a {<<: *a}\n"+orders, nil, `1:12: YAML syntax: anchor "a" contains itself`)
	holds(t, "a: &a {b: [*a]}\n"+orders, nil, `1:12: YAML syntax: anchor "a" contains itself`)
	holds(t, "<<: &a [*a, *a, *a]\n", nil, `1:9: YAML syntax: anchor "a" contains itself`)
	// Of many merged, none costs much by itself.
	bomb := "x0: &x0 {a: 1}\n"
	for i := range 30 {
		bomb += fmt.Sprintf("x%d: &x%[1]d {<<: [*x%d, *x%[2]d, *x%[2]d]}\n", i+1, i)
	}
	holds(t, bomb+orders, nil, "1:1: YAML syntax: aliases expand to more than a million values")
	holds(t, "a: &a {b: 1}\nc: [*a, *a]\n"+orders, []string{"orders"})
}

func TestNumbersThatNobodyReads(t *testing.T) {
	for _, number := range []string{"99999999999999999999", ".inf", "-.Inf", "+.INF", ".nan", "-99_999_999_999_999_999_999"} {
		holds(t, head+"metadata: {name: a}\nspec: {shards: 1, replicas: "+number+", "+access+"}\n", nil, "4:29: spec.replicas: is "+number[:4])
		for _, field := range []string{"tls", "image", "other"} {
			holds(t, head+"metadata: {name: a}\nspec: {shards: 1, "+access+", "+field+": {x: "+number+"}}\n", nil, fmt.Sprintf("4:%d: spec.%s.x: is %s", 110+len(field), field, number[:4]))
		}
		holds(t, head+"metadata: {name: a}\nspec: {replicas: "+number+"}\n", nil) // no block
	}
	holds(t, head+"metadata: {name: orders, annotations: {a: \".inf\", b: '99999999999999999999'}}\nspec: {shards: 1, "+access+", x: 1.5e3}\n", []string{"orders"})
}

func TestStringsThatKubectlTakesForBooleans(t *testing.T) {
	for _, word := range []string{"no", "on", "off", "yes", "y", "n", "NO", "Yes", "Y"} {
		at := " is " + word + " without quotes, which kubectl takes for a boolean; write \"" + word + "\""
		if word == strings.ToLower(word) {
			holds(t, head+"metadata: {name: "+word+"}\nspec: {shards: 1, "+access+"}\n", nil, "3:18: metadata.name:"+at)
			holds(t, head+"metadata: {name: '"+word+"', namespace: !!str "+word+"}\nspec: {shards: 1, "+access+"}\n", []string{word})
		}
		holds(t, head+"metadata:\n  name: a\n  annotations:\n    x: "+word+"\n    "+word+": z\n  labels: {app.kubernetes.io/x: "+word+"}\nspec: {shards: 1, "+access+"}\n", nil,
			"6:8: metadata.annotations.x:"+at, "7:5: metadata.annotations."+word+":"+at, "8:33: metadata.labels[app.kubernetes.io/x]:"+at)
		holds(t, head+"metadata: {name: a}\nspec:\n  shards: 1\n  config: {appendonly: "+word+"}\n  "+access+"\n", nil, "6:24: spec.config.appendonly:"+at)
		holds(t, head+"metadata: {name: a}\nspec:\n  shards: 1\n  containers: [{name: server, env: [{name: X, value: "+word+"}]}]\n  "+access+"\n", nil, "6:54: spec.containers[0].env[0].value:"+at)
		holds(t, head+"metadata: {name: a}\nspec: {persistence: {enabled: "+word+"}, shards: 1, "+access+"}\n", []string{"a"}) // may be a boolean
	}
	holds(t, head+"metadata: {name: a, annotations: {x: yEs, y1: noo}}\nspec: {shards: 1, "+access+"}\n", []string{"a"})
}

func TestClusterPlainlyMeant(t *testing.T) {
	rest := "metadata: {name: a}\nspec: {shards: 1, " + access + "}\n"
	for first, want := range map[string]string{
		"kind: ValkeyCluster\n":                                    "1:1: apiVersion: is missing, and one of valkey.io",
		"apiVersion: valkey.oi/v1alpha1\nkind: ValkeyCluster\n":    "1:13: apiVersion: is valkey.oi/v1alpha1, and one of valkey.io",
		"apiVersion: v1alpha1\nkind: ValkeyCluster\n":              "1:13: warning: apiVersion: is v1alpha1: nothing is rendered",
		"apiVersion: valkey.io/v1alpha1\nkind: valkeycluster\n":    "2:7: kind: is valkeycluster, and ValkeyCluster",
		"apiVersion: valkey.io/v1alpha1\nkind: ValkeyClusters\n":   "2:7: kind: is ValkeyClusters, and ValkeyCluster",
		"apiVersion: Valkey.io/v1alpha1\nkind: ValkeyCluster\n":    "1:13: apiVersion: is Valkey.io/v1alpha1, and one of valkey.io",
		"apiVersion: other.example/v1\nkind: ValkeyCluster\n":      "1:13: warning: apiVersion: is other.example/v1: nothing is rendered",
		"apiVersion: valkey.io/v1alpha1\n":                         "1:1: is no Kubernetes object: it has no kind",
		"\ufeff\ufeffapiVersion: valkey.io/v1\nkind: a\nkind: b\n": "",
		"apiVersion: mongodb.com/v1\nkind: MongoDB\n":              "",
		"apiVersion: valkey.io/v1alpha1\nkind: ValkeyNode\n":       "",
	} {
		if want == "" {
			holds(t, first+rest, nil)
			continue
		}
		holds(t, first+rest, nil, want)
	}
	holds(t, "kind: valkeycluster\nspec: {externalAccess: null}\n", nil)
	for _, name := range []string{"exteralAccess", "externalaccess", "external_access"} {
		holds(t, strings.Replace(orders, "externalAccess", name, 1), nil, "4:19: spec."+name+`: unknown field; did you mean "externalAccess"?`)
	}
}

func TestSpecThatIsNoMapping(t *testing.T) {
	holds(t, head+"metadata: {name: a}\nspec: null\n", nil, "4:7: spec: must be a block of fields")
	holds(t, head+"metadata: {name: a}\nspec: [1]\n", nil, "4:1: spec: must be a block of fields")
	holds(t, head+"metadata: {name: a}\n", nil)
}

func TestDuplicateKeysOfAClusterWithoutTheBlock(t *testing.T) {
	holds(t, head+"metadata: {name: a, name: a}\nspec: {shards: 1, shards: 2}\n", nil)
}

func TestClustersInLists(t *testing.T) {
	item := "- " + strings.ReplaceAll(strings.TrimSuffix(orders, "\n"), "\n", "\n  ") + "\n"
	other := "- {apiVersion: v1, kind: ConfigMap, metadata: {name: x}} # kept\n"
	list := "apiVersion: v1\nkind: List\nitems:\n"
	inner := "- apiVersion: v1\n  kind: List\n  items:\n  " + strings.ReplaceAll(strings.TrimSuffix(item, "\n"), "\n", "\n  ") + "\n"
	for _, input := range []string{
		list + item, list + other + item, list + other + inner, strings.Replace(list, "List", "ValkeyClusterList", 1) + item,
		list + "- &o\n  a: 1\n" + strings.Replace(item, "orders", "orders, x: *o", 1),
		`{"kind":"List","apiVersion":"v1","items":[` + plain + "," + asJSON + `]}`,
	} {
		holds(t, input, []string{"orders"})
	}
	documents, _ := said(t, list+other+inner)
	if len(documents) != 2 || string(documents[0].Source) != "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}} # kept\n" ||
		string(documents[1].Source) != orders || documents[1].Within != "items[1].items[0]" {
		t.Errorf("got %+v", documents)
	}
	bad := strings.Replace(inner, "shards: 1", "shards: 0", 1)
	holds(t, list+other+bad, nil, "11:20: items[1].items[0].spec.shards: must be")

	// Without the block, a List stays one document; what is in it is known.
	bare := list + other + strings.Replace(item, access, "replicas: 1", 1)
	documents, got := said(t, bare)
	if len(documents) != 3 || string(documents[0].Source) != bare || documents[2].Source != nil || documents[2].Name != "orders" || got != nil {
		t.Errorf("got %+v %q", documents, got)
	}
}

func TestTabInTheIndentation(t *testing.T) {
	holds(t, "kind: A\nspec:\n  a:\n\tb: c\n", nil, "4:1: YAML syntax: a tab in the indentation")
	holds(t, "kind: A\nspec:\n  a: 1\n  \tb: c\n", nil, "4:3: YAML syntax: a tab in the indentation")
	holds(t, "kind: A\nx: |\n  a\n  \tb\n---\n\tb: c\n", nil, "6:1: YAML syntax: a tab in the indentation")
}

func TestWhatTheServerOwns(t *testing.T) {
	exported := strings.Replace(orders, "metadata: {name: orders, namespace: shop}\n", `metadata:
  name: orders
  resourceVersion: "12"
  uid: 6c1
  generation: 3
  selfLink: /apis
  creationTimestamp: "2026-12-01T00:00:00Z"
  managedFields: [{manager: kubectl}]
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {}
`, 1)
	holds(t, exported, []string{"orders"},
		"5:3: warning: metadata.resourceVersion: is the API server's, and left out", "6:3: warning: metadata.uid:", "7:3: warning: metadata.generation:",
		"8:3: warning: metadata.selfLink:", "9:3: warning: metadata.creationTimestamp:", "10:3: warning: metadata.managedFields:",
		"12:5: warning: metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]:")
	holds(t, strings.Replace(orders, "namespace: shop", "creationTimestamp: null", 1), []string{"orders"}) // as generators write it
}

func TestBoundsOfOneDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString(orders + "x:\n")
	for range 300 {
		b.WriteString("  a: 1\n")
	}
	unknown := strings.Replace(b.String(), access, "externalAccess: {enabled: true"+strings.Repeat(", x1: 1, x2: 2, x3: 3", 50)+"}", 1)
	for i := range 200 {
		unknown = strings.Replace(unknown, "x1: 1", fmt.Sprintf("y%d: 1", i), 1)
	}
	for _, input := range []string{b.String(), unknown} {
		_, got := said(t, input)
		if len(got) != maxFindings {
			t.Errorf("%d problems", len(got))
		}
		for _, line := range got {
			if strings.Contains(line, "warning: ") {
				t.Errorf("a warning in an error's place: %s", line)
			}
		}
	}
	many := func(n int, block string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "---\n%smetadata: {name: a%d}\nspec: {shards: 1, externalAccess: %s}\n", head, i, block)
		}
		return b.String()
	}
	for _, block := range []string{"{enabled: false}", "null"} {
		if _, got := said(t, many(maxClusters+1, block)); strings.Contains(strings.Join(got, "\n"), "too many") {
			t.Errorf("%s counts as external access: %q", block, got[len(got)-1])
		}
	}
}
