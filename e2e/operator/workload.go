package operator

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// The operator's users. The password of each is in the Secret under its name.
const (
	OperatorUser     = "_operator"
	OperatorPassword = "operator-secret"
	replicationUser  = "_replication"
	replicationPass  = "replication-secret"
)

// operatorRights are all that the operator's own user may do, as its version 0.5 has
// it.
const operatorRights = "+@connection +cluster|myid +cluster|myshardid +cluster|info +cluster|nodes +cluster|meet " +
	"+cluster|addslotsrange +cluster|replicate +cluster|forget +cluster|failover +cluster|getslotmigrations " +
	"+cluster|migrateslots +cluster|set-config-epoch +config|set +config|get +acl|load +acl|getuser +acl|users +info +role"

// tlsDir is where the certificate is in a pod.
const tlsDir = "/tls"

// templateHash marks a workload with what its pods were made from.
const templateHash = "bed/template"

// passwords is the Secret that the operator makes.
func (c *Cluster) passwords() *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "internal-" + c.Name + "-system-passwords"},
		StringData: map[string]string{OperatorUser: OperatorPassword, replicationUser: replicationPass},
	}
}

// config is the ConfigMap with valkey.conf.
func (c *Cluster) config() *corev1.ConfigMap {
	lines := []string{
		"cluster-enabled yes",
		"cluster-config-file /data/nodes.conf",
		"cluster-node-timeout 2000",
		"cluster-allow-replica-migration no",
		"cluster-replica-validity-factor 0",
		"shutdown-on-sigterm failover",
		"dir /data",
		"protected-mode no",
		`save ""`,
		"user default on nopass ~* &* +@all",
		"user " + OperatorUser + " on " + hashed(OperatorPassword) + " " + operatorRights,
		"user " + replicationUser + " on " + hashed(replicationPass) + " +psync +sync +replconf +ping +cluster|syncslots +select +@write ~* -flushall -flushdb -swapdb",
	}
	common := len(lines)
	if c.Spec.certificate() != "" {
		lines = append(lines, "port 0", "tls-port 6379", "tls-cluster yes", "tls-replication yes", "tls-auth-clients optional",
			"tls-cert-file "+tlsDir+"/tls.crt", "tls-key-file "+tlsDir+"/tls.key", "tls-ca-cert-file "+tlsDir+"/ca.crt")
	}
	for name, value := range c.Spec.Config {
		lines = append(lines, name+" "+value)
	}
	sort.Strings(lines[common:])
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "valkey-" + c.Name + "-config"},
		Data:       map[string]string{"valkey.conf": strings.Join(lines, "\n") + "\n"},
	}
}

func hashed(password string) string { return fmt.Sprintf("#%x", sha256.Sum256([]byte(password))) }

// headless is the Service that selects every pod of the cluster.
func (c *Cluster) headless() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "valkey-" + c.Name},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone,
			Selector:  map[string]string{"valkey.io/cluster": c.Name},
			Ports:     []corev1.ServicePort{{Name: "client", Port: 6379, TargetPort: intstr.FromString("client")}},
		},
	}
}

// budget lets one pod of the cluster be evicted at a time.
func (c *Cluster) budget() *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "valkey-" + c.Name},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MaxUnavailable: new(intstr.FromInt32(1)),
			Selector:       &metav1.LabelSelector{MatchLabels: map[string]string{"valkey.io/cluster": c.Name}},
		},
	}
}

// template is the node's pod, with spec.containers of the ValkeyCluster merged
// in as the operator does.
func (c *Cluster) template(n Node) (corev1.PodTemplateSpec, error) {
	server := corev1.Container{
		Name: "server", Image: "valkey/valkey:9.1.2",
		Command: []string{"valkey-server", "/config/valkey.conf", "--cluster-announce-ip", "$(POD_IP)",
			"--primaryuser", replicationUser, "--primaryauth", "$(PRIMARY_AUTH)"},
		Ports: []corev1.ContainerPort{
			{Name: "client", ContainerPort: 6379, Protocol: corev1.ProtocolTCP},
			{Name: "cluster-bus", ContainerPort: 16379, Protocol: corev1.ProtocolTCP},
		},
		Env: []corev1.EnvVar{
			{Name: "POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}},
			{Name: "PRIMARY_AUTH", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: c.passwords().Name}, Key: replicationUser}}},
		},
		VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/config", ReadOnly: true}, {Name: "data", MountPath: "/data"}},
	}
	exporter := corev1.Container{
		Name: "metrics-exporter", Image: "metrics-exporter",
		Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9121, Protocol: corev1.ProtocolTCP}},
	}
	volumes := []corev1.Volume{
		{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: c.config().Name}}}},
		{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
	}
	if secret := c.Spec.certificate(); secret != "" {
		server.VolumeMounts = append(server.VolumeMounts, corev1.VolumeMount{Name: "tls", MountPath: tlsDir, ReadOnly: true})
		volumes = append(volumes, corev1.Volume{Name: "tls", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret}}})
	}
	containers := []corev1.Container{server, exporter}
	if c.SidecarFirst {
		slices.Reverse(containers)
	}
	spec := corev1.PodSpec{
		Containers:                    containers,
		TerminationGracePeriodSeconds: new(int64(10)),
		Volumes:                       volumes,
	}
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: c.labels(n)}, Spec: spec}
	if len(c.Spec.Containers) == 0 {
		return t, nil
	}
	original, err := json.Marshal(spec)
	if err != nil {
		return corev1.PodTemplateSpec{}, err
	}
	patch, err := json.Marshal(map[string]any{"containers": c.Spec.Containers})
	if err != nil {
		return corev1.PodTemplateSpec{}, err
	}
	merged, err := strategicpatch.StrategicMergePatch(original, patch, corev1.PodSpec{})
	if err != nil {
		return corev1.PodTemplateSpec{}, err
	}
	t.Spec = corev1.PodSpec{} // or the old elements would show through the new
	return t, json.Unmarshal(merged, &t.Spec)
}

// meta names a workload and says, on its pods too, what they are made from.
func (c *Cluster) meta(n Node, template *corev1.PodTemplateSpec) (metav1.ObjectMeta, error) {
	text, err := json.Marshal(template)
	if err != nil {
		return metav1.ObjectMeta{}, err
	}
	made := map[string]string{templateHash: fmt.Sprintf("%x", sha256.Sum256(text))}
	template.Annotations = made
	return metav1.ObjectMeta{Name: c.workload(n), Labels: c.labels(n), Annotations: made}, nil
}

func (c *Cluster) statefulSet(n Node, meta metav1.ObjectMeta, template corev1.PodTemplateSpec) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{
		Replicas: new(int32(1)), ServiceName: "valkey-" + c.Name,
		Selector: &metav1.LabelSelector{MatchLabels: c.labels(n)}, Template: template,
	}}
}

func (c *Cluster) deployment(n Node, meta metav1.ObjectMeta, template corev1.PodTemplateSpec) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{
		Replicas: new(int32(1)), Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		Selector: &metav1.LabelSelector{MatchLabels: c.labels(n)}, Template: template,
	}}
}
