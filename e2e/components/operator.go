package components

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// operatorVariable names the sources of a valkey-operator.
const operatorVariable = "OPERATOR_SRC"

// operator builds a valkey-operator from sources, an archive or a folder, and
// copies its CRDs. The cache knows it by what the sources hold.
func (c *cache) operator(ctx context.Context, source string) (program, crds string, err error) {
	if source == "" {
		return "", "", errors.New(operatorVariable + " is not set: name the sources of the valkey-operator, a clone of " +
			"https://github.com/valkey-io/valkey-operator or an archive of one (make e2e-operator OPERATOR_SRC=../valkey-operator)")
	}
	sum, err := contentHash(source)
	if err != nil {
		return "", "", fmt.Errorf("reading %s: %w", operatorVariable, err)
	}
	dir, err := c.entry("operator-"+sum, "valkey-operator of "+source+" (about 2 minutes with a cold Go build cache)", func(dir string) error {
		root := source
		if info, err := os.Stat(source); err != nil {
			return err
		} else if !info.IsDir() {
			root = filepath.Join(dir, "src")
			defer os.RemoveAll(root)
			if err := os.Mkdir(root, 0o755); err != nil {
				return err
			}
			if _, err := output(ctx, dir, "tar", "-xf", source, "-C", root, "--strip-components=1"); err != nil {
				return err
			}
		}
		if err := os.CopyFS(filepath.Join(dir, "crds"), os.DirFS(filepath.Join(root, "config", "crd", "bases"))); err != nil {
			return err
		}
		return c.goBuild(ctx, root, filepath.Join(dir, "valkey-operator"), "-s -w", "./cmd")
	})
	return filepath.Join(dir, "valkey-operator"), filepath.Join(dir, "crds"), err
}

// contentHash tells sources apart. What Git keeps of a clone does not count.
func contentHash(source string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(source, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintf(h, "%q\n", strings.TrimPrefix(path, source))
		_, err = io.Copy(h, f)
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), err
}
