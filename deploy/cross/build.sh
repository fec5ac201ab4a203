#!/usr/bin/env bash
# Builds for another processor and runs tests under its emulator. Leaves the packages of this system as they are.
# Usage: deploy/cross/build.sh aarch64 [REGEX]     REGEX: tests to run (default: determinism and the physics); needs deploy/setup.sh cross
#
# ODE is built from Debian's source package with -ffp-contract=off. Debian's ODE for AArch64 fuses multiplications with additions,
# so that contacts, and with them all that moves on them, have other bits than on x86-64.
set -euo pipefail
cd "$(dirname "$0")/../.."
processor=${1:?usage: deploy/cross/build.sh aarch64 [REGEX]}
tests=${2:-'^(determinism/|unit/physics/|unit/math/|unit/control/)'}
[ "$processor" = aarch64 ] || { echo "cross: '$processor' is no processor that this script builds for: aarch64" >&2; exit 1; }
folder=$PWD/build/cross/$processor
root=$folder/root
toolchain=$PWD/deploy/cross/$processor.cmake
jobs=$(nproc)
mkdir -p "$folder"

# What deploy/setup.sh installs for this processor, for the other one.
if [ ! -f "$folder/root.made" ]; then
  rm -rf "$root"
  packages=$(bash deploy/setup.sh --list | grep -E '^lib.*-dev$|^zlib')
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include="$(tr '\n' , <<<"$packages")libcmocka-dev" bookworm "$root"
  # No script of a package runs: the links that alternatives would make.
  (cd "$root/usr/lib/aarch64-linux-gnu" && ln -sf openblas-pthread/*.so* . && ln -sf ../openblas-pthread/pkgconfig/openblas.pc \
    ../openblas-pthread/pkgconfig/lapack-openblas.pc pkgconfig/ && ln -sf lapack-openblas.pc pkgconfig/lapack.pc)
  touch "$folder/root.made"
fi

bash deploy/cross/ode.sh "$folder" "$root" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DBUILD_SHARED_LIBS=ON

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/local/lib/pkgconfig:$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
cmake -S . -B "$folder/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O2 -g" \
  -DTROUPE_WERROR=ON -DTROUPE_MPI=OFF -DTROUPE_MUJOCO=OFF >"$folder/build.log"
ninja -C "$folder/build" -j"$jobs" >>"$folder/build.log" || { tail -40 "$folder/build.log"; exit 1; }
ctest --test-dir "$folder/build" -j"$jobs" -R "$tests" --output-on-failure
