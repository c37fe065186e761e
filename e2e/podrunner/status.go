package podrunner

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// report writes the pod's status whenever it changes, until ctx ends.
func (p *pod) report(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.changed:
		}
		err := p.patchStatus(ctx)
		if err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err) || ctx.Err() != nil {
			continue
		}
		p.runner.Log("pod %s/%s: reporting: %v", p.spec.Namespace, p.spec.Name, err)
		time.AfterFunc(retryPeriod, p.touch)
	}
}

// patchStatus names the UID, so that it never hits a successor of the same name.
func (p *pod) patchStatus(ctx context.Context) error {
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(new(p.status()))
	if err != nil {
		return err
	}
	if status["message"] == nil {
		status["message"] = nil // takes an earlier one away
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.spec.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = p.runner.Client.CoreV1().Pods(p.spec.Namespace).Patch(ctx, p.spec.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

func (p *pod) status() corev1.PodStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := corev1.PodStatus{Phase: p.phase(), StartTime: &p.started, HostIP: p.runner.NodeIP, Message: p.message}
	ready := s.Phase == corev1.PodRunning
	if p.netns != nil {
		s.PodIP, s.PodIPs = p.ip, []corev1.PodIP{{IP: p.ip}}
	}
	for _, c := range p.containers {
		ready = ready && c.ready
		running := c.state.Running != nil
		state := c.state
		if state == (corev1.ContainerState{}) {
			state.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating", Message: p.message}
		}
		s.ContainerStatuses = append(s.ContainerStatuses, corev1.ContainerStatus{
			Name: c.spec.Name, Image: c.spec.Image, State: state, LastTerminationState: c.last,
			Ready: c.ready, RestartCount: c.restarts, Started: &running,
		})
	}
	s.Conditions = []corev1.PodCondition{
		p.condition(corev1.PodScheduled, true),
		p.condition(corev1.PodInitialized, p.message == ""),
		p.condition(corev1.ContainersReady, ready),
		p.condition(corev1.PodReady, ready),
	}
	return s
}

// phase follows the kubelet: a pod has ended when no container runs and none
// will be started again.
func (p *pod) phase() corev1.PodPhase {
	ended, failed, begun := 0, false, false
	for _, c := range p.containers {
		begun = begun || c.state.Running != nil || c.state.Terminated != nil
		if t := c.state.Terminated; t != nil && (!c.mayRestart(t.ExitCode) || p.isStopping()) {
			ended++
			failed = failed || t.ExitCode != 0
		}
	}
	switch {
	case ended == len(p.containers) && failed:
		return corev1.PodFailed
	case ended == len(p.containers):
		return corev1.PodSucceeded
	case begun:
		return corev1.PodRunning
	}
	return corev1.PodPending
}

// condition keeps the time of the last change.
func (p *pod) condition(kind corev1.PodConditionType, holds bool) corev1.PodCondition {
	status := corev1.ConditionFalse
	if holds {
		status = corev1.ConditionTrue
	}
	have, ok := p.conditions[kind]
	if !ok || have.Status != status {
		have = corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.Now()}
		if p.conditions == nil {
			p.conditions = map[corev1.PodConditionType]corev1.PodCondition{}
		}
		p.conditions[kind] = have
	}
	return have
}
