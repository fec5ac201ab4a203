#include "db/store/rows.h"

#include "model/model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *tr_noun_name(tr_noun noun) {
    static const char *const names[] = {"model", "clip",        "run",     "controller",
                                        "match", "certificate", "fragment"};
    return names[noun];
}

/* Table names cannot be parameters of SQL; `format` has one %s for this noun's. */
static tr_query begin(tr_catalogue *catalogue, tr_noun noun, const char *format, tr_error *error) {
    char sql[160];
    sqlite3_snprintf(sizeof sql, sql, format, tr_noun_name(noun));
    return tr_query_begin(catalogue, sql, error);
}

tr_status tr_rows_check_room(int count, int max, tr_error *error) {
    if (count >= 1 && count <= max)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "count: expected 1 to %d", max);
}

tr_status tr_rows_seek(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) {
    tr_query query = begin(catalogue, noun, "SELECT id FROM %s WHERE name = ?", error);
    tr_query_bind_text(&query, name);
    return tr_query_end_int(&query, out);
}

tr_status tr_rows_find(tr_catalogue *catalogue, tr_noun noun, const char *name, tr_row_id *out,
                       tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_seek(catalogue, noun, name, &id, error);
    if (status)
        return status;
    if (!id && strlen(name) >= TR_NAME_MAX)
        return tr_fail(error, TR_NOT_FOUND, "%s: no name is longer than %d bytes",
                       tr_noun_name(noun), TR_NAME_MAX - 1);
    if (!id)
        return tr_fail(error, TR_NOT_FOUND, "%s '%s': not in the catalogue", tr_noun_name(noun),
                       name);
    *out = id;
    return TR_OK;
}

tr_status tr_rows_end(tr_query *query, tr_noun noun, tr_row_id id, bool found) {
    tr_status status = tr_query_end(query);
    if (status || found)
        return status;
    return tr_fail(query->error, TR_NOT_FOUND, "%s %lld: not in the catalogue", tr_noun_name(noun),
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

tr_status tr_rows_copy(tr_catalogue *catalogue, tr_noun noun, const char *column, tr_row_id id,
                       void **out, size_t *out_size, tr_error *error) {
    char format[80];
    sqlite3_snprintf(sizeof format, format, "SELECT CAST(%s AS BLOB) FROM %%s WHERE id = ?",
                     column);
    tr_query query = begin(catalogue, noun, format, error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    tr_blob_view view = found ? tr_query_blob(&query) : (tr_blob_view){NULL, 0};
    char *copy = view.data ? calloc(view.size + 1, 1) : NULL;
    if (view.data && !copy)
        tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "catalogue: out of memory");
    if (copy)
        memcpy(copy, view.data, view.size);
    tr_status status = tr_rows_end(&query, noun, id, found);
    if (status) {
        free(copy);
        return status;
    }
    *out = copy;
    *out_size = view.size;
    return TR_OK;
}

tr_status tr_rows_find_digest(tr_catalogue *catalogue, tr_noun noun, const tr_digest *digest,
                              tr_row_id *out_id, tr_error *error) {
    tr_query query =
        begin(catalogue, noun, "SELECT id FROM %s WHERE digest = ? ORDER BY id LIMIT 1", error);
    tr_query_bind_digest(&query, digest);
    return tr_query_end_int(&query, out_id);
}

tr_status tr_rows_match(tr_catalogue *catalogue, const tr_row_key *key, tr_row_id *out_id,
                        tr_error *error) {
    tr_query query =
        begin(catalogue, key->noun,
              "SELECT id FROM %s WHERE digest = ? ORDER BY name <> ?, id LIMIT 1", error);
    tr_query_bind_digest(&query, key->digest);
    tr_query_bind_text(&query, key->name);
    return tr_query_end_int(&query, out_id);
}

tr_status tr_rows_remove(tr_catalogue *catalogue, tr_noun noun, tr_row_id id, tr_error *error) {
    tr_status status = tr_database_enter(catalogue, error);
    if (!status) {
        tr_query query = begin(catalogue, noun, "DELETE FROM %s WHERE id = ?", error);
        tr_query_bind_int(&query, id);
        tr_query_run(&query);
        const bool found = sqlite3_changes(catalogue->db) > 0;
        if (sqlite3_extended_errcode(catalogue->db) == SQLITE_CONSTRAINT_FOREIGNKEY)
            query.status =
                tr_fail(error, TR_FAILED_PRECONDITION, "%s %lld: another row refers to it",
                        tr_noun_name(noun), (long long)id);
        status = tr_rows_end(&query, noun, id, found);
    }
    return tr_database_leave(catalogue, status, error);
}

/* --- rows of a table with a struct --- */

static void read_row(tr_catalogue *catalogue, tr_query *query, const tr_table *table, void *row) {
    tr_columns_read(query, table, row);
    if (!query->status && table->complete)
        query->status = table->complete(catalogue, row, query->error);
}

tr_status tr_rows_get(tr_catalogue *catalogue, const tr_table *table, tr_row_id id, void *out,
                      tr_error *error) {
    _Alignas(max_align_t) char row[TR_ROW_SIZE_MAX];
    char rest[64];
    sqlite3_snprintf(sizeof rest, rest, "WHERE %s.id = ?", table->name);
    tr_query query = tr_columns_select(catalogue, table, rest, error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_row(catalogue, &query, table, row);
    tr_status status = tr_rows_end(&query, table->noun, id, found);
    if (!status)
        memcpy(out, row, table->size);
    return status;
}

tr_status tr_rows_get_named(tr_catalogue *catalogue, const tr_table *table, const char *name,
                            void *out, tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_find(catalogue, table->noun, name, &id, error);
    return status ? status : tr_rows_get(catalogue, table, id, out, error);
}

tr_query tr_rows_list(tr_catalogue *catalogue, const tr_table *table, const tr_row_range *range,
                      const char *more, tr_error *error) {
    char rest[512];
    sqlite3_snprintf(sizeof rest, rest,
                     "WHERE (?1 IS NULL OR %s.name > ?1) "
                     "AND (?2 IS NULL OR substr(%s.name, 1, length(?2)) = ?2) "
                     "%s ORDER BY %s.name LIMIT ?3",
                     table->name, table->name, more, table->name);
    tr_query query = tr_columns_select(catalogue, table, rest, error);
    if (!query.status)
        query.status = tr_rows_check_room(range->count, TR_LIST_MAX, error);
    tr_query_bind_text(&query, range->after);
    tr_query_bind_text(&query, range->prefix);
    tr_query_bind_int(&query, range->count);
    return query;
}

tr_status tr_rows_collect(tr_catalogue *catalogue, tr_query *query, const tr_table *table,
                          void *out_rows, int *count) {
    int rows = 0;
    for (; rows < *count && tr_query_next(query); rows++)
        read_row(catalogue, query, table, (char *)out_rows + (size_t)rows * table->size);
    tr_status status = tr_query_end(query);
    if (!status)
        *count = rows;
    return status;
}

static tr_status verify_alone(tr_catalogue *catalogue, const tr_table *table, const void *row,
                              tr_error *error) {
    tr_digest content;
    tr_status status = tr_columns_check(table, row, error);
    if (!status)
        status = tr_rows_digest_alone(catalogue, table, row, &content, error);
    return status ? status : tr_rows_compare(table, row, &content, error);
}

tr_status tr_rows_verify(tr_catalogue *catalogue, const tr_table *table, tr_error *error) {
    _Alignas(max_align_t) char row[TR_ROW_SIZE_MAX];
    char rest[64];
    sqlite3_snprintf(sizeof rest, rest, "ORDER BY %s%s.id", table->order ? table->order : "",
                     table->name);
    tr_query query = tr_columns_select(catalogue, table, rest, error);
    while (tr_query_next(&query)) {
        read_row(catalogue, &query, table, row);
        if (!query.status)
            query.status = table->verify ? table->verify(catalogue, row, error)
                                         : verify_alone(catalogue, table, row, error);
    }
    return tr_query_end(&query);
}

static const char *name_of(const tr_table *table, const void *row) {
    return tr_columns_member(table, "name", row);
}

tr_status tr_rows_claim(tr_catalogue *catalogue, const tr_table *table, const void *row,
                        tr_row_id *out_id, tr_error *error) {
    tr_query query =
        begin(catalogue, table->noun, "SELECT id, digest FROM %s WHERE name = ?", error);
    tr_query_bind_text(&query, name_of(table, row));
    tr_row_id id = 0;
    bool same = true;
    if (tr_query_next(&query)) {
        id = tr_query_id(&query);
        tr_digest kept = tr_query_digest(&query);
        same = tr_digest_equal(&kept, tr_columns_member(table, "digest", row));
    }
    tr_status status = tr_query_end(&query);
    if (status)
        return status;
    if (!same)
        return tr_fail(error, TR_ALREADY_EXISTS, "%s '%s': the name is taken by other content",
                       table->name, name_of(table, row));
    *out_id = id;
    return TR_OK;
}

tr_status tr_rows_put(tr_catalogue *catalogue, const tr_table *table, const void *row,
                      tr_row_id *out_id, tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_database_enter(catalogue, error);
    if (!status)
        status = tr_rows_claim(catalogue, table, row, &id, error);
    if (!status && !id)
        status = tr_columns_insert(catalogue, table, row, &id, error);
    status = tr_database_leave(catalogue, status, error);
    if (!status)
        *out_id = id;
    return status;
}

tr_status tr_rows_digest_alone(tr_catalogue *catalogue, const tr_table *table, const void *row,
                               tr_digest *out, tr_error *error) {
    tr_digest_writer writer = tr_digest_begin(table->version);
    tr_columns_digest(catalogue, table, row, &writer, error);
    return tr_rows_end_digest(table, &writer, out, error);
}

/* A reference that cannot be read has its own message. */
tr_status tr_rows_end_digest(const tr_table *table, tr_digest_writer *writer, tr_digest *out,
                             tr_error *error) {
    tr_status status = tr_digest_end(writer, out);
    return status == TR_RESOURCE_EXHAUSTED
               ? tr_fail(error, status, "%s: no memory for its digest", table->name)
               : status;
}

tr_status tr_rows_compare(const tr_table *table, const void *row, const tr_digest *content,
                          tr_error *error) {
    const char *name = name_of(table, row);
    const tr_row_id *id = tr_columns_member(table, "id", row);
    if (tr_digest_equal(tr_columns_member(table, "digest", row), content))
        return TR_OK;
    return name ? tr_fail(error, TR_DATA_LOSS, "%s '%s': its content does not match its digest",
                          table->name, name)
                : tr_fail(error, TR_DATA_LOSS, "%s %lld: its content does not match its digest",
                          table->name, (long long)*id);
}
