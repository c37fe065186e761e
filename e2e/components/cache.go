package components

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// cache is the folder that outlives clones. One process at a time fills it.
type cache struct {
	dir  string
	log  io.Writer
	lock *os.File
}

func openCache(log io.Writer) (*cache, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("finding the cache folder: %w", err)
	}
	dir := filepath.Join(user, "valkey-expose", "e2e")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the cache folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("locking the cache folder: %w", err)
	}
	c := &cache{dir: dir, log: log, lock: lock}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		c.say("waiting for another run that fills %s", dir)
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			return nil, fmt.Errorf("locking the cache folder: %w", err)
		}
	}
	return c, nil
}

func (c *cache) close() { c.lock.Close() }

func (c *cache) say(format string, args ...any) {
	fmt.Fprintf(c.log, "e2e: "+format+"\n", args...)
}

// entry returns the folder of one component in one version. If the cache lacks
// it, fill writes into a folder beside it, which is renamed when all of it is
// there: a build cut short leaves nothing that looks finished.
func (c *cache) entry(key, what string, fill func(dir string) error) (string, error) {
	dir := filepath.Join(c.dir, key)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	c.say("%s: not in the cache (%s)", what, dir)
	began := time.Now()
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	if err := os.MkdirAll(part, 0o755); err != nil {
		return "", err
	}
	if err := fill(part); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	if err := os.Rename(part, dir); err != nil {
		return "", err
	}
	c.say("%s: ready after %s", what, time.Since(began).Round(time.Second))
	return dir, nil
}
