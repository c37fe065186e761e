package gen

import "testing"

// TestHalfWritten: the folder is read back, and from no other file.
func TestHalfWritten(t *testing.T) {
	if staging, ok := HalfWrittenFrom(HalfWritten(".valkey-expose-1")); !ok || staging != ".valkey-expose-1" {
		t.Errorf("%q %v", staging, ok)
	}
	for _, text := range []string{"", Header, Header + "resources: []\n", halfWritten + "x\n"} {
		if staging, ok := HalfWrittenFrom([]byte(text)); ok {
			t.Errorf("%q: %q", text, staging)
		}
	}
}
