#!/usr/bin/env bash
# An unoptimised and an optimised build must give the golden hashes of tests/determinism, on every instruction-set path
# that this processor has, and with any number of threads. Builds what it needs in build/dev and build/release.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset dev >/dev/null
cmake --preset release -DTROUPE_TESTS=ON >/dev/null
for build in build/dev build/release; do
  ninja -C "$build" test_unit_math test_determinism >/dev/null
  for kernel in sse2 avx2; do
    if [ "$kernel" = avx2 ] && ! grep -qw avx2 /proc/cpuinfo; then
      echo "determinism: $build: no avx2 on this processor, left out"
      continue
    fi
    (cd "$build" && TROUPE_KERNEL=$kernel ctest -j"$(nproc)" -R '^(determinism/(golden|threads)|unit/math/elementary)$' --output-on-failure >determinism.log 2>&1) ||
      { cat "$build/determinism.log"; echo "determinism: $build with the $kernel kernel DIFFERS" >&2; exit 1; }
    echo "determinism: $build, $kernel: $(grep -c ' Passed ' "$build/determinism.log") tests passed"
  done
done
