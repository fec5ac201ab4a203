#!/bin/sh
# Reconstructs the clips of a table, by the improved algorithm and by plain SAMCON with as many samples, and prints the
# results: reconstruct-all.sh DIR [CLIP ...]; without names, all clips of the table
#
#   TRAIN=build/release/controllers/tools/troupe-train   the tool
#   MODEL=controllers/model/humanoid.xml                 the model
#   CLIPS=DIR                                            folder of the clips (required)
#   RECIPES=controllers/recipes/reconstruct-clips.txt      the table: ranges, gains and options
#   SAMPLES=200 ROUNDS=8 SEED=1 THREADS=1                of each reconstruction; the result is the same for any THREADS
#   METHODS="improved plain"
#   SHOW=1                                               only prints existing results
#
# DIR/CLIP.json is the motion, DIR/CLIP.improved.json and .plain.json what the controls perform, .log how they were found,
# DIR/CLIP.svg a strip of the three. DIR/results.txt has the figures, a line for each clip and method; they are printed
# as a table in Markdown. The same command continues with the interrupted clip. About a core-minute a clip.
set -eu
[ $# -ge 1 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 2; }
out=$1
shift
wanted=" $* "
train=${TRAIN:-build/release/controllers/tools/troupe-train}
model=${MODEL:-controllers/model/humanoid.xml}
clips=${CLIPS:?set CLIPS to the folder of the clips}
recipes=${RECIPES:-controllers/recipes/reconstruct-clips.txt}
mkdir -p "$out"

import() { # NAME FILE FROM-TO [options]
  motion=$out/$1.json
  [ -e "$motion" ] && return 0
  clip=$clips/$2
  from=${3%-*}
  to=${3#*-}
  shift 3
  "$train" import "$clip" --model "$model" --from "$from" --to "$to" "$@" -o "$motion.part.json" > "$motion.log"
  mv "$motion.part.json" "$motion"
}

# Runs once; its exit status goes to NAME.METHOD.status, which ends it.
reconstruct() { # NAME METHOD [options]
  run=$out/$1.$2
  motion=$out/$1.json
  shift 2
  [ -e "$run.status" ] && return 0
  code=0
  "$train" reconstruct "$motion" --model "$model" --samples "${SAMPLES:-200}" --seed "${SEED:-1}" \
    --threads "${THREADS:-1}" --set rounds="${ROUNDS:-8}" "$@" --out "$run.json" > "$run.log" 2> "$run.errors" || code=$?
  echo $code > "$run.status"
}

# Samples of the search: of the first line of figures, else of a search that was given up.
budget() { # LOG
  sed -n 's/.* rounds, \([0-9]*\) samples,.*/\1/p' "$1" | head -n 1
}

is_wanted() {
  [ "$wanted" = "  " ] && return 0
  case $wanted in *" $1 "*) return 0 ;; esac
  return 1
}

one() { # NAME FILE FROM-TO import-options reconstruct-options
  name=$1
  # shellcheck disable=SC2086 # options are words
  import "$name" "$2" "$3" $(echo "$4" | sed "s,CLIPS,$clips,")
  # shellcheck disable=SC2086
  reconstruct "$name" improved --set trials_max=200 --gains $5
  samples=$(budget "$out/$name.improved.log")
  case " ${METHODS:-improved plain} " in
    *" plain "*)
      # shellcheck disable=SC2086
      [ -z "$samples" ] || reconstruct "$name" plain --gains $5 --set plain=1 --set trials_max=100000 --set budget="$samples" ;;
  esac
  set -- "$out/$name.json"
  for method in improved plain; do
    [ ! -e "$out/$name.$method.json" ] || set -- "$@" "$out/$name.$method.json"
  done
  "$train" strip "$@" --model "$model" --count 14 -o "$out/$name.svg" > /dev/null || echo "$name: no strip" >&2
}

# One line a clip and method: name, method, fragments, range, options, then before averaging: trials, successes, samples,
# core-seconds, cost, NSR, and after it: samples in all, core-seconds, cost, NSR, round kept; "-" where a value is missing.
figures() { # NAME RANGE OPTIONS
  for method in improved plain; do
    run=$out/$1.$method
    [ -e "$run.status" ] || continue
    awk -v name="$1" -v method=$method -v range="$2" -v options="$3" '
      function at(values, i) { return i <= n ? values[i] : "-" }
      function after(word, i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1); return "" }
      /^(trial|round) / {
        count = after("fragments")
        spent += after("core_s")
        if (n && core[n] == "") core[n] = spent
      }
      /^trial/ { tried = $2 }
      /^round/ { kept = after("kept") }
      / samples, cost / {
        n++
        gsub(",", "")
        lost[n] = /loses the motion/
        for (i = 2; i <= NF; i++) {
          if ($i == "trials") trials[n] = $(i - 1)
          if ($i == "successes") successes[n] = $(i - 1)
          if ($i == "samples") samples[n] = $(i - 1)
          if ($i == "cost") cost[n] = $(i + 1)
          if ($i == "NSR") nsr[n] = $(i + 1)
        }
      }
      END {
        print name, method, count, range, (n ? trials[1] : tried), (n ? successes[1] : 0), at(samples, 1), at(core, 1),
          at(cost, 1), at(nsr, 1), at(samples, 2), at(core, 2), at(cost, 2), at(nsr, 2), (n == 2 ? kept : "-"),
          (n && lost[n] ? "lost" : "-"), options
      }' "$run.log"
  done
}

each_clip() { # COMMAND: calls it with the fields of every clip
  while IFS='|' read -r name clip import_options options _; do
    case $name in '#'* | '') continue ;; esac
    # shellcheck disable=SC2086,SC2046 # trims
    "$1" $(echo $name $clip) "$import_options" "$(echo $options)" < /dev/null
  done < "$recipes"
}

do_wanted() {
  if is_wanted "$1"; then one "$@"; fi
}

do_figures() {
  figures "$1" "$2:$3" "$5"
}

table() { # of the lines of results.txt
  cat <<'END'
| clip | fragments | options | method | trials | at the end | samples | core-min | cost | NSR | averaged: core-min | averaged: cost | averaged: NSR | round |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
  awk '
    function minutes(seconds) { return seconds == "-" ? "-" : sprintf("%.2f", seconds / 60) }
    {
      options = $17
      for (i = 18; i <= NF; i++) options = options " " $i
      gsub("--set ", "", options)
      same = $1 == last
      last = $1
      cost = $9 == "-" ? "not found" : $16 == "lost" ? $9 " (lost)" : $9
      printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", same ? "" : $1, same ? "" : $3,
        same ? "" : options, $2, $5, $6, $7, minutes($8), cost, $10, minutes($12), $13, $14, $15
    }' "$1"
}

[ -n "${SHOW:-}" ] || each_clip do_wanted
each_clip do_figures > "$out/results.txt"
table "$out/results.txt"
