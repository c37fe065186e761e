package objects

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/podpatch"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Files of the read-back Job's pod. Secrets are mounted as single keys.
const (
	filesDir    = "/etc/valkey-expose"
	planDir     = filesDir + "/plan"
	passwordDir = filesDir + "/password"
	caDir       = filesDir + "/ca"
	certDir     = filesDir + "/certificate"

	caKey = "ca.crt"

	planVolume     = "plan"
	passwordVolume = "password"
	caVolume       = "ca"
	certVolume     = "certificate"
)

// readbackContainer is the Job's container.
const readbackContainer = "readback"

// jobNameVariable is the environment variable with the Job's own name.
const jobNameVariable = "JOB_NAME"

// readbackLabel tells the Job's pods of one cluster from those of another, for
// NetworkPolicies. It is nobody's prefix: the cluster's own label is not for them.
const readbackLabel = "valkey-readback"

func jobPodLabel(x *plan.Exposed) map[string]string {
	return map[string]string{readbackLabel: x.Plan.Cluster}
}

// jobPod meets the restricted Pod Security Standard. It names no user: the image
// does, and OpenShift gives its own.
func jobPod(x *plan.Exposed) corev1.PodSpec {
	pod := corev1.PodSpec{
		ServiceAccountName: schema.ReadbackName(x.Plan.Cluster),
		RestartPolicy:      corev1.RestartPolicyNever,
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot:   new(true),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{{
			Name:  readbackContainer,
			Image: x.Options.ReadbackImage,
			Args: []string{
				"--plan=" + planDir + "/" + schema.PlanKey,
				"--password-file=" + passwordDir + "/" + schema.OperatorUser,
			},
			Resources: readbackResources(),
			// kubectl describe then shows why a run failed.
			TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
			SecurityContext: &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false),
				ReadOnlyRootFilesystem:   new(true),
				Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			},
		}},
	}
	mount := func(name, dir string, files corev1.VolumeSource) {
		pod.Volumes = append(pod.Volumes, corev1.Volume{Name: name, VolumeSource: files})
		pod.Containers[0].VolumeMounts = append(pod.Containers[0].VolumeMounts,
			corev1.VolumeMount{Name: name, MountPath: dir, ReadOnly: true})
	}
	mount(planVolume, planDir, corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: schema.PlanName(x.Plan.Cluster)},
	}})
	mount(passwordVolume, passwordDir, secretKey(plan.PasswordsName(x.Plan.Cluster), schema.OperatorUser))
	if tls := x.Cluster.TLS; tls != nil {
		pod.Containers[0].Args = append(pod.Containers[0].Args, "--ca-file="+caDir+"/"+caKey)
		mount(caVolume, caDir, secretKey(tls.SecretName, caKey))
		if tls.ClientCertificates {
			// The nodes are each other's clients with this pair.
			pod.Containers[0].Args = append(pod.Containers[0].Args, "--cert-file="+certDir+"/tls.crt", "--key-file="+certDir+"/tls.key")
			mount(certVolume, certDir, secretKey(cmp.Or(x.Options.ReadbackClientSecret, tls.SecretName), "tls.crt", "tls.key"))
		}
	}
	if secret := x.Options.ReadbackPullSecret; secret != "" {
		pod.ImagePullSecrets = []corev1.LocalObjectReference{{Name: secret}}
	}
	withPodConstants(&pod)
	return pod
}

// secretKey is a volume of some keys of a Secret, and of no other.
func secretKey(secret string, keys ...string) corev1.VolumeSource {
	files := &corev1.SecretVolumeSource{SecretName: secret}
	for _, key := range keys {
		files.Items = append(files.Items, corev1.KeyToPath{Key: key, Path: key})
	}
	return corev1.VolumeSource{Secret: files}
}

// readbackResources are what the Job's container asks for, and its limits.
func readbackResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("10m"),
			corev1.ResourceMemory: resource.MustParse("32Mi"),
		},
		Limits: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("500m"),
			corev1.ResourceMemory: resource.MustParse("128Mi"),
		},
	}
}

// OwnInPod is what the Job relies on in its pod, and no patch may change.
func OwnInPod() podpatch.Own {
	return podpatch.Own{
		Labels:    append(slices.Sorted(maps.Keys(metadata.CommonLabels())), readbackLabel),
		Container: readbackContainer,
		Variables: []string{jobNameVariable},
		Volumes:   []string{planVolume, passwordVolume, caVolume, certVolume},
		Directory: filesDir,
		Resources: readbackResources(),
	}
}
