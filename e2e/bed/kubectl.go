package bed

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kubectl runs kubectl as an administrator in the test's namespace, with a text
// as its standard input, and returns what it printed. The test fails if kubectl
// does.
func (b *Bed) Kubectl(stdin string, args ...string) string {
	b.T.Helper()
	cmd := exec.CommandContext(b.T.Context(), parts.Kubectl, append([]string{"--namespace", b.Namespace}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := asAdministrator(cmd)
	if err != nil {
		b.T.Fatal(err)
	}
	return out
}

// Kustomize runs kustomize and returns what it built.
func (b *Bed) Kustomize(args ...string) (string, error) {
	return asAdministrator(exec.CommandContext(b.T.Context(), parts.Kustomize, args...))
}

// Shell runs a command line with kubectl, an administrator's, kustomize, and Helm
// if it was asked for.
func (b *Bed) Shell(command string) (string, error) {
	return asAdministrator(exec.CommandContext(b.T.Context(), "sh", "-c", command))
}

func asAdministrator(cmd *exec.Cmd) (string, error) {
	var path []string
	for _, program := range []string{parts.Kubectl, parts.Kustomize, parts.Helm} {
		if program != "" {
			path = append(path, filepath.Dir(program))
		}
	}
	path = append(path, os.Getenv("PATH"))
	cmd.Env = append(withoutEnv(os.Environ(), "PATH"), "PATH="+strings.Join(path, ":"), "KUBECONFIG="+kubeconfigPath, "HOME="+runDir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return stdout.String(), nil
}
