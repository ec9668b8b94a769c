# Functions that the runbooks use. Source it from the root of a checkout: . deploy/runbooks/on-call.sh
# Asks the cluster that kubectl points to (namespace shopscope; the images have no curl, so node asks inside each pod).
# With WHERE=local it asks what `npm start` runs, by .local/ready.json.
NS=${NS:-shopscope}
READY=${SHOPSCOPE_LOCAL_DIR:-.local}/ready.json

# admin SERVICE PATH: what every instance answers on its admin port
admin() {
  if [ "$WHERE" = local ]; then
    node -p 'JSON.parse(fs.readFileSync(process.argv[1])).services[process.argv[2]].map((i) => i.admin_url).join("\n")' "$READY" "$1" |
      while read -r url; do echo "== $url" && curl -sS "$url/$2" && echo; done
    return
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
metric() { admin "$1" metrics | grep -E "^==|$2" | grep -v '^#'; }

# logs SERVICE [SINCE]: its faults, newest last
logs() {
  if [ "$WHERE" = local ]; then cat "$(dirname "$READY")/logs/$1"*.log; else
    kubectl -n "$NS" logs -l "app.kubernetes.io/name=$1" --prefix --tail=-1 --since="${2:-30m}" --max-log-requests=60
  fi | grep -E '"level":"(warn|error|fatal)"'
}

# follow REQUEST_ID [SINCE]: one request through every service
follow() {
  if [ "$WHERE" = local ]; then grep -h "$1" "$(dirname "$READY")"/logs/*.log; else
    kubectl -n "$NS" logs -l app.kubernetes.io/name --prefix --tail=-1 --since="${2:-2h}" --max-log-requests=200 | grep "$1"
  fi
}

# mongo_url SERVICE: where its database is; the database has the service's name, with _ for -
mongo_url() {
  if [ "$WHERE" = local ]; then node -p 'JSON.parse(fs.readFileSync(process.argv[1])).stack.mongodb.url' "$READY"; else
    kubectl -n "$NS" get secret "$1" -o jsonpath='{.data.MONGODB_URL}' | base64 -d
  fi
}

# redis_url: the gateways' Redis
redis_url() {
  if [ "$WHERE" = local ]; then node -p 'JSON.parse(fs.readFileSync(process.argv[1])).stack.redis.url' "$READY"; else
    kubectl -n "$NS" get secret gateway -o jsonpath='{.data.REDIS_URL}' | base64 -d
  fi
}

# brokers: for the Kafka tools' --bootstrap-server
brokers() {
  if [ "$WHERE" = local ]; then node -p 'JSON.parse(fs.readFileSync(process.argv[1])).stack.kafka.brokers' "$READY"; else
    kubectl -n "$NS" get configmap shopscope -o jsonpath='{.data.KAFKA_BROKERS}'
  fi
}

# dlq list | dlq replay TOPIC …: dead letters, as the user that may (Secret replay-dead-letters); its password goes by standard
# input, where no list of processes shows it
dlq() {
  if [ "$WHERE" = local ]; then
    npm run --silent dlq -- "$@"
    return
  fi
  {
    printf "process.env.KAFKA_SASL_USERNAME = 'replay-dead-letters'; process.env.KAFKA_SASL_PASSWORD = atob('%s');\n" \
      "$(kubectl -n "$NS" get secret replay-dead-letters -o jsonpath='{.data.KAFKA_SASL_PASSWORD}')"
    cat deploy/runbooks/dead-letters.mjs
  } | kubectl -n "$NS" exec -i deploy/metering -- node --input-type=module - "$@"
}
