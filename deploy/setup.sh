#!/usr/bin/env bash
# Installs the Debian 12 packages that Troupe builds and tests with. Idempotent; asks for root only when something is missing.
# Usage: deploy/setup.sh [build|test|viewer|engines|slurm|boot|coverage|cross]   build: what compiling and running needs; test (default): the checks as well;
# viewer: a second browser for the slow tests of the viewer; engines: Godot without a display; slurm: tests/soak/slurm.py; boot: what
# deploy/package/boot.sh needs; coverage: a reader of gcov's files; cross: compilers and emulators
# of other processors, deploy/cross/build.sh. --list prints the packages of `build`.
set -euo pipefail

build_packages=(
  cmake ninja-build gcc libc6-dev pkg-config
  libode-dev libuv1-dev libprotobuf-c-dev protobuf-c-compiler
  libopenblas-dev liblapacke-dev liblbfgs-dev libsqlite3-dev libxml2-dev libjansson-dev libssl-dev libconfig-dev libpng-dev
  libhttp-parser-dev libwslay-dev libzip-dev zlib1g-dev libcurl4-openssl-dev libassimp-dev
)
test_packages=(
  mandoc groff-base dpkg-dev doxygen
  git libcmocka-dev clang clang-format clang-tidy libclang-rt-14-dev lld
  protobuf-compiler python3 python3-protobuf python3-numpy python3-matplotlib python3-pip python3-setuptools python3-wheel
  python3-yaml python3-jsonschema
  mypy libonnx-dev
  libopenmpi-dev openmpi-bin
  chromium nodejs
  mono-mcs mono-runtime
)
# Some packages of Node bring npm along, and then Debian's own npm cannot be installed beside them.
command -v npm >/dev/null || test_packages+=(npm)

viewer_packages=(firefox-esr xvfb)
engine_packages=(godot3-server)
slurm_packages=(libopenmpi-dev openmpi-bin slurm-wlm munge)
cross_packages=(mmdebstrap dpkg-dev gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user emscripten node-acorn tcl)
boot_packages=(mmdebstrap qemu-system-x86 seabios e2fsprogs systemd-container)

if [ "${1:-}" = --list ]; then
  printf '%s\n' "${build_packages[@]}"
  exit 0
fi
packages=("${build_packages[@]}")
[ "${1:-test}" != test ] || packages+=("${test_packages[@]}")
[ "${1:-test}" != viewer ] || packages+=("${test_packages[@]}" "${viewer_packages[@]}")
[ "${1:-test}" != engines ] || packages+=("${test_packages[@]}" "${engine_packages[@]}")
[ "${1:-test}" != slurm ] || packages+=("${slurm_packages[@]}")
[ "${1:-test}" != coverage ] || packages+=("${test_packages[@]}" gcovr)
[ "${1:-test}" != cross ] || packages+=("${cross_packages[@]}")
[ "${1:-test}" != boot ] || packages+=("${boot_packages[@]}")

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

echo "setup: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: run as root, or install sudo: these packages are missing: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: done"
