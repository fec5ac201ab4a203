#!/bin/sh
# What each choice of the recipe is worth: trains a motion with the whole recipe and with one choice left out at a time,
# each with several seeds, and prints the table: ablations.sh MOTION DIR [SEEDS (3)]
#
#   TRAIN=build/release/controllers/tools/troupe-train   the tool
#   MODEL=controllers/model/humanoid.xml                 the model
#   THREADS=1                                            of each training
#   ONLY="whole no-ankles"                               these rows alone
#   MORE="--set harden_rounds=1 ..."                     behind the options of every training
#   TRIALS=100 SECONDS_HELD=60                           of the last test, on seeds of its own
#
# Logs, checkpoints and controllers are kept in DIR; the same command goes on where it was cut short, and prints what
# there is when all of it is. A training of a run is 5 to 8 core-minutes.
set -eu
[ $# -ge 2 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2; }
motion=$1
dir=$2
seeds=${3:-3}
train=${TRAIN:-build/release/controllers/tools/troupe-train}
model=${MODEL:-controllers/model/humanoid.xml}
mkdir -p "$dir"

# ROW | WHAT IS LEFT OUT | OPTIONS BEHIND THOSE OF THE RECIPE
rows='whole | nothing |
no-ankles | the ankles in the action | --set ankles=0
no-refinement | the refinement of the open loop | --set refine_rounds=0 --set first_sigma_deg=12
no-pushes | pushes in guided learning | --set push_n=0
no-noise | noise that is not recorded | --set noise_deg=0
no-floor | the floor of the exploration | --set sigma_floor_deg=0
published-velocity | the weight of the velocity: 0.1 | --set weight_velocity=0.1
one-iteration | guided learning but its first iteration | --set iterations=1
no-guidance | guided learning | --set iterations=0
no-hardening | hardening: 14 iterations instead | --set iterations=14 --set harden_rounds=0
harden-unpushed | pushes in hardening | --set harden_push_n=0
harden-all | the choice among directions | --set harden_best=32
harden-few | three quarters of the trials in hardening | --set harden_trials=4'

wanted() {
  [ -z "${ONLY:-}" ] && return 0
  case " $ONLY " in *" $1 "*) return 0 ;; esac
  return 1
}

# A training and its test: DIR/ROW-SEED.log and .test; one that fails is a row of the table too.
measure() {
  name=$1-$2
  options=$3
  base=$dir/$name
  [ -e "$base.test" ] && return 0
  code=0
  # shellcheck disable=SC2086 # options are words
  [ -e "$base.learned" ] || "$train" learn "$motion" --model "$model" --name "$name" --catalogue "$base.troupe" \
    --checkpoint "$base.checkpoint" --resume --seed "$2" --threads "${THREADS:-1}" --push 100 --set weight_velocity=1 \
    --set refine_samples=500 --set first_samples=400 --set iterations=2 --set harden_rounds=3 --set harden_push_n=240 \
    $options ${MORE:-} >> "$base.log" 2>&1 || code=$?
  [ "$code" -le 1 ] || exit "$code"
  if [ "$code" -eq 0 ]; then
    touch "$base.learned"
    "$train" evaluate "$name" --catalogue "$base.troupe" --motion "$motion" --seeds "${TRIALS:-100}" \
      --seconds "${SECONDS_HELD:-60}" --threads "${THREADS:-1}" > "$base.part"
  else
    echo "training failed" > "$base.part"
  fi
  mv "$base.part" "$base.test"
  rm -f "$base.checkpoint" "$base.learned"
}

# One line of the table from the logs and tests of a row.
summarise() {
  awk -v label="$2" -v row="$1" '
    FILENAME ~ /\.log$/ && / core-s / {
      for (i = 1; i < NF; i++) {
        if ($i == "core-s") core += $(i + 1)
        if ($i == "push95" && $NF == "kept") push[FILENAME] = $(i + 1)
      }
    }
    FILENAME ~ /\.test$/ {
      tests[FILENAME] = 1
      if (/^undisturbed/) held = held sep1 $2 " of " $4
      if (/^undisturbed/) sep1 = ", "
      if (/^moves at/) { speed = speed sep2 $3; sep2 = ", " }
      if (/failed/) { held = held sep1 "failed"; sep1 = ", " }
    }
    END {
      for (t in tests) n++
      for (t in tests) {
        log_of = t
        sub(/\.test$/, ".log", log_of)
        value[++k] = (log_of in push) ? push[log_of] : 0
        sum += value[k]
      }
      for (i = 1; i <= k; i++)
        for (j = i + 1; j <= k; j++)
          if (value[j] < value[i]) { swap = value[i]; value[i] = value[j]; value[j] = swap }
      for (i = 1; i <= k; i++) pushes = pushes (i > 1 ? ", " : "") value[i]
      printf "| %s | %s | %.0f (%s) | %s | %s | %.1f |\n", row, label, sum / n, pushes, held, speed, core / n / 60
    }' "$dir/$1"-*.log "$dir/$1"-*.test
}

each_row() {
  echo "$rows" | while IFS='|' read -r row label options; do
    row=${row% }
    label=${label# }
    label=${label% }
    wanted "$row" || continue
    "$1" "$row" "$label" "$options"
  done
}

measure_seed() { measure "$1" "$seed" "$3"; }

seed=1
while [ "$seed" -le "$seeds" ]; do
  each_row measure_seed
  seed=$((seed + 1))
done
echo "| row | left out | push survived in 95 %, mean (each), N | hold the time | speed, m/s | core-minutes |"
echo "|---|---|---|---|---|---|"
each_row summarise
