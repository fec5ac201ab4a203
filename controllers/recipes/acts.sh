#!/usr/bin/env bash
# Learns to sit down on a stool and to rise again, from CMU 13_01; 1.5 core-minutes. acts.py measures throwing and carrying.
# Usage: controllers/recipes/acts.sh 13_01.bvh DIR   DIR/sit.troupe: the result, for a box from x = -0.6 to -0.17 m, 0.61 m high
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
train=${TROUPE_TRAIN:-$here/../../build/release/controllers/tools/troupe-train}
model=$here/../model/athlete.xml stool=-0.6:0.61,-0.17:0
clip=$(realpath "$1")
mkdir -p "$2"
cd "$2"

"$train" import "$clip" --model "$model" --from 360 --to 1030 --from-rest 0.4 --to-rest 0.4 --name sit \
  --licence "CMU Graphics Lab Motion Capture Database, subject 13, mocap.cs.cmu.edu, NSF EIA-0196217: free for all uses, no direct resale" \
  --origin mocap.cs.cmu.edu -o sit.json
"$train" reconstruct sit.json --model "$model" --gains b --samples 200 --set arms=1 --set trials_max=150 --seed 1 \
  --steps="$stool" -o sit-sim.json
"$train" learn sit.json --model "$model" --name sit --catalogue sit.troupe --gains b --control sit-sim.json.control.json --seed 1 \
  --set iterations=0 --set harden_rounds=4 --set harden_updates=8 --set harden_directions=16 --set harden_best=8 --set harden_trials=10 \
  --set harden_sigma_deg=1 --set harden_push_n=0 --set harden_after_s=1.5 --set harden_spacing=2 --set test_trials=30 --set test_cap_s=7
"$train" evaluate sit --catalogue sit.troupe --steps="$stool" --seeds 100 --seconds 6.75 --seed 20261130
