#!/usr/bin/env bash
# Checks the conventions of C that clang-format does not know:
#   !pointer and !status, not `== NULL` and `== TR_OK`; in a condition `pointer` and `status`, not `!= NULL` and `!= TR_OK`
#   i++ and i--, not ++i and --i, where the value is not used
#   "cmocka_test.h" in tests, which brings what <cmocka.h> needs
#   no name of a type, a function or a macro twice; tests and ranks (one of two links is built) apart
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
# refuse PATTERN "what to write instead"
refuse() {
  while IFS= read -r place; do
    echo "$place: $2" >&2
    failures=$((failures + 1))
  done < <(git ls-files '*.c' '*.h' | xargs grep -nHP "$1" || true)
}
refuse '^[^"]* == (NULL|TR_OK)\b' 'write !x'
refuse '^[^"]*(\b(if|while) \(|&& |\|\| )[\w.>\[\]*-]+ != (NULL|TR_OK)\b' 'write x'
refuse '^[^"]*[\w.>\])] != (NULL|TR_OK) (&&|\|\||\?)' 'write x'
refuse '^\s+(\+\+|--)\w[\w.>\[\]-]*;|^[^"]*; (\+\+|--)\w+\)' 'write i++'
refuse '^#include <cmocka\.h>$' 'write #include "cmocka_test.h"'

# twice WHAT < its names, one a line
twice() {
  while IFS= read -r name; do
    echo "$name: $1 of this name is defined twice; give one another name" >&2
    failures=$((failures + 1))
  done < <(sort | uniq -d)
}
product() { git ls-files "$@" | grep -vE '^tests/|/ranks_link_(mpi|none)\.c$|/scene_none\.c$' | xargs cat; }
twice 'a type' < <(product '*.c' '*.h' | grep -oP '^(typedef )?(struct|union|enum) \Ktr_\w+(?= \{)')
twice 'a function' < <(product '*.c' | sed -zE 's/,\n +/, /g' | grep -oP '^(?!static|typedef)[a-z][\w *]* \**\Ktr_\w+(?=\([^;]*\) \{$)')
twice 'a macro' < <(product '*.h' | grep -oP '^#define \KTR_\w+')

[ "$failures" -eq 0 ] || { echo "style: $failures lines differ from the conventions" >&2; exit 1; }
echo "style: clean"
