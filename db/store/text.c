#include "db/store/text.h"

#include "proto/text.h"

#include <stdint.h>
#include <string.h>

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
    if (!status && has_control(text, "\t\n"))
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
