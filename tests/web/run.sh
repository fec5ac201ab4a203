#!/usr/bin/env bash
# Runs Node's test runner on files, for ctest; exit status 77 where they cannot run.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*" >&2; exit 77; }

[ -e "$root/client/js/dist/node.js" ] || skip "the JavaScript client is not built: deploy/build-viewer.sh"
case $1 in
  "$root"/tests/web/*)
    [ -e "$root/client/web/dist/index.html" ] || skip "the viewer is not built: deploy/build-viewer.sh"
    [ -x "${CHROMIUM:-/usr/bin/chromium}" ] || skip "Chromium is not installed" ;;
esac
case $1 in
  */mirror.test.js)
    [ -e "$root/build/cross/wasm/build/deploy/cross/wasm/troupe_world.wasm" ] || skip "the world library is not built: deploy/cross/build.sh wasm" ;;
  */browser.test.js)
    [ -e "$root/build/site/html/browser/index.html" ] || skip "the page is not built: deploy/site/browser.sh" ;;
  */firefox.test.js | */looks.test.js) # minutes of drawing by the processor
    [ -n "${TROUPE_SLOW:-}" ] || skip "slow: set TROUPE_SLOW=1, as deploy/nightly.sh does" ;;&
  */firefox.test.js)
    [ -x "${FIREFOX:-/usr/bin/firefox-esr}" ] || skip "Firefox is not installed"
    [ -x "${XVFB:-/usr/bin/Xvfb}" ] || skip "Xvfb, a screen for Firefox, is not installed" ;;
esac
exec node --test "$@"
