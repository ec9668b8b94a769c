# Sourced by .ci/run and .ci/nightly. A check prints its name, its output and its duration.
# A check fails -> the other checks still run. Exit code 75 -> it could not run: it has neither passed nor failed.
outcomes=$(mktemp -d)
trap 'rm -rf "$outcomes"' EXIT

check() {
  local name=$1 code=0 since=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || code=$?
  printf '%s: %s s\n' "$name" $((SECONDS - since))
  case $code in 0) ;; 75) printf '  %s\n' "$name" >>"$outcomes/unasked" ;; *) printf '  %s\n' "$name" >>"$outcomes/failed" ;; esac
}

# Lists the checks that did not pass. Fails if one of them failed.
checks_passed() {
  [ ! -e "$outcomes/unasked" ] || { printf '\nNot checked, because the check could not run:\n' && sort "$outcomes/unasked"; }
  [ ! -e "$outcomes/failed" ] || { printf '\nFailed checks:\n' && sort "$outcomes/failed"; return 1; }
}

script() { npm run --silent "$@"; }

# A machine with apt gets the package here; elsewhere the check fails.
installed() {
  local package=$1 has=$2 install="apt-get install -y -q --no-install-recommends $1"
  $has && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive timeout 300 sh -c "$install || (apt-get update -q && $install)" >/dev/null
  fi
  $has || { echo "Install it: apt-get install --no-install-recommends $package"; return 1; }
}

# The tests in the browser need Chromium.
has_chromium() { command -v chromium-headless-shell || command -v chromium; } >/dev/null
browser() { installed chromium-headless-shell has_chromium; }

# The rule tests of Prometheus need promtool. Without it they are skipped, so a machine without apt passes too.
has_promtool() { command -v promtool; } >/dev/null
promtool_tests() { installed prometheus has_promtool || return 75; }

# n8n needs PostgreSQL: its SQLite driver is a download.
has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb'; } >/dev/null
postgresql() { installed postgresql has_postgresql; }

# The test of two clocks needs faketime. Without it the test is skipped, so a machine without apt passes too.
has_faketime() { compgen -G '/usr/lib/*/faketime/libfaketime.so.1'; } >/dev/null
two_clocks() { installed faketime has_faketime || return 75; }
