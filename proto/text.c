#include "proto/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the character at text[0], or 0 when it is not well-formed. RFC 3629, section 4: the
 * second byte's range depends on the first. */
static size_t character_size(const uint8_t *text, size_t left) {
    uint8_t lead = text[0], low = 0x80, high = 0xbf;
    if (lead == 0)
        return 0;
    if (lead < 0x80)
        return 1;
    size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || left < size)
        return 0;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

/* The size of the leading well-formed part of text[size]. */
static size_t whole_size(const char *text, size_t size) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t at = 0, step = 1;
    while (at < size && (step = character_size(bytes + at, size - at)) > 0)
        at += step;
    return at;
}

bool tr_text_bytes_are_utf8(const char *text, size_t size) {
    return whole_size(text, size) == size;
}

bool tr_text_is_utf8(const char *text) {
    return tr_text_bytes_are_utf8(text, strlen(text));
}

bool tr_text_has_control(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        if (*at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f))
            return true;
    return false;
}

const char *tr_text_number(const char *text, double *out) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || strspn(text, "+-.0123456789eE") < (size_t)(end - text) || !isfinite(value))
        return NULL;
    *out = value;
    return end;
}

void tr_text_mend(char *text) {
    size_t size = strlen(text);
    for (size_t at = whole_size(text, size); at < size; at += whole_size(text + at, size - at))
        text[at] = '?';
}

bool tr_text_lists(const char *words, const char *word, size_t length) {
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t span = strcspn(at, " ");
        if (span == length && memcmp(at, word, length) == 0)
            return true;
        at += span;
    }
    return false;
}
