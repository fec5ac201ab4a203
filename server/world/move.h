/* A world on its way to another daemon: held at its source, arriving at its target. A mover, a
 * client of both, makes the steps; the daemons do not speak to each other.
 *
 *     source   OPEN -- 1 hold --> HELD -- 5 destroy, by the holder --> gone
 *                ^                  |
 *                +-- the holder's session ends, or the hold's time is over
 *
 *     target   2 create --> ARRIVING, leased -- 4 claim, keep --> ARRIVING, kept -- 6 start --> runs
 *                             | 3 restore             (a world that arrives takes no step)
 *                             +-- the lease, which counts from 2, is over --> gone
 *
 * What is where if a party is lost after a step and before the next one has been done:
 *
 *   after        mover, or its line to the source   target killed       source killed
 *   1 hold       source runs                        source runs         lost, as all its worlds
 *   2 create     source runs; copy ends by lease    source runs         copy ends by lease
 *   3 restore    source runs; copy ends by lease    source runs         copy ends by lease
 *   4 claim      source runs; copy stays            source runs         copy stays: start it
 *   5 destroy    copy stays: start it               lost, as all its    copy stays: start it
 *                                                   worlds
 *   6 start      target runs                        lost                target runs
 *
 * A party that stops or is cut off is like one that is killed until it returns: its hold ends, and
 * so a late step 5 is refused. Two copies never run, because a copy starts only after its source is
 * gone, and a source that is gone never returns. Between 4 and 6 the target cannot know whether its
 * source is gone, so its copy neither starts nor ends by itself: the loser of nothing is the one
 * that waits. Each client that has asked the source can finish (6) or drop it; `troupe move-world`,
 * run again, does. */
#pragma once

#include "server/world/command.h"

typedef struct tr_hosted tr_hosted;

/* Of a hosted world; the event loop's. */
typedef struct tr_move {
    uint64_t holder;        /* session that holds it; 0: OPEN */
    uint64_t ends_ms;       /* HELD: by the loop's clock; else 0 */
    tr_command *release;    /* HELD: ends the hold without needing memory; owned */
    char hold[TR_NAME_MAX]; /* HELD: names it, among all holds of all daemons */
    char from[TR_NAME_MAX]; /* the hold on the daemon that it is from; "": made here */
    bool arriving;
} tr_move;

/* A world that has moved away. */
typedef struct tr_moved {
    char name[TR_NAME_MAX], to[TR_NAME_MAX], hold[TR_NAME_MAX];
} tr_moved;

/* A hold that a session wants: of this name, which no other hold has, until this time. */
typedef struct tr_hold_def {
    uint64_t session, ends_ms;
    char name[TR_NAME_MAX];
} tr_hold_def;

/* HELD from now on; the command that lets the world stand still is to be posted next.
 * TR_UNAVAILABLE: it is held, or arriving; TR_RESOURCE_EXHAUSTED. */
tr_status tr_move_hold(tr_hosted *hosted, const tr_hold_def *def, tr_error *error) TR_NODISCARD;

/* OPEN again, and the world moves on, if this session holds it. */
void tr_move_release(tr_hosted *hosted, uint64_t session);

/* May the session destroy it as moved? TR_FAILED_PRECONDITION: it does not hold it. */
tr_status tr_move_may_leave(tr_hosted *hosted, uint64_t session, tr_error *error) TR_NODISCARD;

/* Starts a world that arrives from there; no effect if it has started. TR_FAILED_PRECONDITION: it is
 * from elsewhere; TR_RESOURCE_EXHAUSTED. */
tr_status tr_move_start(tr_hosted *hosted, const char *from, tr_error *error) TR_NODISCARD;

/* The commands that end a hold of this session, and that start a world; NULL: no memory. */
tr_command *tr_move_release_create(uint64_t session);
tr_command *tr_move_start_create(void);
