/* The worlds of the daemon: a table of hosted worlds by id, which distributes their output.
 *
 * For the event loop's thread only, except the notification that a world has output. A world being
 * destroyed is no longer found; its slot is free once its thread has released it. */
#pragma once

#include "server/world/hosted_world.h"
#include "server/world/subscription.h"

#include <uv.h>

typedef struct tr_worlds tr_worlds;

/* The services that worlds use, and their calls back. */
typedef struct tr_worlds_def {
    uv_loop_t *loop;
    tr_task_pool *pool;
    tr_library *library; /* worlds hold items of it */
    tr_tally *tally;
    const tr_command_table *commands; /* that clients can send */

    const char *state_dir; /* gets the evidence of failed worlds */
    double step_limit_s;   /* of processor time: a world of which a step takes more ends; 0: none */
    double world_share;    /* of a processor, for a real-time world; 0: no limit */
    /* The same for all real-time worlds that an account has made. */
    double (*key_share)(void *context, uint64_t account);
    /* A command was answered; the reply is valid during the call. */
    void (*replied)(void *context, const tr_reply *reply);
    void (*closed)(void *context, uint32_t world); /* the world no longer exists */
    void *context;
} tr_worlds_def;

/* TR_RESOURCE_EXHAUSTED. */
tr_status tr_worlds_create(const tr_worlds_def *def, tr_worlds **out) TR_NODISCARD;

/* From now on no worlds are added: tr_worlds_add and tr_worlds_check_drain return TR_UNAVAILABLE.
 * Existing ones continue. */
void tr_worlds_drain(tr_worlds *worlds);
tr_status tr_worlds_check_drain(const tr_worlds *worlds, tr_error *error) TR_NODISCARD;

/* Closes every world; `closed` is called once, when the last one has ended. */
void tr_worlds_close(tr_worlds *worlds, void (*closed)(void *context), void *context);

/* Call after the pool has ended and the event loop has closed its handles. NULL is allowed. */
void tr_worlds_destroy(tr_worlds *worlds);

/* Makes a world for an account (0: none); sets def->id and the members that all worlds share.
 * Worlds that still close are not counted, unless there are TR_WORLDS_MAX of them too.
 * TR_ALREADY_EXISTS: the name is taken; TR_RESOURCE_EXHAUSTED: TR_WORLDS_MAX; TR_UNAVAILABLE: see
 * tr_worlds_drain. */
tr_status tr_worlds_add(tr_worlds *worlds, tr_world_loop_def *def, uint64_t maker, tr_hosted **out,
                        tr_error *error) TR_NODISCARD;

/* The number of worlds that an account has made, and of its sessions' characters in all worlds. */
int tr_worlds_made_by(const tr_worlds *worlds, uint64_t account);
int tr_worlds_owned_by(const tr_worlds *worlds, uint64_t account);

/* A session has ended: the worlds that it owns are kept or end with their leases (ownership.h), and
 * those that it holds move on. */
void tr_worlds_session_left(tr_worlds *worlds, uint64_t session);

/* The lease of a world that is destroyed with its owner begins, unless it has. */
void tr_worlds_begin_lease(tr_worlds *worlds, tr_hosted *hosted);

/* tr_move_hold for this time; sets def->ends_ms. */
tr_status tr_worlds_hold(tr_worlds *worlds, tr_hosted *hosted, tr_hold_def *def, double seconds,
                         tr_error *error) TR_NODISCARD;

/* Destroys a world that continues at `to`, "host:port"; statuses of tr_move_may_leave. */
tr_status tr_worlds_move_away(tr_worlds *worlds, tr_hosted *hosted, uint64_t session,
                              const char *to, tr_error *error) TR_NODISCARD;

/* The worlds that have moved away, the newest last; returns their number. */
int tr_worlds_moved(const tr_worlds *worlds, tr_moved out[TR_MOVED_KEPT]);

/* Charges the real-time worlds of each account to its budget, for the time since the last call. Those of
 * an account beyond it come after all other worlds until the next call. Call it each second. */
void tr_worlds_charge(tr_worlds *worlds);

/* Is every world that still closes in the middle of a turn? */
bool tr_worlds_are_in_turns(const tr_worlds *worlds);

tr_hosted *tr_worlds_find(tr_worlds *worlds, uint32_t id);             /* NULL: not found */
tr_hosted *tr_worlds_find_called(tr_worlds *worlds, const char *name); /* NULL: not found */
int tr_worlds_count(const tr_worlds *worlds);

/* The lateness of the ticks of all real-time worlds, those that have ended included. */
tr_lateness tr_worlds_lateness(const tr_worlds *worlds);

/* By slot, 0 to TR_WORLDS_MAX - 1; NULL: none. */
tr_hosted *tr_worlds_at(const tr_worlds *worlds, int index);

/* The table, and the world whose turn it is. */
void tr_worlds_must_hold(tr_worlds *worlds, uint64_t turn, tr_invariant *broken);
