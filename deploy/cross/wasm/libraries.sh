#!/usr/bin/env bash
# Builds with Emscripten, from Debian's source packages, the libraries that a world needs, as /usr/local below ROOT.
# Usage: deploy/cross/wasm/libraries.sh FOLDER ROOT     FOLDER: keeps the sources and the builds
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 root=$2
lib=$root/usr/local/lib include=$root/usr/local/include
[ ! -f "$lib/made" ] || exit 0
mkdir -p "$lib/pkgconfig" "$include/openssl" "$folder/objects"

source_of() { bash "$here/../source.sh" "$1" "$folder"; }

# pack NAME FILE...: an archive of C files, and what pkg-config says of it.
pack() {
  local name=$1 objects=() object
  shift
  [ ! -f "$lib/lib$name.a" ] || return 0
  for file in "$@"; do
    object=$folder/objects/$name-$(basename "$file" .c).o
    emcc -O2 -w -ffp-contract=off "${flags[@]}" -c "$file" -o "$object"
    objects+=("$object")
  done
  emar rcs "$lib/lib$name.a" "${objects[@]}"
  printf 'Name: %s\nDescription: %s\nVersion: 0\nLibs: -L/usr/local/lib -l%s\nCflags: -I/usr/local/include\n' "$name" "$name" "$name" >"$lib/pkgconfig/$name.pc"
}

bash "$here/../ode.sh" "$folder" "$root" -DCMAKE_TOOLCHAIN_FILE="$(em-config EMSCRIPTEN_ROOT)/cmake/Modules/Platform/Emscripten.cmake" \
  -DBUILD_SHARED_LIBS=OFF -DODE_NO_BUILTIN_THREADING_IMPL=ON -DODE_NO_THREADING_INTF=ON

options=()
for part in CATALOG DEBUG DOCB FTP HTML HTTP ICONV ICU LEGACY LZMA MODULES PROGRAMS PYTHON SCHEMAS SCHEMATRON TESTS THREAD_ALLOC \
  XINCLUDE XPTR ZLIB READER WRITER PATTERN PUSH REGEXPS C14N SAX1 VALID XPATH ISO8859X; do
  options+=("-DLIBXML2_WITH_$part=OFF")
done
emcmake cmake -S "$(source_of libxml2)" -B "$folder/libxml2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
  -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_INSTALL_LIBDIR=lib "${options[@]}" >"$folder/libxml2.log" 2>&1
DESTDIR=$root ninja -C "$folder/libxml2" install >>"$folder/libxml2.log" || { tail -40 "$folder/libxml2.log"; exit 1; }

zlib=$(source_of zlib)
cp "$zlib"/zlib.h "$zlib"/zconf.h "$include"
flags=()
pack zlib "$zlib"/{adler32,compress,crc32,deflate,inffast,inflate,inftrees,trees,uncompr,zutil}.c

protobuf=$(source_of protobuf-c)
mkdir -p "$include/protobuf-c"
cp "$protobuf/protobuf-c/protobuf-c.h" "$include/protobuf-c"
pack protobuf-c "$protobuf/protobuf-c/protobuf-c.c"
cp "$lib/pkgconfig/protobuf-c.pc" "$lib/pkgconfig/libprotobuf-c.pc"

sqlite=$(source_of sqlite3)
mkdir -p "$folder/sqlite3"
(cd "$folder/sqlite3" && "$sqlite/configure" && make sqlite3.c) >"$folder/sqlite3.log" 2>&1 || { tail -40 "$folder/sqlite3.log"; exit 1; }
cp "$folder/sqlite3/sqlite3.h" "$include"
flags=(-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_COLUMN_METADATA)
pack sqlite3 "$folder/sqlite3/sqlite3.c"

# SHA-256 alone of libcrypto.
md=$(source_of libmd)
cp "$here/evp.h" "$include/openssl/evp.h"
touch "$folder/objects/config.h" # nothing of it matters here
flags=(-I"$folder/objects" -I"$md/include" -I"$include")
pack crypto "$md/src/sha2.c" "$here/evp.c"
cp "$lib/pkgconfig/crypto.pc" "$lib/pkgconfig/libcrypto.pc"
touch "$lib/made"
