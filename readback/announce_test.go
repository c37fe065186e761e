package readback

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// unreachable is a node at an address where nobody listens.
var unreachable = Target{Node: schema.Node{Name: "c-0-0", Hostname: "shard-0.example.com"}, PodIP: "127.99.99.99", Dial: 31000}

// announcing is an announcer of a node that a killed run left in a hurry.
func announcing(log *bytes.Buffer, want announcement, superseded error) *announcer {
	return &announcer{
		log:     slog.New(slog.NewTextHandler(log, nil)),
		targets: []Target{unreachable},
		want:    func(Target) announcement { return want },
		have: []map[string]string{{
			schema.AnnounceNodename: "", schema.AnnounceHostname: "", schema.AnnounceClientPort: "0",
			schema.AnnounceClientTLSPort: "0", schema.PreferredEndpointType: schema.PreferIP, pingInterval: "100",
		}},
		current: func(context.Context) error { return superseded },
		changed: func() error { return nil },
	}
}

// Putting the ping interval back fails too, and that is not what the run ends with.
func TestOutcomeIsNotHiddenByPuttingThePingIntervalBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var log bytes.Buffer
	if err := announcing(&log, nothing, nil).announce(ctx); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if !strings.Contains(log.String(), "the ping interval was not put back") || !strings.Contains(log.String(), "c-0-0") {
		t.Errorf("the log does not say so: %s", &log)
	}
}

// A run that was superseded before it began leaves the nodes alone.
func TestSupersededRunSetsNothing(t *testing.T) {
	var log bytes.Buffer
	var superseded *SupersededError
	want := announcement{prefersHostname: true, port: 31000}
	if err := announcing(&log, want, &SupersededError{"test"}).announce(t.Context()); !errors.As(err, &superseded) || log.Len() > 0 {
		t.Errorf("%v, %s", err, &log)
	}
}

func TestFaultOfANodeNamesIt(t *testing.T) {
	err := forEachNode(t.Context(), Credentials{}, []Target{unreachable}, nil)
	var transient *transientError
	if !errors.As(err, &transient) || !strings.HasPrefix(err.Error(), "node c-0-0 (127.99.99.99): ") {
		t.Errorf("%v", err)
	}
}

// The texts are those of crypto/tls for what a real valkey-server with
// tls-auth-clients yes answers.
func TestRefusedClientCertificate(t *testing.T) {
	for text, c := range map[string]struct {
		given bool
		want  string // "": it may pass
	}{
		"remote error: tls: certificate required":                              {false, "give --cert-file and --key-file"},
		"remote error: tls: handshake failure":                                 {false, "give --cert-file and --key-file"}, // TLS 1.2
		"remote error: tls: unknown certificate authority":                     {true, "does not accept the certificate of --cert-file"},
		"remote error: tls: expired certificate":                               {true, "does not accept the certificate of --cert-file"},
		"remote error: tls: internal error":                                    {true, ""},
		"write tcp 10.0.0.1:1->10.0.0.2:6379: write: connection reset by peer": {false, ""},
	} {
		err := errors.New(text)
		if got := demandsCertificate(err, c.given); got != (c.want != "") {
			t.Errorf("%s: %v", text, got)
		}
		refused := &clientCertificateError{err, c.given}
		if c.want != "" && (!strings.Contains(refused.Error(), c.want) || isTransient(refused)) {
			t.Errorf("%s: %v, transient: %v", text, refused, isTransient(refused))
		}
	}
}
