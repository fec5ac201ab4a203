#include "server/access/lockout.h"

#include "server/net/bucket.h"
#include "server/net/peers.h"

#include <stdlib.h>

/* A set-associative table: a key has WAYS places, found by its hash. */
enum { SETS = 1024, WAYS = 4 };

typedef struct entry {
    uint64_t key; /* 0: free */
    tr_bucket bucket;
} entry;

struct tr_lockout {
    entry account[SETS][WAYS], address[SETS][WAYS];
};

tr_status tr_lockout_create(tr_lockout **out) {
    tr_lockout *lockout = calloc(1, sizeof *lockout);
    if (!lockout)
        return TR_RESOURCE_EXHAUSTED;
    *out = lockout;
    return TR_OK;
}

void tr_lockout_destroy(tr_lockout *lockout) {
    free(lockout);
}

/* The key's entry; if missing, a new one replaces the entry that has been unused longest. */
static entry *find(entry table[SETS][WAYS], uint64_t key) {
    entry *set = table[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
    entry *oldest = &set[0];
    for (int i = 0; i < WAYS; i++) {
        if (set[i].key == key)
            return &set[i];
        if (set[i].bucket.at_ms < oldest->bucket.at_ms)
            oldest = &set[i];
    }
    *oldest = (entry){.key = key};
    return oldest;
}

static bool count(entry table[SETS][WAYS], uint64_t key, int per_window, uint64_t now_ms) {
    double per_s = per_window * 1e3 / TR_GUESS_WINDOW_MS;
    return !tr_bucket_take(&find(table, key)->bucket, per_window, per_s, 1, now_ms);
}

bool tr_lockout_count(tr_lockout *lockout, uint64_t account, const char *address, uint64_t now_ms) {
    bool locked = count(lockout->address, tr_peer_key(address), TR_GUESSES_PER_ADDRESS, now_ms);
    if (account != 0 && count(lockout->account, account, TR_GUESSES_PER_ACCOUNT, now_ms))
        locked = true;
    return locked;
}
