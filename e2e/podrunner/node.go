package podrunner

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// registerNode makes the Node, Ready for good: nothing renews a lease, so the
// controller manager must not run the node lifecycle controller.
func (r *Runner) registerNode(ctx context.Context) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:   r.NodeName,
		Labels: map[string]string{corev1.LabelHostname: r.NodeName, corev1.LabelOSStable: "linux"},
	}}
	made, err := r.Client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	now := metav1.Now()
	made.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: now, LastHeartbeatTime: now, Reason: "BedReady",
	}}
	made.Status.Addresses = []corev1.NodeAddress{
		{Type: corev1.NodeInternalIP, Address: r.NodeIP},
		{Type: corev1.NodeHostName, Address: r.NodeName},
	}
	_, err = r.Client.CoreV1().Nodes().UpdateStatus(ctx, made, metav1.UpdateOptions{})
	return err
}

// bind is the whole scheduler.
func (p *pod) bind(ctx context.Context) error {
	if p.spec.Spec.NodeName != "" {
		return nil
	}
	return p.runner.Client.CoreV1().Pods(p.spec.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: p.spec.Name, Namespace: p.spec.Namespace, UID: p.spec.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: p.runner.NodeName},
	}, metav1.CreateOptions{})
}
