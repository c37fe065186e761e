package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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

// TestWordsOfTheBlockThatKubectlTakesForBooleans: every field of the block that is a
// string, whichever fields the rules come to have. Where a word is refused for
// what it is, or its field is none, nothing is said of its quotes.
func TestWordsOfTheBlockThatKubectlTakesForBooleans(t *testing.T) {
	const at, says = head + "metadata: {name: a}\nspec: {shards: 1, externalAccess: {", " is on without quotes, which kubectl takes for a boolean; write \"on\""
	for field, path := range map[string]string{
		"hostnamePrefix: on":                                                "hostnamePrefix",
		"serviceLabels: {team: on}":                                         "serviceLabels.team",
		"serviceLabels: {on: x}":                                            "serviceLabels.on",
		"serviceAnnotations: {x.io/a: on}":                                  "serviceAnnotations[x.io/a]",
		"serviceType: LoadBalancer, loadBalancerClass: on":                  "loadBalancerClass",
		"gateway: {basePort: 9000, gatewayRef: {name: on}}":                 "gateway.gatewayRef.name",
		"gateway: {basePort: 9000, gatewayRef: {name: a, namespace: on}}":   "gateway.gatewayRef.namespace",
		"gateway: {basePort: 9000, gatewayRef: {name: a, sectionName: on}}": "gateway.gatewayRef.sectionName",
	} {
		bare := at + strings.TrimPrefix(access, "externalAccess: {")
		document := strings.TrimSuffix(bare, "}") + ", " + field + "}}\n"
		_, got := said(t, document)
		if len(got) != 1 || !strings.Contains(got[0], ": spec.externalAccess."+path+":"+says) {
			t.Errorf("%s: got %q", field, got)
		}
		holds(t, strings.NewReplacer(": on", ": 'on'", "{on", "{'on'").Replace(document), []string{"a"})
	}
	domain := at + "enabled: true, domain: on, preferredEndpointType: hostname}}\n"
	holds(t, domain, nil, "4:59: spec.externalAccess.domain:"+says)
	for field, says := range map[string]string{
		"enabled: on":                       "must be true or false, without quotes",
		"serviceType: on":                   "must be NodePort, LoadBalancer or ClusterIP",
		"domain: ON":                        "must be a DNS domain",
		"other: on":                         "unknown field",
		"other: {x: on}":                    "unknown field",
		"serviceLabels: {valkey.io/on: on}": "is a label that the operator",
		"serviceType: LoadBalancer, loadBalancerSourceRanges: [on]": "must be an IP range",
	} {
		_, got := said(t, at+field+"}}\n")
		if got = slices.DeleteFunc(got, func(line string) bool { return strings.Contains(line, ": warning: ") }); len(got) != 1 || !strings.Contains(got[0], ": "+says) {
			t.Errorf("%s: got %q", field, got)
		}
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
