#!/usr/bin/env bash
# The main job, on a fresh Debian 12 machine: installs what is missing, builds, serves, and shows characters that walk,
# run and are pushed, and four that run into each other, fall and rise.
#
#   deploy/demo.sh                       a walker and a runner from the shipped catalogue in one real-time world
#   deploy/demo.sh CLIP [OPTIONS]        the same with a clip of yours: learn (some minutes), store, serve
#                                        e.g. deploy/demo.sh jog.bvh --from 10 --to 34
#                                        (options as in 'troupe-train help learn')
#
# What it writes stays in build/demo: the events, strips of stick figures (SVG) and motions as BVH.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
clip=${1:-}
[ -z "$clip" ] || { clip=$(realpath "$clip"); shift; }
cd "$here"

out=build/demo
build=build/release
daemon=
say() { printf '\n== %s\n' "$*"; }
stop_daemon() { [ -z "$daemon" ] || kill -TERM "$daemon" 2>/dev/null || true; }
trap 'status=$?; stop_daemon; [ $status -eq 0 ] || printf "\ndemo: FAILED (log: %s)\n" "$out/trouped.log"' EXIT

say "packages"
bash deploy/setup.sh build

say "build"
mkdir -p "$out"
cmake --preset release >"$out/build.log" 2>&1 || { tail -30 "$out/build.log"; exit 1; }
cmake --build --preset release --target trouped troupe troupe-train >>"$out/build.log" 2>&1 || { tail -30 "$out/build.log"; exit 1; }
echo "built $build/server/trouped, $build/client/troupe and $build/controllers/tools/troupe-train"
train=$build/controllers/tools/troupe-train
model=controllers/model/humanoid.xml

first=walk
bundle=()
rm -rf "$out/state" "$out/port"
mkdir -p "$out/state"
if [ -n "$clip" ]; then
  say "learn $clip (Ctrl-C ends with the best so far)"
  rm -f "$out/mine.troupe"
  "$train" learn "$clip" --effort quick "$@" --name mine --catalogue "$out/mine.troupe"
  "$train" bundle export "$out/mine.troupe" mine -o "$out/mine.bundle"
  bundle=("--bundle" "$out/mine.bundle")
  first=mine
fi

say "serve"
"$build/server/trouped" --listen 127.0.0.1:0 --port-file "$out/port" --state-dir "$out/state" "${bundle[@]}" 2>"$out/trouped.log" &
daemon=$!
for _ in $(seq 100); do [ -s "$out/port" ] && break; sleep 0.1; done
troupe() { "$build/client/troupe" --port "$(cat "$out/port")" "$@"; }
troupe status
troupe controllers
troupe lineage "$first"

say "a real-time world with a character of '$first' and one of 'run'"
troupe create-world demo --paused >/dev/null
troupe spawn demo "$first" --label one --pos 0,0,0
troupe spawn demo run --label two --pos 0,3,0
# Commands have the ticks at which they apply, so that the demo is the same on every machine.
troupe record demo demo >/dev/null
troupe watch demo --rate 40 --for 14 --json >"$out/states.jsonl" &
watcher=$!
push=100
[ -z "$clip" ] || push=60
troupe push demo one "0,$push,0" --at 600 >/dev/null &
troupe push demo two 0,-200,0 --at 600 >/dev/null &
[ -n "$clip" ] || troupe --timeout 60 steer demo one --heading 90 --speed 1.4 --at 1200 >/dev/null &
troupe --timeout 60 steer demo two --heading -90 --at 1200 >/dev/null &
sleep 1
troupe resume demo >/dev/null
sleep 3.5
echo "after 3 s each was pushed for 0.2 s from the side: $push N and 200 N"
troupe state demo
echo "after 6 s they are steered apart: to the left and to the right"
wait "$watcher"
troupe stop-recording demo >/dev/null
troupe state demo

# The events of FILE, readable, one per line.
events() {
  sed -nE 's/.*"event":"([a-z ]+)".*"tick":([0-9]+).*"entity":([0-9]+).*"text":"([^"]*)".*/tick \2: entity \3: \1 \4/p' "$1"
}
say "what happened"
events "$out/states.jsonl" | grep -v 'resume' || true

say "strip"
for label in one two; do
  troupe export demo --character "$label" --rate 100 --bvh "$out/$label.bvh"
done
"$train" strip "$out/one.bvh" "$out/two.bvh" --model "$model" --from 2.5 --to 10 --count 31 -o "$out/strip.svg"
echo "open $out/strip.svg in a browser, $out/one.bvh and $out/two.bvh in Blender"

say "four characters that try to run into each other: a match of a minute, fought as fast as possible"
troupe match run deploy/matches/chase.match | grep -E '^(rule|teams|results|mean_s)'
troupe match record chase --bout 0
troupe replay chase-0 --speed 10 --states 100 --for 6.5 --json >"$out/chase.jsonl" 2>/dev/null
events "$out/chase.jsonl" | grep -E ': (fell|rose)' || true
troupe export chase-0 --character "east 1" --rate 50 --bvh "$out/chase.bvh"
"$train" strip "$out/chase.bvh" --model "$model" --count 61 -o "$out/chase.svg"
echo "open $out/chase.svg for the minute of one of them; deploy/matches/chase.match says how to watch it live"

say "shut down"
kill -TERM "$daemon"
wait "$daemon"
daemon=
if grep -q '"event":"fell"' "$out/states.jsonl"; then
  echo "a pushed character fell: see above"
else
  echo "no pushed character fell"
fi
printf '\ndemo: PASSED: served, pushed, steered, fallen, risen and shut down cleanly\n'
