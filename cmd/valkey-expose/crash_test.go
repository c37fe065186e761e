//go:build crash && linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen"
)

// These tests run the built program under strace, which kills it, fails it or
// holds it up at every system call that changes a name in a directory.

// The calls that are met with, each kind on its own, for strace counts each; those
// that a machine lacks are passed over.
const renames = "?rename,?renameat,?renameat2"

var kinds = []string{renames, "?unlink,?unlinkat,?rmdir", "?mkdir,?mkdirat", "?fsync"}

// crash is one render over another: from and to are the flags of each.
type crash struct {
	program  string
	from, to []string
	old, new map[string]string
}

func crashes(t *testing.T) map[string]*crash {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Fatal("these tests need strace (Debian: apt-get install strace)")
	}
	folder := t.TempDir()
	declare := func(name, access string) string {
		path := filepath.Join(folder, name)
		filetest.Put(t, path, "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec: {shards: 2, externalAccess: "+access+"}\n")
		return path
	}
	before := declare("before.yaml", "{enabled: true, domain: example.com, preferredEndpointType: hostname, gateway: {gatewayRef: {name: public}, basePort: 30000}}")
	after := declare("after.yaml", "{enabled: true}")
	program := built(t)
	all := map[string]*crash{
		"files come, change and go": {program: program, from: []string{"-f", before}, to: []string{"-f", after, "--inject", "none", "--readback-image", "i"}},
		"a folder goes":             {program: program, from: []string{"-f", before, "--inject", "patch"}, to: []string{"-f", after}},
		"a folder comes":            {program: program, from: []string{"-f", before}, to: []string{"-f", after, "--inject", "patch"}},
	}
	for name, c := range all {
		for _, side := range []struct {
			flags *[]string
			files *map[string]string
		}{{&c.from, &c.old}, {&c.to, &c.new}} {
			if !strings.Contains(strings.Join(*side.flags, " "), "--readback-image") {
				*side.flags = append(*side.flags, "--readback", "none")
			}
			directory := filepath.Join(folder, "whole")
			c.render(t, directory, *side.flags)
			*side.files = filetest.All(t, directory)
			if err := os.RemoveAll(directory); err != nil {
				t.Fatal(err)
			}
		}
		if len(c.old) < 5 || len(c.new) < 5 {
			t.Fatalf("%s: %d and %d files", name, len(c.old), len(c.new))
		}
	}
	return all
}

func (c *crash) command(ctx context.Context, directory string, flags []string, prefix ...string) *exec.Cmd {
	args := append(append(prefix, c.program, "render", "--force", "-o", directory), flags...)
	return exec.CommandContext(ctx, args[0], args[1:]...)
}

// render must succeed.
func (c *crash) render(t *testing.T, directory string, flags []string) {
	t.Helper()
	if out, err := c.command(context.Background(), directory, flags).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// before is a directory with the old files and one of somebody else's.
func (c *crash) before(t *testing.T) string {
	t.Helper()
	directory := filepath.Join(t.TempDir(), "deploy")
	c.render(t, directory, c.from)
	filetest.Put(t, filepath.Join(directory, "NOTE"), "mine")
	return directory
}

// met runs the new render with something done at calls of a kind.
func (c *crash) met(directory, kind, what string) (string, error) {
	out, err := c.traced(context.Background(), directory, c.to, kind, what).CombinedOutput()
	return string(out), err
}

func (c *crash) traced(ctx context.Context, directory string, flags []string, kind, what string) *exec.Cmd {
	return c.command(ctx, directory, flags, "strace", "-f", "-q", "-qq", "-o", "/dev/null", "-e", "trace="+kind, "-e", "inject="+kind+":"+what)
}

// everyCall does something at each call until the program comes through three
// times in a row: Go's calls move from thread to thread, which are counted apart.
func everyCall(t *testing.T, kinds []string, do func(kind string, n int) (through bool)) {
	t.Helper()
	for _, kind := range kinds {
		for n, through := 1, 0; through < 3; n++ {
			if n > 200 {
				t.Fatal("there is no end to it")
			}
			through++
			if !do(kind, n) {
				through = 0
			}
		}
	}
}

// state says what a directory is in, having checked that every file in it is an
// old or a new one, and that none of both is missing.
func (c *crash) state(t *testing.T, directory string) string {
	t.Helper()
	found := filetest.All(t, directory)
	if found["NOTE"] != "mine" {
		t.Error("somebody else's file is gone")
	}
	old, new := 0, 0
	for _, name := range gen.Files() {
		text, there := found[name]
		was, wasThere := c.old[name]
		is, isThere := c.new[name]
		if _, half := gen.HalfWrittenFrom([]byte(text)); name == gen.KustomizationFile && half {
			continue
		}
		switch {
		case there && text != was && text != is:
			t.Errorf("%s is neither old nor new", name)
		case !there && wasThere && isThere:
			t.Errorf("%s is missing", name)
		}
		if text != was || there != wasThere {
			new++
		}
		if text != is || there != isThere {
			old++
		}
	}
	switch _, half := gen.HalfWrittenFrom([]byte(found[gen.KustomizationFile])); {
	case half:
		return "half-written"
	case new == 0:
		return "old"
	case old == 0:
		return "new"
	}
	t.Errorf("a mixture that builds: %d files are not old, %d not new", new, old)
	return "mixed"
}

// litter is what of a directory is neither a rendered file nor somebody else's.
func (c *crash) litter(t *testing.T, directory string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// heals checks that the next render ends what was begun, and that one that the
// old Plan forbids is refused on its account.
func (c *crash) heals(t *testing.T, directory, state string) {
	t.Helper()
	if state == "half-written" {
		out, err := exec.Command(c.program, append([]string{"plan", "-o", directory}, c.to...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "is half-written") {
			t.Errorf("plan does not say so: %v\n%s", err, out)
		}
		out, err = exec.Command(c.program, append([]string{"render", "-o", directory}, c.to...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "hostnames that clients are sent to") {
			t.Errorf("not compared with the old Plan: %v\n%s", err, out)
		}
		if now := c.state(t, directory); now != "old" {
			t.Errorf("refused, the directory is %s", now)
		}
	}
	c.render(t, directory, c.to)
	if now, litter := c.state(t, directory), c.litter(t, directory); now != "new" || len(litter) > 0 {
		t.Errorf("rendered again, the directory is %s; %v", now, litter)
	}
}

// TestKilledAtEveryCall: every file is old or new, the directory is one of the two
// or says that it is neither, and the next render puts it right.
func TestKilledAtEveryCall(t *testing.T) {
	for name, c := range crashes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]int{}
			everyCall(t, kinds, func(kind string, n int) bool {
				directory := c.before(t)
				_, err := c.met(directory, kind, fmt.Sprintf("signal=KILL:when=%d", n))
				state := c.state(t, directory)
				seen[state]++
				c.heals(t, directory, state)
				return err == nil
			})
			t.Log(seen)
			if seen["old"] == 0 || seen["half-written"] == 0 || seen["new"] == 0 {
				t.Errorf("not met at every stage: %v", seen)
			}
		})
	}
}

// TestSignalledAtEveryCall: a signal that can be heeded leaves the old directory or
// the new one, and nothing else.
func TestSignalledAtEveryCall(t *testing.T) {
	for name, c := range crashes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]int{}
			everyCall(t, kinds, func(kind string, n int) bool {
				directory := c.before(t)
				out, err := c.met(directory, kind, fmt.Sprintf("signal=TERM:when=%d", n))
				state := c.state(t, directory)
				seen[state]++
				if litter := c.litter(t, directory); state != "old" && state != "new" || state == "old" && err == nil || len(litter) > 0 && kind == renames {
					t.Errorf("at %s %d: the directory is %s: %v %v\n%s", kind, n, state, err, litter, out)
				}
				return err == nil
			})
			t.Log(seen)
		})
	}
}

// TestFailedAtEveryCall: a call that fails leaves all as it was, or had no weight.
// Where putting back fails as well, what there was is kept, and named.
func TestFailedAtEveryCall(t *testing.T) {
	for name, c := range crashes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyCall(t, kinds, func(kind string, n int) bool {
				directory := c.before(t)
				out, err := c.met(directory, kind, fmt.Sprintf("error=EIO:when=%d", n))
				state := c.state(t, directory)
				// A call of another thread may have failed while what there was was put back.
				said := strings.Contains(out, "the next render puts it back")
				if state == "half-written" && !said || state != "new" && err == nil {
					t.Errorf("at %s %d: the directory is %s: %v\n%s", kind, n, state, err, out)
				}
				c.heals(t, directory, state)
				return err == nil
			})
		})
		t.Run(name+", for good", func(t *testing.T) {
			t.Parallel()
			half := 0
			everyCall(t, []string{renames}, func(kind string, n int) bool {
				directory := c.before(t)
				out, err := c.met(directory, kind, fmt.Sprintf("error=EIO:when=%d+", n))
				state := c.state(t, directory)
				if state == "half-written" {
					half++
				}
				if err != nil && !strings.Contains(out, "the next render puts it back") {
					t.Errorf("at %s %d: the directory is %s: %v\n%s", kind, n, state, err, out)
				}
				c.heals(t, directory, state)
				return err == nil
			})
			if half == 0 {
				t.Error("what there was could always be put back")
			}
		})
	}
}

// TestTwoRendersAtOnce: one is held up at every name that it gives, the other comes
// meanwhile. What is there in the end is of the second.
func TestTwoRendersAtOnce(t *testing.T) {
	for name, c := range crashes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory := c.before(t)
			slow := c.traced(t.Context(), directory, c.to, renames, "delay_enter=200000") // microseconds
			if err := slow.Start(); err != nil {
				t.Fatal(err)
			}
			for c.state(t, directory) != "half-written" { // it is in there
			}
			out, err := c.command(t.Context(), directory, c.from).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "waiting for another render to end") {
				t.Errorf("the second: %v\n%s", err, out)
			}
			if err := slow.Wait(); err != nil {
				t.Errorf("the first: %v", err)
			}
			if state, litter := c.state(t, directory), c.litter(t, directory); state != "old" || len(litter) > 0 {
				t.Errorf("the directory is %s; %v", state, litter)
			}
		})
	}
}

// built is the program as go build makes it.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), report.Program)
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
