#!/usr/bin/env bash
# Builds the JavaScript client and the web viewer that trouped serves: client/js/dist and client/web/dist, gzip'd beside the
# plain files. Nothing to do when they are newer than their sources.
# Usage: deploy/build-viewer.sh [--if-possible]   --if-possible: without npm or protoc say so and succeed.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for program in node npm protoc; do command -v "$program" >/dev/null || missing+=("$program"); done
if [ ${#missing[@]} -gt 0 ]; then
  echo "viewer: not built: ${missing[*]} missing (Debian: nodejs npm protobuf-compiler)" >&2
  [ "${1:-}" = --if-possible ] && exit 0
  exit 1
fi

exec 9>client/web/.build.lock
flock 9

# changed OUTPUT PATHS: something under the paths is newer than the file, or the file does not exist.
changed() { [ ! -e "$1" ] || [ -n "$(find "${@:2}" -newer "$1" -type f -print -quit)" ]; }
install() { changed "$1/node_modules/.installed" "$1/package.json" "$1/package-lock.json" || return 0
  (cd "$1" && npm install --no-save --no-fund --no-audit --loglevel=error >&2 && touch node_modules/.installed); }

install client/js
if changed client/js/dist/node.js proto/troupe client/js/src/*.ts client/js/package.json client/js/tsconfig.json; then
  (cd client/js && rm -rf dist src/messages && npm run --silent build)
fi

install client/web
if changed client/web/dist/index.html client/js/dist client/rigs client/web/src client/web/public client/web/index.html client/web/*.js client/web/*.json; then
  (cd client/web && npm run --silent check && npm run --silent build -- --logLevel warn)
  find client/web/dist -type f \( -name '*.js' -o -name '*.css' -o -name '*.svg' -o -name '*.html' \) -exec gzip -9 -n -k -f {} +
fi
total=$(find client/web/dist -name '*.gz' -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
echo "viewer: client/web/dist, $((total / 1024)) KB compressed"
