#!/usr/bin/env bash
# Builds the Open Dynamics Engine from Debian's source package, without fused multiply-adds, as /usr/local below ROOT.
# Usage: deploy/cross/ode.sh FOLDER ROOT [OPTION OF CMAKE]...     FOLDER: keeps the source and the build
set -euo pipefail
folder=$1 root=$2
shift 2
[ ! -f "$root/usr/local/lib/pkgconfig/ode.pc" ] || exit 0
source=$(bash "$(dirname "$0")/source.sh" ode "$folder")

# It knows Emscripten neither as a system nor as a processor.
sed -i 's/defined(__linux__)/defined(__linux__) || defined(__EMSCRIPTEN__)/; /cmakedefine PENTIUM/d' "$source/config.h.cmake.in"

# As Debian configures it, but without trimeshes: Troupe has its own contacts with meshes.
flags=-ffp-contract=off
cmake -S "$source" -B "$folder/ode" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=$flags -DCMAKE_CXX_FLAGS=$flags \
  -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_INSTALL_LIBDIR=lib -DODE_DOUBLE_PRECISION=ON -DODE_WITH_DEMOS=OFF -DODE_WITH_TESTS=OFF \
  -DODE_WITH_OPCODE=OFF -DODE_WITH_LIBCCD=ON -DODE_WITH_LIBCCD_BOX_CYL=OFF "$@" >"$folder/ode.log"
ninja -C "$folder/ode" >>"$folder/ode.log" || { tail -40 "$folder/ode.log"; exit 1; }
DESTDIR=$root ninja -C "$folder/ode" install >>"$folder/ode.log"
