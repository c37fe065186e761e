package readback

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"
)

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

// demandsCertificate reports whether a node demands a client's certificate, and got none
// that it accepts. The sign is an alert, known by its text alone: crypto/tls has no
// type for one that came from the other side. About every second connection ends
// without it, by a reset; that passes.
func demandsCertificate(err error, given bool) bool {
	if err == nil {
		return false
	}
	_, alert, alerted := strings.Cut(err.Error(), "remote error: tls: ")
	// TLS 1.2 has no alert for a certificate that is missing.
	return alerted && (strings.Contains(alert, "certificate") || !given && strings.Contains(alert, "handshake failure"))
}

// isTransient reports whether an error may be over in a moment: a node that restarts,
// loads its data or has no quorum. Wrong passwords, certificates and versions
// stay what they are.
func isTransient(err error) bool {
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
