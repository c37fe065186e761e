package bed

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Kubectl runs kubectl as an administrator in the test's namespace, with a text
// as its standard input, and returns what it printed. The test fails if kubectl
// does.
func (b *Bed) Kubectl(stdin string, args ...string) string {
	b.T.Helper()
	out, err := b.TryKubectl(stdin, args...)
	if err != nil {
		b.T.Fatal(err)
	}
	return out
}

// TryKubectl is Kubectl for commands that may fail.
func (b *Bed) TryKubectl(stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(b.T.Context(), parts.Kubectl, append([]string{"--namespace", b.Namespace}, args...)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfigPath, "HOME="+runDir)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.String(), nil
}
