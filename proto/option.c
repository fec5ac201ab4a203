#include "proto/option.h"

#include "proto/suggest.h"
#include "proto/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SEED_MAX = 1e15;

/* --- values --- */

static bool read_wide(const char *text, uint64_t *out) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || text[0] < '0' || text[0] > '9' || *end)
        return false;
    *out = value;
    return true;
}

bool tr_option_integer(const char *text, int64_t *out) {
    uint64_t value = 0;
    if (!read_wide(text, &value) || value > INT64_MAX)
        return false;
    *out = (int64_t)value;
    return true;
}

bool tr_option_id(const char *text, uint32_t *out) {
    uint64_t id = 0;
    if (text[0] != '#' || !read_wide(text + 1, &id) || id == 0 || id > UINT32_MAX)
        return false;
    *out = (uint32_t)id;
    return true;
}

bool tr_option_real(const char *text, double *out) {
    double value;
    const char *end = tr_text_number(text, &value);
    if (!end || *end)
        return false;
    *out = value;
    return true;
}

bool tr_option_vector(const char *text, double out[3]) {
    double value[3];
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        const char *end = tr_text_number(at, &value[i]);
        if (!end || *end != (i < 2 ? ',' : '\0'))
            return false;
        at = end + 1;
    }
    memcpy(out, value, sizeof value);
    return true;
}

/* A number within bounds; `whole`: without a fraction. */
static bool bounded(const char *text, double low, double high, bool whole, double *out) {
    double value = 0;
    if (!tr_option_real(text, &value) || value < low || value > high ||
        (whole && value != floor(value)))
        return false;
    *out = value;
    return true;
}

static bool store_chars(const tr_option *option, const char *text) {
    size_t size = strlen(text);
    if (size == 0 || (double)size > option->high)
        return false;
    memcpy(option->target, text, size + 1);
    return true;
}

static bool store_integer(const tr_option *option, const char *text) {
    int64_t value = 0;
    if (!tr_option_integer(text, &value) || (double)value < option->low)
        return false;
    *(int64_t *)option->target = value;
    return true;
}

static bool store(const tr_option *option, const char *text) {
    double number = 0;
    switch (option->kind) {
    case TR_OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case TR_OPTION_TEXT:
        if (option->high > 0 && (!*text || (double)strlen(text) > option->high))
            return false;
        *(const char **)option->target = text;
        return true;
    case TR_OPTION_CHARS:
        return store_chars(option, text);
    case TR_OPTION_NUMBER:
        return bounded(text, option->low, option->high, false, option->target);
    case TR_OPTION_COUNT:
        if (!bounded(text, option->low, option->high, true, &number))
            return false;
        *(int *)option->target = (int)number;
        return true;
    case TR_OPTION_SEED:
        if (!bounded(text, 0, SEED_MAX, true, &number))
            return false;
        *(uint64_t *)option->target = (uint64_t)number;
        return true;
    case TR_OPTION_WIDE:
        return read_wide(text, option->target);
    case TR_OPTION_INTEGER:
        return store_integer(option, text);
    case TR_OPTION_REAL:
        return tr_option_real(text, option->target);
    case TR_OPTION_VECTOR:
        return tr_option_vector(text, option->target);
    default:
        return false;
    }
}

const char *tr_option_expected(const tr_option *option, char out[96]) {
    enum { SIZE = 96 };
    static const char *const plain[] = {
        [TR_OPTION_FLAG] = "no value",
        [TR_OPTION_TEXT] = "a text",
        [TR_OPTION_WIDE] = "a whole number from 0 to 18446744073709551615",
        [TR_OPTION_REAL] = "a number",
        [TR_OPTION_VECTOR] = "three numbers between commas, as 1.5,0,-2",
        [TR_OPTION_CALL] = "another value"};
    if (option->kind == TR_OPTION_CHARS || (option->kind == TR_OPTION_TEXT && option->high > 0))
        snprintf(out, SIZE, "1 to %g bytes", option->high);
    else if (option->kind == TR_OPTION_NUMBER)
        snprintf(out, SIZE, "a number from %g to %g", option->low, option->high);
    else if (option->kind == TR_OPTION_COUNT)
        snprintf(out, SIZE, "a whole number from %g to %g", option->low, option->high);
    else if (option->kind == TR_OPTION_INTEGER)
        snprintf(out, SIZE, "a whole number, %g or more", option->low);
    else if (option->kind == TR_OPTION_SEED)
        snprintf(out, SIZE, "a whole number from 0 to %g", SEED_MAX);
    else
        snprintf(out, SIZE, "%s", plain[option->kind]);
    return out;
}

tr_status tr_option_store(const tr_option *option, const char *text, tr_error *error) {
    if (option->kind == TR_OPTION_CALL) {
        const tr_option_call *call = option->target;
        return call->take(call->context, &(tr_option_value){option->name, text, call->of}, error);
    }
    char expected[96];
    if (store(option, text))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--%s %s: expected %s", option->name, text,
                   tr_option_expected(option, expected));
}

/* --- words --- */

/* "-5" and "-.5,0,0" are values; so is "-" alone. */
static bool is_option(const char *word) {
    return word[0] == '-' && word[1] && !strchr("0123456789.", word[1]);
}

const tr_option *tr_option_find(const tr_option *option, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(option[i].name, name) == 0)
            return &option[i];
    return NULL;
}

/* The option that a word names, and the value that follows in the same word, or NULL. */
static const tr_option *find(const tr_option_table *table, const char *word,
                             const char **out_value) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    *out_value = equals ? equals + 1 : NULL;
    if (word[1] == 'o') {
        *out_value = word[2] ? word + 2 : NULL;
        return tr_option_find(table->option, table->count, "out");
    }
    for (size_t i = 0; i < table->count && word[1] == '-'; i++)
        if (strlen(table->option[i].name) == length - 2 &&
            strncmp(table->option[i].name, word + 2, length - 2) == 0)
            return &table->option[i];
    return NULL;
}

static tr_status refuse(const tr_option_table *table, const char *word, tr_error *error) {
    enum { NAME_MAX_BYTES = 48, LISTED_MAX = 128 };
    char name[LISTED_MAX][NAME_MAX_BYTES], meant[80];
    const char *names[LISTED_MAX];
    int count = 0;
    for (; count < (int)table->count && count < LISTED_MAX; count++) {
        snprintf(name[count], sizeof name[count], "--%s", table->option[count].name);
        names[count] = name[count];
    }
    return tr_fail(error, TR_NOT_FOUND, "%s: no such option%s", word,
                   tr_suggest_text(tr_suggest_nearest(word, names, count), meant));
}

/* Moves words[at] and the next size - 1 to `to`, before those that are between. */
static void move(char **words, int to, int at, int size) {
    for (int k = 0; k < size; k++) {
        char *word = words[at + k];
        memmove(&words[to + k + 1], &words[to + k], (size_t)(at - to) * sizeof *words);
        words[to + k] = word;
    }
}

/* *out_size: how many words the option takes. */
static tr_status take_one(const tr_option_table *table, int count, char **words, int *out_size,
                          tr_error *error) {
    const char *value = NULL, *word = words[0];
    const tr_option *option = find(table, word, &value);
    *out_size = 1;
    if (!option)
        return refuse(table, word, error);
    if (option->kind == TR_OPTION_FLAG && value)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: takes no value", word);
    if (option->kind != TR_OPTION_FLAG && !value) {
        if (count < 2)
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: needs a value", word);
        value = words[1];
        *out_size = 2;
    }
    return tr_option_store(option, value, error);
}

tr_status tr_option_take(const tr_option_table *table, int count, char **words, int *out_first,
                         tr_error *error) {
    int taken = 0;
    for (int at = 0, size; at < count; at += size) {
        bool ends = strcmp(words[at], "--") == 0;
        size = 1;
        if (!ends && !is_option(words[at])) {
            if (table->stops)
                break;
            continue;
        }
        if (!ends) {
            tr_status status = take_one(table, count - at, words + at, &size, error);
            *out_first = at;
            if (status)
                return status;
        }
        move(words, taken, at, size);
        taken += size;
        if (ends)
            break;
    }
    *out_first = taken;
    return TR_OK;
}
