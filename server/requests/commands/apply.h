/* Functions that several commands use when they apply. */
#pragma once

#include "server/world/world_loop.h"

static inline tr_world *tr_apply_world(tr_world_loop *loop) {
    return tr_stage_world(loop->stage);
}

/* TR_NOT_FOUND: "entity 3: no such character in this world". */
tr_status tr_apply_no_entity(tr_reply *result, tr_entity_id entity, const char *what) TR_NODISCARD;

/* Returns the status, with its text and the refused field. */
tr_status tr_apply_status(tr_reply *result, tr_status status, const char *what) TR_NODISCARD;

/* The same for items of which a world has at most `most`: TR_RESOURCE_EXHAUSTED names that
 * limit. */
tr_status tr_apply_status_of_limit(tr_reply *result, tr_status status, const char *what,
                                   int most) TR_NODISCARD;

/* Does a controller (NULL: none) fit this model and this world's step? Its targets are made for one
 * step; another step would give another motion. TR_FAILED_PRECONDITION: no. */
tr_status tr_apply_check_fit(const tr_world_loop *loop, const tr_controller *controller,
                             const tr_model *model, tr_reply *result) TR_NODISCARD;

/* Puts the hash of the state into a successful result. */
void tr_apply_hash(const tr_world_loop *loop, tr_status status, tr_reply *result);
