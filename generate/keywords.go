package main

// scalar is what both kinds of schemas say alike.
func (t *valueType) scalar() map[string]any {
	schema := map[string]any{"type": t.kind}
	if t.doc != "" {
		schema["description"] = t.doc
	}
	if t.enum != nil {
		schema["enum"] = t.enum
	}
	if t.pattern != "" {
		schema["pattern"] = t.pattern
	}
	if t.maxLength > 0 {
		schema["maxLength"] = t.maxLength
	}
	if t.minimum != nil {
		schema["minimum"] = *t.minimum
	}
	if t.maximum != nil {
		schema["maximum"] = *t.maximum
	}
	return schema
}

// required are the names of the fields that an object must have.
func (t *valueType) required() []string {
	var names []string
	for _, f := range t.fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	return names
}
