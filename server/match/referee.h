/* A referee: the bout of a match in a hosted world, as a part of the world's loop.
 *
 * It judges around each step, on the world's thread; the bout is the same code as a headless one
 * (bout.h) and gives the same bits. The referee keeps the world to itself: clients watch, pause,
 * record and take snapshots, and command the characters of the external team whose order number they
 * joined with, and nothing else. What the rules do goes the way of a client's command, so that a
 * recording, whose replay knows no referee, holds it. When the bout has ended the result is reported
 * once, and a world in real time stands still. */
#ifndef TROUPE_SERVER_REFEREE_H
#define TROUPE_SERVER_REFEREE_H

#include "server/match/bout.h"

typedef struct tr_referee_def {
    const tr_match_def *match; /* copied; what it points to outlives the world */
    uint64_t seed;
    /* On the world's thread; must not block or call back. */
    void (*ended)(void *context, int64_t ticket, const tr_bout_result *result);
    void *context;
    int64_t ticket;
} tr_referee_def;

/* For tr_world_loop_def.populate: puts the teams on the stage, labelled "team 1", "team 2", ... of
 * each team, and a referee among the parts. A bout that cannot begin has ended: void. def: a
 * tr_referee_def. TR_RESOURCE_EXHAUSTED. */
tr_status tr_referee_populate(void *def, tr_world_loop *loop) TR_NODISCARD;

#endif
