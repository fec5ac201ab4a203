#!/usr/bin/env bash
# Makes `hero-ready`, which ships as `hero`: twenty skills on the body `athlete` (controllers/model/athlete.xml), from company-prompt,
# run-450c and the skills within human strength. They are in the bundle of an earlier version:
#   git show 4ea19d76:db/shipped.troupe > old.troupe
# Usage: controllers/recipes/hero.sh OLD.troupe DIR   CLIPS: folder of the clips (required); DIR/hero.db: the result
# About 110 core-minutes. Each step is skipped when its result exists, so that the same command continues.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
train=${TROUPE_TRAIN:-$here/../../build/release/controllers/tools/troupe-train}
clips=${CLIPS:?set CLIPS to the folder of the clips}
model=$here/../model/athlete.xml
old=$(realpath "$1")
mkdir -p "$2"
cd "$2"

has() { "$train" bundle export "$1" "$2" -o probe.troupe > probe.log 2>&1; }
[ -e all.db ] || "$train" bundle import "$old" --catalogue all.db

# The motion SKILL.json, from the recipe of OF: the clip, how it is cut, and its provenance.
motion() {
  local skill=$1 of=$2 file import licence origin
  IFS='|' read -r _ file import _ _ licence origin < <(grep "^$of |" "$here/recipes.txt")
  file=$(echo "$file" | xargs)
  # shellcheck disable=SC2046,SC2001 # options are words
  [ -e "$skill.json" ] || "$train" import "$clips/$file" --model "$model" \
    $(echo "$import" | sed 's/--model [^ ]*//') --licence "$(echo "$licence" | xargs)" \
    --origin "$(echo "$origin" | xargs)" --name "$skill" -o "$skill.json"
}

# A controller NAME of SKILL's motion that continues FROM, with further options.
learn() {
  local skill=$1 name=$2 from=$3
  shift 3
  has all.db "$name" || "$train" learn "$skill.json" --model "$model" --name "$name" --catalogue all.db --from "$from" \
    --set iterations=0 --set paired=1 --checkpoint "$name.checkpoint" --resume "$@"
}

take_over=(--set harden_rounds=0 --set test_trials=2 --set test_cap_s=4)
hardened=(--gains b --set harden_spacing=2 --set harden_candidates=2 --set test_trials=30)

# Skills that hold on the athlete as they are, then those that had to be hardened.
for skill in spin-kick karate; do
  motion "$skill" "$skill-limited"
  learn "$skill" "$skill-athlete" "$skill-limited" --gains b "${take_over[@]}"
done
motion run run-450c
learn run run-athlete run-450c "${take_over[@]}"
learn run run-athlete-2 run-athlete --seed 32 --set weight_velocity=1 --set harden_rounds=2 --set harden_updates=12 \
  --set harden_averaged=6 --set harden_push_n=450 --set test_trials=10 --set test_cap_s=20
motion dance-spin dance-spin-limited
learn dance-spin dance-spin-athlete dance-spin-limited --gains b "${take_over[@]}"
learn dance-spin dance-spin-athlete-2 dance-spin-athlete "${hardened[@]}" --seed 51 --set test_cap_s=30 --set harden_rounds=3 \
  --set harden_updates=8 --set harden_trials=16 --set harden_averaged=4 --set harden_push_n=80
motion cartwheel cartwheel-limited
learn cartwheel cartwheel-athlete cartwheel-limited --gains b "${take_over[@]}"
learn cartwheel cartwheel-athlete-2 cartwheel-athlete "${hardened[@]}" --seed 51 --set test_cap_s=30 --set harden_rounds=3 \
  --set harden_updates=10 --set harden_trials=20 --set harden_averaged=6 --set harden_push_n=80
[ -e jump.json ] || "$train" import "$clips/hahne/13_32.bvh" --model "$model" --from 5 --to 335 --alike --return 0.25 \
  --licence "CMU Graphics Lab Motion Capture Database, subject 13, mocap.cs.cmu.edu, NSF EIA-0196217: free for all uses, no direct resale; conversion by B. Hahne" \
  --origin "github.com/AtelierCircle/CMU-MoCap-10-14, from mocap.cs.cmu.edu" --name jump_athlete -o jump.json
learn jump jump-athlete jump --gains b "${take_over[@]}"
learn jump jump-athlete-2 jump-athlete "${hardened[@]}" --seed 51 --set test_cap_s=30 --set harden_rounds=4 \
  --set harden_updates=10 --set harden_trials=16 --set harden_averaged=4 --set harden_push_n=40 --set harden_extra=0.25
if [ ! -e backflip.json ]; then
  "$train" pose "$here/poses/backflip.json" --model "$model" -o backflip.json
  sed -i 's/"name":"backflip-made"/"name":"backflip-athlete"/' backflip.json
fi
learn backflip backflip-athlete backflip-limited --gains b "${take_over[@]}"
learn backflip backflip-athlete-2 backflip-athlete "${hardened[@]}" --seed 61 --set test_cap_s=20 --set harden_rounds=2 \
  --set harden_updates=8 --set harden_directions=24 --set harden_best=12 --set harden_trials=14 --set harden_averaged=4 \
  --set harden_push_n=40 --set harden_after_s=3

# Getting up: the quick chain of company-prompt does not hold on the athlete, the slow one does.
[ -e rise.json ] || "$train" import "$clips/humanoid3d_getup_facedown.txt" --model "$model" --from 30 --to 182 --to-rest 0.4 \
  --from-lying 0.6 --licence "MIT (DeepMimic repository, Xue Bin Peng 2018); capture provenance not stated" \
  --origin github.com/xbpeng/DeepMimic --name rise_athlete -o rise.json
learn rise rise-athlete rise-prone --gains b "${take_over[@]}"

# The graph on the new body, without the two skills that have other fragments, and its chains that no longer hold.
has all.db hero-r || "$train" graph refit company-prompt --as hero-r --catalogue all.db --without cartwheel,backflip \
  --with run=run-athlete-2,dance-spin=dance-spin-athlete-2,jump=jump-athlete-2,spin-kick=spin-kick-athlete,karate=karate-athlete,rise-prone=rise-athlete
has all.db hero-s || "$train" graph harden hero-r --as hero-s --catalogue all.db --skills karate-to-dance-spin \
  --rounds 1 --trials 60
has all.db hero-t || "$train" graph harden hero-s --as hero-t --catalogue all.db \
  --skills walk-slow-to-dance,walk-to-kick,walk-to-punch,stand-to-punch --rounds 1 --trials 60

# A graph of the two skills is refitted for their references on the new body; its transitions are not used.
printf 'skill walk-limited\nskill cartwheel-limited\nskill backflip-limited\nboth walk-limited cartwheel-limited\nboth walk-limited backflip-limited\n' > stunts.txt
has all.db stunts || "$train" graph build stunts --connectivity stunts.txt --catalogue all.db --candidates 4 --edges 1 \
  --failing 1 --trials 4
has all.db stunts-athlete || "$train" graph refit stunts --as stunts-athlete --catalogue all.db \
  --with cartwheel-limited=cartwheel-athlete-2,backflip-limited=backflip-athlete-2

# All skills under their names, chains to and from the two, the jumps of company-prompt, and limits by which transitions
# that fall from afar wait.
if [ ! -e hero.db ]; then
  "$train" bundle export all.db hero-t stunts-athlete -o parts.troupe
  "$train" bundle import parts.troupe --catalogue hero.db
fi
while read -r skill; do
  from=(hero-t --skill "$skill")
  case $skill in cartwheel | backflip) from=(stunts-athlete --skill "$skill-limited") ;; esac
  has hero.db "$skill" || "$train" graph take "${from[@]}" --catalogue hero.db --as "$skill"
done < <(sed -n 's/^\(skill\|turn\) //p' "$here/graphs/hero.txt")
has hero.db hero-1 || "$train" graph build hero-1 --connectivity "$here/graphs/hero.txt" --catalogue hero.db --learn \
  --extend hero-t --trials 40
has hero.db hero-2 || "$train" graph shorten hero-1 --as hero-2 --catalogue hero.db --links stand=walk-slow --edges 3
has hero.db hero-3 || "$train" graph shorten hero-2 --as hero-3 --catalogue hero.db --links walk=walk-slow --candidates 12 --trials 100
has hero.db hero || "$train" graph loosen hero-3 --as hero --catalogue hero.db \
  --limits walk-to-punch=0.086,walk-to-karate=0.05,stand-to-punch=0.036,walk-slow-to-dance=0.12,stand-to-cartwheel=0.08,stand-to-backflip=0.12

# The chains in which random walks fell, hardened once more from the skills after which they fell; one line each.
while read -r from to skills after options; do
  [ "$after" = any ] || options="--after $after $options"
  # shellcheck disable=SC2086 # options are words
  has hero.db "$to" || "$train" graph harden "$from" --as "$to" --catalogue hero.db --skills "$skills" $options
done << 'CHAINS'
hero a1 spin-kick-to-walk-slow any --rounds 1 --trials 80
a1 a2 walk-slow-to-spin-kick any --rounds 1 --trials 80
a2 a3 stand-to-kick backflip,side-left,side-right,cartwheel,dance-spin --rounds 1 --trials 80
a3 a4 walk-to-kick turn-right,turn-left,run,walk-fast --rounds 1 --trials 80
a4 a5 walk-slow-to-dance any --rounds 1 --trials 80
a5 a6 stand-to-punch punch,side-left,backflip,cartwheel --rounds 1 --trials 80
a6 b1 stand-to-cartwheel backflip,side-left,walk-slow,kick,punch --rounds 1 --trials 80
b1 b2 walk-to-karate turn-right,turn-left,run --rounds 1 --trials 80
b2 b3 stand-to-punch punch,side-left,backflip,cartwheel --rounds 1 --trials 80
b3 b4 walk-slow-to-spin-kick dance,stand,walk,punch --rounds 1 --trials 80
b4 b5 walk-slow-to-punch spin-kick,kick,dance,walk --rounds 1 --trials 80
b5 hero-x1 run-to-walk walk,walk-fast --rounds 1 --trials 80
hero-x1 hero-x2 stand-to-punch stand --rounds 1 --trials 80
hero-x2 hero-x3 punch-to-walk-slow walk-slow,walk-back,walk,stand --rounds 1 --trials 80
hero-x3 hero-x4 walk-slow-to-dance walk,spin-kick,kick,karate --rate 0.6 --rounds 1 --trials 80
hero-x4 hero-x5 walk-slow-to-dance stand,walk,karate,walk-back --rate 0.5 --rounds 2 --trials 120
hero-x5 hero-x6 stand-to-cartwheel,stand-to-kick walk-slow,side-left,backflip,dance-spin --rate 0.5 --trials 120 --rounds 1
CHAINS
has hero.db hero-athlete || "$train" graph loosen hero-x6 --as hero-athlete --catalogue hero.db \
  --limits walk-to-kick=0.05,walk-slow-to-spin-kick=0.08,walk-to-punch=0.06

# Steps of a standing character that is pushed.
has hero.db hero-c || "$train" graph catch hero-athlete --as hero-c --catalogue hero.db --trials 300 \
  --skills walk-slow,walk,walk-fast,run,walk-back,side-left,side-right,turn-left,turn-right,turn-about

# Getting up sooner: the clip at 1.4 times its speed; then its answer to slopes, from where characters lie after falls.
[ -e rise-quick.json ] || "$train" import "$clips/humanoid3d_getup_facedown.txt" --model "$model" --from 36 --to 176 --rate 84 \
  --to-rest 0.1 --from-lying 0.2 --licence "MIT (DeepMimic repository, Xue Bin Peng 2018); capture provenance not stated" \
  --origin github.com/xbpeng/DeepMimic --name rise_q84 -o rise-quick.json
[ -e rise-quick.sim.json.control.json ] || "$train" reconstruct rise-quick.json --model "$model" --gains b --samples 200 \
  --set arms=1 --set trials_max=150 -o rise-quick.sim.json
has hero.db rise-quick || "$train" learn rise-quick.json --model "$model" --name rise-quick --catalogue hero.db --gains b \
  --control rise-quick.sim.json.control.json --set iterations=0 --set harden_rounds=2 --set harden_updates=6 \
  --set harden_directions=24 --set harden_best=12 --set harden_trials=12 --set harden_sigma_deg=1 --set harden_push_n=0 \
  --set harden_after_s=2.3 --set test_trials=30 --set test_cap_s=5
has hero.db hero-quick || "$train" graph refit hero-c --as hero-quick --catalogue hero.db --with rise-prone=rise-quick
[ -e starts.json ] || "$train" rise hero-quick --catalogue hero.db --falls 20 --seed 44 --starts starts.json --skill rise-prone
has hero.db rise-slope || "$train" learn rise-quick.json --model "$model" --name rise-slope --from rise-quick --starts starts.json \
  --catalogue hero.db --gains b --set iterations=0 --set harden_ground=1 --set harden_slope_deg=6 --set harden_kerb_m=0 \
  --set harden_uneven_m=0 --set harden_rounds=2 --set harden_updates=8 --set harden_directions=16 --set harden_best=8 \
  --set harden_trials=12 --set harden_sigma_deg=0.8 --set harden_push_n=0 --set harden_after_s=3 --set test_trials=60 \
  --set test_cap_s=5.5
has hero.db hero-rise || "$train" graph refit hero-c --as hero-rise --catalogue hero.db --with rise-prone=rise-slope

# From standing, what fell was begun off its stance: these limits let it take a side step first. On steeper ground
# than these no stunt is begun: there most of them fell.
has hero.db hero-safe || "$train" graph loosen hero-rise --as hero-safe --catalogue hero.db \
  --limits stand-to-cartwheel=0.0115,stand-to-kick=0.1,dance=0.5deg,punch=0.5deg,cartwheel=0.5deg,kick=0.5deg,backflip=0.5deg,dance-spin=0.5deg,karate=1deg,jump=1deg,spin-kick=1deg,turn-about=1deg,walk-back=2deg

# Its next version. Who stands farther off its stance than nearly all, which is after a dance spin or a cartwheel,
# waits until it is still and takes a side step. Out of karate the dance spin waits for a later cycle (limits chosen with seed 4001).
has hero.db hero-calm || "$train" graph loosen hero-safe --as hero-calm --catalogue hero.db \
  --limits stand=0.055,karate-to-dance-spin=0.2

# The version that ships: its skills change sooner. One network, which learned from the gaits and from changes between
# them (79 core-minutes), performs a change into a gait until the character is settled. Jumps out of every part of a skill
# are tried, most of them after walks over the graph (--stay); those that hold in every trial are ways.
has hero.db h1 || "$train" distil hero-safe --catalogue hero.db --name h1 --set changes=4700 \
  --set gaits=stand,walk,walk-slow,walk-fast,walk-back,run,turn-left,turn-right,turn-about,side-left,side-right
has hero.db r0 || "$train" graph loosen h1 --as r0 --catalogue hero.db --limits stand=0.055,karate-to-dance-spin=0.2
gaits=stand,walk,walk-slow,walk-fast,walk-back,run,turn-left,turn-right,turn-about,side-left,side-right
has hero.db g1 || "$train" graph shorten r0 --as g1 --catalogue hero.db --skills "$gaits" --spread --stay 3 --candidates 60 \
  --edges 8 --trials 40 --hold 5 --seed 1

ways() { # FROM TO CANDIDATES EDGES TRIALS HOLD SEED PAIRS
  has hero.db "$2" || "$train" graph shorten "$1" --as "$2" --catalogue hero.db --links "$8" --spread --settled --stay 3 \
    --candidates "$3" --edges "$4" --trials "$5" --hold "$6" --seed "$7"
}
# Anew: who enters the backward walk may not settle in it; falls after jumps out of and into standing, and into the half turn,
# come late.
ways g1 g2 30 4 20 5 1 \
  stand=walk-back,walk-slow=walk-back,walk=walk-back,walk-fast=walk-back,run=walk-back,turn-left=walk-back,turn-right=walk-back,turn-about=walk-back,side-left=walk-back,side-right=walk-back
ways g2 g3 40 3 80 8 2 \
  stand=walk-slow,stand=walk,stand=walk-fast,stand=run,stand=turn-left,stand=turn-right,stand=turn-about,stand=walk-back,stand=side-left,stand=side-right,walk-slow=stand,walk=stand,walk-fast=stand,turn-left=stand,turn-right=stand,turn-about=stand,side-left=stand,side-right=stand,walk-slow=turn-about,walk=turn-about,walk-fast=turn-about,run=turn-about,turn-left=turn-about,turn-right=turn-about,side-left=turn-about,side-right=turn-about
# Out of the stunts.
gaits=stand,walk-slow,walk,walk-fast,run,turn-left,turn-right,turn-about,side-left,side-right
before=g3
for stunt in punch kick karate jump spin-kick dance dance-spin cartwheel backflip; do
  ways "$before" "u-$stunt" 40 3 32 6 1 "$(sed "s/[^,]*/$stunt=&/g" <<< "$gaits")"
  before=u-$stunt
done
# After most jumps into standing and into the half turn characters fell 1 to 5 s later: these are tried anew, one jump each.
ways u-backflip v1 1 1 100 8 3 \
  walk=stand,walk-slow=stand,walk-fast=stand,run=stand,turn-left=stand,turn-right=stand,turn-about=stand,walk-back=stand,side-left=stand,side-right=stand,punch=stand,kick=stand,karate=stand,jump=stand,spin-kick=stand,dance=stand,dance-spin=stand,cartwheel=stand,backflip=stand,stand=turn-about,walk-back=turn-about,punch=turn-about,kick=turn-about,karate=turn-about,jump=turn-about,spin-kick=turn-about,dance=turn-about,dance-spin=turn-about,cartwheel=turn-about,backflip=turn-about
# And again with more trials: of characters that stood by these some fell at walls.
ways v1 v2 1 1 400 8 4 walk-slow=stand,stand=walk-back,stand=turn-left,stand=turn-right
has hero.db own-walk || "$train" graph take hero-safe --skill walk --catalogue hero.db --as own-walk
# On slopes chains alone are ways, so those among the walks stay; others, whose skills jumps reach as well, make room for them.
# Of backward walks on more than one degree one in eight ended in a fall.
has hero.db hero-kept || "$train" graph refit v2 --as hero-kept --catalogue hero.db --with walk=own-walk \
  --without stand-to-walk-slow,stand-to-kick,walk-to-karate,walk-slow-to-kick,walk-slow-to-punch
has hero.db hero-soon || "$train" graph loosen hero-kept --as hero-soon --catalogue hero.db --limits walk-back=1deg

# It stops straight: one jump out of the walk into standing. Then the gaits are taught to be steered.
has hero.db hero-stop || "$train" graph shorten hero-soon --as hero-stop --catalogue hero.db --links walk=stand --spread \
  --straight 20 --candidates 200 --edges 6 --trials 80 --hold 6 --seed 1
has hero.db hero-back || "$train" graph shorten hero-stop --as hero-back --catalogue hero.db --links stand=walk-back --spread \
  --settled --stay 3 --candidates 40 --edges 3 --trials 80 --hold 8 --seed 1
has hero.db hero-stops || "$train" graph loosen hero-back --as hero-stops --catalogue hero.db \
  --limits stand-to-backflip=0.025,stand-to-walk-back=0.06
while read -r gait turn faster slower generations; do
  has hero.db "$gait-steered" && continue
  "$train" graph take hero-stops --skill "$gait" --catalogue hero.db --as "$gait-steered"
  "$train" steer "$gait-steered" --catalogue hero.db --turn "$turn" --faster "$faster" --slower "$slower" --generations "$generations"
done << 'GAITS'
walk 0.7 0.25 0.3 14
walk-fast 0.5 0.2 0.2 14
walk-slow 0.5 0.15 0.15 14
run 0.45 0.3 0.4 12
GAITS
has hero.db hero-ready || "$train" graph refit hero-stops --as hero-ready --catalogue hero.db \
  --with walk=walk-steered,walk-fast=walk-fast-steered,walk-slow=walk-slow-steered,run=run-steered

# The certificates; then controllers/recipes/ship.sh with a catalogue that has the other controllers too.
"$train" certify hero-ready --catalogue hero.db --hold-seconds 60 --resist-trials 4 --starts 1 --ground-trials 0
"$train" certify hero-ready --catalogue hero.db --walks 20
