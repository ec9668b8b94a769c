#!/usr/bin/env bash
# Runs one operator's command in a pod of its own, which is removed afterwards:
#   deploy/k8s/admin.sh setup --workspace Acme --label first --preset full --plan growth
#   NS=shopscope IMAGE=ghcr.io/example/shopscope/admin:0.1.0 deploy/k8s/admin.sh workspace list
# The audit log shows ACTOR, operator:USER unless given. IMAGE is the gateway's with the name admin, unless given; images that are pinned by digest need it. The pod has the operator's
# certificate (Secret operator-grpc-tls) where the cluster has one. What the command prints, a new key too, goes to
# standard output and into the pod's log, which the cluster may collect.
set -euo pipefail
NS=${NS:-shopscope}
name=admin-$(date +%s)-$$
if [ -z "${IMAGE:-}" ]; then
  gateway=$(kubectl -n "$NS" get deployment gateway -o 'jsonpath={.spec.template.spec.containers[0].image}')
  case $gateway in
    *@*) echo "The gateway's image is pinned by digest: set IMAGE to that of admin" >&2; exit 2 ;;
    *gateway:*) IMAGE=${gateway%gateway:*}admin:${gateway##*gateway:} ;;
    *) echo "The gateway's image is $gateway: set IMAGE to that of admin" >&2; exit 2 ;;
  esac
fi

env='' mounts='' volumes=''
if kubectl -n "$NS" get secret operator-grpc-tls >/dev/null 2>&1; then
  at=/etc/shopscope/grpc-tls
  env="{\"name\": \"GRPC_TLS_CA_FILE\", \"value\": \"$at/ca.crt\"},
    {\"name\": \"GRPC_TLS_CERT_FILE\", \"value\": \"$at/tls.crt\"}, {\"name\": \"GRPC_TLS_KEY_FILE\", \"value\": \"$at/tls.key\"}"
  mounts="{\"name\": \"grpc-tls\", \"mountPath\": \"$at\", \"readOnly\": true}"
  volumes='{"name": "grpc-tls", "secret": {"secretName": "operator-grpc-tls", "defaultMode": 288}}'
fi
overrides="{\"spec\": {
  \"automountServiceAccountToken\": false,
  \"securityContext\": {\"runAsNonRoot\": true, \"runAsUser\": 1000, \"fsGroup\": 1000, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}},
  \"volumes\": [$volumes],
  \"containers\": [{
    \"name\": \"$name\",
    \"envFrom\": [{\"configMapRef\": {\"name\": \"shopscope\"}}],
    \"env\": [$env],
    \"volumeMounts\": [$mounts],
    \"resources\": {\"requests\": {\"cpu\": \"20m\", \"memory\": \"96Mi\"}, \"limits\": {\"memory\": \"192Mi\"}},
    \"securityContext\": {\"allowPrivilegeEscalation\": false, \"readOnlyRootFilesystem\": true, \"capabilities\": {\"drop\": [\"ALL\"]}}
  }]
}}"
kubectl -n "$NS" run "$name" --rm --attach --quiet --restart=Never --pod-running-timeout=2m --image="$IMAGE" \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=shopscope \
  --override-type=strategic --overrides="$overrides" -- "$@" --actor "${ACTOR:-operator:$(id -un)}"
