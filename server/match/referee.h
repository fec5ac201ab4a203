/* A referee: the bout of a match in a hosted world, as a part of the world's loop.
 *
 * It judges before and after each step, on the world's thread. The bout runs the same code as a
 * headless one (bout.h) and gives the same bits. Clients may watch, pause, record, take snapshots,
 * and command the characters of the external team whose order number they joined with; the referee
 * refuses everything else. Rules act through commands like a client's, so that a recording contains
 * their actions: its replay knows no referee. When the bout has ended, the result is reported once,
 * and a real-time world stands still. */
#pragma once

#include "server/match/bout.h"

typedef struct tr_referee_def {
    const tr_match_def *match; /* copied; its models and controllers must outlive the world */
    uint64_t seed;
    /* On the world's thread; must not block or call back. */
    void (*ended)(void *context, int64_t ticket, const tr_bout_result *result);
    void *context;
    int64_t ticket;
} tr_referee_def;

/* For tr_world_loop_def.populate: puts the teams on the stage, their members labelled with the
 * team's name and a number ("red 1", "red 2", ...), and adds a referee to the parts. A bout that
 * cannot begin ends void. def: a tr_referee_def. TR_RESOURCE_EXHAUSTED. */
tr_status tr_referee_populate(void *def, tr_world_loop *loop) TR_NODISCARD;
