package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"":                                 "--plan is required",
		"--plan p":                         "--password-file is required, unless --no-announce",
		"--plan p --password-file f extra": `unexpected argument "extra"`,
		"--plan p --reset --no-announce":   "--reset clears announcements",
		"--plan p --password-file f --cert-file c": "--cert-file and --key-file go together",
		"--plan p --password-file f --key-file k":  "--cert-file and --key-file go together",
		"--plan p --no-announce --context c":       "--context needs --kubeconfig",
		"--plan p --no-announce --timeout 0s":      "--timeout must be above 0",
		"--plan p --no-announce --timeout 1":       "invalid argument",
		"--plan p --no-announce --log-format xml":  `--log-format must be text or json, not "xml"`,
		"--unknown": "unknown flag: --unknown",
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(args), &stdout, &stderr)
		if code != exitMisuse || !strings.Contains(stderr.String(), want) || !strings.HasPrefix(stderr.String(), "valkey-readback: error: ") || stdout.Len() > 0 {
			t.Errorf("%q: exit code %d, %s%s", args, code, &stdout, &stderr)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	for args, want := range map[string]string{"--help": "--no-announce", "-h": "Usage:", "--version": "valkey-readback devel"} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{args}, &stdout, &stderr); code != exitDone || !strings.Contains(stdout.String(), want) || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %s%s", args, code, &stdout, &stderr)
		}
	}
}

// What is wrong with a file is one line of the log, in the format asked for, with
// nothing of the file in it.
func TestFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	kubeconfig := write("kubeconfig", `{"apiVersion":"v1","kind":"Config","current-context":"x","contexts":[{"name":"x","context":{"cluster":"x","namespace":"shop"}}],"clusters":[{"name":"x","cluster":{"server":"https://127.0.0.1:1"}}]}`)
	const planText = `{"version":2,"cluster":"orders","namespace":"shop","preferredEndpointType":"ip","serviceType":"ClusterIP","nodes":[{"shard":0,"node":0}]}`
	plan := write("plan", planText)
	secure := write("secure", strings.Replace(planText, `"nodes"`, `"tls":true,"nodes"`, 1))
	elsewhere := write("elsewhere", strings.Replace(planText, "shop", "other", 1))
	password, empty := write("password", "a-secret\n"), write("empty", "\n")
	for name, c := range map[string]struct{ args, want string }{
		"no cluster":        {"--plan " + plan + " --password-file " + password, "this is not a pod: give --kubeconfig"},
		"kubeconfig":        {"--kubeconfig " + dir + "/missing --plan " + plan + " --password-file " + password, "reading the kubeconfig: "},
		"plan":              {"--kubeconfig " + kubeconfig + " --plan " + dir + "/missing --password-file " + password, "reading the plan: "},
		"another namespace": {"--kubeconfig " + kubeconfig + " --plan " + elsewhere + " --password-file " + password, "the plan is for namespace"},
		"password":          {"--kubeconfig " + kubeconfig + " --plan " + plan + " --password-file " + dir + "/missing", "reading the password: "},
		"empty password":    {"--kubeconfig " + kubeconfig + " --plan " + plan + " --password-file " + empty, "is empty"},
		"no CA":             {"--kubeconfig " + kubeconfig + " --plan " + secure + " --password-file " + password, "the cluster has TLS: give --ca-file"},
		"certificate":       {"--kubeconfig " + kubeconfig + " --plan " + secure + " --password-file " + password + " --ca-file " + password + " --cert-file " + password + " --key-file " + password, "reading the certificate: "},
		"renamed Job":       {"--kubeconfig " + kubeconfig + " --plan " + plan + " --password-file " + password + " --job pre-valkey-orders-readback-abcde", "something renamed it"},
		"CA":                {"--kubeconfig " + kubeconfig + " --plan " + secure + " --password-file " + password + " --ca-file " + password, "has no certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), append(strings.Fields(c.args), "--log-format", "json"), &stdout, &stderr)
			if code != exitFailed || !strings.Contains(stderr.String(), c.want) || strings.Count(stderr.String(), `"level":"ERROR"`) != 1 {
				t.Errorf("exit code %d: %s", code, &stderr)
			}
			if strings.Contains(stderr.String(), "a-secret") || stdout.Len() > 0 {
				t.Errorf("printed: %s%s", &stdout, &stderr)
			}
		})
	}

	// The API server cannot be reached: that is what is missing at the deadline.
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), strings.Fields("--kubeconfig "+kubeconfig+" --plan "+plan+" --password-file "+password+" --timeout 1s"), &stdout, &stderr)
	if code != exitTimedOut || !strings.Contains(stderr.String(), "connection refused") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}
