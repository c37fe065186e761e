// Inpod stands in for the read-back program in the Job's pod: it uses each
// right of the Job's Role and each file of its pod once, and checks that it has
// no more.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	plan := flag.String("plan", "", "the mounted plan")
	password := flag.String("password-file", "", "the mounted password")
	flag.Parse()
	if err := run(context.Background(), *plan, *password); err != nil {
		fmt.Fprintln(os.Stderr, "inpod: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, planFile, passwordFile string) error {
	text, err := os.ReadFile(planFile)
	if err != nil {
		return err
	}
	var plan struct{ Namespace, Cluster string }
	if err := json.Unmarshal(text, &plan); err != nil {
		return err
	}
	if password, err := os.ReadFile(passwordFile); err != nil || len(password) == 0 {
		return fmt.Errorf("no password in %s: %w", passwordFile, err)
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	core := client.CoreV1()
	if _, err := core.Services(plan.Namespace).List(ctx, metav1.ListOptions{}); err != nil {
		return err
	}
	if _, err := core.Pods(plan.Namespace).List(ctx, metav1.ListOptions{}); err != nil {
		return err
	}
	endpoints := "valkey-" + plan.Cluster + "-external-endpoints"
	apply := `{"apiVersion":"v1","kind":"ConfigMap","data":{"bootstrap":"written by the Job"}}`
	if _, err := core.ConfigMaps(plan.Namespace).Patch(ctx, endpoints, types.ApplyPatchType, []byte(apply),
		metav1.PatchOptions{FieldManager: "valkey-expose-readback"}); err != nil {
		return err
	}
	for name, try := range map[string]func() error{
		"list Secrets": func() error {
			_, err := core.Secrets(plan.Namespace).List(ctx, metav1.ListOptions{})
			return err
		},
		"patch another ConfigMap": func() error {
			_, err := core.ConfigMaps(plan.Namespace).Patch(ctx, "other", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
			return err
		},
		"list pods of another namespace": func() error {
			_, err := core.Pods("default").List(ctx, metav1.ListOptions{})
			return err
		},
	} {
		if err := try(); !apierrors.IsForbidden(err) {
			return fmt.Errorf("may %s: %v", name, err)
		}
	}
	return nil
}
