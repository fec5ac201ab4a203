#!/usr/bin/env bash
# Adds a learned skill to a graph: learns transitions between it and a skill of the graph, and joins both. All that the graph has
# keeps its bits. Minutes; each step is skipped when its result exists, so that the same command continues.
# Usage: controllers/recipes/add-skill.sh CATALOGUE SKILL GRAPH [BY]
#   CATALOGUE  has the skill and the graph: a daemon's catalogue.sqlite, or a bundle
#   BY         the graph's skill that joins it (stand; walk-slow or another gait for a skill that goes somewhere)
# Writes GRAPH-SKILL.troupe, with the graph GRAPH-SKILL; the work is in the folder GRAPH-SKILL.work.
set -euo pipefail
train=${TROUPE_TRAIN:-$(cd "$(dirname "$0")" && pwd)/../../build/release/controllers/tools/troupe-train}
[ $# -ge 3 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
catalogue=$(realpath "$1") skill=$2 graph=$3 by=${4:-stand} name=$3-$2
mkdir -p "$name.work"
cd "$name.work"

has() { "$train" bundle export all.db "$1" -o probe.troupe > probe.log 2>&1; }
[ -e all.db ] || { "$train" bundle export "$catalogue" "$graph" "$skill" -o both.troupe
  "$train" bundle import both.troupe --catalogue all.db; }
has "$by" || "$train" graph take "$graph" --catalogue all.db --skill "$by" --as "$by"
printf 'skill %s\nskill %s\nboth %s %s\n' "$by" "$skill" "$by" "$skill" > "$by.txt"
has "ways-$by" || "$train" graph build "ways-$by" --connectivity "$by.txt" --catalogue all.db --learn --trials 24 --failing 1 --windows 8
has "$name" || "$train" graph refit "$graph" --as "$name" --with "$skill=ways-$by" --catalogue all.db
"$train" graph walk "$name" --catalogue all.db --walks 4 --seconds 120 --recover
"$train" bundle export all.db "$name" -o "../$name.troupe"
echo "$name.troupe: written; 'troupe bundle add $name.troupe' serves it"
