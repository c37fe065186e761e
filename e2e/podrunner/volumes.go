package podrunner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// file is one file of a volume.
type file struct {
	data []byte
	mode os.FileMode
}

// volumes makes or refreshes every volume of the pod.
func (p *pod) volumes(ctx context.Context) error {
	for _, v := range p.spec.Spec.Volumes {
		dir := p.volumeDir(v.Name)
		if v.EmptyDir != nil {
			if err := p.emptyDir(dir); err != nil {
				return err
			}
			continue
		}
		files, err := p.volumeFiles(ctx, v)
		if err != nil {
			return fmt.Errorf("volume %s: %w", v.Name, err)
		}
		if err := p.writeVolume(dir, files); err != nil {
			return fmt.Errorf("volume %s: %w", v.Name, err)
		}
	}
	return nil
}

func (p *pod) volumeDir(name string) string { return filepath.Join(p.dir, "volumes", name) }

// emptyDir is writable by anyone, as a kubelet's is.
func (p *pod) emptyDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}

func (p *pod) volumeFiles(ctx context.Context, v corev1.Volume) (map[string]file, error) {
	files := map[string]file{}
	switch {
	case v.ConfigMap != nil:
		data, err := p.configMap(ctx, v.ConfigMap.Name, v.ConfigMap.Optional)
		if err != nil {
			return nil, err
		}
		return files, project(files, data, v.ConfigMap.Items, v.ConfigMap.Optional, v.ConfigMap.DefaultMode)
	case v.Secret != nil:
		data, err := p.secret(ctx, v.Secret.SecretName, v.Secret.Optional)
		if err != nil {
			return nil, err
		}
		return files, project(files, data, v.Secret.Items, v.Secret.Optional, v.Secret.DefaultMode)
	case v.DownwardAPI != nil:
		return files, p.downward(files, v.DownwardAPI.Items, v.DownwardAPI.DefaultMode)
	case v.Projected != nil:
		for _, source := range v.Projected.Sources {
			if err := p.projection(ctx, files, source, v.Projected.DefaultMode); err != nil {
				return nil, err
			}
		}
		return files, nil
	}
	return nil, fmt.Errorf("this kind of volume is not supported")
}

func (p *pod) projection(ctx context.Context, files map[string]file, s corev1.VolumeProjection, mode *int32) error {
	switch {
	case s.ConfigMap != nil:
		data, err := p.configMap(ctx, s.ConfigMap.Name, s.ConfigMap.Optional)
		if err != nil {
			return err
		}
		return project(files, data, s.ConfigMap.Items, s.ConfigMap.Optional, mode)
	case s.Secret != nil:
		data, err := p.secret(ctx, s.Secret.Name, s.Secret.Optional)
		if err != nil {
			return err
		}
		return project(files, data, s.Secret.Items, s.Secret.Optional, mode)
	case s.DownwardAPI != nil:
		return p.downward(files, s.DownwardAPI.Items, mode)
	case s.ServiceAccountToken != nil:
		token, err := p.token(ctx, s.ServiceAccountToken)
		if err != nil {
			return err
		}
		files[s.ServiceAccountToken.Path] = file{[]byte(token), fileMode(nil, mode)}
		return nil
	}
	return fmt.Errorf("this projection is not supported")
}

// project adds the keys that items name, or all of them, to files.
func project(files map[string]file, data map[string][]byte, items []corev1.KeyToPath, optional *bool, mode *int32) error {
	if len(items) == 0 {
		for key, value := range data {
			files[key] = file{value, fileMode(nil, mode)}
		}
		return nil
	}
	for _, item := range items {
		value, ok := data[item.Key]
		if !ok {
			if isTrue(optional) {
				continue
			}
			return fmt.Errorf("references non-existent key %q", item.Key)
		}
		files[item.Path] = file{value, fileMode(item.Mode, mode)}
	}
	return nil
}

func (p *pod) downward(files map[string]file, items []corev1.DownwardAPIVolumeFile, mode *int32) error {
	for _, item := range items {
		if item.FieldRef == nil {
			return fmt.Errorf("%s: only fieldRef is supported", item.Path)
		}
		value, err := p.field(item.FieldRef.FieldPath)
		if err != nil {
			return err
		}
		files[item.Path] = file{[]byte(value), fileMode(item.Mode, mode)}
	}
	return nil
}

// token is a token of the pod's ServiceAccount, bound to the pod. Its hour
// outlasts any run, so a refresh of the volume keeps it.
func (p *pod) token(ctx context.Context, s *corev1.ServiceAccountTokenProjection) (string, error) {
	if token := p.tokens[s.Audience]; token != "" {
		return token, nil
	}
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		ExpirationSeconds: s.ExpirationSeconds,
		BoundObjectRef:    &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: p.spec.Name, UID: p.spec.UID},
	}}
	if s.Audience != "" {
		request.Spec.Audiences = []string{s.Audience}
	}
	accounts := p.runner.Client.CoreV1().ServiceAccounts(p.spec.Namespace)
	made, err := accounts.CreateToken(ctx, p.spec.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	p.tokens[s.Audience] = made.Status.Token
	return made.Status.Token, nil
}

func fileMode(own, common *int32) os.FileMode {
	switch {
	case own != nil:
		return os.FileMode(*own)
	case common != nil:
		return os.FileMode(*common)
	}
	return 0o644
}
