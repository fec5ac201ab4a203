#include "proto/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

const char *tr_status_text(tr_status status) {
    switch (status) {
#define X(name, value, text)                                                                       \
    case TR_##name:                                                                                \
        return text;
        TR_STATUS_LIST(X)
#undef X
    }
    return "unknown error";
}

const char *tr_status_name(tr_status status) {
    switch (status) {
#define X(name, value, text)                                                                       \
    case TR_##name:                                                                                \
        return #name;
        TR_STATUS_LIST(X)
#undef X
    }
    return "UNKNOWN";
}

/* A text that was cut at `size` bytes may end within a UTF-8 character. Ends it before that
 * character, because the wire takes whole characters only. */
static void end_before_cut(char *text, size_t size) {
    size_t lead = size;
    while (size - lead < 4 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80)
        lead--;
    unsigned char first = (unsigned char)text[lead - 1];
    size_t whole = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (size - lead + 1 < whole)
        text[lead - 1] = '\0';
}

/* Names in messages come from files and peers, and messages go to terminals and logs. Control characters
 * of ASCII and of U+0080 to U+009F become question marks. */
static void show_control_characters(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++) {
        bool second = *at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;
        if (*at < 0x20 || *at == 0x7f || second)
            *at = '?';
        if (second)
            *++at = '?';
    }
}

tr_status(tr_fail)(tr_error *error, tr_status status, const char *format, ...) {
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(error->message, sizeof error->message, format, arguments);
        if (length >= (int)sizeof error->message)
            end_before_cut(error->message, sizeof error->message - 1);
        show_control_characters(error->message);
        va_end(arguments);
    }
    return status;
}

tr_status(tr_fail_if)(tr_error *error, tr_status status, const char *where, ...) {
    char text[TR_ERROR_MESSAGE_MAX];
    if (!status)
        return TR_OK;
    va_list arguments;
    va_start(arguments, where);
    (void)vsnprintf(text, sizeof text, where, arguments);
    va_end(arguments);
    return (tr_fail)(error, status, "%s: %s", text, tr_status_text(status));
}
