package main

import (
	"errors"
	"fmt"
	"strings"
)

// The table of fields in the reference stands between these.
const (
	fieldsBegin = "<!-- begin fields -->\n"
	fieldsEnd   = "<!-- end fields -->\n"
)

// reference is the reference with its table of fields written anew.
func (m module) reference(text []byte) ([]byte, error) {
	before, rest, found := strings.Cut(string(text), fieldsBegin)
	_, after, closed := strings.Cut(rest, fieldsEnd)
	if !found || !closed {
		return nil, errors.New("there is no place for the fields")
	}
	access, err := m.typeOf("#ExternalAccess")
	if err != nil {
		return nil, err
	}
	table := &strings.Builder{}
	table.WriteString("| field | meaning |\n|---|---|\n")
	if err := writeFields(table, "externalAccess", access); err != nil {
		return nil, err
	}
	return []byte(before + fieldsBegin + "\n" + table.String() + "\n" + fieldsEnd + after), nil
}

// writeFields writes a row for each field of an object, parents before their
// members. Each field has a sentence above it in the module.
func writeFields(table *strings.Builder, parent string, t *valueType) error {
	for _, f := range t.fields {
		path := parent + "." + f.name
		if !strings.HasSuffix(f.value.doc, ".") {
			return fmt.Errorf("%s has no sentence above it", path)
		}
		doc := strings.NewReplacer("<", "&lt;", ">", "&gt;", "|", `\|`).Replace(f.value.doc)
		if f.required {
			doc = "Required. " + doc
		}
		fmt.Fprintf(table, "| `%s` | %s |\n", path, doc)
		if err := writeFields(table, path, f.value); err != nil {
			return err
		}
	}
	return nil
}
