/* Control fragments as rows, shared by the controllers that hold the same one. Inside db/ only. */
#pragma once

#include "control/driver/bank.h"
#include "db/store/query.h"

/* The context needed to store and read a fragment. */
typedef struct tr_fragment_context {
    tr_catalogue *catalogue;
    tr_row_id model_id;
    int body_count;
    double step_s;
    tr_action_map action; /* of the policy; not read by get */
    tr_error *error;
} tr_fragment_context;

/* Stores a fragment, or finds the one with its content. The digest covers the model's, step_s and
 * the four blobs. Call within a bracket. */
tr_status tr_fragments_put(const tr_fragment_context *context, const tr_fragment *fragment,
                           tr_row_id *out_id) TR_NODISCARD;

/* Reads a fragment into `out`, which is as made by tr_controller_create: target has room for
 * out->steps steps. It must have the context's model, bodies and step; out_action gets its map.
 * TR_DATA_LOSS: its content does not match its digest. */
tr_status tr_fragments_get(const tr_fragment_context *context, tr_row_id id, tr_fragment *out,
                           tr_action_map *out_action) TR_NODISCARD;

/* Removes fragments that no controller holds, and states that no fragment names. Call within a
 * bracket. */
tr_status tr_fragments_sweep(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
