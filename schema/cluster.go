package schema

// APIVersion and Kind of the documents that are read. Source: the
// valkey-operator's CRD valkeyclusters.valkey.io.
const (
	Group      = "valkey.io"
	APIVersion = Group + "/v1alpha1"
	Kind       = "ValkeyCluster"
)

// ClientPort is the port every Valkey node of the operator serves clients on,
// with and without TLS.
const ClientPort = 6379

// Cluster is the part of a ValkeyCluster that is read. Its values have passed
// the rules of the CUE module, so that nobody after it checks them again.
type Cluster struct {
	Name      string
	Namespace string // empty: the document has none

	// SyncWave is the Argo CD wave the user gave the ValkeyCluster
	// (argocd.argoproj.io/sync-wave), 0 if none.
	SyncWave int

	Shards   int // 1 or more
	Replicas int // of each shard, beside its primary; 0 or more

	// WorkloadType is that of each node: StatefulSet or Deployment. "" is the
	// operator's default, StatefulSet.
	WorkloadType string

	// ClusterDomain is the DNS domain of Services, "" for cluster.local.
	ClusterDomain string

	// TLS says that clients reach the nodes with TLS.
	TLS *TLS

	// ExternalAccess is nil when the block is null.
	ExternalAccess *ExternalAccess
}

// TLS names the Secret with the cluster's ca.crt, tls.crt and tls.key,
// whichever of the operator's three shapes the document used.
type TLS struct {
	SecretName string

	// ServerName is the name by which the operator verifies the nodes, ""
	// for that of the headless Service.
	ServerName string

	// ClientCertificates says that the nodes refuse clients without one
	// (tls-auth-clients yes).
	ClientCertificates bool
}

// Exposed reports whether anything is rendered for the cluster.
func (c *Cluster) Exposed() bool {
	return c.ExternalAccess != nil && c.ExternalAccess.Enabled
}

// NodesPerShard is the number of nodes of one shard: the primary and its replicas.
func (c *Cluster) NodesPerShard() int { return c.Replicas + 1 }

// Nodes is the number of nodes of the whole cluster.
func (c *Cluster) Nodes() int { return c.Shards * c.NodesPerShard() }
