#!/bin/sh
# Certifies every controller of a bundle that has no certificate yet, and writes the bundle again with them and the
# newest schema: certify-all.sh BUNDLE [options of troupe-train certify]
#
#   TRAIN=build/release/controllers/tools/troupe-train   the tool
#   MOTIONS=DIR                                          DIR/CONTROLLER.json, when there: for comparison with the clip
#   AGAIN=1                                              also those that have a certificate
#
# About 10 core-minutes a controller; --hold-seconds 60 --starts 4 takes about 3. The work continues where it was
# interrupted: the certificates so far are in BUNDLE.certifying.
set -eu
[ $# -ge 1 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
bundle=$1
shift
train=${TRAIN:-build/release/controllers/tools/troupe-train}
catalogue=$bundle.certifying
"$train" bundle import "$bundle" --catalogue "$catalogue" > /dev/null
"$train" bundle list "$catalogue" > "$catalogue.list"
while IFS="$(printf '\t')" read -r name kind certificates rest; do
  [ "$kind" = cyclic ] || continue
  if [ -z "${AGAIN:-}" ] && [ "$certificates" -gt 0 ]; then
    echo "$name has a certificate"
    continue
  fi
  motion=${MOTIONS:-/nonexistent}/$name.json
  if [ -e "$motion" ]; then
    "$train" certify "$name" --catalogue "$catalogue" "$@" --motion "$motion"
  else
    "$train" certify "$name" --catalogue "$catalogue" "$@"
  fi
done < "$catalogue.list"
"$train" bundle export "$catalogue" -o "$bundle"
rm -f "$catalogue" "$catalogue.list" "$catalogue-wal" "$catalogue-shm" "$catalogue".schema-*
