#!/usr/bin/env bash
# All tests and checks, on a fresh Debian 12 machine: installs what is missing, builds, and ends with one clear line.
# Usage: deploy/check.sh [--quick]   --quick leaves out the sanitizer build and clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."

quick=0
[ "${1:-}" = --quick ] && quick=1
started=$SECONDS
jobs=$(nproc)
beside=() # groups of processes that work beside the tests
export LDFLAGS="${LDFLAGS:-} -fuse-ld=lld" # some hundred programs are linked
say() { printf '\n== %s (%d s)\n' "$*" $((SECONDS - started)); }
finish() {
  local status=$? group
  for group in "${beside[@]}"; do kill -- "-$group" 2>/dev/null || true; done
  [ $status -eq 0 ] || printf '\ncheck: FAILED after %d s\n' $((SECONDS - started))
}
trap finish EXIT

build_fuzz() {
  cmake --preset fuzz
  mapfile -t targets < <(ninja -C build/fuzz -t targets all | sed -nE 's/^(fuzz_[a-z_]+): phony.*/\1/p' | sort -u)
  ninja -C build/fuzz -j"$half" "${targets[@]}"
}
export -f build_fuzz
export half=$(((jobs + 1) / 2))

say "packages"
bash deploy/setup.sh test

say "viewer and JavaScript client (types and build), and beside it layers, conventions and format"
mkdir -p build
bash deploy/build-viewer.sh >build/viewer.txt 2>&1 &
viewer=$!
bash deploy/check-layers.sh
bash deploy/check-style.sh
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror
echo "format: clean"
wait $viewer || { tail -60 build/viewer.txt; exit 1; }
tail -1 build/viewer.txt

say "release: build"
cmake --preset release -DTROUPE_TESTS=ON >build/build.log 2>&1 || { tail -40 build/build.log; exit 1; }
cmake --build --preset release -j"$jobs" >>build/build.log 2>&1 || { tail -60 build/build.log; exit 1; }
if [ $quick -eq 0 ]; then
  # On what the tests leave of the processor: what the stages after them need. Tests of a browser run alone, and many wait.
  # Each of the two groups has half of the cores. They stay in this session: Linux shares the processor between sessions
  # whatever their niceness (autogroup).
  set -m
  nice -n 19 bash -ec 'cmake --preset asan && cmake --build --preset asan -j"$half"' </dev/null >build/asan.txt 2>&1 &
  beside+=($!)
  nice -n 19 bash -ec 'build_fuzz; bash deploy/check-tidy.sh' </dev/null >build/tidy.txt 2>&1 &
  beside+=($!)
  set +m
fi

say "release: tests"
ctest --preset release -j"$jobs"

say "determinism: one hash at -O0 and -O2, on every instruction-set path"
bash deploy/check-determinism.sh

if [ $quick -eq 0 ]; then
  say "asan: the end of the build that began with the tests"
  wait "${beside[0]}" || { tail -60 build/asan.txt; exit 1; }
  say "asan: tests"
  # Left out, for the release build has run them: trainings of minutes whose code shorter tests cover, and what runs
  # scripts more than our own code (doxygen and the tutorial, the clients in Python and JavaScript, the documents), every
  # shipped controller, or mostly waits (logins, floods, moves, the sidecar's time limits); and three of the four pieces of
  # drawn lives, and a measurement. deploy/nightly.sh runs them all.
  # ctest takes at most nine groups in parentheses; with more it leaves nothing out.
  # Some tests wait for others' answers, so one more than there are cores runs.
  ctest --preset asan -j"$((jobs + 1))" \
    -E '^(unit/tools/(ablations|character|graphs|learning|reproduce|certificates|schedule)|unit/learn/(train/harden|train/learner|train/steering_fit|graph/graph|graph/transition|graph/polish|graph/refit|gait/gait_training|balance/balance_learning|balance/supports|measure/evaluate|measure/certify|reconstruct/reconstruct|samcon/samcon|samcon/control_file|latent/value_iteration)|determinism/restored_[123]|bench/states|integration/(accounts|secure|agones|trainings|readme|shipped|site|match_files|python_.*|csharp_client|godot_client|js_client|documents|document_commands)|unit/tools/options|faults/(moves|floods)|soak/churn)$'

  say "fuzz and clang-tidy, with the path-sensitive analyzer: the end of what began with the tests"
  wait "${beside[1]}" || { grep -vE '^\[[0-9]+/' build/tidy.txt | tail -60; exit 1; }
  tail -1 build/tidy.txt

  say "fuzz: a short run of every target from its corpus"
  ctest --test-dir build/fuzz -j"$jobs" -R '^fuzz/' --output-on-failure
  say "simulated hours: worlds, and beside them worlds that move"
  build/release/tests/sim/test_sim 1 45 move >build/sim-move.txt 2>&1 &
  moves=$!
  build/release/tests/sim/test_sim 1 300
  wait $moves || { tail -60 build/sim-move.txt; exit 1; }
  tail -1 build/sim-move.txt
fi

say "summary"
ctest --preset release -N | tail -1
printf 'check: PASSED in %d s\n' $((SECONDS - started))
