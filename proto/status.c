#include "proto/status.h"

#include <stdarg.h>
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

tr_status tr_fail(tr_error *error, tr_status status, const char *format, ...) {
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
