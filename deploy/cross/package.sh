#!/usr/bin/env bash
# Debian packages and a wheel for AArch64, in build/cross/aarch64/package, tried under the emulator. The Open Dynamics Engine is inside,
# because Debian's fuses multiplications with additions there (build.sh). The package python3-troupe is for every processor.
# Usage: deploy/cross/package.sh     after deploy/package.sh and deploy/cross/build.sh aarch64
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/build/cross/aarch64
root=$folder/root out=$folder/package
fail() { echo "cross: $*" >&2; exit 1; }
[ -f "$root/usr/local/lib/libode.a" ] || fail "$root/usr/local/lib/libode.a is missing: run deploy/cross/build.sh aarch64"
compgen -G 'build/package/troupe_*.deb' >/dev/null || fail "build/package/troupe_*.deb is missing: run deploy/package.sh"
unset LDFLAGS # of the other build

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/local/lib/pkgconfig:$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
cmake --preset package -B "$out" -DCMAKE_TOOLCHAIN_FILE="$PWD/deploy/cross/aarch64.cmake" \
  -DCMAKE_INSTALL_LIBDIR=lib/aarch64-linux-gnu -DTROUPE_NATIVE_PACKAGES="$PWD/build/package" >"$folder/package.log"
ninja -C "$out" >>"$folder/package.log" || { tail -40 "$folder/package.log"; exit 1; }
rm -f "$out"/*.deb
(cd "$out" && cpack -G DEB) >>"$folder/package.log" 2>&1 || { tail -20 "$folder/package.log"; exit 1; }
bash deploy/build-wheel.sh --library "$out/client/simulation/libtroupe_simulation.so" "$out" >/dev/null

# The daemon of the package, as another processor runs it, and a client of this one.
work=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
for name in troupe libtroupe0; do
  package=$(find "$out" -maxdepth 1 -name "${name}_*_arm64.deb")
  [ -f "$package" ] || fail "no package $name for arm64"
  dpkg -x "$package" "$work"
done
if readelf -d "$work/usr/bin/trouped" | grep -q 'libode'; then fail "trouped needs a library of ODE: expected it inside"; fi
qemu-aarch64 -L "$root" "$work/usr/bin/trouped" --listen 127.0.0.1:0 --web-listen none --port-file "$work/port" \
  --state-dir "$work/state" --shipped "$work/usr/share/troupe/shipped.troupe" 2>"$work/log" &
daemon=$!
for _ in $(seq 3000); do [ -s "$work/port" ] && break; kill -0 "$daemon" 2>/dev/null || break; sleep 0.1; done
[ -s "$work/port" ] || { cat "$work/log"; fail "the daemon did not start"; }
troupe() { build/package/client/troupe --port "$(cat "$work/port")" "$@"; }
troupe create-world arena --mode stepped >/dev/null
troupe spawn arena hero --label ada >/dev/null
troupe step arena 200
ls "$out"/*_arm64.deb "$out"/*.whl
