package manifest

// compareKeys orders the keys of a map as the YAML library does: numbers within them
// as numbers, letters behind all other bytes, but before what follows a digit.
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
	var first int64 // the digits before i, if they make leading zeros count
	if a[i] == '0' || b[i] == '0' {
		for j := i - 1; j >= 0 && digit(a[j]); j-- {
			if a[j] != '0' {
				first = 1
				break
			}
		}
	}
	x, endX := number(a, i, first)
	y, endY := number(b, i, first)
	switch {
	case x != y:
		return order(x < y)
	case endX != endY:
		return order(endX < endY)
	}
	return order(a[i] < b[i])
}

// number reads the digits from i on, behind those already read. One that is too
// large overflows, as it does in the library.
func number(s string, i int, first int64) (value int64, end int) {
	for value = first; i < len(s) && digit(s[i]); i++ {
		value = value*10 + int64(s[i]-'0')
	}
	return value, i
}

func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
