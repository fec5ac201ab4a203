/* Status codes and error records, shared by every folder.
 *
 * A function that can fail returns a tr_status: 0 or a negative code. The codes are the negated
 * values of google.rpc.Code, with the same meanings; the wire has the positive value. Loaders also
 * fill an optional tr_error whose message names the file, the line and the field, and what was
 * expected. Everything here is thread-safe and allocates nothing. */
#pragma once

#define TR_STATUS_LIST(X)                                                                          \
    X(OK, 0, "ok")                                                                                 \
    X(CANCELLED, -1, "cancelled")                                                                  \
    X(UNKNOWN, -2, "unknown error")                                                                \
    X(INVALID_ARGUMENT, -3, "invalid argument")                                                    \
    X(DEADLINE_EXCEEDED, -4, "deadline exceeded")                                                  \
    X(NOT_FOUND, -5, "not found")                                                                  \
    X(ALREADY_EXISTS, -6, "already exists")                                                        \
    X(PERMISSION_DENIED, -7, "permission denied")                                                  \
    X(RESOURCE_EXHAUSTED, -8, "resource exhausted")                                                \
    X(FAILED_PRECONDITION, -9, "failed precondition")                                              \
    X(ABORTED, -10, "aborted")                                                                     \
    X(OUT_OF_RANGE, -11, "out of range")                                                           \
    X(UNIMPLEMENTED, -12, "unimplemented")                                                         \
    X(INTERNAL, -13, "internal error")                                                             \
    X(UNAVAILABLE, -14, "unavailable")                                                             \
    X(DATA_LOSS, -15, "data loss")                                                                 \
    X(UNAUTHENTICATED, -16, "unauthenticated")

typedef enum tr_status {
#define X(name, value, text) TR_##name = (value),
    TR_STATUS_LIST(X)
#undef X
} tr_status;

#define TR_NODISCARD __attribute__((warn_unused_result))
#define TR_PRINTF(string, first) __attribute__((format(printf, string, first)))

/* The end of a function that makes something: gives `made` to the caller in *out, or destroys it after a
 * failure, which leaves *out as it was. The value is `status`. */
#define TR_GIVE(status, made, destroy, out)                                                        \
    ((status) ? (destroy(made), (status)) : (*(out) = (made), TR_OK))

enum { TR_ERROR_MESSAGE_MAX = 512 };

/* A failure described for a person. `message` is always terminated, and empty if nothing failed. */
typedef struct tr_error {
    tr_status status;
    char message[TR_ERROR_MESSAGE_MAX];
} tr_error;

/* Static text of a code, e.g. "not found"; "unknown error" for a value outside the list. */
const char *tr_status_text(tr_status status);

/* Name of a code without prefix, e.g. "NOT_FOUND", as in JSON output. */
const char *tr_status_name(tr_status status);

/* Fills `error` (may be NULL) and returns `status`, so that failing is one line:
 *     return tr_fail(error, TR_INVALID_ARGUMENT, "%s:%d: expected a number", file, line); */
tr_status tr_fail(tr_error *error, tr_status status, const char *format, ...) TR_PRINTF(3, 4);

/* Returns `status`; a failure is described as "WHERE: its text":
 *     return tr_fail_if(error, tr_ensemble_create(&def, out), "worlds of '%s'", name); */
tr_status tr_fail_if(tr_error *error, tr_status status, const char *where, ...) TR_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* the analyzer does not read other files: the result is `status` */
#define tr_fail(error, status, ...) ((void)(tr_fail)(error, status, __VA_ARGS__), (status))
#define tr_fail_if(error, status, ...) ((void)(tr_fail_if)(error, status, __VA_ARGS__), (status))
#endif
