#!/usr/bin/env bash
# One task of an array that deploy/slurm/submit.sh submits: the name on its line of DIR/KIND.list. A task that is
# started again continues from its checkpoint, or begins again.
# Usage: deploy/slurm/task.sh learn|certify|reproduce DIR [BUNDLE]
set -euo pipefail
kind=$1 dir=$2 bundle=${3:-}
name=$(sed -n "${SLURM_ARRAY_TASK_ID:?start it by deploy/slurm/submit.sh}p" "$dir/$kind.list")
here=$(dirname "$0")
train=$here/ranks.sh
echo "$kind $name: job ${SLURM_JOB_ID:-?} on ${SLURMD_NODENAME:-?}, ${SLURM_NTASKS:-1} ranks"

# Catalogues and bundles are replaced whole.
export_whole() { # CATALOGUE NAME BUNDLE
  "$train" bundle export "$1" "$2" -o "$3.new"
  mv "$3.new" "$3"
}

case $kind in
learn)
  TRAIN=$train sh "$here/../../controllers/recipes/train-skills.sh" "$dir" "$name"
  export_whole "$dir/$name.troupe" "$name" "$dir/$name.learned.bundle"
  ;;
certify)
  [ -n "$bundle" ] || bundle=$dir/$name.learned.bundle
  rm -f "$dir/$name.certify.troupe"*
  "$train" bundle export "$bundle" "$name" -o "$dir/$name.certify.new"
  "$train" bundle import "$dir/$name.certify.new" --catalogue "$dir/$name.certify.troupe"
  # shellcheck disable=SC2086 # options are words
  "$train" certify "$name" --catalogue "$dir/$name.certify.troupe" --threads "${THREADS:-1}" ${CERTIFY:-}
  export_whole "$dir/$name.certify.troupe" "$name" "$dir/$name.certified.bundle"
  rm -f "$dir/$name.certify".*
  ;;
reproduce)
  clips=()
  [ -z "${CLIPS:-}" ] || clips=(--clips "$CLIPS")
  "$train" reproduce "$name" --catalogue "$bundle" "${clips[@]}" --threads "${THREADS:-1}" | tee "$dir/$name.reproduced.new"
  mv "$dir/$name.reproduced.new" "$dir/$name.reproduced"
  ;;
*)
  echo "task.sh: expected learn, certify or reproduce, not '$kind'" >&2
  exit 2
  ;;
esac
