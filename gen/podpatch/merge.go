package podpatch

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Merge puts a patch, as Read gives it, into a pod template, the way a
// strategic merge patch does that takes nothing away: objects and maps by member,
// lists by the key that the API's types name, other lists as a whole.
func Merge(template *corev1.PodTemplateSpec, patch json.RawMessage) error {
	if len(patch) == 0 {
		return nil
	}
	var from corev1.PodTemplateSpec
	if err := json.Unmarshal(patch, &from); err != nil {
		return fmt.Errorf("reading the patch of the Job's pod: %w", err)
	}
	merge(reflect.ValueOf(template).Elem(), reflect.ValueOf(from), "")
	return nil
}

// merge puts a value into another of the same type. The tag is that of the field.
func merge(into, from reflect.Value, tag reflect.StructTag) {
	key := tag.Get("patchMergeKey")
	switch {
	case from.IsZero():
	case from.Kind() == reflect.Map && !into.IsNil():
		for _, name := range from.MapKeys() {
			into.SetMapIndex(name, from.MapIndex(name))
		}
	case from.Kind() == reflect.Pointer && !into.IsNil() && !isLeaf(from.Type().Elem()):
		merge(into.Elem(), from.Elem(), "")
	case from.Kind() == reflect.Struct && !isLeaf(from.Type()):
		for i := range from.NumField() {
			merge(into.Field(i), from.Field(i), from.Type().Field(i).Tag)
		}
	case from.Kind() == reflect.Slice && key != "":
		for i := range from.Len() {
			item := from.Index(i)
			at := slices.IndexFunc(indices(into), func(j int) bool { return byJSON(into.Index(j), key).Equal(byJSON(item, key)) })
			if at < 0 {
				into.Set(reflect.Append(into, item))
				continue
			}
			merge(into.Index(at), item, "")
		}
	default:
		into.Set(from)
	}
}

func indices(list reflect.Value) []int {
	all := make([]int, list.Len())
	for i := range all {
		all[i] = i
	}
	return all
}

// byJSON is the field of a struct by its name in JSON.
func byJSON(object reflect.Value, name string) reflect.Value {
	return object.FieldByNameFunc(func(field string) bool {
		f, _ := object.Type().FieldByName(field)
		tagged, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return tagged == name
	})
}

// isLeaf reports whether the type reads its JSON as a whole.
func isLeaf(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(json.Unmarshaler)
	switch t.Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice:
		return ok
	}
	return true
}
