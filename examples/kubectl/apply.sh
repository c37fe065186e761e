#!/bin/sh
# Applies what render -o deploy/ wrote, and waits until it is announced.
set -eu
directory=${1:-deploy}
namespace=${2:-shop}

# The policy first: pods that are created before it is in force lack their port.
kubectl apply --server-side -f "$directory/policy.yaml"
kubectl apply --server-side -k "$directory"
# As long as the Job may take: the operator's roll goes node by node.
seconds=$(sed -n 's/^ *activeDeadlineSeconds: //p' "$directory/job.yaml" | head -n 1)
kubectl wait job --for=condition=Complete --timeout="${seconds}s" -n "$namespace" -l app.kubernetes.io/component=external-access
# Silent when nothing differs from the directory.
kubectl diff --server-side -k "$directory"
