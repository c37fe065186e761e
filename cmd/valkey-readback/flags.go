package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/valkey-expose/valkey-expose/schema"
)

const usage = `Read back where clients outside reach each node of a Valkey cluster, record it
in the cluster's ConfigMap and status, announce it to the running nodes, and
verify that every node reports it of every other. Safe to run again at any moment.

Usage:
  valkey-readback --plan FILE --password-file FILE [flags]

Flags:
`

// flags are the command line.
type flags struct {
	plan, kubeconfig, context, namespace string

	job string

	username, passwordFile, caFile, serverName string
	certFile, keyFile                          string
	insecure                                   bool

	timeout                   time.Duration // 0: the default for the plan
	dryRun, noAnnounce, reset bool
	logFormat                 string
	help, version             bool
}

// parse reads the command line and refuses what makes no sense together.
func parse(args []string) (flags, *pflag.FlagSet, error) {
	var f flags
	set := pflag.NewFlagSet("valkey-readback", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.plan, "plan", "", "file with the plan, as rendered in ConfigMap valkey-<cluster>-readback-plan")
	set.StringVar(&f.kubeconfig, "kubeconfig", "", "kubeconfig file (default: the pod's own service account)")
	set.StringVar(&f.context, "context", "", "context of the kubeconfig file")
	set.StringVarP(&f.namespace, "namespace", "n", "", "namespace to act in (default: the pod's, or that of the context)")
	set.StringVar(&f.job, "job", "", "name of the Job that runs this: it ends once another Job is in force, and replaces the Jobs before it")
	set.StringVar(&f.username, "username", schema.OperatorUser, "Valkey user")
	set.StringVar(&f.passwordFile, "password-file", "", "file with the user's password")
	set.StringVar(&f.caFile, "ca-file", "", "file with the CA of the nodes' certificates, for a cluster with TLS")
	set.StringVar(&f.certFile, "cert-file", "", "file with a certificate for nodes that demand one of their clients")
	set.StringVar(&f.keyFile, "key-file", "", "file with that certificate's key")
	set.StringVar(&f.serverName, "tls-server-name", "", "name in the nodes' certificates (default: the headless Service's)")
	set.BoolVar(&f.insecure, "insecure-skip-tls-verify", false, "do not verify the nodes' certificates: anyone in between can read the password")
	set.DurationVar(&f.timeout, "timeout", 0, "give up after this time (default: 5m, and 1m more for each node)")
	set.BoolVar(&f.dryRun, "dry-run", false, "print what would be written and set, as JSON, and touch nothing")
	set.BoolVar(&f.noAnnounce, "no-announce", false, "record, but leave the running nodes alone")
	set.BoolVar(&f.reset, "reset", false, "clear what was recorded and announced")
	set.StringVar(&f.logFormat, "log-format", "text", "format of the log lines: text or json")
	set.BoolVarP(&f.help, "help", "h", false, "print this help")
	set.BoolVar(&f.version, "version", false, "print the version")
	if err := set.Parse(args); err != nil {
		return f, set, err
	}
	if f.help || f.version {
		return f, set, nil
	}
	switch {
	case set.NArg() > 0:
		return f, set, fmt.Errorf("unexpected argument %q", set.Arg(0))
	case f.plan == "":
		return f, set, errors.New("--plan is required")
	case f.passwordFile == "" && !f.noAnnounce:
		return f, set, errors.New("--password-file is required, unless --no-announce")
	case f.reset && f.noAnnounce:
		return f, set, errors.New("--reset clears announcements: it excludes --no-announce")
	case (f.certFile == "") != (f.keyFile == ""):
		return f, set, errors.New("--cert-file and --key-file go together")
	case f.context != "" && f.kubeconfig == "":
		return f, set, errors.New("--context needs --kubeconfig")
	case f.timeout < 0 || set.Changed("timeout") && f.timeout == 0:
		return f, set, errors.New("--timeout must be above 0")
	case f.logFormat != "text" && f.logFormat != "json":
		return f, set, fmt.Errorf("--log-format must be text or json, not %q", f.logFormat)
	}
	return f, set, nil
}
