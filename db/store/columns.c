#include "db/store/columns.h"

#include "db/store/rows.h"
#include "db/store/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const void *member(const tr_table_column *column, const void *row) {
    return (const char *)row + column->offset;
}

const void *tr_columns_member(const tr_table *table, const char *name, const void *row) {
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->column[i].name, name) == 0)
            return member(&table->column[i], row);
    return NULL;
}

static bool is_number(const tr_table_column *column) {
    return column->kind <= TR_COLUMN_DOUBLE;
}

/* All values of the type are allowed. */
static bool is_free(const tr_table_column *column) {
    return column->low == 0 && column->high == 0;
}

static bool is_within(const tr_table_column *column, double value) {
    const bool is_low =
        column->kind == TR_COLUMN_DOUBLE ? value <= column->low : value < column->low;
    return isfinite(value) && (is_free(column) || (!is_low && value <= column->high));
}

/* The value of an integer column. */
static int64_t integer(const tr_table_column *column, const void *row) {
    const void *at = member(column, row);
    if (column->kind == TR_COLUMN_INT)
        return *(const int *)at;
    return column->kind == TR_COLUMN_BOOL ? *(const bool *)at : *(const int64_t *)at;
}

static double number(const tr_table_column *column, const void *row) {
    return column->kind == TR_COLUMN_DOUBLE ? *(const double *)member(column, row)
                                            : (double)integer(column, row);
}

/* --- SQL --- */

/* The names, or the expressions, of the columns that are not left out. */
static void append_columns(sqlite3_str *sql, const tr_table *table, int left_out) {
    const char *between = "";
    for (int i = 0; i < table->column_count; i++) {
        const tr_table_column *column = &table->column[i];
        if (column->left_out & left_out)
            continue;
        if (left_out == TR_NOT_SELECTED && column->select)
            sqlite3_str_appendf(sql, "%s%s", between, column->select);
        else if (left_out == TR_NOT_SELECTED)
            sqlite3_str_appendf(sql, "%s%s.%s", between, table->name, column->name);
        else
            sqlite3_str_appendf(sql, "%s%s", between, column->name);
        between = ", ";
    }
}

static tr_query begin(tr_catalogue *catalogue, sqlite3_str *take_sql, tr_error *error) {
    char *text = sqlite3_str_finish(take_sql);
    tr_query query = {.db = catalogue->db, .error = error};
    if (text)
        query = tr_query_begin(catalogue, text, error);
    else
        tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "catalogue: out of memory");
    sqlite3_free(text);
    return query;
}

tr_query tr_columns_select(tr_catalogue *catalogue, const tr_table *table, const char *rest,
                           tr_error *error) {
    sqlite3_str *sql = sqlite3_str_new(catalogue->db);
    sqlite3_str_appendall(sql, "SELECT ");
    append_columns(sql, table, TR_NOT_SELECTED);
    sqlite3_str_appendf(sql, " FROM %s %s %s", table->name, table->joins ? table->joins : "", rest);
    return begin(catalogue, sql, error);
}

/* The expression with the number of its parameter behind each "?". */
static void append_value(sqlite3_str *sql, const char *expression, int number) {
    for (const char *c = expression ? expression : "?"; *c; c++)
        if (*c == '?')
            sqlite3_str_appendf(sql, "?%d", number);
        else
            sqlite3_str_appendchar(sql, 1, *c);
}

/* The text of an insertion; of a copy, the values are those that append_copied selects. */
static sqlite3_str *insertion(tr_catalogue *catalogue, const tr_table *table, bool copies) {
    sqlite3_str *sql = sqlite3_str_new(catalogue->db);
    sqlite3_str_appendf(sql, "INSERT INTO %s (", table->name);
    append_columns(sql, table, TR_NOT_INSERTED);
    sqlite3_str_appendf(sql, "%s%s) VALUES (", table->owner ? ", " : "",
                        table->owner ? table->owner : "");
    int number = 0;
    for (int i = 0; i < table->column_count; i++) {
        if (table->column[i].left_out & TR_NOT_INSERTED)
            continue;
        sqlite3_str_appendall(sql, number++ > 0 ? ", " : "");
        if (!copies)
            append_value(sql, table->column[i].insert, number);
        else if (table->column[i].kind == TR_COLUMN_ID)
            sqlite3_str_appendf(sql, "(SELECT min(id) FROM %s WHERE digest = ?%d)",
                                tr_noun_name(table->column[i].noun), number);
        else
            sqlite3_str_appendf(sql, "?%d", number);
    }
    if (table->owner)
        sqlite3_str_appendf(sql, ", ?%d", number + 1);
    sqlite3_str_appendf(sql, ") %s", table->suffix ? table->suffix : "");
    return sql;
}

/* --- insert --- */

static void bind_column(tr_query *query, const tr_table_column *column, const void *row) {
    const void *at = member(column, row);
    const tr_blob_view *view = at;
    if (column->kind == TR_COLUMN_ID)
        tr_query_bind_id(query, *(const tr_row_id *)at);
    else if (column->kind == TR_COLUMN_DOUBLE)
        tr_query_bind_double(query, *(const double *)at);
    else if (is_number(column))
        tr_query_bind_int(query, integer(column, row));
    else if (column->kind == TR_COLUMN_DIGEST)
        tr_query_bind_digest(query, at);
    else if (column->kind == TR_COLUMN_BLOB)
        tr_query_bind_blob(query, view->data, view->size);
    else if (column->kind == TR_COLUMN_BYTES)
        tr_query_bind_bytes(query, view->data, view->size);
    else
        tr_query_bind_text(query, at);
}

tr_status tr_columns_insert_all(tr_catalogue *catalogue, const tr_table *table, tr_row_id owner,
                                const void *rows, int count, tr_error *error) {
    tr_query query = begin(catalogue, insertion(catalogue, table, false), error);
    for (int r = 0; r < count; r++) {
        const void *row = (const char *)rows + (size_t)r * table->size;
        for (int i = 0; i < table->column_count; i++)
            if (!(table->column[i].left_out & TR_NOT_INSERTED))
                bind_column(&query, &table->column[i], row);
        if (table->owner)
            tr_query_bind_int(&query, owner);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

tr_status tr_columns_insert(tr_catalogue *catalogue, const tr_table *table, const void *row,
                            tr_row_id *out_id, tr_error *error) {
    tr_status status = tr_columns_insert_all(catalogue, table, 0, row, 1, error);
    if (!status)
        *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return status;
}

/* --- copy --- */

/* A column as it is stored: the name in the other catalogue, or the digest of what it refers to. */
static void append_copied(sqlite3_str *sql, const tr_table *table, const tr_table_column *column) {
    if (table->noun != TR_NOUN_NONE && strcmp(column->name, "name") == 0)
        sqlite3_str_appendall(sql, "?2");
    else if (column->kind == TR_COLUMN_ID)
        sqlite3_str_appendf(sql, "(SELECT digest FROM %s WHERE id = %s.%s)",
                            tr_noun_name(column->noun), table->name, column->name);
    else
        sqlite3_str_appendf(sql, "%s.%s", table->name, column->name);
}

static sqlite3_str *selection_of_copy(const tr_row_copying *copying, const tr_table *table) {
    sqlite3_str *sql = sqlite3_str_new(copying->from->db);
    const char *between = "SELECT ";
    for (int i = 0; i < table->column_count; i++) {
        if (table->column[i].left_out & TR_NOT_INSERTED)
            continue;
        sqlite3_str_appendall(sql, between);
        append_copied(sql, table, &table->column[i]);
        between = ", ";
    }
    sqlite3_str_appendf(sql, "%s FROM %s WHERE %s.%s = ?1", table->owner ? ", ?3" : "", table->name,
                        table->name, table->owner ? table->owner : "id");
    return sql;
}

static tr_status copy_rows(const tr_row_copying *copying, tr_query *rows, tr_query *put) {
    const int parameters = sqlite3_bind_parameter_count(rows->statement);
    tr_query_bind_int(rows, copying->id);
    if (parameters > 1)
        tr_query_bind_text(rows, copying->name);
    if (parameters > 2)
        tr_query_bind_int(rows, copying->owner);
    tr_query_copy_rows(rows, put);
    tr_status ended = tr_query_end(rows), status = tr_query_end(put);
    return ended ? ended : status;
}

tr_status tr_columns_copy(const tr_row_copying *copying, const tr_table *table) {
    tr_query rows = begin(copying->from, selection_of_copy(copying, table), copying->error);
    tr_query put = begin(copying->to, insertion(copying->to, table, true), copying->error);
    return copy_rows(copying, &rows, &put);
}

tr_status tr_columns_copy_by(const tr_row_copying *copying, const char *select,
                             const char *insert) {
    tr_query rows = tr_query_begin(copying->from, select, copying->error);
    tr_query put = tr_query_begin(copying->to, insert, copying->error);
    return copy_rows(copying, &rows, &put);
}

/* --- read --- */

static int64_t read_integer(tr_query *query, const tr_table_column *column) {
    const int64_t value = tr_query_int64(query);
    const bool is_int = column->kind != TR_COLUMN_INT || (value >= INT_MIN && value <= INT_MAX);
    if (!query->status && !(is_int && is_within(column, (double)value)))
        tr_query_reject(query, "an integer within its bounds");
    return query->status ? 0 : value;
}

static double read_double(tr_query *query, const tr_table_column *column) {
    const double value = tr_query_double(query);
    if (!query->status && !is_within(column, value))
        tr_query_reject(query, "a number within its bounds");
    return query->status ? 0 : value;
}

static void read_column(tr_query *query, const tr_table_column *column, void *row) {
    void *at = (char *)row + column->offset;
    if (column->kind == TR_COLUMN_ID)
        *(tr_row_id *)at = tr_query_id(query);
    else if (column->kind == TR_COLUMN_INT)
        *(int *)at = (int)read_integer(query, column);
    else if (column->kind == TR_COLUMN_INT64)
        *(int64_t *)at = read_integer(query, column);
    else if (column->kind == TR_COLUMN_BOOL)
        *(bool *)at = tr_query_bool(query);
    else if (column->kind == TR_COLUMN_DOUBLE)
        *(double *)at = read_double(query, column);
    else if (column->kind == TR_COLUMN_DIGEST)
        *(tr_digest *)at = tr_query_digest(query);
    else if (column->kind == TR_COLUMN_BLOB)
        *(tr_blob_view *)at = tr_query_blob(query);
    else
        tr_query_text(query, at, column->size);
}

void tr_columns_read(tr_query *query, const tr_table *table, void *row) {
    memset(row, 0, table->size);
    for (int i = 0; i < table->column_count; i++)
        if (!(table->column[i].left_out & TR_NOT_SELECTED))
            read_column(query, &table->column[i], row);
}

/* --- check --- */

static tr_status refuse(const tr_table *table, const tr_table_column *column, const void *row,
                        double value, tr_error *error) {
    const char *name = tr_columns_member(table, "name", row), *quote = name ? "'" : "";
    const bool is_double = column->kind == TR_COLUMN_DOUBLE;
    char bounds[64] = "a finite number";
    if (!is_free(column) && column->high >= INT32_MAX)
        snprintf(bounds, sizeof bounds, "%s %.15g", is_double ? "more than" : "at least",
                 column->low);
    else if (!is_free(column))
        snprintf(bounds, sizeof bounds, "%s%.15g to %.15g", is_double ? "more than " : "",
                 column->low, column->high);
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s%s%s%s%s: %s: %.15g; expected %s", table->name,
                   name ? " " : "", quote, name ? name : "", quote, column->name, value, bounds);
}

static tr_status check_number(const tr_table *table, const tr_table_column *column, const void *row,
                              tr_error *error) {
    const double value = number(column, row);
    return is_within(column, value) ? TR_OK : refuse(table, column, row, value, error);
}

static tr_status check_text(const tr_table *table, const tr_table_column *column, const void *row,
                            tr_error *error) {
    char field[64];
    snprintf(field, sizeof field, "%s %s", table->name, column->name);
    return column->kind == TR_COLUMN_NAME
               ? tr_text_check_name(field, member(column, row), column->size, error)
               : tr_text_check(field, member(column, row), column->size, error);
}

tr_status tr_columns_check(const tr_table *table, const void *row, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < table->column_count; i++) {
        const tr_table_column *column = &table->column[i];
        if (column->left_out & TR_NOT_INSERTED)
            continue;
        if (column->kind == TR_COLUMN_NAME || column->kind == TR_COLUMN_TEXT)
            status = check_text(table, column, row, error);
        else if (is_number(column))
            status = check_number(table, column, row, error);
    }
    return status || !table->check ? status : table->check(row, error);
}

/* --- keys --- */

static int compare_column(const tr_table_column *column, const void *a, const void *b) {
    if (!is_number(column))
        return strcmp(member(column, a), member(column, b));
    if (column->kind == TR_COLUMN_DOUBLE)
        return (number(column, a) > number(column, b)) - (number(column, a) < number(column, b));
    return (integer(column, a) > integer(column, b)) - (integer(column, a) < integer(column, b));
}

int tr_columns_compare(const tr_table *table, const void *a, const void *b) {
    int order = 0;
    for (int i = 0; order == 0 && i < table->key_count; i++)
        order = compare_column(&table->column[i], a, b);
    return order;
}

tr_status tr_columns_refuse_twice(const tr_table *table, const void *row, tr_error *error) {
    char key[320];
    for (int i = 0, used = 0; i < table->key_count; i++) {
        const tr_table_column *column = &table->column[i];
        used += snprintf(key + used, sizeof key - (size_t)used, "%s%s ", i > 0 ? ", " : "",
                         column->name);
        used += is_number(column)
                    ? snprintf(key + used, sizeof key - (size_t)used, "%.15g", number(column, row))
                    : snprintf(key + used, sizeof key - (size_t)used, "'%s'",
                               (const char *)member(column, row));
    }
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %s: given twice", table->name, key);
}

void tr_columns_clean(const tr_table *table, void *row) {
    for (int i = 0; i < table->column_count; i++)
        if (table->column[i].kind == TR_COLUMN_DOUBLE)
            *(double *)(void *)((char *)row + table->column[i].offset) += 0.0;
}

/* --- digest --- */

/* A row that is not known counts as zeros. */
static void add_reference(tr_catalogue *catalogue, const tr_table_column *column, tr_row_id id,
                          tr_digest_writer *writer, tr_error *error) {
    tr_digest digest = {{0}};
    if (id && !writer->status)
        writer->status = tr_rows_digest(catalogue, column->noun, id, &digest, error);
    tr_digest_add_digest(writer, &digest);
}

static void add_column(tr_catalogue *catalogue, const tr_table_column *column, const void *row,
                       tr_digest_writer *writer, tr_error *error) {
    const void *at = member(column, row);
    const tr_blob_view *view = at;
    if (column->kind == TR_COLUMN_ID)
        add_reference(catalogue, column, *(const tr_row_id *)at, writer, error);
    else if (column->kind == TR_COLUMN_DOUBLE)
        tr_digest_add_double(writer, *(const double *)at);
    else if (is_number(column))
        tr_digest_add_int(writer, integer(column, row));
    else if (column->kind == TR_COLUMN_DIGEST)
        tr_digest_add_digest(writer, at);
    else if (column->kind == TR_COLUMN_BLOB || column->kind == TR_COLUMN_BYTES)
        tr_digest_add_blob(writer, view->data, view->size);
    else
        tr_digest_add_text(writer, at);
}

void tr_columns_digest(tr_catalogue *catalogue, const tr_table *table, const void *row,
                       tr_digest_writer *writer, tr_error *error) {
    for (int i = 0; i < table->column_count; i++)
        if (!(table->column[i].left_out & TR_NOT_DIGESTED))
            add_column(catalogue, &table->column[i], row, writer, error);
}
