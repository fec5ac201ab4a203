#include "server/daemon/drain.h"

bool tr_drain_begin(tr_drain *drain, tr_worlds *worlds, int seconds, uint64_t now_ms) {
    if (seconds == 0 || tr_worlds_count(worlds) == 0)
        return false;
    *drain = (tr_drain){true, now_ms + 1000 * (uint64_t)seconds};
    tr_worlds_drain(worlds);
    return true;
}
