#include "db/tables/fragments.h"

#include "db/store/encoding.h"
#include "db/store/rows.h"

#include <float.h>

/* The row of a fragment; its blobs are borrowed. */
typedef struct stored_fragment {
    tr_row_id model_id;
    double step_s;
    tr_blob_view targets, policy, start, end;
    tr_digest digest;
    int steps;
} stored_fragment;

/* A state that ends one fragment and begins the next has one row. */
#define STATE_OF "(SELECT id FROM state WHERE seal = substr(?, 17, 8) AND unpack(content) = ?)"

static const tr_table_column columns[] = {
    TR_COLUMN_WITH(stored_fragment, DIGEST, digest, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_WITH(stored_fragment, INT, steps, .low = 1, .high = TR_FRAGMENT_STEPS_MAX,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_AS(stored_fragment, ID, model_id, "model", .noun = TR_NOUN_MODEL),
    TR_COLUMN_WITH(stored_fragment, DOUBLE, step_s, .low = 0, .high = DBL_MAX),
    TR_COLUMN_WITH(stored_fragment, BLOB, targets, .select = "unpack(targets)",
                   .insert = "pack(?)"),
    TR_COLUMN_WITH(stored_fragment, BLOB, policy, .select = "unpack(policy)", .insert = "pack(?)"),
    TR_COLUMN_AS(stored_fragment, BLOB, start, "start_state", .select = "unpack(first.content)",
                 .insert = STATE_OF),
    TR_COLUMN_AS(stored_fragment, BLOB, end, "end_state", .select = "unpack(last.content)",
                 .insert = STATE_OF),
};

static const tr_table fragment_columns =
    TR_TABLE(stored_fragment, "fragment", TR_NOUN_FRAGMENT, columns, .version = "fragment 1",
             .joins = "JOIN state first ON first.id = start_state "
                      "JOIN state last ON last.id = end_state");

/* blob: [4], owned by the caller also after a failure */
static tr_status encode(const tr_fragment_context *context, const tr_fragment *fragment,
                        tr_blob *blob, stored_fragment *out) {
    int bodies = context->body_count;
    tr_error *error = context->error;
    tr_status status =
        tr_encoding_put_targets(fragment->target, fragment->steps, bodies, &blob[0], error);
    if (!status)
        status = tr_encoding_put_policy(&fragment->policy, &context->action, &blob[1], error);
    if (!status)
        status = tr_encoding_put_state(&fragment->start, bodies, &blob[2], error);
    if (!status)
        status = tr_encoding_put_state(&fragment->end, bodies, &blob[3], error);
    *out = (stored_fragment){.model_id = context->model_id,
                             .step_s = context->step_s,
                             .steps = fragment->steps,
                             .targets = tr_blob_look(&blob[0]),
                             .policy = tr_blob_look(&blob[1]),
                             .start = tr_blob_look(&blob[2]),
                             .end = tr_blob_look(&blob[3])};
    return status;
}

static tr_status decode(const tr_fragment_context *context, const stored_fragment *stored,
                        tr_fragment *out, tr_action_map *out_action) {
    int bodies = context->body_count;
    tr_error *error = context->error;
    tr_status status =
        tr_encoding_get_targets(stored->targets, out->steps, bodies, out->target, error);
    if (!status)
        status = tr_encoding_get_policy(stored->policy, &out->policy, out_action, error);
    if (!status)
        status = tr_encoding_get_state(stored->start, bodies, &out->start, error);
    if (!status)
        status = tr_encoding_get_state(stored->end, bodies, &out->end, error);
    return status;
}

/* --- put --- */

/* Stores a state unless it is there. */
static tr_status put_state(tr_catalogue *catalogue, tr_blob_view state, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO state (seal, content) SELECT substr(?1, 17, 8), pack(?1) WHERE NOT EXISTS "
        "(SELECT 1 FROM state WHERE seal = substr(?1, 17, 8) AND unpack(content) = ?1)",
        error);
    tr_query_bind_blob(&query, state.data, state.size);
    return tr_query_end_run(&query);
}

static tr_status insert(const tr_fragment_context *context, const stored_fragment *stored,
                        tr_row_id *out_id) {
    tr_status status = put_state(context->catalogue, stored->start, context->error);
    if (!status)
        status = put_state(context->catalogue, stored->end, context->error);
    return status ? status
                  : tr_columns_insert(context->catalogue, &fragment_columns, stored, out_id,
                                      context->error);
}

tr_status tr_fragments_put(const tr_fragment_context *context, const tr_fragment *fragment,
                           tr_row_id *out_id) {
    tr_blob blob[4] = {{0}};
    stored_fragment stored;
    tr_row_id id = 0;
    tr_status status = encode(context, fragment, blob, &stored);
    if (!status)
        status = tr_rows_digest_alone(context->catalogue, &fragment_columns, &stored,
                                      &stored.digest, context->error);
    if (!status)
        status = tr_rows_find_digest(context->catalogue, TR_NOUN_FRAGMENT, &stored.digest, &id,
                                     context->error);
    if (!status && !id)
        status = insert(context, &stored, &id);
    for (int i = 0; i < 4; i++)
        tr_blob_deinit(&blob[i]);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get --- */

static tr_status read_fragment(const tr_fragment_context *context, tr_query *query,
                               tr_fragment *out, tr_action_map *out_action) {
    stored_fragment stored;
    tr_digest content = {{0}};
    tr_columns_read(query, &fragment_columns, &stored);
    if (query->status)
        return query->status;
    if (stored.model_id != context->model_id || stored.step_s != context->step_s ||
        stored.steps > out->steps)
        return tr_fail(query->error, TR_DATA_LOSS, "fragment: of another model, step or length");
    out->steps = stored.steps;
    tr_status status = tr_rows_digest_alone(context->catalogue, &fragment_columns, &stored,
                                            &content, query->error);
    if (!status && !tr_digest_equal(&stored.digest, &content))
        status =
            tr_fail(query->error, TR_DATA_LOSS, "fragment: its content does not match its digest");
    return status ? status : decode(context, &stored, out, out_action);
}

tr_status tr_fragments_get(const tr_fragment_context *context, tr_row_id id, tr_fragment *out,
                           tr_action_map *out_action) {
    tr_query query = tr_columns_select(context->catalogue, &fragment_columns,
                                       "WHERE fragment.id = ?", context->error);
    tr_query_bind_int(&query, id);
    if (tr_query_next(&query))
        query.status = read_fragment(context, &query, out, out_action);
    else
        tr_query_fail(&query, TR_DATA_LOSS, "fragment: missing");
    return tr_query_end(&query);
}

tr_status tr_fragments_sweep(tr_catalogue *catalogue, tr_error *error) {
    tr_status status = tr_database_exec(
        catalogue->db,
        "DELETE FROM fragment WHERE id NOT IN (SELECT fragment FROM controller_fragment)", error);
    if (status)
        return status;
    return tr_database_exec(
        catalogue->db,
        "DELETE FROM state WHERE id NOT IN "
        "(SELECT start_state FROM fragment UNION SELECT end_state FROM fragment)",
        error);
}
