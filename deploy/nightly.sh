#!/usr/bin/env bash
# Checks that take too long for deploy/check.sh: every fault of tests/faults at its full count, the soak, the sanitizers, valgrind,
# fuzzing, and the package under systemd. About eight hours on two cores by estimate, two of
# them valgrind over learning. Each part prints its counts, kept in build/nightly/PART.txt; the table of
# tests/faults/README.md is made from them.
# Usage: deploy/nightly.sh [PART...]     parts: faults restored kills moves clients soak batch slurm viewer engines coverage cross tsan asan valgrind tidy fuzz boot; all without arguments
# NIGHTLY_SHARE=N: divides counts and times by N, and runs every N-th test of a suite. With 100 every part takes minutes,
# builds aside.
# FUZZ_SECONDS: time of each fuzz target, by default 600 (divided by N).
set -uo pipefail
cd "$(dirname "$0")/.." || exit

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(faults restored kills moves clients soak batch slurm viewer engines coverage cross tsan asan valgrind tidy fuzz boot)
jobs=$(nproc)
nth=${NIGHTLY_SHARE:-1}
out=build/nightly
mkdir -p "$out"
failed=()

# An N-th of COUNT, at least LEAST.
share() { # COUNT [LEAST]
  local count=$(($1 / nth)) least=${2:-1}
  echo $((count > least ? count : least))
}

build() { # PRESET TARGET...
  cmake --preset "$1" >"$out/build-$1.log" 2>&1 && cmake --build --preset "$1" -j"$jobs" --target "${@:2}" >>"$out/build-$1.log" 2>&1 ||
    { tail -40 "$out/build-$1.log"; return 1; }
}

# run PART COMMAND...: shows and keeps its output.
run() {
  local part=$1
  shift
  printf '\n== %s: %s\n' "$part" "$*"
  "$@" 2>&1 | tee -a "$out/$part.txt" || failed+=("$part")
}

# The environment of tests in Python, for the daemon of a preset.
python_test() { # PRESET PART FILE
  TROUPED=$PWD/build/$1/server/trouped TROUPE=$PWD/build/release/client/troupe \
    TROUPE_BUNDLE=$PWD/build/release/tests/integration/puppets.troupe \
    TROUPE_BENCH=$PWD/build/release/tests/bench/troupe-bench TROUPE_CLOCK_SHIM=$PWD/build/release/tests/faults/libclock_shim.so \
    PYTHONPATH=$PWD/build/release/tests/integration/wire:$PWD/tests/integration run "$2" /usr/bin/python3 -B "tests/$3.py"
}

part_faults() {
  local tests=build/release/tests
  run faults $tests/faults/test_faults_containment faults/containment "$(share 100000)"
  run faults $tests/faults/test_faults_disk_faults faults/disk_faults "$(share 5000)"
  run faults $tests/sim/test_sim 1 "$(share 10000)"
  run faults $tests/sim/test_sim 1 "$(share 5000)" move
  run faults $tests/sim/test_sim 1 "$(share 1000)" relay
  for _ in 1 2 3 4 5; do # each looks at all that the ones before it have put
    run faults $tests/unit/db/test_unit_db unit/db/store/crash "$(share 200)"
  done
  run faults $tests/unit/db/test_unit_db_store_memory unit/db/store/memory "$(share 5000)"
}

part_moves() { TROUPE_SLOW=1 TROUPE_MOVES=$(share 500 20) python_test release moves faults/moves; }
# Snapshots of drawn lives at every tick, and the fault that they were made for: contacts left out.
part_restored() {
  local piece
  for piece in 0 1 2 3; do # deploy/check.sh runs them on the widest path alone
    TROUPE_KERNEL=$([ $((piece % 2)) -eq 0 ] && echo sse2 || echo avx2) TROUPE_SNAPSHOT_LIVES=$(share 4000 40) run restored build/release/tests/determinism/test_determinism determinism/restored $piece
  done
  run restored tests/mutants/mutate.py controllers/physics --change 'walk_contacts(w, world);' ';' \
    --tests '^determinism/restored$'
}

part_kills() { TROUPE_SLOW=1 TROUPE_KILLS=$(share 1000 3) python_test release kills faults/kills; }

# A million malformed frames go to a sanitised daemon; the clock and the cut wire are tried on the plain one too.
part_clients() {
  build asan trouped || { failed+=(clients); return; }
  TROUPE_SLOW=1 TROUPE_FAULT_SCALE=$(share 50) python_test asan clients faults/clients
  TROUPE_SLOW=1 TROUPE_FAULT_SCALE=$(share 50) python_test release clients faults/clients
  TROUPE_SLOW=1 TROUPE_FAULT_SCALE=$(share 10) python_test release floods faults/floods
}

part_soak() {
  TROUPE_SLOW=1 TROUPE_SOAK_TICKS=$(share 2592000 20000) python_test release soak soak/churn
  TROUPE_CHASE_S=$(share 600 60) python_test release soak soak/chase
}

# The viewer in Firefox, and its scene against the expected pictures.
part_viewer() {
  bash deploy/setup.sh viewer && TROUPE_SLOW=1 run viewer ctest --preset release -R 'integration/web_(looks|firefox)' || failed+=(viewer)
}

# The clients of game engines, in the engines; CMake finds what the first line installs.
part_engines() {
  bash deploy/setup.sh engines && cmake --preset release >"$out/build-engines.log" 2>&1 &&
    run engines ctest --preset release --no-tests=error -R 'integration/godot_client' || failed+=(engines)
}

# The branches of db/ and proto/ that their own unit tests take, file by file, with the lines of those that they do not; below 95 %
# it fails. The failing side of assert() is not counted, for no test can take it. Repetitions add no branches and are thinned out.
part_coverage() {
  bash deploy/setup.sh coverage && cmake -S . -B build/coverage -G Ninja -DTROUPE_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS="-O0 --coverage" >"$out/build-coverage.log" 2>&1 || { failed+=(coverage); return; }
  ninja -C build/coverage test_unit_{db,db_store_memory,proto,proto_refused_calls} >>"$out/build-coverage.log" 2>&1 ||
    { tail -40 "$out/build-coverage.log"; failed+=(coverage); return; }
  find build/coverage -name '*.gcda' -delete
  TROUPE_TEST_STRIDE=11 run coverage ctest --test-dir build/coverage -j"$jobs" -R '^unit/(db|proto)/'
  run coverage gcovr -r . --filter db/ --filter proto/ --exclude build/ --exclude-branches-by-pattern '^\s*assert\(' --branches \
    --fail-under-branch 95 build/coverage/{db,proto,tests/unit}
}

# The same bits on other processors.
part_cross() {
  bash deploy/setup.sh cross && run cross bash deploy/cross/build.sh aarch64 && run cross bash deploy/cross/package.sh &&
    run cross bash deploy/cross/build.sh wasm &&
    run cross bash deploy/site/browser.sh && run cross node client/web/tools/frame_times.js && run cross ctest --preset release -R 'web_browser|js_mirror' &&
    run cross bash deploy/cross/integration.sh || failed+=(cross)
}

# A thousand bouts on one world thread, on two, and killed in the middle.
part_batch() { run batch /usr/bin/python3 -B tests/soak/match_batch.py "$PWD/build/release" --bouts "$(share 1000)"; }

# Work under Slurm: an array, four ranks on two nodes, a batch of bouts, a killed node.
part_slurm() { bash deploy/setup.sh slurm && run slurm /usr/bin/python3 -B tests/soak/slurm.py "$PWD/build/release" || failed+=(slurm); }

part_asan() {
  build asan all && TROUPE_SLOW=1 run asan ctest --preset asan -j"$jobs" -I 1,,"$nth" || failed+=(asan)
}

part_tsan() {
  build tsan all && TROUPE_SLOW=1 run tsan setarch -R ctest --preset tsan -j"$jobs" -I 1,,"$nth" || failed+=(tsan)
}

# The C tests under memcheck, those of the catalogue thinned out. With the SSE2 kernel: valgrind 3.19 does not know the vmovq
# between registers that gcc puts into the AVX2 one, so the test that compares both is left out.
part_valgrind() {
  local program suite count=0
  for program in build/release/tests/{protocol,unit/{server,proto,db,control,model,motion,math,physics,physics_oracle,client,learn}}/test_*; do
    for suite in $("$program"); do
      [[ $suite =~ kernel$ ]] && continue
      [ $((count++ % nth)) -eq 0 ] || continue
      TROUPE_KERNEL=sse2 TROUPE_TEST_STRIDE=11 run valgrind valgrind -q --error-exitcode=9 --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite "$program" "$suite"
    done
  done
}

# With more paths than deploy/check.sh has time for.
part_tidy() { run tidy bash deploy/check-tidy.sh --deep; }

part_fuzz() {
  local target name corpus
  cmake --preset fuzz >"$out/build-fuzz.log" 2>&1
  mapfile -t targets < <(ninja -C build/fuzz -t targets all | sed -nE 's/^(fuzz_[a-z_]+): phony.*/\1/p' | grep -v seeds | sort -u)
  ninja -C build/fuzz "${targets[@]}" >>"$out/build-fuzz.log" 2>&1 || { tail -40 "$out/build-fuzz.log"; failed+=(fuzz); return; }
  for target in "${targets[@]}"; do
    name=${target#fuzz_}
    corpus=(build/fuzz/tests/fuzz/found/"$name" tests/fuzz/corpus/"$name")
    mkdir -p "${corpus[0]}"
    [ -d "build/fuzz/tests/fuzz/seeds/$name" ] && corpus+=("build/fuzz/tests/fuzz/seeds/$name")
    run fuzz "build/fuzz/tests/fuzz/$target" -max_total_time="$(share "${FUZZ_SECONDS:-600}")" -timeout=30 -max_len=65536 \
      -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 "${corpus[@]}"
  done
}

# The package under systemd, in a container and in an emulated machine.
part_boot() {
  [ "$(id -u)" -eq 0 ] || { echo "boot: left out, it needs root"; return; }
  bash deploy/setup.sh boot || { failed+=(boot); return; }
  run boot bash deploy/package.sh
  run boot bash deploy/package/boot.sh build/package container
  run boot bash deploy/package/boot.sh build/package machine
}

[ "${parts[*]}" = coverage ] || build release all || exit 1
for part in "${parts[@]}"; do
  : >"$out/$part.txt"
  "part_$part"
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nnightly: FAILED: %s\n' "${failed[*]}"
  exit 1
fi
printf '\nnightly: PASSED\n'
