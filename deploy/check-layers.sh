#!/usr/bin/env bash
# Checks the layers by the includes: no file includes a folder above its own, no room includes a later one,
# and each foreign library is included only in its keeper's folder. The build enforces the first rule too; this
# names the file and the line.
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
# may DIR "folders that its files may include"
may() {
  local dir=$1 allowed=" $2 "
  while IFS=: read -r file line text; do
    local target=${text#*\"}
    target=${target%%/*}
    case "$text" in *'"proto/status.h"'* | *'"proto/invariant.h"'* | *'"proto/text.h"'* | *'"proto/option.h"'* | *'"proto/argument.h"'* | *'"proto/suggest.h"'* | *'"proto/bvh.h"'* | *'"proto/text_file.h"'* | *'"proto/sink.h"'* | *'"proto/progress.h"'* | *'"proto/clock.h"'* | *'"proto/json_text.h"'*) continue ;; esac
    if [[ "$allowed" != *" $target "* ]]; then
      echo "$file:$line: $dir may not include $target/ ($text)" >&2
      failures=$((failures + 1))
    fi
  done < <(grep -nHE '^#include "[a-z_0-9]+/' -r "$dir" --include='*.c' --include='*.h' || true)
}
may controllers/math "math"
may controllers/model "math model"
may controllers/physics "math model physics"
may controllers/motion "math model motion"
may controllers/draw "math model motion draw"
may controllers/control "math model physics motion control"
may controllers/learn "math model physics motion control learn"
may controllers/tools "math model physics motion draw control learn tools db"
may db "math model control db"
may proto "proto"
for folder in c examples; do may client/$folder "proto troupe client"; done
may client/cli "math proto troupe client cli"
may client/command "math model physics control proto client"
may client/simulation "troupe model physics control db proto client"
may server "math model physics control db proto server client learn"

# Rooms, in their order: each includes itself and those before it, so that there is no circle. An include of a file
# outside all rooms is an error too.
# rooms DIR "the folder as includes name it" "its rooms"
rooms() {
  local dir=$1 prefix=$2 before="" room
  for room in $3; do
    before="$before $room"
    while IFS=: read -r file line text; do
      local target=${text#*\""$prefix"/}
      target=${target%%[./]*}
      if [[ "$before " != *" $target "* ]]; then
        echo "$file:$line: the room $room comes before $target and may not include it ($text)" >&2
        failures=$((failures + 1))
      fi
    done < <(grep -nHE "^#include \"$prefix/" -r "$dir/$room" --include='*.c' --include='*.h' || true)
  done
  for room in "$dir"/*/; do
    case " $3 migrations " in *" $(basename "$room") "*) ;; *)
      echo "$room: a room without a place in the order of deploy/check-layers.sh" >&2
      failures=$((failures + 1)) ;;
    esac
  done
}
rooms controllers/physics physics "spatial terrain scene kernels collide bodies world"
rooms controllers/motion motion "scan poses measure edit made clips body retarget"
rooms controllers/control control "fields fragments driver parts balance chain gait graph policy recovery scheduler network latent torque stage"
rooms server server "config fleet net access catalogue world recording match training batch session relay web requests daemon"
rooms controllers/learn learn "ranks method rehearsal samcon search measure train graph reconstruct plan gait balance latent schedule distil policy"
rooms controllers/tools tools "frame scenery clips train measure learn graphs gait balance latent schedule policy bundles reproduce character"
rooms db db "store tables bundles"

# A relay is a client of another daemon. Commands mean in the daemon what they mean in mirrors.
while IFS=: read -r file line text; do
  case "$file $text" in *'"client/command/'* | server/relay/*'"client/c/connection.h"'* | server/relay/*'"client/c/key_login.h"'*) continue ;; esac
  echo "$file:$line: only server/relay may include the client's connection and login, and all client/command ($text)" >&2
  failures=$((failures + 1))
done < <(grep -nHE '^#include "client/' -r server --include='*.c' --include='*.h' || true)

# Batches run on ranks as trainings do.
while IFS=: read -r file line text; do
  case "$file $text" in server/batch/*'"learn/ranks/ranks.h"'*) continue ;; esac
  echo "$file:$line: only server/batch may include the ranks of learn ($text)" >&2
  failures=$((failures + 1))
done < <(grep -nHE '^#include "learn/' -r server --include='*.c' --include='*.h' || true)

# keeper HEADER-PATTERN "folders and files"
keeper() {
  local pattern=$1 allowed=$2
  while IFS=: read -r file line text; do
    for folder in $allowed; do [[ "$file" == "$folder" || "$file" == "$folder"/* ]] && continue 2; done
    echo "$file:$line: $pattern belongs to $allowed only" >&2
    failures=$((failures + 1))
  done < <(grep -nHE "^#include <$pattern" -r proto controllers db server client --include='*.c' --include='*.h' || true)
}
keeper 'ode/' "controllers/physics"
keeper 'sqlite3' "db"
keeper '(lapacke|cblas|lbfgs)' "controllers/math"
keeper 'uv\.h' "server client"
keeper '(protobuf-c/|troupe/[a-z]+\.pb-c)' "proto server client"
keeper 'onnx\.pb-c' "controllers/learn/policy/onnx_network.c"
keeper 'mpi\.h' "controllers/learn/ranks/ranks_link_mpi.c"
keeper 'zip\.h' "controllers/motion/scan/npz.c"
keeper 'assimp/' "controllers/motion/clips/scene_assimp.c"
keeper 'libxml/' "controllers/model"
keeper 'http_parser\.h' "server/web/http.c"
keeper 'wslay/' "server/net/websocket.c"
keeper 'curl/' "server/fleet/agones.c"

[ $failures -eq 0 ] || { echo "layers: $failures violations" >&2; exit 1; }
echo "layers: clean"
