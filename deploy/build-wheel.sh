#!/usr/bin/env bash
# Builds the Python package as a wheel, with the modules that protoc makes from the schema: to install it where neither the
# project's tree nor a network is. The same source makes the same file.
# Usage: deploy/build-wheel.sh [--library FILE] [FOLDER]   FOLDER: where to (dist)
#   --library   with a libtroupe_simulation.so, of this or of another processor (deploy/cross), which troupe.mirror then uses
set -euo pipefail
library=
python=${PYTHON:-/usr/bin/python3} # Debian's, which has the packages
[ "${1:-}" != --library ] || { library=$(realpath "$2") && shift 2; }
out=$(realpath -m "${1:-dist}")
tree=$(cd "$(dirname "$0")/.." && pwd)

missing=()
command -v protoc >/dev/null || missing+=("protobuf-compiler")
for package in pip setuptools wheel; do "$python" -c "import $package" 2>/dev/null || missing+=("python3-$package"); done
[ ${#missing[@]} -eq 0 ] || { echo "wheel: not built: install Debian's ${missing[*]}" >&2; exit 1; }

export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git -C "$tree" log -1 --format=%ct 2>/dev/null || echo 315532800)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/client"
cp -r "$tree/client/python" "$copy/client/python"
rm -rf "$copy"/client/python/{build,*.egg-info} # of an earlier installation
cp -r "$tree/proto" "$copy/proto"
[ -z "$library" ] || cp "$library" "$copy/client/python/troupe/libtroupe_simulation.so.0"
"$python" -m pip wheel --quiet --no-index --no-build-isolation --no-deps -w "$out" "$copy/client/python"
ls -t "$out"/troupe-*.whl | head -n 1
