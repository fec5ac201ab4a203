#!/usr/bin/env bash
# The documentation site: hand-written pages, the protocol's reference, and the C headers. Needs doxygen.
# Usage: deploy/site/build.sh [OUT]   default: build/site; open OUT/html/index.html
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
out=$(realpath -m "${1:-$source/build/site}")
mkdir -p "$out/pages"
/usr/bin/python3 -B "$source/deploy/site/protocol_reference.py" "$source/proto/troupe" "$out/pages/protocol_reference.md"
sed -e "s#@OUT@#$out#g" -e "s#@SOURCE@#$source#g" "$source/deploy/site/Doxyfile.in" >"$out/Doxyfile"
doxygen "$out/Doxyfile"
/usr/bin/python3 -B "$source/deploy/site/join_pages.py" "$source" "$out/tags.xml" "$out/html"
echo "site: $out/html/index.html ($(find "$out/html" -name '*.html' | wc -l) pages, $(wc -l <"$out/warnings.txt") warnings in $out/warnings.txt)"
