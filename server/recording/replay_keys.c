#include "server/recording/replay_keys.h"

#include <stdlib.h>
#include <string.h>

enum { SPACING = 200, COUNT_MAX = 65536 };

tr_replay_keys tr_replay_keys_start(void) {
    return (tr_replay_keys){.spacing = SPACING};
}

void tr_replay_keys_deinit(tr_replay_keys *keys) {
    for (int i = 0; i < keys->count; i++)
        tr_packet_release(keys->key[i].snapshot);
    free(keys->key);
    *keys = tr_replay_keys_start();
}

/* The number of keys at or before `position`. */
static int count_before(const tr_replay_keys *keys, int64_t position) {
    int low = 0, high = keys->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys->key[middle].place.position <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const tr_replay_key *tr_replay_keys_before(const tr_replay_keys *keys, int64_t position) {
    int count = count_before(keys, position);
    return count > 0 ? &keys->key[count - 1] : NULL;
}

bool tr_replay_keys_wants(const tr_replay_keys *keys, int64_t position) {
    if (position % keys->spacing != 0)
        return false;
    const tr_replay_key *before = tr_replay_keys_before(keys, position);
    return !before || before->place.position != position;
}

static void thin_out(tr_replay_keys *keys) {
    int kept = 0;
    keys->spacing *= 2;
    for (int i = 0; i < keys->count; i++) {
        if (keys->key[i].place.position % keys->spacing == 0) {
            keys->key[kept++] = keys->key[i];
            continue;
        }
        keys->bytes -= keys->key[i].snapshot->size;
        tr_packet_release(keys->key[i].snapshot);
    }
    keys->count = kept;
}

static bool make_room(tr_replay_keys *keys, size_t size) {
    while (keys->count > 0 &&
           (keys->bytes + size > TR_REPLAY_KEYS_BYTES_MAX || keys->count >= COUNT_MAX))
        thin_out(keys);
    if (keys->count < keys->capacity)
        return true;
    int capacity = keys->capacity == 0 ? 64 : 2 * keys->capacity;
    tr_replay_key *grown = realloc(keys->key, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    keys->key = grown;
    keys->capacity = capacity;
    return true;
}

void tr_replay_keys_add(tr_replay_keys *keys, const tr_replay_place *place, tr_packet *snapshot) {
    if (!make_room(keys, snapshot->size) || place->position % keys->spacing != 0)
        return;
    int at = count_before(keys, place->position);
    memmove(&keys->key[at + 1], &keys->key[at], (size_t)(keys->count - at) * sizeof *keys->key);
    keys->key[at] = (tr_replay_key){*place, tr_packet_share(snapshot)};
    keys->bytes += snapshot->size;
    keys->count++;
}
