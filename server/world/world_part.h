/* Parts of a world loop: extensions that are called around the steps and commands of a world. A
 * recorder, the referee of a match and the publisher of states are parts; the loop knows them only
 * by this table.
 *
 * A part is a struct whose first member is a tr_world_part. The loop calls its parts in the order in
 * which they were added, and owns them. Functions may be NULL. For the world's thread. */
#pragma once

#include "server/world/command.h"

typedef struct tr_world_part tr_world_part;
struct tr_world_info;

typedef struct tr_world_part_kind {
    const char *name; /* no two parts of one loop have the same kind */

    /* Called before a step; after the stage has stepped, before faults are handled; and when the
     * world has reached `tick` and the events of the step are known: those of loop->events from
     * `first_event` on. */
    void (*before_step)(tr_world_part *part, struct tr_world_loop *loop);
    void (*stepped)(tr_world_part *part, struct tr_world_loop *loop);
    void (*after_step)(tr_world_part *part, struct tr_world_loop *loop, int64_t tick,
                       int first_event);

    /* May this command apply? If not, `error` says why. */
    tr_status (*may_apply)(const tr_world_part *part, const tr_command *command, tr_error *error);
    /* A command has applied, or has failed. */
    void (*applied)(tr_world_part *part, struct tr_world_loop *loop, const tr_command *command,
                    const tr_reply *result);
    /* May the client that joined with this order number act on a character that it does not own? */
    bool (*commands)(const tr_world_part *part, uint64_t order, tr_entity_id entity);

    /* The state has changed, or must be shown, without a step. */
    void (*refresh)(tr_world_part *part);

    /* Called at the end of a turn; returns the time of the next turn that the part needs, at most
     * `next_ns`. */
    int64_t (*end_turn)(tr_world_part *part, struct tr_world_loop *loop, int64_t now_ns,
                        int64_t next_ns);
    void (*describe)(const tr_world_part *part, struct tr_world_info *out);
    void (*close)(tr_world_part *part, struct tr_world_loop *loop); /* the world ends */
    void (*destroy)(tr_world_part *part);                           /* NULL: it is freed as it is */
} tr_world_part_kind;

struct tr_world_part {
    const tr_world_part_kind *kind;
    tr_world_part *next;
};
