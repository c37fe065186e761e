package inject

import "slices"

// Ways lists all there are; the first is the default.
func Ways() []Way { return []Way{admission(), patch(), none()} }

// Named is the way with a name. One that there is not leaves the pods alone.
func Named(name string) Way {
	ways := Ways()
	if i := slices.IndexFunc(ways, func(w Way) bool { return w.Name == name }); i >= 0 {
		return ways[i]
	}
	return none()
}

// ObjectFiles lists the files with objects that the ways render into a directory.
func ObjectFiles() []string { return files(func(w Way) bool { return w.Objects != nil }) }

// ComponentFiles lists those of kustomize Components.
func ComponentFiles() []string { return files(func(w Way) bool { return w.Component != nil }) }

func files(of func(Way) bool) []string {
	var all []string
	for _, w := range Ways() {
		if of(w) && !slices.Contains(all, w.File) {
			all = append(all, w.File)
		}
	}
	return all
}
