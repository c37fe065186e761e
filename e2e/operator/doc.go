// Package operator plays the valkey-operator's part on the bed: it makes what
// the operator makes for a ValkeyCluster, as far as pods and Services can see
// the difference: names, labels, command, ports, Secret and the order of a roll.
//
// It decides on your behalf: nodes keep nothing on disk, so that a deleted pod
// comes back as a new node, which is the harder case; only the workload, the
// containers' env and the sizes of the cluster are read from the ValkeyCluster.
package operator
