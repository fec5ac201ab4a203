#!/usr/bin/env bash
# Fetches and unpacks Debian's source package NAME in FOLDER, by lists of its own, and prints the folder that it is in.
# Usage: deploy/cross/source.sh NAME FOLDER
set -euo pipefail
name=$1 folder=$2
lists=$folder/apt/lists
mkdir -p "$lists/partial"
# Sources come from where this system's packages come from.
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -1)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site bookworm main" >"$folder/apt/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$lists"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
[ -n "$(find "$lists" -name '*_Sources*')" ] || "${apt[@]}" update
mkdir -p "$folder/source/$name"
(cd "$folder/source/$name" && rm -rf ./*/ && "${apt[@]}" source "$name" >/dev/null 2>"$folder/source/$name.log") || { cat "$folder/source/$name.log" >&2; exit 1; }
echo "$folder/source/$name"/*/
