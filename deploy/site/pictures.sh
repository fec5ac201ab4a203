#!/usr/bin/env bash
# Makes the pictures of README.md: a strip of a character that is pushed over and gets up, and a screenshot of the viewer.
# Needs a release build, the viewer (deploy/build-viewer.sh), and Chromium. Usage: deploy/site/pictures.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$PWD/build/release
out=$PWD/deploy/site/pictures
work=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill "$daemon"; rm -rf "$work"' EXIT
mkdir -p "$out" "$work/state"

"$build/server/trouped" --listen 127.0.0.1:0 --port-file "$work/port" --state-dir "$work/state" --web-listen none --log-level error &
daemon=$!
until [ -s "$work/port" ]; do sleep 0.1; done
troupe() { "$build/client/troupe" --port "$(cat "$work/port")" --timeout 60 "$@"; }
troupe create-world strip --paused >"$work/log"
troupe spawn strip hero --label walker >>"$work/log"
troupe record strip hero >>"$work/log"
# Commands carry the tick at which they apply, so the picture is the same on every machine.
troupe steer strip walker --skill walk --at 100 >>"$work/log" &
troupe push strip walker 0,420,0 --at 800 >>"$work/log" &
sleep 2
troupe step strip 2800 >>"$work/log"
troupe stop-recording strip >>"$work/log"
troupe export hero --rate 40 --bvh "$work/hero.bvh" >>"$work/log"
model=$PWD/controllers/model/athlete.xml
train=$build/controllers/tools/troupe-train
(cd "$work" && "$train" strip hero.bvh --model "$model" --from 3.6 --to 9.9 --count 15 -o "$out/strip.svg")

TROUPED=$build/server/trouped TROUPE_SCREENSHOTS=$work node tests/web/gallery.js live-desk-light
cp "$work/live-desk-light.png" "$out/viewer.png"
echo "pictures: $out/strip.svg and $out/viewer.png"
