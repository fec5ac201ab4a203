#include "cli/output.h"

#include "cli/failure.h"
#include "cli/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_MAX = 16, COLUMN_NAME_MAX = 32 };

/* --- cells --- */

/* These write whole cells to `out`; with NULL they only measure. They return the columns that a
 * cell takes on the terminal: its characters, not its bytes. */

static int put_scalar(FILE *out, const json_t *value) {
    char number[64] = "";
    if (json_is_string(value))
        return tr_cli_print_plain(out, json_string_value(value));
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(number, sizeof number, "%.6g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(number, sizeof number, "%s", json_is_true(value) ? "yes" : "no");
    return tr_cli_print_plain(out, number);
}

/* A value in one line: lists of scalars between spaces, nothing for null. */
static int put_cell(FILE *out, const json_t *value) {
    if (!json_is_array(value))
        return put_scalar(out, value);
    int width = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        width += i > 0 ? tr_cli_print_plain(out, " ") : 0;
        width += put_scalar(out, json_array_get(value, i));
    }
    return width;
}

static void fill(int columns) {
    printf("%*s", columns, "");
}

/* --- tables --- */

typedef struct column_table {
    int count;
    char name[COLUMN_MAX][COLUMN_NAME_MAX];
    int width[COLUMN_MAX];
} column_table;

/* Columns from their names, as wide as their widest cell. */
static column_table table_of(const json_t *rows, const char *columns) {
    column_table table = {0};
    int used = 0;
    for (; table.count < COLUMN_MAX &&
           sscanf(columns, " %31s%n", table.name[table.count], &used) == 1;
         columns += used)
        table.count++;
    for (int c = 0; c < table.count; c++) {
        table.width[c] = tr_cli_print_plain(NULL, table.name[c]);
        for (size_t r = 0; r < json_array_size(rows); r++) {
            int width = put_cell(NULL, json_object_get(json_array_get(rows, r), table.name[c]));
            table.width[c] = width > table.width[c] ? width : table.width[c];
        }
    }
    return table;
}

static void print_row(const column_table *table, const json_t *row) {
    for (int c = 0; c < table->count; c++) {
        int width = row ? put_cell(stdout, json_object_get(row, table->name[c]))
                        : tr_cli_print_plain(stdout, table->name[c]);
        if (c + 1 < table->count)
            fill(table->width[c] + 2 - width);
    }
    putchar('\n');
}

static void print_table(const json_t *rows, const char *columns, const char *empty) {
    if (json_array_size(rows) == 0) {
        printf("%s\n", empty);
        return;
    }
    column_table table = table_of(rows, columns);
    print_row(&table, NULL);
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_row(&table, json_array_get(rows, i));
}

/* --- printing --- */

static int flush(void) {
    tr_error error = {0};
    return tr_standard_output_flush(&error) ? tr_cli_fail_in_file(&error) : TR_EXIT_OK;
}

static int print_json(const json_t *value) {
    char *text = json_dumps(value, TR_OUTPUT_JSON);
    if (text)
        puts(text);
    free(text);
    return flush();
}

/* The columns of a list inside an object: the keys of its first row. */
static void print_inner_list(const char *key, const json_t *rows) {
    char columns[COLUMN_MAX * COLUMN_NAME_MAX] = "";
    const char *name;
    json_t *value;
    size_t used = 0;
    json_object_foreach(json_array_get(rows, 0), name, value) {
        if (used < sizeof columns)
            used += (size_t)snprintf(columns + used, sizeof columns - used, "%s ", name);
    }
    printf("\n%s\n", key);
    print_table(rows, columns, "none");
}

static void print_object(json_t *object) {
    const char *key;
    json_t *value;
    int width = 0;
    json_object_foreach(object, key, value) {
        int wide = tr_cli_print_plain(NULL, key);
        width = wide > width ? wide : width;
    }
    json_object_foreach(object, key, value) {
        if (json_is_array(value) && json_is_object(json_array_get(value, 0))) {
            print_inner_list(key, value);
            continue;
        }
        fill(width + 2 - tr_cli_print_plain(stdout, key));
        put_cell(stdout, value);
        putchar('\n');
    }
}

int tr_output_object(const tr_cli *cli, json_t *take_object) {
    int code = TR_EXIT_OK;
    if (cli->json) {
        code = print_json(take_object);
    } else {
        print_object(take_object);
        code = flush();
    }
    json_decref(take_object);
    return code;
}

int tr_output_list(const tr_cli *cli, json_t *take_array, const char *columns, const char *empty) {
    int code = TR_EXIT_OK;
    if (cli->json) {
        code = print_json(take_array);
    } else {
        print_table(take_array, columns, empty);
        code = flush();
    }
    json_decref(take_array);
    return code;
}

int tr_output_applied(const tr_cli *cli, const char *what, const tr_client_applied *applied) {
    if (cli->json) {
        json_t *object = json_pack("{s:s}", "applied", what);
        tr_view_add(object, &tr_client_applied_mapping, applied,
                    "tick ?entity ?order ?scenery ?hash");
        return tr_output_object(cli, object);
    }
    printf("%s at tick %lld", what, (long long)applied->tick);
    if (applied->entity)
        printf(", entity %u", applied->entity);
    if (applied->order)
        printf(", stepper %u", applied->order);
    if (applied->scenery)
        printf(", scenery %u", applied->scenery);
    if (applied->hash)
        printf(", hash %016llx", (unsigned long long)applied->hash);
    putchar('\n');
    return flush();
}

/* --- files of the user --- */

int tr_cli_write_file(const char *path, const void *data, size_t size) {
    tr_error error = {0};
    return tr_sink_write(path, data, size, &error) ? tr_cli_fail_in_file(&error) : TR_EXIT_OK;
}

int tr_cli_open_file(tr_sink *sink, const char *path) {
    tr_error error = {0};
    return tr_sink_open(sink, path, &error) ? tr_cli_fail_in_file(&error) : TR_EXIT_OK;
}

int tr_cli_close_file(tr_sink *sink, int code) {
    tr_error error = {0};
    tr_status status = tr_sink_close(sink, code ? TR_ABORTED : TR_OK, &error);
    return code || !status ? code : tr_cli_fail_in_file(&error);
}
