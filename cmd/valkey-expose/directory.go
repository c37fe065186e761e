package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/valkey-expose/valkey-expose/gen"
)

// writeDirectory puts the files into the directory, and takes away those of an
// earlier render that are not among them. A file of one of these names that is
// not ours stops it all.
//
// Everything is written beside its place first; then the names change hands. If
// one cannot, those that did are given back, so that what is there afterwards is
// of one render.
func writeDirectory(directory string, files []gen.File) (err error) {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	if _, err := readDirectory(directory); err != nil {
		return err
	}
	staging, err := os.MkdirTemp(directory, ".valkey-expose-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()

	for _, f := range files {
		path := filepath.Join(staging, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := writeFile(path, f.Text); err != nil {
			return err
		}
	}
	var moved []string
	for _, name := range gen.Files() {
		if err := exchange(directory, staging, name); err != nil {
			for _, done := range moved {
				err = errors.Join(err, restore(directory, staging, done))
			}
			return err
		}
		moved = append(moved, name)
	}
	for _, name := range gen.Files() {
		if folder := filepath.Dir(name); folder != "." {
			_ = os.Remove(filepath.Join(directory, folder)) // which only an empty one is
		}
	}
	return nil
}

// writeFile writes a file that survives a crash once it has its name.
func writeFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

const oldSuffix = ".old"

// exchange moves the file there was to the staging directory and the new one,
// if there is one, into its place.
func exchange(directory, staging, name string) error {
	target, staged := filepath.Join(directory, name), filepath.Join(staging, name)
	if err := os.MkdirAll(filepath.Dir(staged), 0o777); err != nil {
		return err
	}
	if err := os.Rename(target, staged+oldSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := moveInto(staged, target); err != nil {
		return errors.Join(err, restore(directory, staging, name))
	}
	return nil
}

// moveInto gives a staged file its name, if there is one.
func moveInto(staged, target string) error {
	if _, err := os.Lstat(staged); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	return os.Rename(staged, target)
}

// restore undoes exchange.
func restore(directory, staging, name string) error {
	target := filepath.Join(directory, name)
	err := os.Rename(filepath.Join(staging, name+oldSuffix), target)
	if errors.Is(err, fs.ErrNotExist) { // there was none before
		err = os.Remove(target)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}

// readDirectory reads the files that a directory holds of ours. One that is not
// there holds none. It refuses files that have our names and are not ours.
func readDirectory(directory string) ([]gen.File, error) {
	var files []gen.File
	for _, name := range gen.Files() {
		path := filepath.Join(directory, name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is in the way: it is no regular file", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(text, []byte(gen.Header)) {
			return nil, fmt.Errorf("%s is in the way: valkey-expose did not write it (its first line would say so)", path)
		}
		files = append(files, gen.File{Name: name, Text: text})
	}
	return files, nil
}
