#include "db/store/rows.h"

#include "model/model.h"

#include <string.h>

const char *tr_rows_noun(tr_noun noun) {
    static const char *const names[] = {"model", "clip", "run", "controller", "match"};
    return names[noun];
}

/* Table names cannot be parameters of SQL; `format` has one %s for this noun's. */
static tr_query begin(tr_catalogue *catalogue, tr_noun noun, const char *format, tr_error *error) {
    char sql[160];
    sqlite3_snprintf(sizeof sql, sql, format, tr_rows_noun(noun));
    return tr_query_begin(catalogue, sql, error);
}

tr_status tr_rows_check_room(int count, int max, tr_error *error) {
    if (count >= 1 && count <= max)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "count: expected 1 to %d", max);
}

tr_status tr_rows_find(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) {
    tr_query query = begin(catalogue, noun, "SELECT id FROM %s WHERE name = ?", error);
    tr_query_bind_text(&query, name);
    tr_row_id id = tr_query_next(&query) ? tr_query_id(&query) : 0;
    tr_status status = tr_query_end(&query);
    if (status)
        return status;
    if (!id && strlen(name) >= TR_NAME_MAX)
        return tr_fail(error, TR_NOT_FOUND, "%s: no name is longer than %d bytes",
                       tr_rows_noun(noun), TR_NAME_MAX - 1);
    if (!id)
        return tr_fail(error, TR_NOT_FOUND, "%s '%s': not in the catalogue", tr_rows_noun(noun),
                       name);
    *out = id;
    return TR_OK;
}

tr_status tr_rows_end(tr_query *query, tr_noun noun, tr_row_id id, bool found) {
    tr_status status = tr_query_end(query);
    if (status || found)
        return status;
    return tr_fail(query->error, TR_NOT_FOUND, "%s %lld: not in the catalogue", tr_rows_noun(noun),
                   (long long)id);
}

tr_status tr_rows_digest(tr_catalogue *catalogue, tr_noun noun, tr_row_id id, tr_digest *out,
                         tr_error *error) {
    tr_query query = begin(catalogue, noun, "SELECT digest FROM %s WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    tr_digest digest = {{0}};
    if (found)
        digest = tr_query_digest(&query);
    tr_status status = tr_rows_end(&query, noun, id, found);
    if (!status)
        *out = digest;
    return status;
}

tr_status tr_rows_claim(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) {
    tr_query query = begin(catalogue, key->noun, "SELECT id, digest FROM %s WHERE name = ?", error);
    tr_query_bind_text(&query, key->name);
    tr_row_id id = 0;
    bool same = true;
    if (tr_query_next(&query)) {
        id = tr_query_id(&query);
        tr_digest kept = tr_query_digest(&query);
        same = tr_digest_equal(&kept, key->digest);
    }
    tr_status status = tr_query_end(&query);
    if (status)
        return status;
    if (!same)
        return tr_fail(error, TR_ALREADY_EXISTS, "%s '%s': the name is taken by other content",
                       tr_rows_noun(key->noun), key->name);
    *out_id = id;
    return TR_OK;
}

tr_status tr_rows_match(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) {
    tr_query query =
        begin(catalogue, key->noun,
              "SELECT id FROM %s WHERE digest = ? ORDER BY name <> ?, id LIMIT 1", error);
    tr_query_bind_digest(&query, key->digest);
    tr_query_bind_text(&query, key->name);
    tr_row_id id = tr_query_next(&query) ? tr_query_id(&query) : 0;
    tr_status status = tr_query_end(&query);
    if (!status)
        *out_id = id;
    return status;
}

tr_status tr_rows_remove(tr_catalogue *catalogue, tr_noun noun, tr_row_id id, tr_error *error) {
    bool outermost = false;
    tr_status status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    tr_query query = begin(catalogue, noun, "DELETE FROM %s WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    tr_query_run(&query);
    bool found = sqlite3_changes(catalogue->db) > 0;
    if (sqlite3_extended_errcode(catalogue->db) == SQLITE_CONSTRAINT_FOREIGNKEY)
        query.status = tr_fail(error, TR_FAILED_PRECONDITION, "%s %lld: another row refers to it",
                               tr_rows_noun(noun), (long long)id);
    status = tr_rows_end(&query, noun, id, found);
    return tr_database_leave(catalogue, outermost, status, error);
}

tr_status tr_rows_compare(const tr_row_key *key, const tr_digest *content, tr_error *error) {
    if (tr_digest_equal(key->digest, content))
        return TR_OK;
    return tr_fail(error, TR_DATA_LOSS, "%s '%s': its content does not match its digest",
                   tr_rows_noun(key->noun), key->name);
}
