#!/usr/bin/env bash
# The client as a game finds it: installs it into a temporary folder, and builds the example with only pkg-config.
# installed.sh BUILD_DIR SOURCE_DIR CC
set -euo pipefail
build=$1 source=$2 cc=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
for component in cli library client; do
  cmake --install "$build" --component $component --prefix "$prefix" >>"$prefix/log"
done
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name troupe.pc)")
simulation=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs troupe-simulation)
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs troupe)
# shellcheck disable=SC2086
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror "$source/client/examples/watch.c" -o "$prefix/watch" $flags
printf '#include <troupe/client.h>\nint main() { return tr_client_def_default().port == 7400 ? 0 : 1; }\n' >"$prefix/game.cpp"
# shellcheck disable=SC2086
"$cc" -x c++ -std=c++17 -Wall -Wextra -Werror "$prefix/game.cpp" -x none -o "$prefix/game" $flags
for header in "$prefix"/include/troupe/*.h; do # each can be included alone
  printf '#include <troupe/%s>\nint main(void) { return 0; }\n' "$(basename "$header")" >"$prefix/alone.c"
  # shellcheck disable=SC2086
  "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$prefix/alone.c" $flags
done
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libtroupe.so)")
"$prefix/game"
printf '#include <troupe/simulation.h>\nint main(void) { tr_simulation *w; return tr_simulation_open("nowhere", 0.005, &w, 0) == TR_NOT_FOUND ? 0 : 1; }\n' >"$prefix/own.c"
# shellcheck disable=SC2086
"$cc" -std=c17 "$prefix/own.c" -o "$prefix/own" $simulation
"$prefix/own"
status=0
"$prefix/watch" run 1 2>"$prefix/log" || status=$?
[ $status -eq 1 ] && grep -q '127.0.0.1:1' "$prefix/log" || { cat "$prefix/log"; exit 1; }
[ -x "$prefix/bin/troupe" ] && "$prefix/bin/troupe" help >/dev/null
echo "installed: good"
