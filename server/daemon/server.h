/* What sessions and handlers of one daemon share. Everything here belongs to the loop's thread. */
#ifndef TROUPE_SERVER_SERVER_H
#define TROUPE_SERVER_SERVER_H

#include "server/catalogue/catalogue_thread.h"
#include "server/catalogue/library.h"
#include "server/config/tally.h"
#include "server/world/pool.h"

#include <uv.h>

struct tr_gate;
struct tr_bout_recordings;
struct tr_matches;
struct tr_sessions;
struct tr_recordings;
struct tr_worlds;

typedef struct tr_server {
    uv_loop_t *loop;
    tr_pool *pool;
    tr_catalogue_thread *catalogue;
    tr_library *library;
    struct tr_gate *gate;
    struct tr_recordings *recordings;
    struct tr_worlds *worlds;
    struct tr_matches *matches;
    struct tr_bout_recordings *bout_recordings;
    struct tr_sessions *sessions;
    uint64_t started_ns; /* uv_hrtime */
    tr_tally tally;
} tr_server;

#endif
