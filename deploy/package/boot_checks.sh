#!/usr/bin/env bash
# What deploy/package/boot.sh tries in the machine that it boots: the unit as the package brings it, under systemd. The first
# time it ends by cutting the power, the second time it looks at what is left, and removes the package.
set -uo pipefail
sum=/usr/share/troupe/matches/collide.match
work=/opt/boot # where boot.sh puts this script and the package
home=$(getent passwd root | cut -d: -f6)

check() { # WHAT COMMAND...: tells whether the command succeeds
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok $what"
  else
    echo "FAILED $what: $* says: $(tail -n 5 <<<"$output" | tr '\n' '|')"
  fi
}

await() { # SECONDS COMMAND...
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $until ] || { "$@"; return; }
    sleep 0.2
  done
}

property() { systemctl show -P "$1" trouped; }
is() { [ "$(property "$1")" = "$2" ] || { echo "$1 is $(property "$1"), not $2"; return 1; }; }
says() { local pattern=$1; shift; "$@" 2>&1 | grep -E "$pattern" || { "$@"; return 1; }; }
refused() { ! "$@"; }
refuses() { local pattern=$1 text; shift; text=$("$@" 2>&1) && return 1; grep -E "$pattern" <<<"$text" || { echo "$text"; return 1; }; }
logged() { journalctl -q -u trouped --since "@$mark" | grep -E "$1" || { journalctl -q -n 5 -u trouped; return 1; }; }
begin() { mark=$(date +%s.%N); main=$(property MainPID) restarts=$(property NRestarts); }
restarted() { [ "$(property NRestarts)" -gt "$restarts" ] && [ "$(property MainPID)" != "$main" ] && systemctl -q is-active trouped; }

# What /proc says about the daemon: FILE PATTERN
process() { says "$2" cat "/proc/$(property MainPID)/$1"; }

# The web port, without a client of HTTP
get() { exec 3<>/dev/tcp/127.0.0.1/7401 && printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$1" >&3 && cat <&3; }

check_start() {
  check "enabled" systemctl is-enabled trouped
  check "active after the boot" await 60 systemctl is-active trouped
  check "tells of itself" is Type notify
  check "never started anew" is NRestarts 0
  check "no unit has failed" says '^0 loaded' systemctl --failed
  check "the unit is sound" systemd-analyze verify --man=no trouped.service
  check "status tells how busy it is" await 20 says 'worlds' systemctl status trouped
}

check_hardening() {
  check "its own user" process status "^Uid:\s+$(id -u troupe)\s"
  check "no capabilities" process status '^CapBnd:\s+0+$'
  check "no new privileges" process status '^NoNewPrivs:\s+1$'
  check "system calls are filtered" process status '^Seccomp:\s+2$'
  # A container whose own limit is lower cannot give them.
  [ "$(ulimit -Hn)" -lt 65536 ] || check "descriptors" process limits '^Max open files +65536 '
  for folder in /usr /etc /var; do
    check "$folder is read-only" refuses 'Read-only' nsenter -m -t "$(property MainPID)" touch $folder/mark
  done
  touch "$home/mark"
  check "no home" refused nsenter -m -t "$(property MainPID)" ls "$home/mark"
  check "state for the daemon alone" says '750 troupe troupe' stat -c '%a %U %G' /var/lib/troupe
  check "configuration for the daemon alone" says '640 root troupe' stat -c '%a %U %G' /etc/troupe/trouped.conf
  systemd-analyze security trouped | tail -n 1 | sed 's/^/told /'
}

check_service() {
  check "status" troupe status
  check "controllers" says '^[a-z]+ +run ' troupe controllers
  check "a world" troupe create-world arena
  check "a character" troupe spawn arena run --label runner
  check "a push" troupe push arena runner 0,120,0
  check "it runs" troupe watch arena --for 2
  check "ready" says '200 OK' get /readyz
  check "figures" says 'troupe_characters 1' get /metrics
  check "a recording begins" troupe record arena kept
  sleep 3
  check "a recording ends" troupe stop-recording arena
  check "a match" troupe match run "$sum" --name kept --bouts 3
  check "its recording" troupe match record kept --bout 1 --name bout
}

check_reload() {
  begin
  check "reload" systemctl reload trouped
  check "reload is logged" await 20 logged 'event=config.reloaded'
  echo 'nonsense = 1;' >>/etc/troupe/trouped.conf
  systemctl reload trouped
  check "a wrong configuration is refused, with its line" await 20 logged "event=config.refused.*:$(wc -l </etc/troupe/trouped.conf)"
  check "nothing changes by it" troupe status
  check "told by its priority" says 'config.refused' journalctl -q -u trouped -p err --since "@$mark"
  check "nothing was started anew" is MainPID "$main"
}

check_wrong_start() {
  begin
  check "no start with a wrong configuration" refused systemctl restart trouped
  check "why not is logged" logged "trouped.conf:$(wc -l </etc/troupe/trouped.conf)"
  sed -i '/nonsense/d' /etc/troupe/trouped.conf
  systemctl stop trouped
  systemctl reset-failed trouped
  check "a start with a sound one" systemctl start trouped
  check "what was kept is there" says '^kept +done' troupe match list
}

check_lock() {
  begin
  check "one daemon to a state directory" refuses 'in use by another' runuser -u troupe -- trouped --state-dir /var/lib/troupe --listen 127.0.0.1:0 --web-listen none
  check "the other one continues" troupe status
}

check_kill() {
  begin
  kill -KILL "$main"
  check "started anew after kill -9" await 60 restarted
  check "what was kept is there" says '^kept +done' troupe match list
}

check_watchdog() {
  troupe create-world live >/dev/null && troupe spawn live run >/dev/null
  begin
  sleep 45
  check "alive for twice the watchdog's time" is MainPID "$main"
  kill -STOP "$main"
  check "the watchdog starts a hung daemon anew" await 120 restarted
  check "the watchdog is logged" logged 'Watchdog timeout'
  check "served again" await 20 troupe status
}

check_stop() {
  troupe create-world live >/dev/null && troupe spawn live run >/dev/null
  troupe watch live --for 600 >$work/watch.txt 2>&1 &
  troupe match run "$sum" --name long --bouts 400 --detach >/dev/null
  sleep 2
  begin
  check "stops" systemctl stop trouped
  seconds=$(($(date +%s) - ${mark%.*}))
  check "within 30 s" [ $seconds -le 30 ]
  echo "told stopped in $seconds s"
  check "without a signal" is Result success
  check "and with status 0" is ExecMainStatus 0
  check "clients are notified" await 20 says 'shutting down' cat $work/watch.txt
  check "a second start" systemctl start trouped
  check "the match continues" says 'long' troupe match list --running
  check "what was kept is there" says '^kept +done' troupe match list
  troupe match cancel long >/dev/null
}

make_certificate() { # NAME
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /etc/troupe/daemon.key -out /etc/troupe/daemon.crt \
    -days 365 -subj "/CN=$1" -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
  chgrp troupe /etc/troupe/daemon.key && chmod 640 /etc/troupe/daemon.key
}

check_tls() {
  cp -a /etc/troupe/trouped.conf $work/plain.conf
  make_certificate first
  cp /etc/troupe/daemon.crt $work/first.crt
  printf 'listen = { tls = true; certificate = "/etc/troupe/daemon.crt"; private_key = "/etc/troupe/daemon.key"; };\n' >/etc/troupe/trouped.conf
  check "a start with TLS" systemctl restart trouped
  check "a client by TLS" troupe --tls --ca $work/first.crt status
  make_certificate second
  begin
  systemctl reload trouped
  await 20 logged 'event=config.reloaded' >/dev/null
  check "the new certificate after a reload" troupe --tls --ca /etc/troupe/daemon.crt status
  check "the old one no more" refused troupe --tls --ca $work/first.crt status
  check "no plain client" refused troupe status
  cp -a $work/plain.conf /etc/troupe/trouped.conf
  check "back to plain" systemctl restart trouped
}

check_journal() {
  check "lines of the journal are structured" says '"MESSAGE":"event=daemon.ready ' journalctl -q -u trouped -o json
  check "it never crashed" refused journalctl -q -u trouped --grep 'status=(11/SEGV|7/BUS|31/SYS)'
}

check_upgrade() {
  begin
  check "the package over itself" dpkg -i $work/troupe.deb
  check "another process" refused is MainPID "$main"
  check "active" systemctl is-active trouped
  check "what was kept is there" says '^kept +done' troupe match list
}

check_after_power() {
  check "active after a cut of power" await 60 systemctl is-active trouped
  check "the match is there" says '^kept +done' troupe match list
  check "the last one too" says '^last +done' troupe match list
  check "the recordings are there" says '^kept +whole' troupe recordings
  check "and sound" troupe verify kept
  check "that of the bout too" troupe verify bout
}

check_removal() {
  check "the package goes" dpkg -r troupe
  check "nothing runs" refused grep -qx trouped /proc/[0-9]*/comm
  check "the catalogue stays" [ -s /var/lib/troupe/catalogue.sqlite ]
  check "it comes back" dpkg -i $work/troupe.deb
  check "active" await 60 systemctl is-active trouped
  check "what was kept is there" says '^kept +done' troupe match list
}

if [ ! -e $work/second ]; then
  touch $work/second
  sync
  for part in start service hardening reload wrong_start lock kill watchdog stop tls journal upgrade; do
    "check_$part"
  done
  check "a last match" troupe match run "$sum" --name last --bouts 2
  echo "end, by a cut of power"
  sleep 1
  [ -w /proc/sysrq-trigger ] && echo o >/proc/sysrq-trigger
  sleep infinity # a container is killed from outside
else
  check_after_power
  check_removal
  echo end
  systemctl poweroff
fi
