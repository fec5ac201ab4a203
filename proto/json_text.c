#include "proto/json_text.h"

#include "proto/suggest.h"
#include "proto/text_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 128, KEYS_BYTES_MAX = 2048 };

static tr_status parse(const char *text, size_t size, const char *name, json_t **out,
                       tr_error *error) {
    json_error_t where;
    json_t *value = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
    if (!value)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s:%d: %.200s", name, where.line,
                       where.text);
    *out = value;
    return TR_OK;
}

tr_status tr_json_parse(const char *text, size_t size, const char *name, json_t **out,
                        tr_error *error) {
    char *copy = malloc(size + 1);
    if (!copy)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: no memory", name);
    memcpy(copy, text, size);
    copy[size] = '\0';
    tr_status status = tr_text_clean(copy, &size, name, error);
    if (!status)
        status = parse(copy, size, name, out, error);
    free(copy);
    return status;
}

tr_status tr_json_load(const char *path, size_t size_max, json_t **out, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_text_file_read(path, size_max, &text, &size, error);
    if (!status)
        status = parse(text, size, path, out, error);
    free(text);
    return status;
}

static int find(const char *key, const char *const *known, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(key, known[i]) == 0)
            return i;
    return -1;
}

tr_status tr_json_only(const json_t *value, const char *keys, const char *name, const char *where,
                       tr_error *error) {
    char words[KEYS_BYTES_MAX], meant[80];
    const char *known[KEYS_MAX], *key;
    const json_t *ignored;
    const char *colon = where[0] ? ": " : "";
    if (!json_is_object(value))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.160s: %.80s%sexpected an object { }", name,
                       where, colon);
    snprintf(words, sizeof words, "%s", keys);
    /* Splits words at spaces, in place. */
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word && count < KEYS_MAX;
         word = strtok_r(NULL, " ", &rest))
        known[count++] = word;
    json_t *object = (json_t *)(uintptr_t)value; /* NOLINT(performance-no-int-to-ptr) */
    json_object_foreach(object, key, ignored) {
        if (find(key, known, count) >= 0)
            continue;
        tr_suggest_text(tr_suggest_nearest(key, known, count), meant);
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.160s: %.80s%sunknown key '%.60s'%s%s%.240s",
                       name, where, colon, key, meant,
                       meant[0] ? "" : "; known keys: ", meant[0] ? "" : keys);
    }
    return TR_OK;
}

bool tr_json_numbers(const json_t *array, double *out, size_t count) {
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i]))
            return false;
    }
    return true;
}
