#!/usr/bin/env bash
# Builds a world for another processor, and compares lives of all shipped controllers there with those of this processor, bit by
# bit. Leaves the packages of this system as they are.
# Usage: deploy/cross/build.sh aarch64|wasm     needs `deploy/setup.sh cross` and a release build with tests
#   aarch64   build/cross/aarch64/build; tests of determinism, math, models, physics and the wire run too, under an emulator
#   wasm      build/cross/wasm/build/deploy/cross/wasm/troupe_world.{js,wasm}: client/include/troupe/simulation.h for browsers
#
# The Open Dynamics Engine is built from Debian's source package with -ffp-contract=off. Debian's ODE for AArch64 fuses
# multiplications with additions, so that contacts, and with them all that moves on them, have other bits than on x86-64.
set -euo pipefail
cd "$(dirname "$0")/../.."
processor=${1:-}
case "$processor" in aarch64 | wasm) ;; *) echo "usage: deploy/cross/build.sh aarch64|wasm" >&2; exit 1 ;; esac
folder=$PWD/build/cross/$processor
root=$folder/root
mkdir -p "$folder"
unset LDFLAGS # of the other build

lives() { # COMMAND...: the hashes of all shipped controllers
  # shellcheck disable=SC2046
  "$@" db/shipped.troupe $(sed -n 's/.*"name": "\([a-z0-9-]*\)".*/\1/p' controllers/recipes/shipped.json | sort -u)
}

build() { # TARGET...
  ninja -C "$folder/build" "$@" >>"$folder/build.log" || { tail -40 "$folder/build.log"; exit 1; }
}

# What deploy/setup.sh installs for this processor, for the other one. No script of a package runs, so the links that
# alternatives would make are made here.
make_root() {
  [ ! -f "$folder/root.made" ] || return 0
  rm -rf "$root"
  local packages
  packages=$(bash deploy/setup.sh --list | grep -E '^lib.*-dev$|^zlib' | tr '\n' ,)
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include="${packages}libcmocka-dev" bookworm "$root"
  (cd "$root/usr/lib/aarch64-linux-gnu" && ln -sf openblas-pthread/*.so* . && cd pkgconfig &&
    ln -sf ../openblas-pthread/pkgconfig/openblas.pc ../openblas-pthread/pkgconfig/lapack-openblas.pc . && ln -sf lapack-openblas.pc lapack.pc)
  touch "$folder/root.made"
}

run_aarch64() {
  local toolchain=$PWD/deploy/cross/aarch64.cmake
  make_root
  bash deploy/cross/ode.sh "$folder" "$root" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
  grep -q '^Libs:.*stdc++' "$root/usr/local/lib/pkgconfig/ode.pc" || sed -i 's/^Libs:.*/& -lstdc++/' "$root/usr/local/lib/pkgconfig/ode.pc"
  export PKG_CONFIG_SYSROOT_DIR=$root
  export PKG_CONFIG_LIBDIR=$root/usr/local/lib/pkgconfig:$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
  cmake -S . -B "$folder/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release -DTROUPE_MPI=OFF >"$folder/build.log"
  local programs
  mapfile -t programs < <(ninja -C "$folder/build" -t targets all | sed -nE 's/^(test_unit_(math|model|physics|proto)_[a-z0-9_]*): phony.*/\1/p')
  build tests/determinism/all "${programs[@]}"
  TROUPE_EMULATED=1 ctest --test-dir "$folder/build" -j"$(nproc)" -R '^(determinism/(golden|threads)|unit/(math|model|physics|proto)/)' --output-on-failure
  lives qemu-aarch64 -L "$root" "$folder/build/tests/determinism/test_determinism_processors" >"$folder/lives.txt"
}

run_wasm() {
  export NODE_PATH=/usr/share/nodejs # Emscripten's own scripts use Debian's acorn
  bash deploy/cross/wasm/libraries.sh "$folder" "$root"
  export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/local/lib/pkgconfig
  emcmake cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_FIND_ROOT_PATH="$root" >"$folder/build.log"
  build troupe_world test_determinism_processors
  local fetch=
  node --no-experimental-fetch -e 0 2>/dev/null && fetch=--no-experimental-fetch # Emscripten 3.1.6 takes Node's fetch for a browser's
  # shellcheck disable=SC2086
  lives node $fetch "$folder/build/deploy/cross/wasm/test_determinism_processors.js" >"$folder/lives.txt"
}

"run_$processor"
lives build/release/tests/determinism/test_determinism_processors >"$folder/lives-here.txt"
diff "$folder/lives-here.txt" "$folder/lives.txt" >"$folder/lives.diff" ||
  { head -20 "$folder/lives.diff"; echo "cross: lives on $processor DIFFER: $folder/lives.diff" >&2; exit 1; }
echo "cross: $(grep -cE ' [0-9a-f]{16}$' "$folder/lives.txt") hashes of lives on $processor are those of this processor"
