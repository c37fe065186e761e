package podrunner

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// environment resolves a container's variables as the kubelet does: envFrom
// first, then env in order, each able to refer to those before it.
func (p *pod) environment(ctx context.Context, c *corev1.Container) (map[string]string, error) {
	env := map[string]string{}
	for _, from := range c.EnvFrom {
		values, err := p.envFrom(ctx, from)
		if err != nil {
			return nil, err
		}
		for k, v := range values {
			env[from.Prefix+k] = v
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom == nil {
			env[e.Name] = expand(e.Value, env)
			continue
		}
		value, found, err := p.valueFrom(ctx, e.ValueFrom)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", e.Name, err)
		}
		if found {
			env[e.Name] = value
		}
	}
	return env, nil
}

func (p *pod) envFrom(ctx context.Context, from corev1.EnvFromSource) (map[string]string, error) {
	switch {
	case from.ConfigMapRef != nil:
		data, err := p.configMap(ctx, from.ConfigMapRef.Name, from.ConfigMapRef.Optional)
		return asStrings(data), err
	case from.SecretRef != nil:
		data, err := p.secret(ctx, from.SecretRef.Name, from.SecretRef.Optional)
		return asStrings(data), err
	}
	return nil, nil
}

func (p *pod) valueFrom(ctx context.Context, from *corev1.EnvVarSource) (value string, found bool, err error) {
	switch {
	case from.FieldRef != nil:
		value, err = p.field(from.FieldRef.FieldPath)
		return value, true, err
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		data, err := p.configMap(ctx, ref.Name, ref.Optional)
		return pick(data, ref.Key, ref.Optional, err)
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		data, err := p.secret(ctx, ref.Name, ref.Optional)
		return pick(data, ref.Key, ref.Optional, err)
	}
	return "", false, fmt.Errorf("this source is not supported: %v", from)
}

func pick(data map[string][]byte, key string, optional *bool, err error) (string, bool, error) {
	if err != nil {
		return "", false, err
	}
	value, ok := data[key]
	if !ok && !isTrue(optional) {
		return "", false, fmt.Errorf("no key %q", key)
	}
	return string(value), ok, nil
}

// field is the value of a downward API path.
func (p *pod) field(path string) (string, error) {
	switch path {
	case "metadata.name":
		return p.spec.Name, nil
	case "metadata.namespace":
		return p.spec.Namespace, nil
	case "metadata.uid":
		return string(p.spec.UID), nil
	case "spec.nodeName":
		return p.runner.NodeName, nil
	case "spec.serviceAccountName":
		return p.spec.Spec.ServiceAccountName, nil
	case "status.podIP", "status.podIPs":
		return p.ip, nil
	case "status.hostIP":
		return p.runner.NodeIP, nil
	}
	for prefix, values := range map[string]map[string]string{"metadata.labels['": p.spec.Labels, "metadata.annotations['": p.spec.Annotations} {
		if key, ok := strings.CutPrefix(path, prefix); ok {
			return values[strings.TrimSuffix(key, "']")], nil
		}
	}
	return "", fmt.Errorf("the field %q is not supported", path)
}

// configMap is a ConfigMap's content; nothing when it is missing and optional.
func (p *pod) configMap(ctx context.Context, name string, optional *bool) (map[string][]byte, error) {
	cm, err := p.runner.Client.CoreV1().ConfigMaps(p.spec.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && isTrue(optional) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data := map[string][]byte{}
	for k, v := range cm.Data {
		data[k] = []byte(v)
	}
	for k, v := range cm.BinaryData {
		data[k] = v
	}
	return data, nil
}

func (p *pod) secret(ctx context.Context, name string, optional *bool) (map[string][]byte, error) {
	s, err := p.runner.Client.CoreV1().Secrets(p.spec.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && isTrue(optional) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.Data, nil
}

// serviceVariables are the two that lead a pod to the API server.
func (p *pod) serviceVariables(ctx context.Context) (map[string]string, error) {
	svc, err := p.runner.Client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"KUBERNETES_SERVICE_HOST": svc.Spec.ClusterIP,
		"KUBERNETES_SERVICE_PORT": strconv.Itoa(int(svc.Spec.Ports[0].Port)),
	}, nil
}

// expand replaces $(NAME) by the variable's value and $$ by a dollar; a name
// that is not set stays as it is.
func expand(s string, env map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		if strings.HasPrefix(rest, "$$") {
			b.WriteByte('$')
			i++
			continue
		}
		if strings.HasPrefix(rest, "$(") {
			name, _, closed := strings.Cut(rest[2:], ")")
			if value, ok := env[name]; closed && ok {
				b.WriteString(value)
				i += len(name) + 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func asStrings(data map[string][]byte) map[string]string {
	values := map[string]string{}
	for k, v := range data {
		values[k] = string(v)
	}
	return values
}

func isTrue(b *bool) bool { return b != nil && *b }
