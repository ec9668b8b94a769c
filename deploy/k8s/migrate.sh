#!/usr/bin/env bash
# Runs the migrations of the services, one after the other, and shows their progress. Each migration is a Job:
#   deploy/k8s/migrate.sh              # of all services
#   deploy/k8s/migrate.sh keys metering
# Image and settings: those of the CronJob migrate-NAME, a template that never runs by itself. Apply it first.
# Failure -> exit code 1. Run the script again after the repair, because a migration can be repeated.
# Interrupted script -> the Job continues.
set -euo pipefail
NS=${NS:-shopscope}
[ $# -gt 0 ] || set -- keys profiles metering scan-scheduler subscriptions webhooks scanner search gateway dashboard

kube() { kubectl -n "$NS" "$@"; }
# Prints Complete or Failed when the Job has ended, and Deleted when there is no such Job. An API that does not answer is asked again.
end_of() {
  local job
  job=$(kube get job "$1" --ignore-not-found -o 'jsonpath=Job {.status.conditions[?(@.status=="True")].type}') || return 0
  [ -n "$job" ] || echo Deleted
  grep -oE 'Complete|Failed' <<<"$job" | tail -1 || true
}

for name in "$@"; do
  job=migrate-$name-$(date +%s)
  image=$(kube get cronjob "migrate-$name" -o 'jsonpath={.spec.jobTemplate.spec.template.spec.containers[0].image}')
  echo "$job: $image" >&2
  kube create job "$job" --from="cronjob/migrate-$name" >/dev/null
  # A pod that fails is replaced, so the log of one pod may end before the Job. The Job has a deadline, so the loop ends.
  shown=
  until end=$(end_of "$job") && [ -n "$end" ]; do
    pod=$(kube get pods -l "batch.kubernetes.io/job-name=$job" --sort-by=.metadata.creationTimestamp -o name | tail -1)
    # Fails until the container has started.
    if [ "$pod" != "$shown" ] && kube logs "$pod" --follow 2>/dev/null; then shown=$pod; fi
    sleep "${POLL_SECONDS:-2}"
  done
  if [ "$end" = Deleted ]; then
    echo "$job was deleted before its end" >&2
    exit 1
  fi
  if [ "$end" = Failed ]; then
    kube describe job "$job" | grep -A 20 '^Events:' >&2 || true
    echo "$job failed. Its log: kubectl -n $NS logs job/$job" >&2
    exit 1
  fi
done
