#!/usr/bin/env bash
# Checks the conventions of C that clang-format does not know:
#   !pointer and !status, not `== NULL` and `== TR_OK`; in a condition `pointer` and `status`, not `!= NULL` and `!= TR_OK`
#   i++ and i--, not ++i and --i, where the value is not used
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

[ "$failures" -eq 0 ] || { echo "style: $failures lines differ from the conventions" >&2; exit 1; }
echo "style: clean"
