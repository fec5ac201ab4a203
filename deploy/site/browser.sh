#!/usr/bin/env bash
# The page that runs a world in the visitor's browser, without a server: any static host, any folder of it.
# Usage: deploy/site/browser.sh [OUT]   default: build/site/html/browser; open OUT/index.html through a web server
# Needs a release build, deploy/cross/build.sh wasm, and what deploy/build-viewer.sh needs.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "${1:-build/site/html/browser}")
train=build/release/controllers/tools/troupe-train
module=build/cross/wasm/build/deploy/cross/wasm/troupe_world
export TROUPED=$PWD/build/release/server/trouped
for file in "$train" "$TROUPED" "$module.wasm"; do
  [ -e "$file" ] || { echo "site: $file is missing: build the release preset, and run deploy/cross/build.sh wasm" >&2; exit 1; }
done
bash deploy/build-viewer.sh
(cd client/web && npm run --silent build -- --mode browser --logLevel warn)

rm -rf "$out"
mkdir -p "$out/world"
cp -r client/web/dist-browser/. "$out"
mv "$out/browser.html" "$out/index.html"
"$train" bundle export db/shipped.troupe hero --compact --out "$out/world/hero.troupe" >/dev/null
node client/web/tools/record_catalogue.js "$out/world/hero.troupe" "$out/world/catalogue.bin"
cp "$module.js" "$module.wasm" "$out/world"
gzip -9 -n -f "$out"/world/{hero.troupe,catalogue.bin,troupe_world.wasm}
wire=$(find "$out" -type f -exec sh -c 'case "$1" in *.gz) cat "$1" ;; *) gzip -9 -c "$1" ;; esac | wc -c' _ {} \; | awk '{ sum += $1 } END { print int(sum / 1024) }')
echo "site: $out/index.html, $wire KB over the wire: a bundle of $(($(stat -c %s "$out/world/hero.troupe.gz") / 1024)), a library of $(($(stat -c %s "$out/world/troupe_world.wasm.gz") / 1024))"
