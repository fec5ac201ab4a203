/* What the clients know of the daemon, and what it has promised them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <troupe/envelope.pb-c.h>

enum { NAMES = 4, ENTITY_MAX = 6, WORLDS = 16 };

typedef enum presence { UNKNOWN, KEPT, GONE } presence;

/* A match or a recording that is stored, or was removed. A request that was sent may or may not
 * have happened until it is answered, or the daemon's life ends. */
typedef struct promise {
    presence presence;
    int additions, removals;      /* without an answer */
    int64_t added_ns, removed_ns; /* when one was sent or answered last */
    /* of a match, as a client has heard */
    int64_t created_ns, heard_ns;
    uint64_t results_hash; /* 0: not heard since it has ended */
    uint32_t bouts_done;
    int state;
    uint64_t size; /* of a recording's file that was uploaded; 0: another one */
} promise;

typedef struct sim_model {
    promise match[NAMES], recording[NAMES];
    struct {
        uint32_t world;
        int recording; /* -1: none */
    } made[WORLDS];
    int made_count;
    uint32_t world[WORLDS];
    int world_count;
    uint32_t replay[4 * WORLDS]; /* the newest worlds that replay a recording */
    unsigned replay_count;
    uint8_t *snapshot, *record; /* of a world; a recording's file */
    size_t snapshot_size, record_size;
    uint64_t snapshot_hash;
    bool light; /* an hour of service: all worlds in real time, and few requests */
} sim_model;
extern sim_model model;

/* Of a name like "m2"; -1: another one. */
int number_of(const char *name);

/* A request of any row; draw_change: a command that changes what is in a world. Good until the next
 * draw. */
void draw_request(Troupe__ClientMessage *out);
void draw_change(Troupe__Command *out);
void draw_match(Troupe__StartMatch *out); /* gives it a match */
