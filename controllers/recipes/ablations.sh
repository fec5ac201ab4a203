#!/bin/sh
# What each choice of the recipe is worth: trains a motion with the whole recipe and with one choice left out at a time,
# each with several seeds, and prints the table: ablations.sh MOTION DIR [SEEDS (3)]
#
#   TRAIN=build/release/controllers/tools/troupe-train   the tool
#   MODEL=controllers/model/humanoid.xml                 the model
#   THREADS=1                                            of each training
#   ONLY="whole no-ankles"                               these rows alone
#   SMALL=1                                              a tenth of the work: fewer samples, visits, updates and trials
#   MORE="--set harden_rounds=1 ..."                     behind the options of every training, before those of its row
#   UNMIRRORED=file                                      the motion imported without --symmetric, for the row no-mirror
#   TRIALS=100 SECONDS_HELD=60 PUSHES=80:240:40          of the last test, on separate seeds
#
# Logs, checkpoints and controllers are kept in DIR; the same command continues where it was interrupted, and prints what
# there is when all of it is. A training of a run is 5 to 8 core-minutes, with SMALL=1 less than one.
set -eu
[ $# -ge 2 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 2; }
motion=$1
dir=$2
seeds=${3:-3}
train=${TRAIN:-build/release/controllers/tools/troupe-train}
model=${MODEL:-controllers/model/humanoid.xml}
mkdir -p "$dir"

# The options of all rows, which a row may override; and the number of iterations that takes as long as the hardening.
recipe='--push 100 --set weight_velocity=1 --set refine_samples=500 --set first_samples=400 --set iterations=2
  --set harden_rounds=3 --set harden_push_n=240'
instead=14 all=32 few=4 last=6
half='--set refine_samples=250 --set first_samples=200 --set samples=100'
if [ -n "${SMALL:-}" ]; then
  recipe='--push 100 --set push_ramp=2 --set weight_velocity=1 --set refine_rounds=3 --set refine_visits=20
    --set refine_samples=200 --set visits=120 --set first_samples=200 --set samples=150 --set iterations=3
    --set harden_rounds=2 --set harden_push_n=240 --set harden_updates=5 --set harden_directions=12 --set harden_best=6
    --set harden_trials=8 --set harden_after_s=2 --set test_trials=4 --set test_cap_s=20 --set test_grid_n=40
    --set test_settle_s=1 --set test_after_s=3'
  instead=6 all=12 few=2 last=3
  half='--set refine_samples=100 --set first_samples=100 --set samples=75'
fi

# ROW | WHAT IS LEFT OUT OR CHANGED | OPTIONS BEHIND THOSE OF THE RECIPE
rows="whole | nothing |
no-ankles | the ankles in the action | --set ankles=0
no-mirror | the symmetry: each half of the cycle learns its own |
no-refinement | the refinement of the open loop | --set refine_rounds=0 --set first_sigma_deg=12
no-pushes | pushes in guided learning | --set push_n=0
no-noise | noise that is not recorded | --set noise_deg=0
no-floor | the floor of the exploration | --set sigma_floor_deg=0
published-velocity | the weight of the velocity: 0.1 | --set weight_velocity=0.1
half-blend | half of each regression after the first | --set blend=0.5
half-samples | half of the samples everywhere | $half
far-rollback | going back by 30 fragments, not 10 | --set rollback=30
one-iteration | guided learning but its first iteration | --set iterations=1
no-guidance | guided learning | --set iterations=0
no-hardening | hardening: $instead iterations instead | --set iterations=$instead --set harden_rounds=0
harden-unpushed | pushes in hardening | --set harden_push_n=0
harden-all | the choice among directions | --set harden_best=$all
harden-few | three quarters of the trials in hardening | --set harden_trials=$few
harden-hardest | the hardest of six pushes in each trial of hardening | --set harden_candidates=6
harden-mean | rounds of hardening end in the mean of the last $last updates | --set harden_averaged=$last"

wanted() {
  [ -z "${ONLY:-}" ] && return 0
  case " $ONLY " in *" $1 "*) return 0 ;; esac
  return 1
}

# A training and its test: DIR/ROW-SEED.log and .test; one that fails is a row of the table too. Losses cost what they did
# when the recipe was measured (harden_short_loss).
measure() {
  name=$1-$2
  options=$3
  base=$dir/$name
  of=$motion
  [ "$1" != no-mirror ] || of=$UNMIRRORED
  [ -e "$base.test" ] && return 0
  code=0
  # shellcheck disable=SC2086 # options are words
  [ -e "$base.learned" ] || "$train" learn "$of" --model "$model" --name "$name" --catalogue "$base.troupe" \
    --checkpoint "$base.checkpoint" --resume --seed "$2" --threads "${THREADS:-1}" --set harden_short_loss=1 $recipe ${MORE:-} \
    $options >> "$base.log" 2>&1 || code=$?
  [ "$code" -le 1 ] || exit "$code"
  if [ "$code" -eq 0 ]; then
    touch "$base.learned"
    "$train" evaluate "$name" --catalogue "$base.troupe" --motion "$of" --seeds "${TRIALS:-100}" \
      --seconds "${SECONDS_HELD:-60}" --push "${PUSHES:-80:240:40}" --threads "${THREADS:-1}" > "$base.part"
  else
    echo "training failed" > "$base.part"
  fi
  mv "$base.part" "$base.test"
  rm -f "$base.checkpoint" "$base.learned"
}

# One line of the table from the logs and tests of a row: in the order of the seeds, and the mean of the shares.
summarise() {
  awk -v label="$2" -v row="$1" '
    FILENAME ~ /\.log$/ && / core_s / {
      for (i = 1; i < NF; i++) if ($i == "core_s") core += $(i + 1)
    }
    FILENAME ~ /\.test$/ && FNR == 1 { n++; trials[n] = 0; survived[n] = 0; held[n] = "failed" }
    FILENAME ~ /\.test$/ && /^undisturbed/ { held[n] = $2 " of " $4 }
    FILENAME ~ /\.test$/ && /^moves at/ { speeds = speeds (n > 1 ? ", " : "") $3 }
    FILENAME ~ /\.test$/ && $2 ~ /^[0-9]+\/[0-9]+$/ {
      split($2, part, "/")
      survived[n] += part[1]
      trials[n] += part[2]
    }
    END {
      for (t = 1; t <= n; t++) {
        share = trials[t] ? 100 * survived[t] / trials[t] : 0
        sum += share
        shares = shares (t > 1 ? ", " : "") sprintf("%.0f", share)
        holds = holds (t > 1 ? ", " : "") held[t]
      }
      printf "| %s | %s | %.0f %% (%s) | %s | %s | %.1f |\n", row, label, sum / n, shares, holds, speeds, core / n / 60
    }' "$dir/$1"-*.log "$dir/$1"-*.test
}

each_row() {
  echo "$rows" | while IFS='|' read -r row label options; do
    row=${row% }
    label=${label# }
    label=${label% }
    wanted "$row" || continue
    [ "$row" != no-mirror ] || [ -n "${UNMIRRORED:-}" ] || continue
    "$1" "$row" "$label" "$options"
  done
}

measure_seed() { measure "$1" "$seed" "$3"; }

seed=1
while [ "$seed" -le "$seeds" ]; do
  each_row measure_seed
  seed=$((seed + 1))
done
echo "| row | left out or changed | pushes survived, mean (each seed) | hold the time | speed, m/s | core-minutes |"
echo "|---|---|---|---|---|---|"
each_row summarise
