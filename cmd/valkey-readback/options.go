package main

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/valkey-expose/valkey-expose/readback"
	"github.com/valkey-expose/valkey-expose/schema"
)

// namespaceFile is where Kubernetes gives a pod its namespace.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// options reads the files that the flags name.
func (f flags) options() (readback.Options, error) {
	o := readback.Options{DryRun: f.dryRun, NoAnnounce: f.noAnnounce, Reset: f.reset, Timeout: f.timeout}
	config, namespace, err := f.cluster()
	if err != nil {
		return o, err
	}
	o.Config = config
	text, err := os.ReadFile(f.plan)
	if err != nil {
		return o, fmt.Errorf("reading the plan: %w", err)
	}
	if o.Plan, err = readback.ParsePlan(text, namespace); err != nil {
		return o, err
	}
	o.PlanText, o.Job = string(text), f.job
	if o.Job != "" {
		if err := readback.CheckJob(o.Job, o.Plan); err != nil {
			return o, err
		}
	}
	if o.Timeout == 0 {
		o.Timeout = schema.ReadbackTimeout(len(o.Plan.Nodes))
	}
	if f.noAnnounce {
		return o, nil
	}
	o.Credentials, err = f.credentials(o.Plan)
	return o, err
}

// cluster finds the API server and the namespace to act in.
func (f flags) cluster() (config *rest.Config, namespace string, err error) {
	namespace = f.namespace
	if f.kubeconfig != "" {
		loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
			&clientcmd.ClientConfigLoadingRules{ExplicitPath: f.kubeconfig}, &clientcmd.ConfigOverrides{CurrentContext: f.context})
		if namespace == "" {
			if namespace, _, err = loader.Namespace(); err != nil {
				return nil, "", fmt.Errorf("reading the kubeconfig: %w", err)
			}
		}
		if config, err = loader.ClientConfig(); err != nil {
			return nil, "", fmt.Errorf("reading the kubeconfig: %w", err)
		}
		return config, namespace, nil
	}
	config, err = rest.InClusterConfig()
	if errors.Is(err, rest.ErrNotInCluster) {
		return nil, "", errors.New("this is not a pod: give --kubeconfig")
	}
	if err != nil {
		return nil, "", fmt.Errorf("reading the pod's credentials: %w", err)
	}
	if namespace == "" {
		text, err := os.ReadFile(namespaceFile)
		if err != nil {
			return nil, "", fmt.Errorf("reading the pod's namespace: %w", err)
		}
		namespace = strings.TrimSpace(string(text))
	}
	return config, namespace, nil
}

// credentials are for the Valkey nodes. The plan says whether they have TLS.
func (f flags) credentials(plan *schema.Plan) (readback.Credentials, error) {
	c := readback.Credentials{Username: f.username}
	password, err := os.ReadFile(f.passwordFile)
	if err != nil {
		return c, fmt.Errorf("reading the password: %w", err)
	}
	// A line end is the editor's that wrote the file by hand.
	c.Password = string(bytes.TrimRight(password, "\r\n"))
	if c.Password == "" {
		return c, fmt.Errorf("reading the password: %s is empty", f.passwordFile)
	}
	if !plan.TLS {
		return c, nil
	}
	c.TLS = &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         f.serverName,
		InsecureSkipVerify: f.insecure,
	}
	if c.TLS.ServerName == "" {
		c.TLS.ServerName = cmp.Or(plan.TLSServerName, schema.HeadlessHost(plan.Cluster, plan.Namespace, ""))
	}
	if f.certFile != "" {
		pair, err := tls.LoadX509KeyPair(f.certFile, f.keyFile)
		if err != nil {
			return c, fmt.Errorf("reading the certificate: %w", err)
		}
		c.TLS.Certificates = []tls.Certificate{pair}
	}
	if f.insecure {
		return c, nil
	}
	if f.caFile == "" {
		return c, errors.New("the cluster has TLS: give --ca-file")
	}
	ca, err := os.ReadFile(f.caFile)
	if err != nil {
		return c, fmt.Errorf("reading the CA: %w", err)
	}
	c.TLS.RootCAs = x509.NewCertPool()
	if !c.TLS.RootCAs.AppendCertsFromPEM(ca) {
		return c, fmt.Errorf("reading the CA: %s has no certificate", f.caFile)
	}
	return c, nil
}
