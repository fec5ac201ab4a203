#!/usr/bin/env bash
# Puts the bundles that the tasks of arrays left into one, DIR/all.bundle. Rows are identified by content: what several
# bundles share is stored once, and one name with two contents is an error.
# Usage: deploy/slurm/merge.sh DIR SUFFIX      for instance certified: of DIR/*.certified.bundle
set -euo pipefail
dir=$1 suffix=$2
train=${TROUPE_TRAIN:-$(dirname "$0")/../../build/release/controllers/tools/troupe-train}
rm -f "$dir"/all.troupe*
for bundle in "$dir"/*."$suffix".bundle; do
  "$train" bundle import "$bundle" --catalogue "$dir/all.troupe"
done
"$train" bundle export "$dir/all.troupe" -o "$dir/all.new"
"$train" bundle check "$dir/all.new"
mv "$dir/all.new" "$dir/all.bundle"
"$train" bundle list "$dir/all.bundle"
