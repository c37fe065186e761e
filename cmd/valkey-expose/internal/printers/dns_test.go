package printers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
)

// TestZoneIsRead by a library: each name has the records that lead to its targets,
// and nothing is relative to a zone.
func TestZoneIsRead(t *testing.T) {
	plan := planOf(3)
	set := records.Set{Plan: &plan, Names: []records.Name{
		{Hostname: "shard-0.valkey.example.com", Targets: []string{"203.0.113.7", "2001:db8::7", "203.0.113.8"}},
		{Hostname: "shard-1.valkey.example.com", Targets: []string{"lb-1.example.net"}},
		{Hostname: strings.Repeat("a", 63) + ".example.com", Targets: []string{"lb-2.example.net."}},
	}}
	var out bytes.Buffer
	if err := RecordsZone(&out, []records.Set{set, {Plan: &plan}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for parser := dns.NewZoneParser(&out, "zone.example.", ""); ; {
		record, more := parser.Next()
		if err := parser.Err(); err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		head := record.Header()
		if head.Ttl != recordTTL || head.Class != dns.ClassINET {
			t.Errorf("%v", record)
		}
		value := ""
		switch r := record.(type) {
		case *dns.A:
			value = r.A.String()
		case *dns.AAAA:
			value = r.AAAA.String()
		case *dns.CNAME:
			value = r.Target
		}
		got = append(got, head.Name+" "+dns.TypeToString[head.Rrtype]+" "+value)
	}
	want := []string{
		"shard-0.valkey.example.com. A 203.0.113.7",
		"shard-0.valkey.example.com. AAAA 2001:db8::7",
		"shard-0.valkey.example.com. A 203.0.113.8",
		"shard-1.valkey.example.com. CNAME lb-1.example.net.",
		strings.Repeat("a", 63) + ".example.com. CNAME lb-2.example.net.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
