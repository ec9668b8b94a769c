#!/usr/bin/env bash
# Runs one operator command (tools/admin) in a pod and then deletes the pod:
#   deploy/k8s/admin.sh setup --workspace Acme --label first --preset full --plan growth
#   NS=shopscope IMAGE=ghcr.io/example/shopscope/admin:0.1.0 deploy/k8s/admin.sh workspace list
# ACTOR: the name in the audit log. Default: operator:USER.
# IMAGE: default is the gateway's image with the name admin. It is required when the gateway's image is pinned by digest.
# Certificate: the pod uses the Secret operator-grpc-tls if the cluster has it.
# Output: goes to standard output and into the pod's log, new keys included. The cluster may collect the log.
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
