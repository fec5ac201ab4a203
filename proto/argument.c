#include "proto/argument.h"

#include <assert.h>
#include <string.h>

static bool is_option(const tr_argument *row) {
    return row->usage[0] == '-';
}

static bool takes_the_rest(const tr_argument *row) {
    return strstr(row->usage, " ...") != NULL && !is_option(row);
}

static void *target_of(const tr_argument *row, void *values) {
    return (char *)values + row->offset;
}

/* --- options --- */

/* The options among the rows: name[i] is that of table[i], "rate" of "--rate HZ". */
typedef struct option_list {
    char name[TR_ARGUMENT_MAX][32];
    tr_option_call call[TR_ARGUMENT_MAX];
    tr_option table[TR_ARGUMENT_MAX];
    size_t count;
} option_list;

static void list_options(const tr_argument *rows, void *values, option_list *out) {
    out->count = 0;
    for (const tr_argument *row = rows; row->usage; row++) {
        const size_t i = out->count;
        void *target = target_of(row, values);
        if (!is_option(row))
            continue;
        assert(i < TR_ARGUMENT_MAX);
        snprintf(out->name[i], sizeof out->name[i], "%.*s", (int)strcspn(row->usage + 2, " "),
                 row->usage + 2);
        out->call[i] = (tr_option_call){row->take, target, row->of};
        out->table[i] = (tr_option){out->name[i], row->kind, row->take ? &out->call[i] : target,
                                    row->low, row->high};
        out->count++;
    }
}

/* The command's word for something that other commands call differently. */
static const char *synonym_of(const option_list *options, const char *word) {
    static const char *const words[][2] = {
        {"--for", "duration"}, {"--duration", "for"}, {"--seconds", "for"}, {"--to", "bvh"},
        {"--name", "label"},   {"--label", "name"},   {"--speed", "rate"},  {"--rate", "speed"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0 &&
            tr_option_find(options->table, options->count, words[i][1]))
            return words[i][1];
    return NULL;
}

static tr_status take_options(const tr_argument *rows, int count, char **words, void *values,
                              int *out_first, tr_error *error) {
    option_list options;
    list_options(rows, values, &options);
    const tr_option_table table = {options.table, options.count, false};
    tr_status status = tr_option_take(&table, count, words, out_first, error);
    const char *synonym = status == TR_NOT_FOUND ? synonym_of(&options, words[*out_first]) : NULL;
    return synonym ? tr_fail(error, status, "%s: no such option; did you mean '--%s'?",
                             words[*out_first], synonym)
                   : status;
}

/* --- arguments by place --- */

static const tr_argument *find_place(const tr_argument *rows, int index) {
    for (const tr_argument *row = rows; row->usage; row++)
        if (!is_option(row) && index-- == 0)
            return row;
    return NULL;
}

static tr_status store_rest(const tr_argument *row, int count, char **words, void *values,
                            tr_error *error) {
    *(tr_words *)target_of(row, values) = (tr_words){count, words};
    return row->high == 0 || count <= (int)row->high
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected 1 to %d of them, got %d",
                         row->usage, (int)row->high, count);
}

static tr_status take_places(const tr_argument *rows, int count, char **words, void *values,
                             tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < count; i++) {
        const tr_argument *row = find_place(rows, i);
        if (!row)
            return tr_fail(error, TR_INVALID_ARGUMENT, "one argument too many: %s", words[i]);
        if (takes_the_rest(row))
            return store_rest(row, count - i, words + i, values, error);
        const tr_option place = {row->usage, row->kind, target_of(row, values), row->low,
                                 row->high};
        char expected[96];
        status = !tr_option_store(&place, words[i], NULL)
                     ? TR_OK
                     : tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected %s, got '%s'", row->usage,
                               tr_option_expected(&place, expected), words[i]);
    }
    const tr_argument *missing = find_place(rows, count);
    return status || !missing || missing->usage[0] == '['
               ? status
               : tr_fail(error, TR_INVALID_ARGUMENT, "missing argument: %s", missing->usage);
}

static tr_status check_needed(const tr_argument *rows, void *values, tr_error *error) {
    for (const tr_argument *row = rows; row->usage; row++)
        if (row->needed && !*(const char *const *)target_of(row, values))
            return tr_fail(error, TR_INVALID_ARGUMENT, "missing argument: %s", row->usage);
    return TR_OK;
}

tr_status tr_argument_take(const tr_argument *rows, int count, char **words, void *values,
                           tr_error *error) {
    int first = 0;
    for (const tr_argument *row = rows; row->usage; row++)
        if (row->preset)
            row->preset(target_of(row, values));
    tr_status status = take_options(rows, count, words, values, &first, error);
    if (!status)
        status = take_places(rows, count - first, words + first, values, error);
    return status ? status : check_needed(rows, values, error);
}

/* --- usage and help --- */

void tr_argument_print_usage(const tr_argument *rows, const char *command, FILE *out) {
    enum { NAMED_MAX = 12 }; /* optional ones that a line names */
    fprintf(out, "usage: %s", command);
    for (const tr_argument *row = rows; row->usage; row++)
        if (!is_option(row) || row->needed)
            fprintf(out, " %s", row->usage);
    int free = 0;
    for (const tr_argument *row = rows; row->usage; row++)
        free += is_option(row) && !row->needed && row->help;
    for (const tr_argument *row = rows; row->usage && free <= NAMED_MAX; row++)
        if (is_option(row) && !row->needed && row->help)
            fprintf(out, " [%s]", row->usage);
    if (free > NAMED_MAX)
        fputs(" [options]", out);
    fputc('\n', out);
}

/* The bytes of the text that fit into a line. */
static size_t line_of(const char *text, size_t width) {
    size_t length = strcspn(text, "\n");
    if (length <= width)
        return length;
    for (length = width; length > 0 && text[length] != ' '; length--)
        continue;
    return length > 0 ? length : strcspn(text, " \n");
}

void tr_argument_print_help(const tr_argument *rows, FILE *out) {
    enum { COLUMNS = 100, NAME_MIN = 18, NAME_MAX_BYTES = 24 };
    int width = NAME_MIN;
    for (const tr_argument *row = rows; row->usage; row++) {
        const int length = (int)strlen(row->usage);
        width = length > width && length <= NAME_MAX_BYTES ? length : width;
    }
    for (const tr_argument *row = rows; row->usage; row++) {
        const char *rest = row->help;
        if (!rest)
            continue;
        const size_t room = (size_t)(COLUMNS - width - 3);
        fprintf(out, "  %-*s ", width, row->usage);
        for (size_t length = line_of(rest, room);; length = line_of(rest, room)) {
            fprintf(out, "%.*s\n", (int)length, rest);
            rest += length + (rest[length] != '\0');
            if (!*rest)
                break;
            fprintf(out, "%*s", width + 3, "");
        }
    }
}
