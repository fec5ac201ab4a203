#!/usr/bin/env bash
# Makes the bundle that ships from a catalogue that has all controllers of shipped.json, by their names or by "from".
# Of several versions of one skill the list names one: the one that survives the largest push on the standard body;
# of equals the one whose feet slide less.
# Usage: controllers/recipes/ship.sh CATALOGUE [BUNDLE]   BUNDLE: db/shipped.troupe
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
catalogue=$1
bundle=${2:-$here/../../db/shipped.troupe}
train=${TROUPE_TRAIN:-$here/../../build/release/controllers/tools/troupe-train}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mapfile -t names < <(python3 -c '
import json, sys
for controller in json.load(open(sys.argv[1]))["controllers"]:
    print(controller.get("from", controller["name"]))' "$here/shipped.json")
"$train" bundle export "$catalogue" "${names[@]}" -o "$work/chosen.troupe"
"$train" bundle import "$work/chosen.troupe" --catalogue "$work/guided.sqlite"
"$train" bundle guide "$here/shipped.json" --catalogue "$work/guided.sqlite"
"$train" bundle export "$work/guided.sqlite" --guided -o "$bundle"
ls -l "$bundle"
