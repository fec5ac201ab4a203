#!/usr/bin/env bash
# The documentation site: hand-written pages, the protocol's reference, and the C headers. Needs doxygen.
# Usage: deploy/site/build.sh [--browser] [OUT]   default: build/site; open OUT/html/index.html
#   --browser   with the page that runs a world in the visitor's browser (browser.sh, and what it needs)
set -euo pipefail
try=
[ "${1:-}" != --browser ] || { shift && try='<a href="$relpath^browser/index.html">Try it</a>'; }
source=$(cd "$(dirname "$0")/../.." && pwd)
out=$(realpath -m "${1:-$source/build/site}")
mkdir -p "$out/pages"
/usr/bin/python3 -B "$source/deploy/site/protocol_reference.py" "$source/proto/troupe" "$out/pages/protocol_reference.md"
sed -e "s#@OUT@#$out#g" -e "s#@SOURCE@#$source#g" "$source/deploy/site/Doxyfile.in" >"$out/Doxyfile"
sed "s#@TRY@#$try#" "$source/deploy/site/header.html" >"$out/header.html"
doxygen "$out/Doxyfile"
/usr/bin/python3 -B "$source/deploy/site/join_pages.py" "$source" "$out/tags.xml" "$out/html"
[ -z "$try" ] || bash "$source/deploy/site/browser.sh" "$out/html/browser"
echo "site: $out/html/index.html ($(find "$out/html" -name '*.html' | wc -l) pages, $(wc -l <"$out/warnings.txt") warnings in $out/warnings.txt)"
