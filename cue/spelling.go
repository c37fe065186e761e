package rules

import "strings"

// alike reports whether a name is another but for upper case and two letters.
func alike(written, name string) bool {
	return len(written) <= len(name)+2 && edits(strings.ToLower(written), strings.ToLower(name)) <= 2
}

// closest is the name that a user who wrote another may have meant: the one
// it is the beginning of, or that with the fewest letters to change, add or drop.
// Upper and lower case are alike.
func closest(written string, names []string) string {
	best, distance := "", max(2, len(written)/3)+1
	for _, name := range names {
		if len(written) > 2 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(written)) {
			return name
		}
		if d := edits(strings.ToLower(written), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
