#include "db/tables/matches.h"

#include "db/store/rows.h"
#include "db/store/text.h"

#include <stdlib.h>
#include <string.h>

#define MATCH_SELECT                                                                               \
    "SELECT id, name, digest, rule, seed, bout_count, team_count, cast_hash, state, reason, "      \
    "created_ns, ended_ns, (SELECT count(*) FROM bout WHERE match = match.id) FROM match "

/* --- checks --- */

static tr_status check_match(const tr_match_row *match, tr_error *error) {
    tr_status status = tr_text_check_name("match name", match->name, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check_name("match rule", match->rule, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("match reason", match->reason, TR_SHORT_TEXT_MAX, error);
    if (status)
        return status;
    if (match->bout_count < 1 || match->bout_count > TR_MATCH_BOUT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': bout_count: expected 1 to %d",
                       match->name, TR_MATCH_BOUT_MAX);
    if (match->team_count < 1 || match->team_count > TR_BOUT_SCORE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': team_count: expected 1 to %d",
                       match->name, TR_BOUT_SCORE_MAX);
    if (match->created_ns < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': created_ns: expected 0 or more",
                       match->name);
    return TR_OK;
}

static tr_status check_bout(const tr_match_row *match, const tr_bout_row *bout, tr_error *error) {
    if (bout->position < 0 || bout->position >= match->bout_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': bout %d: expected 0 to %d",
                       match->name, bout->position, match->bout_count - 1);
    if (bout->outcome < 0 || bout->outcome > 2 || bout->winner < -1 ||
        bout->winner >= match->team_count || (bout->outcome == 0) != (bout->winner >= 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "match '%s': bout %d: its outcome and its winner contradict each other",
                       match->name, bout->position);
    if (bout->ticks < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': bout %d: ticks: expected 0 or more",
                       match->name, bout->position);
    return tr_text_check("bout reason", bout->reason, TR_BOUT_TEXT_MAX, error);
}

/* --- digest --- */

static tr_status digest_match(const tr_match_row *match, const void *definition, size_t size,
                              tr_digest *out, tr_error *error) {
    tr_digest_writer writer = tr_digest_begin("match 1");
    tr_digest_add_text(&writer, match->rule);
    tr_digest_add_int(&writer, (int64_t)match->seed);
    tr_digest_add_int(&writer, match->bout_count);
    tr_digest_add_int(&writer, match->team_count);
    tr_digest_add_int(&writer, (int64_t)match->cast_hash);
    tr_digest_add_int(&writer, match->created_ns);
    tr_digest_add_blob(&writer, definition, size);
    tr_status status = tr_digest_end(&writer, out);
    return status ? tr_fail(error, status, "match '%s': no memory for its digest", match->name)
                  : TR_OK;
}

/* --- put --- */

static tr_status refuse_taken(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT 1 FROM match WHERE name = ?", error);
    tr_query_bind_text(&query, name);
    bool taken = tr_query_next(&query);
    tr_status status = tr_query_end(&query);
    if (!status && taken)
        return tr_fail(error, TR_ALREADY_EXISTS, "match '%s': the name is taken", name);
    return status;
}

static tr_status insert_match(tr_catalogue *catalogue, const tr_match_row *match,
                              tr_blob_view definition, tr_row_id *out_id, tr_error *error) {
    tr_digest digest;
    tr_status status = digest_match(match, definition.data, definition.size, &digest, error);
    if (status)
        return status;
    tr_query query =
        tr_query_begin(catalogue,
                       "INSERT INTO match (name, digest, definition, rule, seed, bout_count, "
                       "team_count, cast_hash, state, reason, created_ns, ended_ns) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', ?, 0)",
                       error);
    tr_query_bind_text(&query, match->name);
    tr_query_bind_digest(&query, &digest);
    tr_query_bind_blob(&query, definition.data, definition.size);
    tr_query_bind_text(&query, match->rule);
    tr_query_bind_int(&query, (int64_t)match->seed);
    tr_query_bind_int(&query, match->bout_count);
    tr_query_bind_int(&query, match->team_count);
    tr_query_bind_int(&query, (int64_t)match->cast_hash);
    tr_query_bind_int(&query, match->created_ns);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

tr_status tr_matches_put(tr_catalogue *catalogue, const tr_match_row *match, const void *definition,
                         size_t size, tr_row_id *out_id, tr_error *error) {
    bool outermost = false;
    tr_row_id id = 0;
    if (size < 1 || size > TR_MATCH_DEFINITION_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "match '%s': definition: expected 1 to %d bytes",
                       match->name, TR_MATCH_DEFINITION_MAX);
    tr_match_row fresh = *match;
    fresh.reason[0] = '\0';
    tr_status status = check_match(&fresh, error);
    if (!status)
        status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = refuse_taken(catalogue, fresh.name, error);
    if (!status)
        status = insert_match(catalogue, &fresh, (tr_blob_view){definition, size}, &id, error);
    status = tr_database_leave(catalogue, outermost, status, error);
    if (!status)
        *out_id = id;
    return status;
}

/* --- rows --- */

static void read_match(tr_query *query, tr_match_row *out) {
    memset(out, 0, sizeof *out);
    out->id = tr_query_id(query);
    tr_query_text(query, out->name, sizeof out->name);
    out->digest = tr_query_digest(query);
    tr_query_text(query, out->rule, sizeof out->rule);
    out->seed = (uint64_t)tr_query_int64(query);
    out->bout_count = tr_query_int(query, 1, TR_MATCH_BOUT_MAX);
    out->team_count = tr_query_int(query, 1, TR_BOUT_SCORE_MAX);
    out->cast_hash = (uint64_t)tr_query_int64(query);
    out->state = (tr_match_state)tr_query_int(query, TR_MATCH_RUNNING, TR_MATCH_FAILED);
    tr_query_text(query, out->reason, sizeof out->reason);
    out->created_ns = tr_query_int64(query);
    out->ended_ns = tr_query_int64(query);
    out->bouts_stored = tr_query_int(query, 0, TR_MATCH_BOUT_MAX);
}

tr_status tr_matches_get(tr_catalogue *catalogue, tr_row_id id, tr_match_row *out,
                         tr_error *error) {
    tr_match_row row;
    tr_query query = tr_query_begin(catalogue, MATCH_SELECT "WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_match(&query, &row);
    tr_status status = tr_rows_end(&query, TR_NOUN_MATCH, id, found);
    if (!status)
        *out = row;
    return status;
}

tr_status tr_matches_find(tr_catalogue *catalogue, const char *name, tr_match_row *out,
                          tr_error *error) {
    tr_row_id id;
    tr_status status = tr_rows_find(catalogue, TR_NOUN_MATCH, name, &id, error);
    return status ? status : tr_matches_get(catalogue, id, out, error);
}

tr_status tr_matches_list(tr_catalogue *catalogue, const tr_match_filter *filter,
                          tr_match_row *out_rows, int *count, tr_error *error) {
    tr_status status = tr_rows_check_room(*count, TR_LIST_MAX, error);
    if (status)
        return status;
    tr_query query = tr_query_begin(
        catalogue, MATCH_SELECT "WHERE id > ? AND (? = 0 OR state = 0) ORDER BY id LIMIT ?", error);
    tr_query_bind_int(&query, filter->after);
    tr_query_bind_int(&query, filter->running);
    tr_query_bind_int(&query, *count);
    int written = 0;
    for (; written < *count && tr_query_next(&query); written++)
        read_match(&query, &out_rows[written]);
    *count = query.status ? 0 : written;
    return tr_query_end(&query);
}

tr_status tr_matches_definition(tr_catalogue *catalogue, tr_row_id id, void **out, size_t *out_size,
                                tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT definition FROM match WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    tr_blob_view view = found ? tr_query_blob(&query) : (tr_blob_view){NULL, 0};
    void *copy = view.data ? malloc(view.size + 1) : NULL;
    if (view.data && !copy)
        tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "match: no memory for its definition");
    if (copy)
        memcpy(copy, view.data, view.size);
    tr_status status = tr_rows_end(&query, TR_NOUN_MATCH, id, found);
    if (status) {
        free(copy);
        return status;
    }
    *out = copy;
    *out_size = view.size;
    return TR_OK;
}

/* --- bouts --- */

static void insert_bout(tr_query *query, const tr_match_row *match, const tr_bout_row *bout) {
    tr_blob scores = {NULL, 0};
    size_t payload = (size_t)match->team_count * sizeof(double);
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_SCORES, 1, payload);
    tr_blob_put_doubles(&writer, bout->score, (size_t)match->team_count);
    query->status = tr_blob_seal(&writer, &scores, query->error);
    tr_query_bind_int(query, match->id);
    tr_query_bind_int(query, bout->position);
    tr_query_bind_int(query, (int64_t)bout->seed);
    tr_query_bind_int(query, bout->outcome);
    tr_query_bind_int(query, bout->winner);
    tr_query_bind_int(query, bout->ticks);
    tr_query_bind_int(query, (int64_t)bout->hash);
    tr_query_bind_blob(query, scores.data, scores.size);
    tr_query_bind_text(query, bout->reason);
    tr_query_run(query);
    tr_blob_deinit(&scores);
}

static tr_status insert_bouts(tr_catalogue *catalogue, const tr_match_row *match,
                              const tr_bout_row *bouts, int count, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO bout (match, position, seed, outcome, winner, ticks, hash, scores, reason) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (match, position) DO NOTHING",
        error);
    for (int i = 0; i < count && !query.status; i++)
        insert_bout(&query, match, &bouts[i]);
    return tr_query_end(&query);
}

tr_status tr_matches_add_bouts(tr_catalogue *catalogue, tr_row_id id, const tr_bout_row *bouts,
                               int count, tr_error *error) {
    bool outermost = false;
    tr_match_row match;
    tr_status status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = tr_matches_get(catalogue, id, &match, error);
    for (int i = 0; !status && i < count; i++)
        status = check_bout(&match, &bouts[i], error);
    if (!status)
        status = insert_bouts(catalogue, &match, bouts, count, error);
    return tr_database_leave(catalogue, outermost, status, error);
}

static void read_bout(tr_query *query, int team_count, tr_bout_row *out) {
    memset(out, 0, sizeof *out);
    out->position = tr_query_int(query, 0, TR_MATCH_BOUT_MAX - 1);
    out->seed = (uint64_t)tr_query_int64(query);
    out->outcome = tr_query_int(query, 0, 2);
    out->winner = tr_query_int(query, -1, TR_BOUT_SCORE_MAX - 1);
    out->ticks = tr_query_int64(query);
    out->hash = (uint64_t)tr_query_int64(query);
    tr_blob_view scores = tr_query_blob(query);
    if (scores.data) {
        tr_blob_reader reader = tr_blob_open(scores, TR_BLOB_SCORES, 1, query->error);
        tr_blob_get_doubles(&reader, out->score, (size_t)team_count);
        query->status = tr_blob_close(&reader);
    }
    tr_query_text(query, out->reason, sizeof out->reason);
}

static tr_status read_bouts(tr_catalogue *catalogue, const tr_match_row *match, int first,
                            tr_bout_row *out_rows, int *count, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT position, seed, outcome, winner, ticks, hash, scores, reason FROM bout "
        "WHERE match = ? AND position >= ? ORDER BY position LIMIT ?",
        error);
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
    tr_query_run(&query);
    return tr_query_end(&query);
}

tr_status tr_matches_end(tr_catalogue *catalogue, tr_row_id id, tr_match_state state,
                         const char *reason, int64_t ended_ns, tr_error *error) {
    bool outermost = false;
    tr_match_row match;
    if (state == TR_MATCH_RUNNING || strlen(reason) >= TR_SHORT_TEXT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "match: expected an end state, and a reason of at most %d bytes",
                       TR_SHORT_TEXT_MAX - 1);
    tr_status status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = tr_matches_get(catalogue, id, &match, error);
    if (!status && match.state != TR_MATCH_RUNNING)
        status = tr_fail(error, TR_FAILED_PRECONDITION, "match '%s': it has ended", match.name);
    if (!status) {
        match.state = state;
        match.ended_ns = ended_ns;
        memcpy(match.reason, reason, strlen(reason) + 1);
        status = check_match(&match, error);
    }
    if (!status)
        status = set_ended(catalogue, &match, error);
    return tr_database_leave(catalogue, outermost, status, error);
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
    tr_bout_row bout[ROOM];
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

static tr_status verify_match(tr_catalogue *catalogue, const tr_match_row *match, tr_error *error) {
    void *definition = NULL;
    size_t size = 0;
    tr_digest content;
    tr_status status = check_match(match, error);
    if (!status)
        status = tr_matches_definition(catalogue, match->id, &definition, &size, error);
    if (!status)
        status = digest_match(match, definition, size, &content, error);
    if (!status)
        status = tr_rows_compare(&(tr_row_key){TR_NOUN_MATCH, match->name, &match->digest},
                                 &content, error);
    free(definition);
    return status ? status : verify_bouts(catalogue, match, error);
}

tr_status tr_matches_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, MATCH_SELECT "ORDER BY id", error);
    while (tr_query_next(&query)) {
        tr_match_row row;
        read_match(&query, &row);
        if (!query.status)
            query.status = verify_match(catalogue, &row, error);
    }
    return tr_query_end(&query);
}
