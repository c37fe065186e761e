package valkeyexpose

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPicture holds the README's picture to the cluster that the README shows: the
// redirect is the one that Valkey would answer with, and every colour has its
// counterpart in the dark.
func TestPicture(t *testing.T) {
	text, err := os.ReadFile("docs/redirects.svg")
	if err != nil {
		t.Fatal(err)
	}
	picture := string(text)
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "(docs/redirects.svg)") {
		t.Error("the README does not show the picture")
	}
	node := regexp.MustCompile(`orders-1-0 +primary +(\S+) +(\d+) `).FindStringSubmatch(string(readme))
	if node == nil {
		t.Fatal("the README has no primary of shard 1")
	}
	redirects := regexp.MustCompile(`GET (\S+)<(?s:.*?)MOVED (\d+) <tspan class="(\w+)">(\S+?)<(?s:.*?)class="code \w+" \S+ \S+>(\S+?)<`).FindAllStringSubmatch(picture, -1)
	if len(redirects) != 2 {
		t.Fatalf("%d redirects", len(redirects))
	}
	for _, r := range redirects {
		key, slot, to, followed := r[1], r[2], r[4], r[5]
		want := crc16(key) % 16384
		if slot != strconv.Itoa(want) || want < 5461 || want > 10922 {
			t.Errorf("%s is in slot %d; of three shards, the second has 5461 to 10922", key, want)
		}
		if to != followed {
			t.Errorf("redirected to %s, the client goes to %s", to, followed)
		}
	}
	if to := redirects[1][4]; to != node[1]+":"+node[2] {
		t.Errorf("the README says %s:%s, the picture %s", node[1], node[2], to)
	}

	light, dark, _ := strings.Cut(picture[:strings.Index(picture, "</style>")], "prefers-color-scheme: dark")
	rules := regexp.MustCompile(`(?m)^ +(\.?[a-z-]+) \{.*(?:fill|stroke): #`)
	for _, rule := range rules.FindAllStringSubmatch(light, -1) {
		if !strings.Contains(dark, " "+rule[1]+" {") {
			t.Errorf("%s has no colour for the dark", rule[1])
		}
	}
}

// crc16 is the XMODEM one, of which Valkey takes a key's slot.
func crc16(key string) int {
	sum := uint16(0)
	for _, b := range []byte(key) {
		sum ^= uint16(b) << 8
		for range 8 {
			carry := sum & 0x8000
			sum <<= 1
			if carry != 0 {
				sum ^= 0x1021
			}
		}
	}
	return int(sum)
}
