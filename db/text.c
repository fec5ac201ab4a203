#include "db/text.h"

#include <stdint.h>
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

bool tr_text_bytes_are_utf8(const char *text, size_t size) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t at = 0;
    while (at < size) {
        size_t step = character_size(bytes + at, size - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

static bool has_control(const char *text, const char *allowed) {
    for (; *text; text++)
        if (((uint8_t)*text < 0x20 || *text == 0x7f) && !strchr(allowed, *text))
            return true;
    return false;
}

/* strnlen also stops at the end of an array that was never terminated. */
static tr_status check_bytes(const char *field, const char *text, size_t capacity,
                             tr_error *error) {
    size_t size = strnlen(text, capacity);
    if (size == capacity)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at most %zu bytes", field,
                       capacity - 1);
    if (!tr_text_bytes_are_utf8(text, size))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected UTF-8", field);
    return TR_OK;
}

tr_status tr_text_check(const char *field, const char *text, size_t capacity, tr_error *error) {
    tr_status status = check_bytes(field, text, capacity, error);
    if (status == TR_OK && has_control(text, "\t\n"))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: control characters are not allowed", field);
    return status;
}

tr_status tr_text_check_name(const char *field, const char *name, size_t capacity,
                             tr_error *error) {
    tr_status status = check_bytes(field, name, capacity, error);
    if (status)
        return status;
    size_t size = strlen(name);
    if (size == 0 || name[0] == ' ' || name[size - 1] == ' ' || has_control(name, ""))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: expected a name without control characters or blanks at its ends",
                       field);
    return TR_OK;
}
