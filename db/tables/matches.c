#include "db/tables/matches.h"

#include "db/store/rows.h"

#include <stdlib.h>
#include <string.h>

/* A row to be stored. */
typedef struct stored_match {
    tr_match_row row;
    tr_blob_view definition;
} stored_match;

static const tr_table_column columns[] = {
    TR_COLUMNS_KEY(tr_match_row),
    TR_COLUMN(tr_match_row, NAME, rule),
    TR_COLUMN(tr_match_row, INT64, seed),
    TR_COLUMN_WITH(tr_match_row, INT, bout_count, .low = 1, .high = TR_MATCH_BOUT_MAX),
    TR_COLUMN_WITH(tr_match_row, INT, team_count, .low = 1, .high = TR_BOUT_SCORE_MAX),
    TR_COLUMN(tr_match_row, INT64, cast_hash),
    TR_COLUMN_WITH(tr_match_row, INT, state, .low = TR_MATCH_RUNNING, .high = TR_MATCH_FAILED,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_WITH(tr_match_row, TEXT, reason, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_WITH(tr_match_row, INT64, created_ns, .low = 0, .high = (double)INT64_MAX),
    TR_COLUMN_WITH(tr_match_row, INT64, ended_ns, .low = 0, .high = (double)INT64_MAX,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_WITH(stored_match, BLOB, definition, .left_out = TR_NOT_SELECTED),
    TR_COLUMN_FOUND(tr_match_row, INT, bouts_stored,
                    "(SELECT count(*) FROM bout WHERE match = match.id)", 0, TR_MATCH_BOUT_MAX),
};

static tr_status verify_match(tr_catalogue *catalogue, const void *row, tr_error *error);

const tr_table tr_match_columns = TR_TABLE(tr_match_row, "match", TR_NOUN_MATCH, columns,
                                           .version = "match 1", .verify = verify_match);

/* A bout with its scores as they are stored. */
typedef struct stored_bout {
    tr_bout_row row;
    tr_blob_view scores;
} stored_bout;

static const tr_table_column bout_columns[] = {
    TR_COLUMN_AS(stored_bout, INT, row.position, "position", .low = 0,
                 .high = TR_MATCH_BOUT_MAX - 1),
    TR_COLUMN_AS(stored_bout, INT64, row.seed, "seed", .low = 0),
    TR_COLUMN_AS(stored_bout, INT, row.outcome, "outcome", .low = 0, .high = 2),
    TR_COLUMN_AS(stored_bout, INT, row.winner, "winner", .low = -1, .high = TR_BOUT_SCORE_MAX - 1),
    TR_COLUMN_AS(stored_bout, INT64, row.ticks, "ticks", .low = 0, .high = (double)INT64_MAX),
    TR_COLUMN_AS(stored_bout, INT64, row.hash, "hash", .low = 0),
    TR_COLUMN(stored_bout, BLOB, scores),
    TR_COLUMN_AS(stored_bout, TEXT, row.reason, "reason", .low = 0),
};

const tr_table tr_bout_columns =
    TR_TABLE(stored_bout, "bout", TR_NOUN_NONE, bout_columns, .owner = "match",
             .suffix = "ON CONFLICT (match, position) DO NOTHING");

/* --- checks --- */

static tr_status check_bout(const tr_match_row *match, const tr_bout_row *bout, tr_error *error) {
    tr_status status = tr_columns_check(&tr_bout_columns, bout, error);
    if (status)
        return status;
    if (bout->position >= match->bout_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': bout %d: expected 0 to %d",
                       match->name, bout->position, match->bout_count - 1);
    if (bout->winner >= match->team_count || (bout->outcome == 0) != (bout->winner >= 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "match '%s': bout %d: its outcome and its winner contradict each other",
                       match->name, bout->position);
    return TR_OK;
}

/* --- put --- */

static tr_status refuse_taken(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_row_id taken = 0;
    tr_status status = tr_rows_seek(catalogue, TR_NOUN_MATCH, name, &taken, error);
    if (!status && taken)
        return tr_fail(error, TR_ALREADY_EXISTS, "match '%s': the name is taken", name);
    return status;
}

tr_status tr_matches_put(tr_catalogue *catalogue, const tr_match_row *match, const void *definition,
                         size_t size, tr_row_id *out_id, tr_error *error) {
    tr_row_id id = 0;
    if (size < 1 || size > TR_MATCH_DEFINITION_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': definition: expected 1 to %d bytes",
                       match->name, TR_MATCH_DEFINITION_MAX);
    stored_match fresh = {*match, {definition, size}};
    fresh.row.state = TR_MATCH_RUNNING;
    fresh.row.ended_ns = 0;
    memset(fresh.row.reason, 0, sizeof fresh.row.reason);
    tr_status status = tr_columns_check(&tr_match_columns, &fresh, error);
    if (!status)
        status =
            tr_rows_digest_alone(catalogue, &tr_match_columns, &fresh, &fresh.row.digest, error);
    if (status)
        return status;
    status = tr_database_enter(catalogue, error);
    if (!status)
        status = refuse_taken(catalogue, fresh.row.name, error);
    if (!status)
        status = tr_columns_insert(catalogue, &tr_match_columns, &fresh, &id, error);
    status = tr_database_leave(catalogue, status, error);
    if (!status)
        *out_id = id;
    return status;
}

/* --- rows --- */

TR_NOUN_READERS_FROM(tr_match_columns, matches, match)

tr_status tr_matches_list(tr_catalogue *catalogue, const tr_match_filter *filter,
                          tr_match_row *out_rows, int *count, tr_error *error) {
    tr_status status = tr_rows_check_room(*count, TR_LIST_MAX, error);
    if (status)
        return status;
    tr_query query =
        tr_columns_select(catalogue, &tr_match_columns,
                          "WHERE id > ? AND (? = 0 OR state = 0) ORDER BY id LIMIT ?", error);
    tr_query_bind_int(&query, filter->after);
    tr_query_bind_int(&query, filter->running);
    tr_query_bind_int(&query, *count);
    return tr_rows_collect(catalogue, &query, &tr_match_columns, out_rows, count);
}

tr_status tr_matches_definition(tr_catalogue *catalogue, tr_row_id id, void **out, size_t *out_size,
                                tr_error *error) {
    return tr_rows_copy(catalogue, TR_NOUN_MATCH, "definition", id, out, out_size, error);
}

/* --- bouts --- */

static tr_status insert_bout(tr_catalogue *catalogue, const tr_match_row *match,
                             const tr_bout_row *bout, tr_error *error) {
    tr_blob scores = {NULL, 0};
    size_t payload = (size_t)match->team_count * sizeof(double);
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_SCORES, 1, payload);
    tr_blob_put_doubles(&writer, bout->score, (size_t)match->team_count);
    tr_status status = tr_blob_seal(&writer, &scores, error);
    if (!status)
        status = tr_columns_insert_all(catalogue, &tr_bout_columns, match->id,
                                       &(stored_bout){*bout, tr_blob_look(&scores)}, 1, error);
    tr_blob_deinit(&scores);
    return status;
}

tr_status tr_matches_add_bouts(tr_catalogue *catalogue, tr_row_id id, const tr_bout_row *bouts,
                               int count, tr_error *error) {
    tr_match_row match;
    tr_status status = tr_database_enter(catalogue, error);
    if (!status)
        status = tr_matches_get(catalogue, id, &match, error);
    for (int i = 0; !status && i < count; i++)
        status = check_bout(&match, &bouts[i], error);
    for (int i = 0; !status && i < count; i++)
        status = insert_bout(catalogue, &match, &bouts[i], error);
    return tr_database_leave(catalogue, status, error);
}

static void read_bout(tr_query *query, int team_count, tr_bout_row *out) {
    stored_bout bout;
    tr_columns_read(query, &tr_bout_columns, &bout);
    if (query->status)
        return;
    *out = bout.row;
    tr_blob_reader reader = tr_blob_open(bout.scores, TR_BLOB_SCORES, 1, query->error);
    tr_blob_get_doubles(&reader, out->score, (size_t)team_count);
    query->status = tr_blob_close(&reader);
}

static tr_status read_bouts(tr_catalogue *catalogue, const tr_match_row *match, int first,
                            tr_bout_row *out_rows, int *count, tr_error *error) {
    tr_query query =
        tr_columns_select(catalogue, &tr_bout_columns,
                          "WHERE match = ? AND position >= ? ORDER BY position LIMIT ?", error);
    tr_query_bind_int(&query, match->id);
    tr_query_bind_int(&query, first);
    tr_query_bind_int(&query, *count);
    int written = 0;
    for (; written < *count && tr_query_next(&query); written++)
        read_bout(&query, match->team_count, &out_rows[written]);
    *count = query.status ? 0 : written;
    return tr_query_end(&query);
}

tr_status tr_matches_bouts(tr_catalogue *catalogue, tr_row_id id, int first, tr_bout_row *out_rows,
                           int *count, tr_error *error) {
    tr_match_row match;
    tr_status status = tr_rows_check_room(*count, TR_MATCH_BOUT_MAX, error);
    if (!status)
        status = tr_matches_get(catalogue, id, &match, error);
    return status ? status : read_bouts(catalogue, &match, first, out_rows, count, error);
}

/* --- the end --- */

static tr_status set_ended(tr_catalogue *catalogue, const tr_match_row *match, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "UPDATE match SET state = ?, reason = ?, ended_ns = ? WHERE id = ?", error);
    tr_query_bind_int(&query, match->state);
    tr_query_bind_text(&query, match->reason);
    tr_query_bind_int(&query, match->ended_ns);
    tr_query_bind_int(&query, match->id);
    return tr_query_end_run(&query);
}

tr_status tr_matches_end(tr_catalogue *catalogue, tr_row_id id, tr_match_state state,
                         const char *reason, int64_t ended_ns, tr_error *error) {
    tr_match_row match;
    if (state == TR_MATCH_RUNNING || strlen(reason) >= TR_SHORT_TEXT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "match: expected an end state, and a reason of at most %d bytes",
                       TR_SHORT_TEXT_MAX - 1);
    tr_status status = tr_database_enter(catalogue, error);
    if (!status)
        status = tr_matches_get(catalogue, id, &match, error);
    if (!status && match.state != TR_MATCH_RUNNING)
        status = tr_fail(error, TR_FAILED_PRECONDITION, "match '%s': it has ended", match.name);
    if (!status) {
        match.state = state;
        match.ended_ns = ended_ns;
        memcpy(match.reason, reason, strlen(reason) + 1);
        status = tr_columns_check(&tr_match_columns, &match, error);
    }
    if (!status)
        status = set_ended(catalogue, &match, error);
    return tr_database_leave(catalogue, status, error);
}

tr_status tr_matches_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    tr_match_row match;
    tr_status status = tr_matches_get(catalogue, id, &match, error);
    if (!status && match.state == TR_MATCH_RUNNING)
        return tr_fail(error, TR_FAILED_PRECONDITION, "match '%s': it has not ended", match.name);
    return status ? status : tr_rows_remove(catalogue, TR_NOUN_MATCH, id, error);
}

/* --- verification --- */

static tr_status verify_bouts(tr_catalogue *catalogue, const tr_match_row *match, tr_error *error) {
    enum { ROOM = 64 };
    tr_bout_row bout[ROOM] = {{0}};
    tr_status status = TR_OK;
    int count = ROOM;
    for (int first = 0; !status && count == ROOM;) {
        status = read_bouts(catalogue, match, first, bout, &count, error);
        for (int i = 0; !status && i < count; i++)
            status = check_bout(match, &bout[i], error);
        first = count > 0 ? bout[count - 1].position + 1 : first;
    }
    return status;
}

static tr_status verify_match(tr_catalogue *catalogue, const void *row, tr_error *error) {
    stored_match match = {.row = *(const tr_match_row *)row};
    void *definition = NULL;
    tr_digest content;
    tr_status status = tr_columns_check(&tr_match_columns, &match, error);
    if (!status)
        status = tr_matches_definition(catalogue, match.row.id, &definition, &match.definition.size,
                                       error);
    match.definition.data = definition;
    if (!status)
        status = tr_rows_digest_alone(catalogue, &tr_match_columns, &match, &content, error);
    if (!status)
        status = tr_rows_compare(&tr_match_columns, row, &content, error);
    free(definition);
    return status ? status : verify_bouts(catalogue, row, error);
}
