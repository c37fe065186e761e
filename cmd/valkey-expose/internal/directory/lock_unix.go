//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package directory

import (
	"errors"
	"os"
	"syscall"
)

// Lock keeps other renders out of a directory until unlock, or the end of the
// program. It waits for one that is in there, after calling waits. The lock is on
// the folder itself, so that no file is left in it; a file system without locks
// has none.
func Lock(directory string, waits func()) (unlock func(), err error) {
	f, err := os.Open(directory)
	if err != nil {
		return nil, err
	}
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		waits()
		err = flock(f, syscall.LOCK_EX)
	}
	_ = err // of a file system without locks
	return func() { _ = f.Close() }, nil
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
