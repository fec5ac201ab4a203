#!/usr/bin/env bash
# Installs the package into a separate Debian 12, boots it under systemd, and runs boot_checks.sh in it: once until its power is
# cut, once after that. Needs root and what `deploy/setup.sh boot` installs.
# Usage: deploy/package/boot.sh FOLDER [machine|container]     FOLDER: where the package is
#   machine     emulated by qemu (the default): a separate kernel, and the power is really cut. Its clock follows the instructions
#               that it runs, so that neither the emulation nor other jobs decide what comes in time
#   container   by systemd-nspawn, with this kernel, in a few minutes: every process is killed instead of the power cut
# The system is kept in FOLDER/boot; remove that to have it made again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
way=${2:-machine}
root=$folder/boot/system image=$folder/boot/disk.img box=$folder/boot/container
fail() { echo "boot: $*" >&2; exit 1; }
package=$(find "$folder" -maxdepth 1 -name 'troupe_*.deb')
[ -f "$package" ] || fail "no package in $folder: deploy/package.sh makes one"
mkdir -p "$folder/boot"

# A system without the network: what the package needs is installed with it.
if [ ! -f "$folder/boot/made" ]; then
  rm -rf "$root"
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus,linux-image-cloud-amd64,openssl \
    --customize-hook="copy-in $package /tmp" --customize-hook='chroot "$1" sh -c "apt-get install -y -qq /tmp/troupe_*.deb"' \
    bookworm "$root" >"$folder/boot/mmdebstrap.log" 2>&1 || { tail -20 "$folder/boot/mmdebstrap.log"; fail "no system"; }
  touch "$folder/boot/made"
fi
mkdir -p "$root/opt/boot"
cp "$package" "$root/opt/boot/troupe.deb"
chroot "$root" sh -ec 'dpkg --purge troupe; rm -rf /var/lib/troupe; dpkg -i /opt/boot/troupe.deb' >"$folder/boot/dpkg.log" 2>&1 ||
  { tail -20 "$folder/boot/dpkg.log"; fail "the package is not to be installed; if it needs others than before, remove $folder/boot"; }
[ -L "$root/etc/systemd/system/multi-user.target.wants/trouped.service" ] || fail "installed, but not enabled"

# unit_of OUTPUT: the unit that runs the checks, wanted by the boot target.
unit_of() { printf '[Unit]\nAfter=trouped.service\n[Service]\nExecStart=/opt/boot/boot_checks.sh\nStandardOutput=%s\nStandardError=inherit\n' "$1"; }
install -m 755 "$here/boot_checks.sh" "$root/opt/boot/boot_checks.sh"
mkdir -p "$root/var/log/journal"

make_machine() {
  unit_of file:/dev/ttyS1 >"$root/etc/systemd/system/boot-checks.service"
  rm -f "$image"
  mke2fs -q -t ext4 -d "$root" "$image" 2G
}

boot_machine() { # NAME: the checks write to the second serial line
  timeout "${BOOT_TIMEOUT_S:-7200}" qemu-system-x86_64 -accel tcg -icount shift=0,sleep=off -rtc clock=vm -cpu max -m 1024 \
    -display none -no-reboot -nic none -drive "file=$image,format=raw,if=virtio,cache=writeback" \
    -kernel "$(echo "$root"/boot/vmlinuz-*)" -initrd "$(echo "$root"/boot/initrd.img-*)" \
    -append "root=/dev/vda rw console=ttyS0 panic=-1 quiet systemd.wants=boot-checks.service systemd.mask=serial-getty@ttyS0.service" \
    -serial "file:$folder/boot/$1-console.txt" -serial "file:$folder/boot/$1.txt"
}

make_container() {
  rm -rf "$box"
  mkdir "$box"
  tar -C "$root" --exclude=./boot -c . | tar -C "$box" -x
  unit_of append:/opt/boot/checks.txt >"$box/etc/systemd/system/boot-checks.service"
}

# A cgroup for the system, where this one's manager does not give it one.
own_cgroup() {
  local tree
  for tree in /sys/fs/cgroup{,/systemd,/unified}; do
    [ -e "$tree/cgroup.procs" ] && mkdir -p "$tree/troupe-boot" && echo "$BASHPID" >"$tree/troupe-boot/cgroup.procs"
  done
}

boot_container() ( # NAME
  options=(--quiet --register=no --private-network --console=pipe --directory="$box")
  [ -d /run/systemd/system ] || { options+=(--keep-unit); own_cgroup; }
  rm -f "$box/opt/boot/checks.txt"
  systemd-nspawn "${options[@]}" --boot systemd.wants=boot-checks.service >"$folder/boot/$1-console.txt" 2>&1 &
  nspawn=$!
  for _ in $(seq "${BOOT_TIMEOUT_S:-1200}"); do
    sleep 1
    ! grep -qs '^end' "$box/opt/boot/checks.txt" || break
  done
  cp "$box/opt/boot/checks.txt" "$folder/boot/$1.txt"
  pkill -KILL -P "$nspawn" || true # its init, and all others with it
  wait "$nspawn" || true
)

boot() { # NAME: one run of the system
  rm -f "$folder/boot/$1.txt"
  "boot_$way" "$1" || { tail -20 "$folder/boot/$1-console.txt"; fail "$1: no end"; }
  cat "$folder/boot/$1.txt"
  grep -q '^end' "$folder/boot/$1.txt" || { tail -20 "$folder/boot/$1-console.txt"; fail "$1: the checks did not come to their end"; }
}
"make_$way"
boot first
boot second
count=$(cat "$folder"/boot/{first,second}.txt | grep -cE '^(ok|FAILED) ')
bad=$(cat "$folder"/boot/{first,second}.txt | grep -c '^FAILED ' || true)
echo "boot: $count checks under systemd ($way), $bad failed"
[ "$bad" -eq 0 ]
