package manifest

import (
	"strings"
	"unicode"
)

// compareKeys orders the keys of a map as the YAML library does: numbers within them
// as numbers, letters behind all other bytes, but before what follows a digit. The
// library's int64 overflows at numbers of 19 digits, and its order of those depends on
// that of the map; here they are numbers as well.
func compareKeys(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		switch {
		case letter(x) && letter(y):
			return order(x < y)
		case letter(x) || letter(y):
			if i > 0 && digit(a[i-1]) {
				return order(letter(x))
			}
			return order(letter(y))
		}
		return compareNumbers(a, b, i)
	}
	return len(a) - len(b)
}

// compareNumbers compares what begins at i, where neither has a letter and the two
// differ. Bytes that are no digits are numbers without any.
func compareNumbers(a, b string, i int) int {
	first := "" // stands for the digits before i, if they make leading zeros count
	if a[i] == '0' || b[i] == '0' {
		for j := i - 1; j >= 0 && digit(a[j]); j-- {
			if a[j] != '0' {
				first = "1"
				break
			}
		}
	}
	x, y := digits(a[i:]), digits(b[i:])
	m, n := strings.TrimLeft(first+x, "0"), strings.TrimLeft(first+y, "0")
	switch {
	case len(m) != len(n):
		return len(m) - len(n)
	case m != n:
		return strings.Compare(m, n)
	case len(x) != len(y):
		return len(x) - len(y)
	}
	return order(a[i] < b[i])
}

// digits is what s begins with.
func digits(s string) string {
	end := 0
	for end < len(s) && digit(s[end]) {
		end++
	}
	return s[:end]
}

// maxDigits is how many digits of a number the library compares without an overflow.
const maxDigits = 18

// sortable is false for a key that the library does not order: one with a number that
// is too large for it, or with digits of another script.
func sortable(key string) bool {
	run := 0
	for _, r := range key {
		switch {
		case !unicode.IsDigit(r):
			run = 0
		case r > unicode.MaxASCII || run == maxDigits:
			return false
		default:
			run++
		}
	}
	return true
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
