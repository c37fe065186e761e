package podrunner

import (
	"bytes"
	"os"
	"path/filepath"
)

// dataLink is the kubelet's name for the link to the current content.
const dataLink = "..data"

// writeVolume replaces a volume's content in one step, the kubelet's way: each
// file is a link through ..data, and only ..data changes. A process that lists
// the folder never sees half of an update.
func (p *pod) writeVolume(dir string, files map[string]file) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if sameContent(filepath.Join(dir, dataLink), files) {
		return nil
	}
	fresh, err := os.MkdirTemp(dir, "..")
	if err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	for name, f := range files {
		path := filepath.Join(fresh, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := p.writeFile(path, f); err != nil {
			return err
		}
	}
	old, _ := os.Readlink(filepath.Join(dir, dataLink))
	next := filepath.Join(dir, "..next")
	if err := os.Symlink(filepath.Base(fresh), next); err != nil {
		return err
	}
	if err := os.Rename(next, filepath.Join(dir, dataLink)); err != nil {
		return err
	}
	if err := relink(dir, files); err != nil {
		return err
	}
	if old != "" {
		return os.RemoveAll(filepath.Join(dir, old))
	}
	return nil
}

// writeFile gives a file the pod's fsGroup, and with it the group's right to read.
func (p *pod) writeFile(path string, f file) error {
	mode, group := f.mode, -1
	if sc := p.spec.Spec.SecurityContext; sc != nil && sc.FSGroup != nil {
		mode, group = mode|0o440, int(*sc.FSGroup)
	}
	if err := os.WriteFile(path, f.data, mode); err != nil {
		return err
	}
	if err := os.Chmod(path, mode); err != nil {
		return err
	}
	return os.Chown(path, -1, group)
}

// relink makes the folder's visible names those of files. A folder is no file of
// the volume: another volume is mounted there.
func relink(dir string, files map[string]file) error {
	top := map[string]bool{}
	for name := range files {
		for parent := filepath.Dir(name); parent != "."; parent = filepath.Dir(name) {
			name = parent
		}
		top[name] = true
	}
	present, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range present {
		if name := e.Name(); !e.IsDir() && !top[name] && len(name) > 1 && name[:2] != ".." {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for name := range top {
		err := os.Symlink(filepath.Join(dataLink, name), filepath.Join(dir, name))
		if err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}

func sameContent(dir string, files map[string]file) bool {
	count := 0
	err := filepath.WalkDir(dir+"/", func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		count++
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		have, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if want, ok := files[name]; !ok || !bytes.Equal(want.data, have) {
			return os.ErrNotExist
		}
		return nil
	})
	return err == nil && count == len(files)
}
