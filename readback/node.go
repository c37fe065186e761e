package readback

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Credentials are how to log in to the nodes.
type Credentials struct {
	Username, Password string

	// TLS is nil for a cluster without TLS. Its ServerName is a name that the
	// nodes' certificate carries.
	TLS *tls.Config
}

func (c Credentials) givesCertificate() bool { return c.TLS != nil && len(c.TLS.Certificates) > 0 }

// answerTime bounds one exchange with a node.
const answerTime = 5 * time.Second

// node is a connection to one Valkey node.
type node struct{ client valkey.Client }

// dial opens one connection, to this node alone: no redirect is followed and no
// other node asked.
func dial(t Target, c Credentials) (*node, error) {
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress:        []string{net.JoinHostPort(t.PodIP, strconv.Itoa(schema.ClientPort))},
		Username:           c.Username,
		Password:           c.Password,
		TLSConfig:          c.TLS,
		ClientName:         "valkey-readback",
		Dialer:             net.Dialer{Timeout: answerTime},
		ConnWriteTimeout:   answerTime,
		ForceSingleClient:  true,
		DisableRetry:       true,
		DisableCache:       true,
		PipelineMultiplex:  -1, // one connection
		RingScaleEachConn:  8,
		ReadBufferEachConn: 16 << 10, WriteBufferEachConn: 16 << 10,
	})
	if err != nil {
		return nil, err
	}
	return &node{client}, nil
}

func (n *node) close() { n.client.Close() }

// atLeast9 refuses a server that has no client port to announce.
func (n *node) atLeast9(ctx context.Context) error {
	info, err := n.text(ctx, n.client.B().Info().Section("server").Build())
	if err != nil {
		return fmt.Errorf("reading the version: %w", err)
	}
	return checkVersion(info)
}

// checkVersion reads the version from INFO. Valkey says its own beside that of
// the Redis it is compatible with.
func checkVersion(info string) error {
	found := fieldsOf(info)
	version, isValkey := found["valkey_version"]
	if !isValkey {
		return &tooOldError{"Redis " + found["redis_version"]}
	}
	major, _, _ := strings.Cut(version, ".")
	if number, err := strconv.Atoi(major); err != nil || number < 9 {
		return &tooOldError{"Valkey " + version}
	}
	return nil
}

type tooOldError struct{ found string }

func (e *tooOldError) Error() string {
	return "runs " + e.found + ": announcing a client port needs Valkey 9.0 or later"
}

// settings reads what the node announces now; nil if that may not be read. The
// operator's own user has had the right since 0.5.
func (n *node) settings(ctx context.Context) (map[string]string, error) {
	have, err := n.client.Do(ctx, n.client.B().ConfigGet().Parameter(announced...).Build()).AsStrMap()
	if answerCode(err) == "NOPERM" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("CONFIG GET: %w", err)
	}
	return have, nil
}

// set changes settings in one command: all of them or none.
func (n *node) set(ctx context.Context, settings []setting) error {
	command := n.client.B().ConfigSet().ParameterValue()
	for _, s := range settings {
		command = command.ParameterValue(s.name, s.value)
	}
	if err := n.client.Do(ctx, command.Build()).Error(); err != nil {
		return fmt.Errorf("CONFIG SET: %w", err)
	}
	return nil
}

// view is the cluster as the node sees it, by IP.
func (n *node) view(ctx context.Context) (map[string]seen, error) {
	text, err := n.text(ctx, n.client.B().ClusterNodes().Build())
	if err != nil {
		return nil, fmt.Errorf("CLUSTER NODES: %w", err)
	}
	return parseView(text)
}

// text is an answer for people to read.
func (n *node) text(ctx context.Context, command valkey.Completed) (string, error) {
	text, err := n.client.Do(ctx, command).ToString()
	return plain(text), err
}

// plain takes off what a RESP3 verbatim string begins with. Valkey answers INFO,
// CLUSTER INFO and CLUSTER NODES with such strings, and valkey-go leaves them as
// they came.
func plain(text string) string { return strings.TrimPrefix(text, "txt:") }

// clientCertificateError is a node that demands a certificate of its clients.
type clientCertificateError struct {
	err   error
	given bool // it does not accept the one it got
}

func (e *clientCertificateError) Error() string {
	if e.given {
		return fmt.Sprintf("%v: the node does not accept the certificate of --cert-file", e.err)
	}
	return fmt.Sprintf("%v: a node that demands a certificate of its clients (tls-auth-clients yes) says so: give --cert-file and --key-file", e.err)
}

// demandsCertificate says whether a node demands a client's certificate, and got none
// that it accepts. It is told by an alert, known by its text alone: crypto/tls has no
// type for one that came from the other side. About every second connection ends
// without it, by a reset; that passes.
func demandsCertificate(err error, given bool) bool {
	if err == nil {
		return false
	}
	_, alert, told := strings.Cut(err.Error(), "remote error: tls: ")
	// TLS 1.2 has no alert for a certificate that is missing.
	return told && (strings.Contains(alert, "certificate") || !given && strings.Contains(alert, "handshake failure"))
}

// passes tells of an error that may be over in a moment: a node that restarts,
// loads its data or has no quorum. Wrong passwords, certificates and versions
// stay what they are.
func passes(err error) bool {
	var certificate *tls.CertificateVerificationError
	var old *tooOldError
	var demanded *clientCertificateError
	if errors.As(err, &certificate) || errors.As(err, &old) || errors.As(err, &demanded) {
		return false
	}
	switch answerCode(err) {
	case "", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "BUSY", "TRYAGAIN":
		return true
	}
	return false
}

// answerCode is the first word of the error that a node answered with, "" if it
// did not answer.
func answerCode(err error) string {
	var answer *valkey.ValkeyError
	if !errors.As(err, &answer) {
		return ""
	}
	code, _, _ := strings.Cut(answer.Error(), " ")
	return code
}
