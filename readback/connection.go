package readback

import (
	"context"
	"crypto/tls"
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

// nodeTimeout bounds one exchange with a node.
const nodeTimeout = 5 * time.Second

// connection is one to a Valkey node.
type connection struct{ client valkey.Client }

// dial opens one connection, to this node alone: no redirect is followed and no
// other node asked.
func dial(t Target, c Credentials) (*connection, error) {
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress:        []string{net.JoinHostPort(t.PodIP, strconv.Itoa(schema.ClientPort))},
		Username:           c.Username,
		Password:           c.Password,
		TLSConfig:          c.TLS,
		ClientName:         "valkey-readback",
		Dialer:             net.Dialer{Timeout: nodeTimeout},
		ConnWriteTimeout:   nodeTimeout,
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
	return &connection{client}, nil
}

func (c *connection) close() { c.client.Close() }

// atLeast9 refuses a server that has no client port to announce.
func (c *connection) atLeast9(ctx context.Context) error {
	info, err := c.text(ctx, c.client.B().Info().Section("server").Build())
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
func (c *connection) settings(ctx context.Context) (map[string]string, error) {
	have, err := c.client.Do(ctx, c.client.B().ConfigGet().Parameter(announced...).Build()).AsStrMap()
	if answerCode(err) == "NOPERM" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("CONFIG GET: %w", err)
	}
	return have, nil
}

// set changes settings in one command: all of them or none.
func (c *connection) set(ctx context.Context, settings []schema.Setting) error {
	command := c.client.B().ConfigSet().ParameterValue()
	for _, s := range settings {
		command = command.ParameterValue(s.Name, s.Value)
	}
	if err := c.client.Do(ctx, command.Build()).Error(); err != nil {
		return fmt.Errorf("CONFIG SET: %w", err)
	}
	return nil
}

// view is the cluster as the node sees it, by IP.
func (c *connection) view(ctx context.Context) (map[string]clusterNode, error) {
	text, err := c.text(ctx, c.client.B().ClusterNodes().Build())
	if err != nil {
		return nil, fmt.Errorf("CLUSTER NODES: %w", err)
	}
	return parseView(text)
}

// text is an answer for people to read.
func (c *connection) text(ctx context.Context, command valkey.Completed) (string, error) {
	text, err := c.client.Do(ctx, command).ToString()
	return plain(text), err
}

// plain takes off what a RESP3 verbatim string begins with. Valkey answers INFO,
// CLUSTER INFO and CLUSTER NODES with such strings, and valkey-go leaves them as
// they came.
func plain(text string) string { return strings.TrimPrefix(text, "txt:") }
