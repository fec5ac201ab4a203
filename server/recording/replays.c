#include "server/recording/replays.h"

#include "model/name.h"

#include <assert.h>

void tr_replays_add(tr_replays *replays, const tr_shown *shown, const char *name) {
    assert(replays->count < TR_WORLD_PLACES);
    tr_shown *added = &replays->shown[replays->count++];
    *added = *shown;
    added->recording = tr_recording_share(shown->recording);
    tr_name_set(added->name, name);
}

const tr_shown *tr_replays_find(const tr_replays *replays, uint32_t world) {
    for (int i = 0; i < replays->count; i++)
        if (replays->shown[i].world == world)
            return &replays->shown[i];
    return NULL;
}

void tr_replays_remove(tr_replays *replays, uint32_t world) {
    const tr_shown *shown = tr_replays_find(replays, world);
    if (!shown)
        return;
    tr_recordings_give_back(replays->recordings, tr_recording_describe(shown->recording)->size);
    tr_recording_release(shown->recording);
    replays->shown[shown - replays->shown] = replays->shown[--replays->count];
}
