#include "tools/learn/part_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = TR_NAME_MAX + TR_DIGEST_TEXT_MAX + 2 };

char *tr_part_list_write(const tr_method_parts *parts) {
    char *text = calloc((size_t)parts->count + 1, LINE_BYTES), *at = text;
    for (int i = 0; text && i < parts->count; i++) {
        char digest[TR_DIGEST_TEXT_MAX];
        tr_digest_format(&parts->subject[i].row.digest, digest);
        at += snprintf(at, LINE_BYTES, "%s %s\n", parts->shown[i].name, digest);
    }
    return text;
}

/* Names may hold blanks: the digest stands behind the last. */
static bool read_line(const char *line, size_t length, tr_listed_part *out) {
    char text[LINE_BYTES];
    if (length >= sizeof text)
        return false;
    memcpy(text, line, length);
    text[length] = '\0';
    char *blank = strrchr(text, ' ');
    if (!blank || blank == text || blank - text >= TR_NAME_MAX ||
        !tr_digest_parse(blank + 1, &out->digest))
        return false;
    *blank = '\0';
    snprintf(out->name, sizeof out->name, "%.*s", TR_NAME_MAX - 1, text);
    return true;
}

bool tr_part_list_next(const char **list, tr_listed_part *out) {
    size_t length = strcspn(*list, "\n");
    tr_listed_part part;
    if (!read_line(*list, length, &part))
        return false;
    *list += length + ((*list)[length] == '\n');
    *out = part;
    return true;
}

bool tr_part_list_has(const char *list, const tr_digest *digest) {
    tr_listed_part part;
    while (tr_part_list_next(&list, &part))
        if (tr_digest_equal(&part.digest, digest))
            return true;
    return false;
}
