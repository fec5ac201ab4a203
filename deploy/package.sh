#!/usr/bin/env bash
# Debian packages of everything, in build/package: troupe, libtroupe0, libtroupe-dev, python3-troupe; then checked by
# lintian if it is installed, unpacked and tried.
# Usage: deploy/package.sh
set -euo pipefail
cd "$(dirname "$0")/.."

bash deploy/build-viewer.sh --if-possible
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
cmake --preset package >/dev/null
cmake --build --preset package -j"${JOBS:-$(nproc)}" >build/package/build.log 2>&1 || { tail -40 build/package/build.log; exit 1; }
rm -f build/package/*.deb
(cd build/package && cpack -G DEB >cpack.log 2>&1) || { tail -20 build/package/cpack.log; exit 1; }
ls -l build/package/*.deb
if command -v lintian >/dev/null; then
  lintian --tag-display-limit 0 build/package/*.deb >build/package/lintian.log 2>&1 || true
  echo "lintian: $(grep -c '^E:' build/package/lintian.log || true) errors, $(grep -c '^W:' build/package/lintian.log || true) warnings (build/package/lintian.log)"
fi
bash deploy/package/try.sh build/package
