package rules

import (
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/valkey-expose/valkey-expose/schema"
)

// tlsShapes are the places of the certificate's Secret in the operator's main
// branch, in 0.5 and in 0.4.
var tlsShapes = []string{
	"spec.networking.tls.certificates.server.secretName",
	"spec.networking.tls.certificate.secretName",
	"spec.tls.certificate.secretName",
}

// syncWave is Argo CD's annotation for the order of objects.
const syncWave = "argocd.argoproj.io/sync-wave"

// read reads a document that has passed the rules.
func (r *Rules) read(data *ast.StructLit) (*schema.Cluster, error) {
	v := r.context.BuildExpr(data)
	c := &schema.Cluster{
		Name:      text(v, cue.ParsePath("metadata.name")),
		Namespace: text(v, cue.ParsePath("metadata.namespace")),
		Shards:    number(v, "spec.shards"),
		Replicas:  number(v, "spec.replicas"),

		WorkloadType:  text(v, cue.ParsePath("spec.workloadType")),
		ClusterDomain: text(v, cue.ParsePath("spec.networking.clusterDomain")),
	}
	// Argo CD, too, takes what is no number for wave 0. There are waves before and after it.
	if wave, err := strconv.ParseInt(text(v, cue.MakePath(cue.Str("metadata"), cue.Str("annotations"), cue.Str(syncWave))), 10, strconv.IntSize-1); err == nil {
		c.SyncWave = int(wave)
	}
	for _, shape := range tlsShapes {
		if name := text(v, cue.ParsePath(shape)); name != "" {
			c.TLS = &schema.TLS{
				SecretName:         name,
				ServerName:         text(v, cue.ParsePath("spec.networking.tls.serverName")),
				ClientCertificates: demandsCertificates(v),
			}
			break
		}
	}
	block := v.LookupPath(cue.ParsePath(blockPath))
	if !block.Exists() || block.IsNull() {
		return c, nil
	}
	c.ExternalAccess = &schema.ExternalAccess{}
	if err := block.Decode(c.ExternalAccess); err != nil {
		return nil, fmt.Errorf("reading %s: %w", blockPath, err)
	}
	return c, nil
}

// demandsCertificates reports whether Valkey is told to refuse clients without a
// certificate. Of itself the operator leaves it to them. To Valkey, upper and
// lower case are alike.
func demandsCertificates(v cue.Value) bool {
	config := v.LookupPath(cue.ParsePath("spec.config"))
	for i, err := config.Fields(); err == nil && i.Next(); {
		if value, _ := i.Value().String(); strings.EqualFold(i.Selector().Unquoted(), "tls-auth-clients") {
			return strings.EqualFold(value, "yes") || strings.EqualFold(value, "on")
		}
	}
	return false
}

// text is the string at a path, "" if there is none.
func text(v cue.Value, path cue.Path) string {
	s, err := v.LookupPath(path).String()
	if err != nil {
		return ""
	}
	return s
}

// number is the integer at a path, 0 if there is none.
func number(v cue.Value, path string) int {
	n, err := v.LookupPath(cue.ParsePath(path)).Int64()
	if err != nil {
		return 0
	}
	return int(n)
}
