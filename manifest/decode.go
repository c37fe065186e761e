package manifest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// members are those of a mapping, in any order.
type members []member

type member struct {
	key   string
	value any
}

// decode reads what json.Marshal wrote, and nothing else: it has no blanks, and is
// right. Nulls of mappings are left out. A mapping becomes members, an integer of 64
// bits an int64, any other number a json.Number.
//
// One that takes any JSON, and makes maps, is much slower: with a large cluster, every
// object passes here (make bench).
func decode(text []byte) any {
	d := decoder{text: string(text)}
	return d.value()
}

type decoder struct {
	text string
	at   int
}

func (d *decoder) value() any {
	switch d.text[d.at] {
	case '{':
		return d.mapping()
	case '[':
		return d.list()
	case '"':
		return d.string()
	case 't':
		d.at += len("true")
		return true
	case 'f':
		d.at += len("false")
		return false
	case 'n':
		d.at += len("null")
		return nil
	}
	return d.number()
}

func (d *decoder) mapping() members {
	all := make(members, 0, 8)
	for d.at++; d.text[d.at] != '}'; {
		key := d.string()
		d.at++ // the colon
		if value := d.value(); value != nil {
			all = append(all, member{key, value})
		}
		d.comma()
	}
	d.at++
	return all
}

func (d *decoder) list() []any {
	all := []any{}
	for d.at++; d.text[d.at] != ']'; {
		all = append(all, d.value())
		d.comma()
	}
	d.at++
	return all
}

func (d *decoder) comma() {
	if d.text[d.at] == ',' {
		d.at++
	}
}

func (d *decoder) string() string {
	start := d.at
	for d.at++; d.text[d.at] != '"'; d.at++ {
		if d.text[d.at] == '\\' {
			return d.escaped(start)
		}
	}
	d.at++
	return d.text[start+1 : d.at-1]
}

// escaped reads a string that has backslashes.
func (d *decoder) escaped(start int) (s string) {
	for ; d.text[d.at] != '"'; d.at++ {
		if d.text[d.at] == '\\' {
			d.at++
		}
	}
	d.at++
	if err := json.Unmarshal([]byte(d.text[start:d.at]), &s); err != nil {
		panic(err) // json.Marshal wrote it
	}
	return s
}

func (d *decoder) number() any {
	start := d.at
	for d.at < len(d.text) && strings.IndexByte("+-.0123456789eE", d.text[d.at]) >= 0 {
		d.at++
	}
	text := d.text[start:d.at]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return json.Number(text)
}
