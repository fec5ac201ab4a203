/* The services that the handlers of one daemon share. Everything here belongs to the event loop's
 * thread. */
#pragma once

#include "server/access/gate.h"
#include "server/catalogue/library.h"
#include "server/config/tally.h"
#include "server/match/bout_recordings.h"
#include "server/match/matches.h"
#include "server/recording/replays.h"
#include "server/relay/relay.h"
#include "server/session/session.h"
#include "server/training/trainings.h"
#include "server/world/worlds.h"

typedef struct tr_server {
    uv_loop_t *loop;
    tr_task_pool *pool;
    tr_catalogue_thread *catalogue;
    tr_library *library;
    tr_gate *gate;
    tr_recordings *recordings;
    tr_replays replays;
    tr_worlds *worlds;
    tr_matches *matches;
    tr_bout_recordings *bout_recordings;
    tr_trainings *trainings;
    tr_sessions *sessions;
    tr_relay *relay;     /* NULL: it has worlds of its own */
    uint64_t started_ns; /* uv_hrtime */
    tr_tally tally;
} tr_server;
