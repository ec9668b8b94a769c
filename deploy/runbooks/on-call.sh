# Functions of the runbooks. Source this file in bash or zsh, from the root of a checkout: . deploy/runbooks/on-call.sh
# Default: the functions read the cluster that kubectl points to, in the namespace shopscope. The images have no curl, so node sends the
# requests inside each pod.
# WHERE=local: they read the system that `npm start` runs, by .local/ready.json.
NS=${NS:-shopscope}
READY=${SHOPSCOPE_LOCAL_DIR:-.local}/ready.json
# Seconds that admin waits for an instance. A process that hangs answers never.
ADMIN_TIMEOUT=${ADMIN_TIMEOUT:-10}

is_local() { [ "${WHERE:-}" = local ]; }

# need_cluster: no context of kubectl -> one sentence and status 1. Without a context kubectl would use localhost:8080. A pod needs no context.
need_cluster() {
  [ -n "${KUBERNETES_SERVICE_HOST:-}" ] && return
  kubectl config current-context >/dev/null 2>&1 && return
  if [ -r "$READY" ]; then
    echo "kubectl has no context, and $READY records a local system; set WHERE=local to ask that system." >&2
  else
    echo "kubectl has no context; select one with kubectl config use-context, or set WHERE=local for a system that npm start runs." >&2
  fi
  return 1
}

# need_argument VALUE USAGE: empty value -> the usage and status 2. An empty pattern would match every line.
need_argument() {
  [ -n "$1" ] && return
  echo "Usage: $2" >&2
  return 2
}

# from_ready PATH …: prints the member of ready.json at that path. No such file or member -> one sentence and status 1.
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

# local_logs [SERVICE]: lists the log files of a local system. The files stay when the system has ended.
local_logs() {
  find "$(dirname "$READY")/logs" -name "${1:-}*.log" 2>/dev/null | sort | grep . && return
  echo "There are no logs of ${1:-a service} in $(dirname "$READY")/logs; start a system with npm start, or unset WHERE to ask the cluster." >&2
  return 1
}

# admin SERVICE PATH: prints the response of each instance's admin port. An instance does not respond within ADMIN_TIMEOUT -> status 1.
admin() {
  local urls url pods pod failed=0
  need_argument "${2:-}" "admin SERVICE PATH" || return
  if is_local; then
    urls=$(from_ready services "$1") || return
    while read -r url; do
      echo "== $url" && curl -sS --max-time "$ADMIN_TIMEOUT" "$url/$2" && echo || failed=1
    done <<<"$urls"
    return $failed
  fi
  need_cluster || return
  pods=$(kubectl -n "$NS" get pods -l "app.kubernetes.io/name=$1" -o name) || return
  while read -r pod; do
    [ -n "$pod" ] || continue
    echo "== $pod"
    kubectl -n "$NS" exec "$pod" -- node -e '
      const [path, seconds] = process.argv.slice(1);
      const signal = AbortSignal.timeout(Number(seconds) * 1_000);
      fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/${path}`, { signal }).then((r) => r.text()).then(console.log, (error) => {
        console.error(error.name === "TimeoutError" ? `No response within ${seconds} s.` : String(error.cause ?? error));
        process.exitCode = 1;
      });' "$2" "$ADMIN_TIMEOUT" </dev/null || failed=1
  done <<<"$pods"
  return $failed
}

# ready SERVICE: prints whether each instance is ready, and the unavailable dependency
ready() {
  need_argument "${1:-}" "ready SERVICE" || return
  admin "$1" readyz
}

# metric SERVICE PATTERN: prints the lines of each instance's /metrics that match. An instance does not respond -> its URL and status 1.
metric() {
  local lines failed=0
  need_argument "${2:-}" "metric SERVICE PATTERN" || return
  lines=$(admin "$1" metrics) || failed=$?
  printf '%s\n' "$lines" | grep -E "^==|$2" | grep -v '^#' || return
  return $failed
}

# need_logs [SERVICE]: no source of log lines -> one sentence and status 1
need_logs() {
  if is_local; then local_logs "${1:-}" >/dev/null; else need_cluster; fi
}

# log_lines SINCE [SERVICE]: prints every log line of one service or of all. SINCE has an effect in a cluster only.
log_lines() {
  if is_local; then
    local_logs "${2:-}" | while read -r file; do cat "$file"; done
  else
    kubectl -n "$NS" logs -l "app.kubernetes.io/name${2:+=$2}" --prefix --tail=-1 --since="$1" --max-log-requests=200
  fi
}

# by_time: sorts the log lines of all files and pods by their member time, oldest first
by_time() {
  awk '{ print (match($0, /"time":"[^"]*"/) ? substr($0, RSTART, RLENGTH) : "") "\t" $0 }' |
    LC_ALL=C sort -s -t "$(printf '\t')" -k1,1 | cut -f2-
}

# logs SERVICE [SINCE]: prints its warnings and errors, newest last
logs() {
  need_argument "${1:-}" "logs SERVICE [SINCE]" || return
  need_logs "$1" || return
  log_lines "${2:-30m}" "$1" | grep -E '"level":"(warn|error|fatal)"' | by_time | grep .
}

# follow ID [SINCE]: prints the log lines of all services that contain the request, scan or charge id, oldest first
follow() {
  local searched
  need_argument "${1:-}" "follow ID [SINCE]    ID: a request id (X-Request-Id), a scan id or a charge id" || return
  need_logs || return
  log_lines "${2:-2h}" | grep -F -e "$1" | by_time | grep . && return
  searched="the last ${2:-2h}"
  if is_local; then searched="$(dirname "$READY")/logs"; fi
  echo "No log line of $searched has $1; free successes are logged at debug (LOG_SUCCESS_PERCENT of them at info)." >&2
  return 1
}

# mongo_url SERVICE: prints the URL of its MongoDB. The database has the name of the service, with _ instead of -.
mongo_url() {
  need_argument "${1:-}" "mongo_url SERVICE" || return
  if is_local; then from_ready stack mongodb url; else
    need_cluster || return
    kubectl -n "$NS" get secret "$1" -o jsonpath='{.data.MONGODB_URL}' | base64 -d
  fi
}

# charge CHARGE_ID: prints a charge's latest attempt and ledger rows as JSON. It reads the database of a cluster with mongosh. It reads the
# database of a local system with the driver of the checkout, because npm start installs no mongosh.
charge() {
  local url
  need_argument "${1:-}" "charge CHARGE_ID" || return
  url=$(mongo_url metering) || return
  if is_local; then
    CHARGE_ID=$1 MONGODB_URL=$url node -e '
      const { MongoClient } = require("mongodb");
      const { CHARGE_ID: id, MONGODB_URL: url } = process.env;
      (async () => {
        const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
        try {
          const m = client.db("metering");
          const charge = await m.collection("charges").findOne({ _id: id });
          const ledger = await m.collection("ledger").find({ _id: { $gte: `${id}/`, $lt: `${id}0` } }).toArray();
          if (!charge && ledger.length === 0) throw new Error(`metering has no record of the charge ${id}.`);
          console.log(JSON.stringify({ charge, ledger }, null, 2));
        } finally {
          await client.close();
        }
      })().catch(({ message }) => { console.error(message); process.exitCode = 1; });'
  else
    CHARGE_ID=$1 mongosh "$url" --quiet --eval '
      const m = db.getSiblingDB("metering"), id = process.env.CHARGE_ID;
      const charge = m.charges.findOne({ _id: id }), ledger = m.ledger.find({ _id: { $gte: `${id}/`, $lt: `${id}0` } }).toArray();
      print(EJSON.stringify({ charge, ledger }, null, 2));'
  fi
}

# redis_url [responses]: prints the URL of the gateways' Redis, or of that for stored responses, which may be the same, for redis-cli -u.
# Sentinels are asked for the primary. Of a cluster it is the first node; redis-cli needs -c to follow to the others.
redis_url() {
  local encoded= url=
  if is_local; then url=$(from_ready stack redis url) || return; else
    need_cluster || return
    if [ "${1:-}" = responses ]; then
      encoded=$(kubectl -n "$NS" get secret gateway -o jsonpath='{.data.IDEMPOTENCY_REDIS_URL}') || return
    fi
    [ -n "$encoded" ] || encoded=$(kubectl -n "$NS" get secret gateway -o jsonpath='{.data.REDIS_URL}') || return
    url=$(printf '%s' "$encoded" | base64 -d) || return
  fi
  case $url in
    *+cluster://*) printf '%s\n' "$url" | sed -E 's#\+cluster(://[^,/]*).*#\1#' ;;
    *+sentinel://*) primary_url "$url" ;;
    *) printf '%s\n' "$url" ;;
  esac
}

# primary_url REDIS+SENTINEL-URL: prints the URL of the primary. If Sentinels have users, REDISCLI_AUTH is the password.
primary_url() {
  local scheme=${1%%+*} rest=${1#*://} login= hosts name host address
  case $rest in *@*) login=${rest%%@*}@ rest=${rest#*@} ;; esac
  hosts=${rest%%/*} name=${rest#*/}
  for host in $(printf '%s' "$hosts" | tr ',' ' '); do
    case $host in *:*) ;; *) host=$host:26379 ;; esac
    address=$(redis-cli -u "$scheme://$host" --raw sentinel get-master-addr-by-name "$name" | paste -sd: -) || continue
    case $address in *:*) printf '%s\n' "$scheme://$login$address" && return ;; esac
  done
  echo 'no Sentinel names the primary' >&2
  return 1
}

# brokers: prints the value for --bootstrap-server of the Kafka tools
brokers() {
  if is_local; then from_ready stack kafka brokers; else
    need_cluster || return
    kubectl -n "$NS" get configmap shopscope -o jsonpath='{.data.KAFKA_BROKERS}'
  fi
}

# kafka TOOL ARGUMENT …: runs kafka-TOOL.sh. If Kafka has users, ADMIN_PROPERTIES is a file with the settings of a user with the right.
kafka() {
  local tool=kafka-$1.sh servers
  servers=$(brokers) || return
  shift
  if [ -n "${ADMIN_PROPERTIES:-}" ]; then set -- --command-config "$ADMIN_PROPERTIES" "$@"; fi
  "$tool" --bootstrap-server "$servers" "$@"
}

# dlq list | dlq replay TOPIC …: lists or replays dead letters. In a cluster a pod runs the command and is deleted. The cluster puts the password
# of the Kafka user (Secret replay-dead-letters) into the pod's environment, so no shell or process list shows the password.
dlq() {
  local image mechanism spec
  if is_local; then
    npm run --silent dlq -- "$@"
    return
  fi
  need_cluster || return
  image=$(dlq_image) || return
  mechanism=$(kubectl -n "$NS" get configmap shopscope -o jsonpath='{.data.KAFKA_SASL_MECHANISM}') || return
  spec=$(dlq_pod "$image" "$mechanism" "$@") || return
  # Without </dev/null the pod would read the standard input of the calling shell.
  kubectl -n "$NS" run "dlq-$(date +%s)-$$" --rm -i --quiet --restart=Never --pod-running-timeout=2m --image="$image" --overrides="$spec" </dev/null
}

# dlq_image: prints DLQ_IMAGE, or else the image dlq with the registry and version of metering's image
dlq_image() {
  local image=${DLQ_IMAGE:-}
  [ -n "$image" ] || image=$(kubectl -n "$NS" get deploy metering -o jsonpath='{.spec.template.spec.containers[0].image}') || return
  [ -n "${DLQ_IMAGE:-}" ] || case $image in
    */metering | */metering:*) image=$(printf '%s' "$image" | sed -E 's#/metering(:[^/]*)?$#/dlq\1#') ;;
    *) echo "The image of dlq cannot be derived from metering's ($image); set DLQ_IMAGE." >&2 && return 1 ;;
  esac
  printf '%s\n' "$image"
}

# dlq_pod IMAGE MECHANISM ARGUMENT …: prints the pod as JSON, with the labels of deploy/k8s/base/operators.yaml and the security context of the
# Deployments. No SASL mechanism (deploy/k8s/overlays/local) -> Kafka has no users, so the pod needs no Secret.
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
        // Absent in a system that replays no observations.
        { name: "REPLAY_SIGNING_KEY", valueFrom: { secretKeyRef: { name: secret, key: "REPLAY_SIGNING_KEY", optional: true } } },
        { name: "PERMIT_PUBLIC_KEYS", valueFrom: { secretKeyRef: { name: "profiles", key: "PERMIT_PUBLIC_KEYS", optional: true } } },
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
