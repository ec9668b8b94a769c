#!/usr/bin/env bash
# Renders the kustomize base and every overlay of deploy/k8s, and validates them: built-in kinds against the Kubernetes API's schemas,
# custom resources against the schemas beside this file, and settings against the services' own readers of their environment. The two
# programs come from the Go module proxy and the schemas from PyPI, each pinned to a version and its checksum and kept under .local/cache.
set -euo pipefail
cd "$(dirname "$0")/../../.."

kustomize_version=v5.8.0
kubeconform_version=v0.7.0
schemas_version=1.37.0
# Of the modules' sources, as Go wrote them into what it compiled, and of the wheel.
kustomize_sum=h1:CCIJK7z/xJOlkXOaDOcL2jprV53a/eloiL02wg7oJJs=
kubeconform_sum=h1:ZFfniR8VChrWQxaxTUGnNrxw8RIDkjVBrjdhXSamwjw=
schemas_sum=sha256:85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9
cache=$PWD/${SHOPSCOPE_CACHE_DIR:-.local/cache}/k8s
case ${SHOPSCOPE_CACHE_DIR:-} in /*) cache=$SHOPSCOPE_CACHE_DIR/k8s ;; esac
mkdir -p "$cache"

need() {
  command -v "$1" >/dev/null || { echo "check:k8s needs $1 on PATH ($2)" >&2; exit 1; }
}
keep() {
  go version -m "$cache/bin/$1" | grep -qF "$2" || { echo "$1 was built from other sources than expected" >&2; exit 1; }
  mv "$cache/bin/$1" "$cache/$1-$3"
}
if [ ! -x "$cache/kustomize-$kustomize_version" ] || [ ! -x "$cache/kubeconform-$kubeconform_version" ]; then
  need go "https://go.dev/doc/install"
  GOBIN=$cache/bin go install "sigs.k8s.io/kustomize/kustomize/v5@$kustomize_version"
  GOBIN=$cache/bin go install "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform_version"
  keep kustomize "$kustomize_sum" "$kustomize_version"
  keep kubeconform "$kubeconform_sum" "$kubeconform_version"
fi
schemas=$cache/schemas-$schemas_version
if [ ! -d "$schemas" ]; then
  need python3 "any version with pip"
  rm -rf "$schemas.part" && mkdir -p "$schemas.part"
  python3 -m pip download --quiet --no-deps --only-binary :all: --require-hashes --dest "$schemas.part" \
    --requirement <(echo "kubernetes-validate==$schemas_version --hash=$schemas_sum")
  python3 - "$schemas.part" "v$schemas_version-local-strict" <<'PYTHON'
import glob, json, os, sys, zipfile
folder, wanted = sys.argv[1:]
wheel = glob.glob(os.path.join(folder, '*.whl'))[0]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if f'/{wanted}/' in name:
            # The schemas name themselves and their shared definitions by a web address; here all lie side by side.
            schema = json.loads(archive.read(name).replace(b'/api/_definitions.json', b'_definitions.json'))
            schema.pop('$id', None)
            with open(os.path.join(folder, os.path.basename(name)), 'w') as out:
                json.dump(schema, out)
os.remove(wheel)
PYTHON
  mv "$schemas.part" "$schemas"
fi

manifests=()
files=()
for folder in deploy/k8s/base deploy/k8s/overlays/*; do
  rendered=$cache/rendered-$(basename "$folder").yaml
  "$cache/kustomize-$kustomize_version" build "$folder" >"$rendered"
  files+=("$rendered")
  manifests+=("$folder" "$rendered")
done
# One worker of one process for all files: each worker parses each schema of a kind itself, which takes most of the CPU.
"$cache/kubeconform-$kubeconform_version" -n 1 -strict -summary \
  -schema-location "$schemas/{{.ResourceKind}}{{.KindSuffix}}.json" \
  -schema-location "tools/checks/k8s/schemas/{{.ResourceKind}}{{.KindSuffix}}.json" "${files[@]}"
# What schemas cannot say: settings that the services accept, references, shares of a limit (../src/k8s/check.ts). One process checks all
# folders, because it loads the readers of every service.
node tools/local/bootstrap.mjs check:manifests "${manifests[@]}"
