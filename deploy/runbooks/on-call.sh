# Functions that the runbooks use. Source it from the root of a checkout: . deploy/runbooks/on-call.sh
# Asks the cluster that kubectl points to (namespace shopscope; the images have no curl, so node asks inside each pod).
# With WHERE=local it asks what `npm start` runs, by .local/ready.json.
NS=${NS:-shopscope}
READY=${SHOPSCOPE_LOCAL_DIR:-.local}/ready.json

is_local() { [ "${WHERE:-}" = local ]; }

# from_ready PATH …: the member of ready.json at that path; one sentence and status 1 when it is not there
from_ready() {
  if [ ! -r "$READY" ]; then
    echo "No running system is recorded in $READY; start one with npm start, or unset WHERE to ask the cluster." >&2
    return 1
  fi
  node -e '
    const [file, ...path] = process.argv.slice(1);
    const value = path.reduce((part, name) => part?.[name], JSON.parse(require("fs").readFileSync(file, "utf8")));
    if (value === undefined) console.error(`${file} names no ${path.join(" ")}.`);
    else console.log([value].flat().map((each) => each.admin_url ?? each).join("\n"));
    process.exitCode = value === undefined ? 1 : 0;' -- "$READY" "$@"
}

# local_logs [SERVICE]: the log files of a local system, which stay when it has ended
local_logs() {
  find "$(dirname "$READY")/logs" -name "${1:-}*.log" 2>/dev/null | sort | grep . && return
  echo "There are no logs of ${1:-a service} in $(dirname "$READY")/logs; start a system with npm start, or unset WHERE to ask the cluster." >&2
  return 1
}

# admin SERVICE PATH: what every instance answers on its admin port
admin() {
  if is_local; then
    local urls url failed=0
    urls=$(from_ready services "$1") || return
    while read -r url; do echo "== $url" && curl -sS --max-time 10 "$url/$2" && echo || failed=1; done <<<"$urls"
    return $failed
  fi
  kubectl -n "$NS" get pods -l "app.kubernetes.io/name=$1" -o name |
    while read -r pod; do
      echo "== $pod"
      kubectl -n "$NS" exec "$pod" -- node -e 'fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/${process.argv[1]}`).then((r) => r.text()).then(console.log)' "$2" </dev/null
    done
}

# ready SERVICE: is each instance ready, and if not, for want of what
ready() { admin "$1" readyz; }

# metric SERVICE PATTERN: the figures of every instance whose line matches
metric() {
  local lines
  lines=$(admin "$1" metrics) || return
  printf '%s\n' "$lines" | grep -E "^==|$2" | grep -v '^#'
}

# logs SERVICE [SINCE]: its faults, newest last
logs() {
  local files file
  if is_local; then
    files=$(local_logs "$1") || return
    while read -r file; do cat "$file"; done <<<"$files"
  else
    kubectl -n "$NS" logs -l "app.kubernetes.io/name=$1" --prefix --tail=-1 --since="${2:-30m}" --max-log-requests=60
  fi | grep -E '"level":"(warn|error|fatal)"'
}

# follow REQUEST_ID [SINCE]: one request through every service
follow() {
  local files file
  if is_local; then
    files=$(local_logs) || return
    while read -r file; do cat "$file"; done <<<"$files" | grep -e "$1"
  else
    kubectl -n "$NS" logs -l app.kubernetes.io/name --prefix --tail=-1 --since="${2:-2h}" --max-log-requests=200 | grep "$1"
  fi
}

# mongo_url SERVICE: where its database is; the database has the service's name, with _ for -
mongo_url() {
  if is_local; then from_ready stack mongodb url; else
    kubectl -n "$NS" get secret "$1" -o jsonpath='{.data.MONGODB_URL}' | base64 -d
  fi
}

# redis_url: the gateways' Redis
redis_url() {
  if is_local; then from_ready stack redis url; else
    kubectl -n "$NS" get secret gateway -o jsonpath='{.data.REDIS_URL}' | base64 -d
  fi
}

# brokers: for the Kafka tools' --bootstrap-server
brokers() {
  if is_local; then from_ready stack kafka brokers; else
    kubectl -n "$NS" get configmap shopscope -o jsonpath='{.data.KAFKA_BROKERS}'
  fi
}

# kafka TOOL ARGUMENT …: kafka-TOOL.sh there. Where Kafka has users, ADMIN_PROPERTIES is the file with the settings of one that may.
kafka() {
  local tool=kafka-$1.sh servers
  servers=$(brokers) || return
  shift
  if [ -n "${ADMIN_PROPERTIES:-}" ]; then set -- --command-config "$ADMIN_PROPERTIES" "$@"; fi
  "$tool" --bootstrap-server "$servers" "$@"
}

# dlq list | dlq replay TOPIC …: dead letters. In the cluster a pod of its own runs the command and is deleted; the cluster puts
# the password of the user that may (Secret replay-dead-letters) in its environment, so it passes no shell and no process list.
dlq() {
  local image mechanism spec
  if is_local; then
    npm run --silent dlq -- "$@"
    return
  fi
  image=$(dlq_image) || return
  mechanism=$(kubectl -n "$NS" get configmap shopscope -o jsonpath='{.data.KAFKA_SASL_MECHANISM}') || return
  spec=$(dlq_pod "$image" "$mechanism" "$@") || return
  # The pod needs no input; without </dev/null it would read the caller's.
  kubectl -n "$NS" run "dlq-$(date +%s)-$$" --rm -i --quiet --restart=Never --pod-running-timeout=2m --image="$image" --overrides="$spec" </dev/null
}

# dlq_image: of the registry and version that metering runs, unless DLQ_IMAGE names one
dlq_image() {
  local image=${DLQ_IMAGE:-}
  [ -n "$image" ] || image=$(kubectl -n "$NS" get deploy metering -o jsonpath='{.spec.template.spec.containers[0].image}') || return
  [ -n "${DLQ_IMAGE:-}" ] || case $image in
    */metering | */metering:*) image=$(printf '%s' "$image" | sed -E 's#/metering(:[^/]*)?$#/dlq\1#') ;;
    *) echo "The image of dlq cannot be derived from metering's ($image); set DLQ_IMAGE." >&2 && return 1 ;;
  esac
  printf '%s\n' "$image"
}

# dlq_pod IMAGE MECHANISM ARGUMENT …: the pod as JSON. Labels as deploy/k8s/base/operators.yaml expects them, rights as the
# deployments have. Without a SASL mechanism (deploy/k8s/overlays/local) Kafka has no users, and the cluster no such Secret.
dlq_pod() {
  node -e '
    const [image, mechanism, ...args] = process.argv.slice(1);
    const secret = "replay-dead-letters";
    const container = {
      name: "dlq",
      image,
      args,
      stdin: true,
      stdinOnce: true,
      envFrom: [{ configMapRef: { name: "shopscope" } }, { configMapRef: { name: "data-authorities", optional: true } }],
      env: mechanism === "" ? [] : [
        { name: "KAFKA_SASL_USERNAME", value: secret },
        { name: "KAFKA_SASL_PASSWORD", valueFrom: { secretKeyRef: { name: secret, key: "KAFKA_SASL_PASSWORD" } } },
      ],
      resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
    };
    console.log(JSON.stringify({
      apiVersion: "v1",
      metadata: { labels: { "app.kubernetes.io/name": "dlq", "app.kubernetes.io/part-of": "shopscope" } },
      spec: {
        restartPolicy: "Never",
        activeDeadlineSeconds: 900,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
        containers: [container],
      },
    }));' -- "$@"
}
