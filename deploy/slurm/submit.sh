#!/usr/bin/env bash
# Submits many trainings to Slurm, each a task of an array:
#
#   deploy/slurm/submit.sh learn DIR [SKILL...]             learn by the recipes, certify, and merge into DIR/all.bundle
#   deploy/slurm/submit.sh certify DIR BUNDLE [NAME...]     certify the controllers of a bundle, and merge
#   deploy/slurm/submit.sh reproduce DIR BUNDLE [RUN...]    repeat the runs of a bundle: DIR/RUN.reproduced says what differs
#
#   RANKS=1       ranks of each task; THREADS=1: threads of each rank
#   CLIPS=DIR     folder of the clips (learn, reproduce)
#   TROUPE_TRAIN  the tool; LAUNCH: what starts the ranks of a task (srun --mpi=pmix)
#   CERTIFY       options of certify
#   SBATCH_...    sbatch's own: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT
#
# and what train-skills.sh takes. DIR must be the same folder on all nodes. A certificate waits for its controller only, the
# bundle for all certificates. A task whose node fails is queued again and continues from its checkpoint.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
kind=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2
if [ "$kind" = certify ] || [ "$kind" = reproduce ]; then
  bundle=$(realpath "${1:?expected a bundle}")
  shift
fi
for folder in CLIPS RECIPES MODEL BUNDLE; do
  [ -z "${!folder:-}" ] || export "$folder=$(realpath "${!folder}")"
done
cd "$here/../.."
export TROUPE_TRAIN=${TROUPE_TRAIN:-$PWD/build/release/controllers/tools/troupe-train}

# job NAME TASKS SBATCH-OPTION... -- COMMAND...: prints its number
job() {
  local name=$1 tasks=$2 options=() command
  shift 2
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  printf -v command '%q ' "$@"
  sbatch --parsable --requeue --open-mode=append --job-name "troupe-$name" --ntasks "$tasks" --chdir "$PWD" "${options[@]}" \
    --wrap "exec bash $command"
}

# array KIND BUNDLE SBATCH-OPTION...: a task for each line of its list
array() {
  local kind=$1 bundle=$2
  shift 2
  job "$kind" "${RANKS:-1}" --array "1-$(wc -l <"$dir/$kind.list")" --output "$dir/$kind-%A_%a.out" "$@" -- \
    "$here/task.sh" "$kind" "$dir" ${bundle:+"$bundle"}
}

merge() { # SUFFIX JOB
  job merge 1 --output "$dir/merge-%j.out" --dependency "afterok:$2" --kill-on-invalid-dep=yes -- "$here/merge.sh" "$dir" "$1"
}

case $kind in
learn)
  : "${CLIPS:?set CLIPS to the folder of the clips}"
  [ $# -gt 0 ] || mapfile -t all < <(sed -n '/^[a-z]/s/ |.*//p' "${RECIPES:-controllers/recipes/recipes.txt}" | uniq)
  printf '%s\n' "$@" "${all[@]}" | sed '/^$/d' | tee "$dir/learn.list" >"$dir/certify.list"
  learned=$(array learn "")
  certified=$(array certify "" --dependency "aftercorr:$learned" --kill-on-invalid-dep=yes)
  echo "learn $learned, certify $certified, merge $(merge certified "$certified")"
  ;;
certify | reproduce)
  [ $# -gt 0 ] || mapfile -t all < <("$TROUPE_TRAIN" bundle list "$bundle" |
    awk -F '\t' -v field="$([ "$kind" = certify ] && echo 1 || echo 5)" '{print $field}' | sort -u)
  printf '%s\n' "$@" "${all[@]}" | sed '/^$/d' >"$dir/$kind.list"
  made=$(array "$kind" "$bundle")
  [ "$kind" = reproduce ] && echo "reproduce $made" || echo "certify $made, merge $(merge certified "$made")"
  ;;
*)
  echo "submit.sh: expected learn, certify or reproduce, not '$kind'" >&2
  exit 2
  ;;
esac
