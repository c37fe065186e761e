package schema

import (
	"encoding/json"
	"fmt"
)

// Values of Plan.Inject.
const (
	InjectAdmission = "admission" // a MutatingAdmissionPolicy puts the overlay into the pods
	InjectPatch     = "patch"     // a kustomize Component puts it into workloads that no operator owns
	InjectNone      = "none"      // the pods are left alone
)

// Values of Plan.Readback.
const (
	ReadbackJob     = "job"     // a Job that runs once
	ReadbackCronJob = "cronjob" // the Job, and a CronJob beside it
	ReadbackNone    = "none"    // neither: ports known now are announced by the files alone
)

// Values of Options.Roll; in a Plan the first is left out.
const (
	RollNow   = "now"   // the operator makes every pod anew, with the overlay
	RollLater = "later" // pods get it when they are made anew for another reason
)

// PlanVersion is the version of the Plan's format. The read-back program refuses
// others; a comparison with an earlier render reads those before it as well.
//
// It is raised with any change that a read-back program of the version before would
// get wrong: it passes over fields that it does not know, so a new field counts if
// the Job goes by it, and so does another meaning or type of one that there is. What
// only a comparison reads raises nothing. ParseEarlierPlan then says what a Plan of the
// version before lacks, and a comparison holds nothing of that against the next.
const PlanVersion = 2

// Plan is everything that follows from a Cluster about the reach of its nodes
// from outside. The renderers read it, and the read-back Job gets it as JSON.
type Plan struct {
	Version   int    `json:"version"`
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`

	// PreferredEndpointType is what the nodes announce: "ip", "hostname" or "address".
	PreferredEndpointType string `json:"preferredEndpointType"`

	// ServiceType is that of every Service, after defaulting.
	ServiceType string `json:"serviceType"`

	// ServiceScope is "node" where each node has a Service and a hostname of its
	// own; "" is a Service a shard. A Job that does not know the field reaches and
	// announces the same: Services, ports and hostnames are the nodes' below.
	ServiceScope string `json:"serviceScope,omitempty"`

	// Gateway says that clients come through a Gateway's listeners: the ports
	// below are those, whatever the Services' type.
	Gateway bool `json:"gateway,omitempty"`

	// TLS says that the announced port is the TLS one
	// (cluster-announce-client-tls-port).
	TLS bool `json:"tls,omitempty"`

	// GatewayRef is the Gateway, its namespace filled in; nil without one.
	GatewayRef *GatewayRef `json:"gatewayRef,omitempty"`

	// LoadBalancerClass is that of the Services; "" is the cluster's default.
	LoadBalancerClass string `json:"loadBalancerClass,omitempty"`

	// Inject is how the pods get the overlay.
	Inject string `json:"inject,omitempty"`

	// Roll is "later" where pods without the overlay are announced as they are, and
	// left alone; "" is a roll that gives it to all of them.
	Roll string `json:"roll,omitempty"`

	// Readback is what announces to running nodes.
	Readback string `json:"readback,omitempty"`

	// TLSServerName is the name by which the nodes' certificate is verified
	// from inside the cluster, "" without TLS.
	TLSServerName string `json:"tlsServerName,omitempty"`

	// Nodes are all nodes, by shard and then node index.
	Nodes []Node `json:"nodes"`
}

// Node is one Valkey node and how clients outside reach it.
type Node struct {
	Shard int    `json:"shard"`
	Index int    `json:"node"`
	Name  string `json:"name"` // of the operator's ValkeyNode

	// Hostname is what the node announces, "" without a domain.
	Hostname string `json:"hostname,omitempty"`

	// Address is what it announces in place of a hostname: an IPv4 address, or a name
	// that somebody else keeps. "" without preferredEndpointType: address, and with it
	// where the Job reads it back.
	Address string `json:"address,omitempty"`

	// Service, ServicePort and PortName are the shard's or node's Service, and its port
	// that leads to this node alone.
	Service     string `json:"service"`
	ServicePort int    `json:"servicePort"`
	PortName    string `json:"portName"`

	// Inside is the Service of the cluster, beside Service, that has Port as its own
	// port for this node; "" where there is none.
	Inside string `json:"insideService,omitempty"`

	// Draining says that the node belongs to a shard that the cluster gives up
	// (servedShards): it is announced while its pod is there, and not missed.
	Draining bool `json:"draining,omitempty"`

	// Port is what a client dials, 1 to 65535, where that is known before
	// anything is applied; 0 where Kubernetes allocates it (NodePort).
	Port int `json:"port,omitempty"`
}

// Role is the node's role when the cluster is created. A failover may swap the
// roles within a shard at any time after.
func (n Node) Role() string {
	if n.Index == 0 {
		return "primary"
	}
	return "replica"
}

// PerNode reports whether each node has a Service and a hostname of its own.
func (p *Plan) PerNode() bool { return p.ServiceScope == ScopeNode }

// RollsLater reports whether pods that lack the overlay are as good as those that
// have it, until they are made anew.
func (p *Plan) RollsLater() bool { return p.Roll == RollLater }

// Evicts reports whether pods that lack the overlay are evicted by the Job: with
// admission alone may a pod be too old for it, and its successor have it.
func (p *Plan) Evicts() bool { return p.Inject == InjectAdmission && !p.RollsLater() }

// ParsePlan reads a Plan from JSON. Another version is a
// *PlanVersionError with its number: it may have fields of other types.
func ParsePlan(text []byte) (*Plan, error) { return parsePlan(text, PlanVersion) }

// ParseEarlierPlan also reads the versions before this one, for a comparison.
// Version 1 has no GatewayRef, LoadBalancerClass, Inject and Readback, and no node
// of it is draining: what it lacks is not known.
func ParseEarlierPlan(text []byte) (*Plan, error) { return parsePlan(text, 1) }

func parsePlan(text []byte, oldest int) (*Plan, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	if head.Version < oldest || head.Version > PlanVersion {
		return nil, &PlanVersionError{head.Version}
	}
	plan := new(Plan)
	if err := json.Unmarshal(text, plan); err != nil {
		return nil, err
	}
	return plan, nil
}

// PlanVersionError is a Plan in another format than this program's.
type PlanVersionError struct{ Found int }

func (e *PlanVersionError) Error() string {
	return fmt.Sprintf("the plan has version %d, this program reads version %d", e.Found, PlanVersion)
}
