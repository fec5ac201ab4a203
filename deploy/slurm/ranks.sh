#!/usr/bin/env bash
# troupe-train within a job of Slurm: on all of its tasks, as ranks, where the command shares its work; else once.
# Usage: deploy/slurm/ranks.sh COMMAND ...     TROUPE_TRAIN: the tool; LAUNCH: what starts the ranks (srun --mpi=pmix)
set -euo pipefail
train=${TROUPE_TRAIN:-$(dirname "$0")/../../build/release/controllers/tools/troupe-train}
sharing=" $("$train" help | sed -n 's/.*these can: \(.*\)\.$/\1/p') "
if [ "${SLURM_NTASKS:-1}" -gt 1 ] && [[ "$sharing" == *" '${1:-}' "* || "$sharing" == *" '${1:-} ${2:-}' "* ]]; then
  # shellcheck disable=SC2086 # a command and its options are words
  exec ${LAUNCH:-srun --mpi=pmix} "$train" "$@"
fi
exec "$train" "$@"
