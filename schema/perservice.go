package schema

import "encoding/json"

// PerService is a value for each Service, in the order of the nodes, or a single one
// for all. The rules have seen to it that there are as many as Services.
type PerService []string

// Of is the value for a Service, by its place among them.
func (p PerService) Of(service int) string {
	if len(p) == 1 {
		return p[0]
	}
	return p[service]
}

// UnmarshalJSON takes a string or a list of strings.
func (p *PerService) UnmarshalJSON(text []byte) error {
	var all string
	if json.Unmarshal(text, &all) == nil {
		*p = PerService{all}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(p))
}
