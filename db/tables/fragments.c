#include "db/tables/fragments.h"

#include "db/store/encoding.h"
#include "db/store/rows.h"

/* A fragment's four blobs, owned ... */
typedef struct fragment_blobs {
    tr_blob targets, policy, start, end;
} fragment_blobs;

/* ... or borrowed. */
typedef struct fragment_views {
    tr_blob_view targets, policy, start, end;
} fragment_views;

static fragment_views look(const fragment_blobs *blobs) {
    return (fragment_views){tr_blob_look(&blobs->targets), tr_blob_look(&blobs->policy),
                            tr_blob_look(&blobs->start), tr_blob_look(&blobs->end)};
}

static void deinit_blobs(fragment_blobs *blobs) {
    tr_blob_deinit(&blobs->targets);
    tr_blob_deinit(&blobs->policy);
    tr_blob_deinit(&blobs->start);
    tr_blob_deinit(&blobs->end);
}

static tr_status encode(const tr_fragment_context *context, const tr_fragment *fragment,
                        fragment_blobs *out) {
    int bodies = context->body_count;
    tr_error *error = context->error;
    tr_status status =
        tr_encoding_put_targets(fragment->target, fragment->steps, bodies, &out->targets, error);
    if (!status)
        status = tr_encoding_put_policy(&fragment->policy, &context->action, &out->policy, error);
    if (!status)
        status = tr_encoding_put_state(&fragment->start, bodies, &out->start, error);
    if (!status)
        status = tr_encoding_put_state(&fragment->end, bodies, &out->end, error);
    return status;
}

static tr_status decode(const tr_fragment_context *context, const fragment_views *views,
                        tr_fragment *out, tr_action_map *out_action) {
    int bodies = context->body_count;
    tr_error *error = context->error;
    tr_status status =
        tr_encoding_get_targets(views->targets, out->steps, bodies, out->target, error);
    if (!status)
        status = tr_encoding_get_policy(views->policy, &out->policy, out_action, error);
    if (!status)
        status = tr_encoding_get_state(views->start, bodies, &out->start, error);
    if (!status)
        status = tr_encoding_get_state(views->end, bodies, &out->end, error);
    return status;
}

static tr_status digest_views(const tr_fragment_context *context, const fragment_views *views,
                              tr_digest *out) {
    tr_digest model;
    tr_status status = tr_rows_digest(context->catalogue, TR_NOUN_MODEL, context->model_id, &model,
                                      context->error);
    if (status)
        return status;
    tr_digest_writer writer = tr_digest_begin("fragment 1");
    tr_digest_add_digest(&writer, &model);
    tr_digest_add_double(&writer, context->step_s);
    tr_digest_add_blob(&writer, views->targets.data, views->targets.size);
    tr_digest_add_blob(&writer, views->policy.data, views->policy.size);
    tr_digest_add_blob(&writer, views->start.data, views->start.size);
    tr_digest_add_blob(&writer, views->end.data, views->end.size);
    status = tr_digest_end(&writer, out);
    return status ? tr_fail(context->error, status, "fragment: no memory for its digest") : TR_OK;
}

/* --- put --- */

static tr_status match(const tr_fragment_context *context, const tr_digest *digest,
                       tr_row_id *out_id) {
    tr_query query = tr_query_begin(context->catalogue, "SELECT id FROM fragment WHERE digest = ?",
                                    context->error);
    tr_query_bind_digest(&query, digest);
    *out_id = tr_query_next(&query) ? tr_query_id(&query) : 0;
    return tr_query_end(&query);
}

/* The row of a state: the one with this content, or a new one. */
static tr_status put_state(tr_catalogue *catalogue, tr_blob_view state, tr_row_id *out_id,
                           tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "SELECT id FROM state WHERE seal = substr(?1, 17, 8) AND unpack(content) = ?1",
        error);
    tr_query_bind_blob(&query, state.data, state.size);
    *out_id = tr_query_next(&query) ? tr_query_id(&query) : 0;
    tr_status status = tr_query_end(&query);
    if (status || *out_id)
        return status;
    query = tr_query_begin(
        catalogue, "INSERT INTO state (seal, content) VALUES (substr(?1, 17, 8), pack(?1))", error);
    tr_query_bind_blob(&query, state.data, state.size);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

static tr_status insert(const tr_fragment_context *context, int steps, const fragment_views *views,
                        const tr_digest *digest, tr_row_id *out_id) {
    tr_row_id start = 0, end = 0;
    tr_status status = put_state(context->catalogue, views->start, &start, context->error);
    if (!status)
        status = put_state(context->catalogue, views->end, &end, context->error);
    if (status)
        return status;
    tr_query query =
        tr_query_begin(context->catalogue,
                       "INSERT INTO fragment (digest, model, steps, step_s, targets, policy, "
                       "start_state, end_state) "
                       "VALUES (?, ?, ?, ?, pack(?), pack(?), ?, ?)",
                       context->error);
    tr_query_bind_digest(&query, digest);
    tr_query_bind_int(&query, context->model_id);
    tr_query_bind_int(&query, steps);
    tr_query_bind_double(&query, context->step_s);
    tr_query_bind_blob(&query, views->targets.data, views->targets.size);
    tr_query_bind_blob(&query, views->policy.data, views->policy.size);
    tr_query_bind_id(&query, start);
    tr_query_bind_id(&query, end);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(context->catalogue->db);
    return tr_query_end(&query);
}

tr_status tr_fragments_put(const tr_fragment_context *context, const tr_fragment *fragment,
                           tr_row_id *out_id) {
    fragment_blobs blobs = {0};
    tr_digest digest;
    tr_row_id id = 0;
    tr_status status = encode(context, fragment, &blobs);
    fragment_views views = look(&blobs);
    if (!status)
        status = digest_views(context, &views, &digest);
    if (!status)
        status = match(context, &digest, &id);
    if (!status && !id)
        status = insert(context, fragment->steps, &views, &digest, &id);
    deinit_blobs(&blobs);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get --- */

static tr_status read_fragment(const tr_fragment_context *context, tr_query *query,
                               tr_fragment *out, tr_action_map *out_action) {
    tr_digest kept = tr_query_digest(query);
    tr_row_id model_id = tr_query_id(query);
    out->steps = tr_query_int(query, 1, out->steps);
    double step_s = tr_query_double(query);
    fragment_views views;
    views.targets = tr_query_blob(query);
    views.policy = tr_query_blob(query);
    views.start = tr_query_blob(query);
    views.end = tr_query_blob(query);
    if (query->status)
        return query->status;
    if (model_id != context->model_id || step_s != context->step_s)
        return tr_fail(query->error, TR_DATA_LOSS, "fragment: of another model or step");
    tr_digest content = {{0}};
    tr_status status = digest_views(context, &views, &content);
    if (!status && !tr_digest_equal(&kept, &content))
        status =
            tr_fail(query->error, TR_DATA_LOSS, "fragment: its content does not match its digest");
    return status ? status : decode(context, &views, out, out_action);
}

tr_status tr_fragments_get(const tr_fragment_context *context, tr_row_id id, tr_fragment *out,
                           tr_action_map *out_action) {
    tr_query query = tr_query_begin(
        context->catalogue,
        "SELECT f.digest, f.model, f.steps, f.step_s, unpack(f.targets), unpack(f.policy), "
        "unpack(s.content), unpack(e.content) FROM fragment f "
        "JOIN state s ON s.id = f.start_state JOIN state e ON e.id = f.end_state WHERE f.id = ?",
        context->error);
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
