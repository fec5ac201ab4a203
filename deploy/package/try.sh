#!/usr/bin/env bash
# Unpacks the packages of a folder into a separate root and tries what is in them.
# Usage: deploy/package/try.sh FOLDER
set -euo pipefail
folder=$1
root=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true; rm -rf "$root"' EXIT
fail() { echo "package: $*" >&2; exit 1; }

for package in troupe libtroupe0 libtroupe-dev python3-troupe; do
  file=$(find "$folder" -maxdepth 1 -name "${package}_*.deb")
  [ -f "$file" ] || fail "no package $package"
  dpkg -x "$file" "$root"
  dpkg-deb -f "$file" Depends | grep -q . || fail "$package depends on nothing"
done
share=$root/usr/share/troupe
for path in usr/bin/trouped usr/bin/troupe usr/bin/troupe-train usr/bin/troupe-bouts usr/lib/systemd/system/trouped.service usr/lib/sysusers.d/troupe.conf \
    usr/lib/tmpfiles.d/troupe.conf etc/troupe/trouped.conf usr/share/man/man8/trouped.8.gz usr/share/man/man1/troupe.1.gz \
    usr/share/man/man1/troupe-train.1.gz usr/share/man/man1/troupe-bouts.1.gz usr/share/man/man5/trouped.conf.5.gz usr/share/bash-completion/completions/troupe \
    usr/share/troupe/models/humanoid.xml usr/share/troupe/skeletons/cmu.json usr/share/troupe/shipped.troupe usr/share/troupe/matches/sumo.match \
    usr/include/troupe/client.h usr/include/troupe/world.h usr/include/troupe/status.h; do
  [ -s "$root/$path" ] || fail "$path is missing"
done
if strings "$root/usr/bin/trouped" "$root/usr/bin/troupe-train" "$root/usr/bin/troupe-bouts" | grep -F "$(cd "$(dirname "$0")/../.." && pwd)/controllers" >/dev/null; then
  fail "a program names the folder it was built in"
fi

"$root/usr/bin/trouped" --check-config "$root/etc/troupe/trouped.conf"
"$root/usr/bin/troupe-train" help >/dev/null
"$root/usr/bin/trouped" --listen 127.0.0.1:0 --web-listen 127.0.0.1:0 --port-file "$root/port" --web-port-file "$root/web-port" \
  --state-dir "$root/state" --shipped "$share/shipped.troupe" --web-root "$([ -d "$share/web" ] && echo "$share/web" || echo none)" 2>"$root/log" &
daemon=$!
# The first start imports the shipped controllers, which takes long on a busy machine.
for _ in $(seq 1200); do [ -s "$root/port" ] && break; kill -0 "$daemon" 2>/dev/null || break; sleep 0.1; done
[ -s "$root/port" ] || { cat "$root/log"; fail "the daemon did not start"; }
troupe() { "$root/usr/bin/troupe" --port "$(cat "$root/port")" "$@"; }
troupe controllers >/dev/null
troupe create-world arena >/dev/null
troupe spawn arena run --label runner >/dev/null
troupe push arena runner 0,120,0 >/dev/null
/usr/bin/python3 - "$(cat "$root/web-port")" <<'PY'
import sys
import urllib.request
for path in "/", "/readyz", "/metrics":
    with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}{path}", timeout=10) as response:
        assert response.status == 200, path
PY
PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 - "$(cat "$root/port")" <<'PY'
import importlib.util
import sys
from troupe import Client, requests
with Client(port=int(sys.argv[1])) as client:
    assert client.ask(requests.get_controller("run")).fragment_count > 0
if importlib.util.find_spec("numpy"):  # only recommended
    from troupe.envs import CharacterEnv
    with CharacterEnv("run", port=int(sys.argv[1])) as env:
        env.reset(seed=1)
        assert env.step(env.action_space.sample())[1] == 1
PY
kill -TERM "$daemon"
wait "$daemon" || fail "the daemon did not end cleanly"
daemon=
echo "package: installed files run"
