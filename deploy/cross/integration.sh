#!/usr/bin/env bash
# Integration tests whose daemons, tools and clients in C are AArch64's, under the emulator. Python, Node and Mono are this
# processor's, and so is the library by which they mirror worlds: it follows the other processor's daemon bit by bit.
# Usage: deploy/cross/integration.sh [TESTS]     after deploy/cross/build.sh aarch64, with a release build; TESTS: a regular expression
#
# Left out: python_types starts no program; site, readme and document_commands run programs at their places in the build, where those of
# the other processor lie, which this one cannot start without the emulator. Browsers are left out by tests/web/CMakeLists.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/build/cross/aarch64
unset LDFLAGS # of this processor's build

ninja -C "$folder/build" trouped troupe troupe-train troupe-bouts troupe_hello troupe_watch trouped_toy \
  integration_data toy_data tools_data python_package csharp_client documents >>"$folder/build.log" || { tail -40 "$folder/build.log"; exit 1; }
TROUPE_EMULATED=1 ctest --test-dir "$folder/build" -R "${1:-^(integration/|toy/served$)}" \
  -E '^integration/(python_types|site|readme|document_commands)$' --output-on-failure
