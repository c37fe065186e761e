package podrunner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// sandboxName is the argv[0] under which this program is the first half of a
// container: it makes the mounts, then becomes the container's command.
const sandboxName = "bed-container"

// A Mount shows a folder or file of the machine inside a container.
type Mount struct {
	From, To string
	ReadOnly bool
}

// A Sandbox is what a process sees and who it is. With an empty Root it keeps
// the machine's file system and only Mounts differ.
type Sandbox struct {
	Root         string // an empty folder that becomes the root
	ReadOnlyRoot bool
	Resolver     string  // the root's resolv.conf; names are only in its hosts file when empty
	Mounts       []Mount // parents before children
	UID, GID     int
	Groups       []int
	Dir          string // the working directory; / when empty
	Argv, Env    []string
}

// systemDirs are the machine's own, read-only in every container: shells,
// libraries, devices.
var systemDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/proc"}

// command returns the command that becomes the container's, not yet started.
func (s Sandbox) command() (*exec.Cmd, error) {
	spec, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args[0] = sandboxName
	cmd.Env = []string{}
	cmd.Stdin = strings.NewReader(string(spec))
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Setsid: true}
	return cmd, nil
}

// RunContainerIfAsked must be the first call of a program that runs pods. In a
// process started for a container it does not return.
func RunContainerIfAsked() {
	if len(os.Args) == 0 || os.Args[0] != sandboxName {
		return
	}
	err := becomeContainer()
	fmt.Fprintln(os.Stderr, "starting the container:", err)
	os.Exit(128)
}

func becomeContainer() error {
	var s Sandbox
	spec, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(spec, &s); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if s.Root != "" {
		if err := s.fillRoot(); err != nil {
			return err
		}
	}
	for _, m := range s.Mounts {
		if err := bind(m.From, filepath.Join(s.Root, m.To), false); err != nil {
			return err
		}
	}
	// Last of all, so that a volume can be mounted in a folder of another.
	for _, m := range s.Mounts {
		if m.ReadOnly {
			if err := remountReadOnly(filepath.Join(s.Root, m.To)); err != nil {
				return err
			}
		}
	}
	if s.Root != "" {
		if err := s.enterRoot(); err != nil {
			return err
		}
	}
	return s.exec()
}

// fillRoot gives the root the machine's programs and an /etc of its own.
func (s Sandbox) fillRoot() error {
	if err := unix.Mount("root", s.Root, "tmpfs", 0, "mode=0755"); err != nil {
		return fmt.Errorf("mounting the root: %w", err)
	}
	for _, dir := range systemDirs {
		if link, err := os.Readlink(dir); err == nil {
			if err := os.Symlink(link, filepath.Join(s.Root, dir)); err != nil {
				return err
			}
			continue
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := bind(dir, filepath.Join(s.Root, dir), dir != "/dev" && dir != "/proc"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(s.Root, "tmp"), 0o755); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(s.Root, "tmp"), 0o1777); err != nil {
		return err
	}
	etc := filepath.Join(s.Root, "etc")
	if err := os.Mkdir(etc, 0o755); err != nil {
		return err
	}
	files := map[string]string{"hosts": "127.0.0.1 localhost\n", "nsswitch.conf": "hosts: files\n", "passwd": "root:x:0:0::/:/bin/sh\n"}
	if s.Resolver != "" {
		files["resolv.conf"], files["nsswitch.conf"] = s.Resolver, "hosts: files dns\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(etc, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (s Sandbox) enterRoot() error {
	if s.ReadOnlyRoot {
		if err := unix.Mount("", s.Root, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("making the root read-only: %w", err)
		}
	}
	if err := unix.Chroot(s.Root); err != nil {
		return fmt.Errorf("entering the root: %w", err)
	}
	return os.Chdir("/")
}

// exec drops rights and replaces this program with the command, which is looked
// up on the container's own PATH.
func (s Sandbox) exec() error {
	if s.Dir != "" {
		if err := os.Chdir(s.Dir); err != nil {
			return err
		}
	}
	null, err := os.Open("/dev/null")
	if err != nil {
		return err
	}
	if err := unix.Dup3(int(null.Fd()), 0, 0); err != nil {
		return err
	}
	if err := syscall.Setgroups(s.Groups); err != nil {
		return fmt.Errorf("setting groups: %w", err)
	}
	if err := syscall.Setgid(s.GID); err != nil {
		return fmt.Errorf("setting the group: %w", err)
	}
	if err := syscall.Setuid(s.UID); err != nil {
		return fmt.Errorf("setting the user: %w", err)
	}
	for _, e := range s.Env {
		if name, value, ok := strings.Cut(e, "="); ok && name == "PATH" {
			os.Setenv("PATH", value)
		}
	}
	program, err := exec.LookPath(s.Argv[0])
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", program, syscall.Exec(program, s.Argv, s.Env))
}

// bind shows from at to, making the mount point.
func bind(from, to string, readOnly bool) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.IsDir() {
		err = os.MkdirAll(to, 0o755)
	} else {
		var f *os.File
		if f, err = os.OpenFile(to, os.O_CREATE, 0o644); err == nil {
			err = f.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("making the mount point %s: %w", to, err)
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mounting %s at %s: %w", from, to, err)
	}
	if !readOnly {
		return nil
	}
	return remountReadOnly(to)
}

func remountReadOnly(to string) error {
	if err := unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("making %s read-only: %w", to, err)
	}
	return nil
}
