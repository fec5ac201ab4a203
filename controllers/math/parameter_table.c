#include "math/parameter_table.h"

#include "proto/option.h"
#include "proto/text.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1 << 13, ROW_MAX = 256 };

/* The row of that number, its own or of an inner table, with its offset in the whole struct. false: no
 * more rows. */
static bool take_row(const tr_parameter_table *table, size_t i, tr_parameter *out) {
    if (i < table->count) {
        *out = table->row[i];
        return true;
    }
    i -= table->count;
    for (int k = 0; k < TR_PARAMETER_INNER_MAX && table->inner[k].table; k++) {
        const tr_parameter_table *inner = table->inner[k].table;
        if (i < inner->count) {
            *out = inner->row[i];
            out->offset += table->inner[k].offset;
            return true;
        }
        i -= inner->count;
    }
    return false;
}

bool tr_parameter_find(const tr_parameter_table *table, const char *name, tr_parameter *out) {
    for (size_t i = 0; take_row(table, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

static size_t size_of(const tr_parameter *p) {
    static const size_t size[] = {
        [TR_REAL] = sizeof(double),        [TR_COUNT] = sizeof(int),
        [TR_SEED] = sizeof(uint64_t),      [TR_FLAG] = sizeof(bool),
        [TR_NAME] = TR_PARAMETER_NAME_MAX, [TR_TEXT] = TR_PARAMETER_TEXT_MAX};
    return size[p->kind];
}

static tr_status set_number(const tr_parameter *p, void *field, const char *text, tr_error *error) {
    const double low = p->kind == TR_FLAG ? 0 : p->low, high = p->kind == TR_FLAG ? 1 : p->high;
    double x;
    if (!tr_option_real(text, &x) || x < low || x > high || (p->kind != TR_REAL && x != floor(x)))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: '%s': expected a %snumber from %g to %g",
                       p->name, text, p->kind != TR_REAL ? "whole " : "", low, high);
    if (p->kind == TR_COUNT)
        *(int *)field = (int)x;
    else if (p->kind == TR_FLAG)
        *(bool *)field = x != 0;
    else
        *(double *)field = x;
    return TR_OK;
}

static tr_status set_seed(const tr_parameter *p, uint64_t *field, const char *text,
                          tr_error *error) {
    char *end = NULL;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: '%s': expected a whole number", p->name,
                       text);
    *field = x;
    return TR_OK;
}

static tr_status set_text(const tr_parameter *p, char *field, const char *text, tr_error *error) {
    if ((p->kind == TR_NAME && *text == '\0') || strlen(text) >= size_of(p))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected a %s of at most %zu bytes",
                       p->name, p->kind == TR_NAME ? "name" : "text", size_of(p) - 1);
    snprintf(field, size_of(p), "%s", text);
    return TR_OK;
}

/* The value behind "name=" among the words; NULL: none. */
static const char *find_retired(const char *words, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = words; at && *at; at += strspn(at, " ")) {
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
        at += strcspn(at, " ");
    }
    return NULL;
}

static tr_status set_retired(const tr_parameter_table *table, const char *name, const char *text,
                             tr_error *error) {
    const char *value = find_retired(table->retired, name);
    if (!value)
        return tr_fail(error, TR_NOT_FOUND, "no parameter '%s'", name);
    const size_t length = strcspn(value, " ");
    double number, x;
    const bool is_number = tr_text_number(value, &number) == value + length;
    if (is_number ? tr_option_real(text, &x) && x == number
                  : strlen(text) == length && strncmp(text, value, length) == 0)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "%s: '%s': expected %.*s, which is a constant of this build; leave it out, or "
                   "use the build that wrote the record",
                   name, text, (int)length, value);
}

tr_status tr_parameter_set(const tr_parameter_table *table, void *values, const char *name,
                           const char *text, tr_error *error) {
    tr_parameter row, *p = &row;
    if (!tr_parameter_find(table, name, p))
        return set_retired(table, name, text, error);
    void *field = (char *)values + p->offset;
    if (p->kind == TR_SEED)
        return set_seed(p, field, text, error);
    if (p->kind == TR_NAME || p->kind == TR_TEXT)
        return set_text(p, field, text, error);
    return set_number(p, field, text, error);
}

void tr_parameter_reset(const tr_parameter_table *table, void *values) {
    tr_parameter row;
    for (size_t i = 0; take_row(table, i, &row); i++) {
        const tr_status status = tr_parameter_set(table, values, row.name, row.initial, NULL);
        assert(!status);
        (void)status;
    }
}

/* The value as text, in `room` or where it lies. Real ones exactly, or short for people. */
static const char *print_value(const tr_parameter *p, const void *values, bool exact,
                               char room[static TR_PARAMETER_NAME_MAX]) {
    const void *field = (const char *)values + p->offset;
    switch (p->kind) {
    case TR_REAL:
        snprintf(room, TR_PARAMETER_NAME_MAX, exact ? "%.17g" : "%g", *(const double *)field);
        return room;
    case TR_COUNT:
        snprintf(room, TR_PARAMETER_NAME_MAX, "%d", *(const int *)field);
        return room;
    case TR_SEED:
        snprintf(room, TR_PARAMETER_NAME_MAX, "%llu", (unsigned long long)*(const uint64_t *)field);
        return room;
    case TR_FLAG:
        return *(const bool *)field ? "1" : "0";
    case TR_NAME:
    case TR_TEXT:
        break;
    }
    return field;
}

tr_status tr_parameter_print(const tr_parameter_table *table, const void *values, char *out,
                             size_t capacity) {
    size_t used = 0;
    tr_parameter row;
    for (size_t i = 0; take_row(table, i, &row); i++) {
        char room[TR_PARAMETER_NAME_MAX];
        const char *value = print_value(&row, values, true, room);
        if (!*value)
            continue;
        int n = snprintf(out + used, capacity - used, "%s = %s\n", row.name, value);
        if (n < 0 || (size_t)n >= capacity - used)
            return TR_OUT_OF_RANGE;
        used += (size_t)n;
    }
    return TR_OK;
}

tr_status tr_parameter_explain(const tr_parameter_table *table, const void *defaults, char *out,
                               size_t capacity) {
    size_t used = 0;
    tr_parameter row;
    for (size_t i = 0; take_row(table, i, &row); i++) {
        char room[TR_PARAMETER_NAME_MAX];
        const char *value = print_value(&row, defaults, false, room);
        int n = snprintf(out + used, capacity - used, "  %-17s %-8s %s\n", row.name, value,
                         row.meaning);
        if (n < 0 || (size_t)n >= capacity - used)
            return TR_OUT_OF_RANGE;
        used += (size_t)n;
    }
    return TR_OK;
}

/* --- lines --- */

static char *trim(char *text) {
    char *end = text + strlen(text);
    while (end > text && strchr(" \t\r", end[-1]))
        *--end = 0;
    return text + strspn(text, " \t");
}

/* seen: the rows that stood in the lines before. */
static tr_status take_line(char *line, const tr_parameter_table *table, bool seen[ROW_MAX],
                           void *values, tr_error *error) {
    tr_parameter row;
    line[strcspn(line, "#")] = 0;
    char *name = trim(line), *value = strchr(name, '=');
    if (*name == 0)
        return TR_OK;
    if (!value)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected NAME = VALUE", name);
    *value++ = 0;
    name = trim(name);
    for (size_t i = 0; take_row(table, i, &row); i++) {
        if (strcmp(row.name, name) != 0)
            continue;
        assert(i < ROW_MAX);
        if (seen[i])
            return tr_fail(error, TR_INVALID_ARGUMENT, "'%s' stands twice: expected it once", name);
        seen[i] = true;
    }
    return tr_parameter_set(table, values, name, trim(value), error);
}

tr_status tr_parameter_read(const tr_parameter_table *table, void *values, const char *name,
                            char *text, tr_error *error) {
    char before[VALUES_MAX];
    bool seen[ROW_MAX] = {false};
    /* Bytes from the start of the values to the end of the last. */
    size_t bytes = 0;
    tr_parameter row, *p = &row;
    for (size_t i = 0; take_row(table, i, &row); i++) {
        const size_t end = p->offset + size_of(p);
        bytes = end > bytes ? end : bytes;
    }
    tr_status status = TR_OK;
    int number = 1;
    assert(bytes <= sizeof before);
    memcpy(before, values, bytes);
    for (char *line = text, *next; !status && line; line = next, number++) {
        tr_error why = {0};
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        status = take_line(line, table, seen, values, &why);
        if (status)
            status = tr_fail(error, status, "%s:%d: %s", name, number, why.message);
    }
    if (status)
        memcpy(values, before, bytes);
    return status;
}
