#!/usr/bin/env bash
# Debian packages and a wheel for AArch64, in build/cross/aarch64/package, tried under the emulator. The Open Dynamics Engine is inside,
# because Debian's fuses multiplications with additions there (build.sh). The package python3-troupe is for every processor.
# Usage: deploy/cross/package.sh     after deploy/cross/build.sh aarch64
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/build/cross/aarch64
root=$folder/root out=$folder/package
fail() { echo "cross: $*" >&2; exit 1; }
[ -f "$root/usr/local/lib/libode.a" ] || fail "$root/usr/local/lib/libode.a is missing: run deploy/cross/build.sh aarch64"
unset LDFLAGS # of the other build

# What a program needs: the packages that dpkg would name on this processor, whose libraries have the same names.
needs() { # FILE...
  local name entry
  for name in $(readelf -d "$@" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v -e '^libtroupe' -e '^ld-linux' | sort -u); do
    entry=$(awk -v name="${name%.so.*}" -v version="${name##*.so.}" '$1 == name && $2 == version { print; exit }' /var/lib/dpkg/info/*:amd64.shlibs)
    [ -n "$entry" ] || fail "no package of this system has $name"
    cut -d' ' -f3- <<<"$entry"
  done | sort -u | paste -sd, | sed 's/,/, /g'
}

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/local/lib/pkgconfig:$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
cmake --preset package -B "$out" -DCMAKE_TOOLCHAIN_FILE="$PWD/deploy/cross/aarch64.cmake" -DCMAKE_INSTALL_LIBDIR=lib/aarch64-linux-gnu >"$folder/package.log"
ninja -C "$out" >>"$folder/package.log" || { tail -40 "$folder/package.log"; exit 1; }
rm -f "$out"/*.deb
cd "$out"
programs=$(needs server/trouped server/troupe-bouts client/troupe controllers/tools/troupe-train)
libraries=$(needs client/libtroupe.so client/simulation/libtroupe_simulation.so)
cpack -G DEB -D CPACK_DEBIAN_PACKAGE_ARCHITECTURE=arm64 -D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF -D CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS=OFF \
  -D CPACK_DEBIAN_TROUPE_PACKAGE_DEPENDS="adduser, $programs" -D CPACK_DEBIAN_LIBTROUPE_PACKAGE_DEPENDS="$libraries" \
  >>"$folder/package.log" 2>&1 || { tail -20 "$folder/package.log"; exit 1; }
cd - >/dev/null
bash deploy/build-wheel.sh --library "$out/client/simulation/libtroupe_simulation.so" "$out" >/dev/null

# The daemon of the package, as another processor runs it, and the client of the release build.
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
troupe() { build/release/client/troupe --port "$(cat "$work/port")" "$@"; }
troupe create-world arena --mode stepped >/dev/null
troupe spawn arena hero --label ada >/dev/null
troupe step arena 200
ls "$out"/*_arm64.deb "$out"/*.whl
