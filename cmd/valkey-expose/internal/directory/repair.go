package directory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Open reads a directory that is to be written, and ends what a run that was killed
// left behind in it: it puts a half-written one right, and takes staging folders
// away. The directory must be locked. With an UnreadableError comes the directory as
// it is, which may be written over.
func Open(path string) (*Directory, error) {
	d, err := read(path)
	if err != nil {
		return nil, err
	}
	if staging, half := d.halfWritten(); half {
		folder := filepath.Join(path, staging)
		if !stagingPattern.MatchString(staging) || !isFolder(folder) {
			return d, UnreadableError{path, fmt.Errorf("it is half-written, and %s, which holds what there was, is gone", staging)}
		}
		if err := giveBack(path, folder); err != nil {
			return nil, fmt.Errorf("putting back what there was before a render was cut short, from %s: %w", folder, err)
		}
		if d, err = read(path); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() && stagingPattern.MatchString(e.Name()) {
			if err := os.RemoveAll(filepath.Join(path, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}
