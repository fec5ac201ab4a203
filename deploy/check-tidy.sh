#!/usr/bin/env bash
# Runs clang-tidy with its path-sensitive analyzer over all sources but the tests and those for other processors, with the options of the release build.
# Usage: deploy/check-tidy.sh [--deep]   --deep: the analyzer looks at as many paths as by default; takes three times as long.
set -euo pipefail
cd "$(dirname "$0")/.."

paths=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=15000)
[ "${1:-}" != --deep ] || paths=()
# clang's INFINITY is a float, and it lacks two flags of GCC.
mkdir -p build/tidy
sed -E 's/ -m(move|store)-max=[0-9]+//g' build/release/compile_commands.json >build/tidy/compile_commands.json
git ls-files '*.c' | grep -vE '^(tests|deploy)/' | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet \
  --extra-arg=-Wno-double-promotion "${paths[@]}" >build/tidy.log 2>/dev/null &
trap 'kill $!' TERM
wait $! || {
  grep -E 'warning:|error:' build/tidy.log
  exit 1
}
echo "clang-tidy: clean"
