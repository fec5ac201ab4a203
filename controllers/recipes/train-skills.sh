#!/bin/sh
# Imports and learns skills by the recipes, and tests each: train-skills.sh DIR [SKILL ...]; without skills, all of them
#
#   TRAIN=build/release/controllers/tools/troupe-train   the tool
#   MODEL=controllers/model/humanoid.xml                 the model
#   CLIPS=DIR                                            folder of the clips (required)
#   RECIPES=controllers/recipes/recipes.txt                the recipes
#   BUNDLE=db/shipped.troupe                             has what a recipe's first line continues
#   THREADS=1                                            of each training
#   TRIALS=100 SECONDS_HELD=60                           of the test without pushes
#
# DIR/SKILL.json is the motion, DIR/SKILL.troupe the catalogue, DIR/SKILL.log the training, DIR/SKILL.test and .svg the
# test and the strip. The same command continues where it was interrupted. A training takes 5 to 25 core-minutes.
# 'troupe-train bundle import' takes good controllers into a bundle's catalogue, certify-all.sh certifies them there.
set -eu
[ $# -ge 1 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2; }
dir=$1
shift
train=${TRAIN:-build/release/controllers/tools/troupe-train}
model=${MODEL:-controllers/model/humanoid.xml}
clips=${CLIPS:?set CLIPS to the folder of the clips}
recipes=${RECIPES:-controllers/recipes/recipes.txt}
bundle=${BUNDLE:-db/shipped.troupe}
mkdir -p "$dir"

trim() { echo "$1" | sed 's/^ *//; s/ *$//'; }

# The recipes were chosen and measured with the rule by which a lost fragment costs less (learn/train/harden_course.h).
measured="--set harden_short_loss=1"

# A training NAME, that is kept when it is whole; what fails says why in the log and ends the skill.
learn() {
  name=$1
  options=$2
  [ -e "$dir/$name.learned" ] && return 0
  # shellcheck disable=SC2086 # options are words
  "$train" learn "$motion" --model "$model" --clip "$clips/$clip" --name "$name" --catalogue "$catalogue" \
    --checkpoint "$dir/$name.checkpoint" --resume --threads "${THREADS:-1}" $measured $options >> "$dir/$skill.log" 2>&1 || {
      code=$?
      [ "$code" -le 2 ] || exit "$code"
      echo "$skill: training $name failed, see $dir/$skill.log"
      return 1
    }
  touch "$dir/$name.learned"
  rm -f "$dir/$name.checkpoint"
}

# Imports the controller that the first part continues from the bundle; nothing if the part continues none.
begin_from() {
  begin=$(echo " $1" | sed -n 's/.* --from \([^ ]*\).*/\1/p')
  [ -n "$begin" ] && [ ! -e "$catalogue" ] || return 0
  "$train" bundle export "$bundle" "$begin" -o "$dir/$skill.begin" >> "$dir/$skill.log" 2>&1 &&
    "$train" bundle import "$dir/$skill.begin" --catalogue "$catalogue" >> "$dir/$skill.log" 2>&1 || {
      echo "$skill: cannot continue from $begin of $bundle, see $dir/$skill.log"
      return 1
    }
}

# The parts of a skill are named SKILL-1, SKILL-2, ...; the last one is SKILL itself.
train_skill() {
  skill=$1
  motion=$dir/$skill.json
  catalogue=$dir/$skill.troupe
  [ -e "$dir/$skill.test" ] && return 0
  grep "^$skill |" "$recipes" > "$dir/$skill.recipe" || { echo "$skill: no recipe in $recipes"; return 1; }
  parts=$(wc -l < "$dir/$skill.recipe")
  part=0
  from=
  while IFS='|' read -r _ file import options forces licence origin; do
    part=$((part + 1))
    pushes=$(trim "$forces")
    if [ "$part" -eq 1 ]; then
      clip=$(trim "$file")
      # shellcheck disable=SC2086 # options are words
      [ -e "$motion" ] || "$train" import "$clips/$clip" --model "$model" $import --licence "$(trim "$licence")" \
        --origin "$(trim "$origin")" --name "$(echo "$skill" | tr - _)" -o "$motion" > "$dir/$skill.import" || return 1
      begin_from "$options" || return 1
    fi
    name=$skill
    [ "$part" -eq "$parts" ] || name=$skill-$part
    learn "$name" "$from $options" || return 1
    from="--from $name"
  done < "$dir/$skill.recipe"
  "$train" evaluate "$skill" --catalogue "$catalogue" --motion "$motion" --strip "$dir/$skill.svg" \
    --seeds "${TRIALS:-100}" --seconds "${SECONDS_HELD:-60}" --threads "${THREADS:-1}" \
    --push "$pushes" > "$dir/$skill.part" || return 1
  mv "$dir/$skill.part" "$dir/$skill.test"
}

# shellcheck disable=SC2046 # names are words
[ $# -gt 0 ] || set -- $(sed -n '/^[a-z]/s/ |.*//p' "$recipes" | uniq)
failed=0
for wanted in "$@"; do
  if train_skill "$wanted"; then
    echo "== $wanted"
    cat "$dir/$wanted.test"
  else
    failed=1
  fi
done
exit $failed
