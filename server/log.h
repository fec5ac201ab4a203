/* The daemon's log: one line per happening on stderr, `key=value` pairs that scripts and journald
 * can read.
 *
 *   ts=2026-01-31T12:00:00.123Z level=info event=session.open session=3 peer=127.0.0.1:5120
 *
 * Values that a peer chose are passed as ordinary strings: every byte outside printable ASCII is
 * written as '?', so that no client can forge a line. Any thread may log; a line leaves in one
 * write. Wall-clock time is read here and nowhere else. */
#ifndef TROUPE_SERVER_LOG_H
#define TROUPE_SERVER_LOG_H

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum tr_log_level { TR_LOG_ERROR, TR_LOG_WARN, TR_LOG_INFO, TR_LOG_DEBUG } tr_log_level;

/* Lines above `level` are not written. Call before threads start; the default is TR_LOG_INFO. */
void tr_log_set_level(tr_log_level level);

/* "error", "warn", "info", "debug"; false for anything else. */
bool tr_log_level_parse(const char *text, tr_log_level *out);

/* `event` is a dotted name of this program, `format` the pairs that follow it ("" for none). Lines
 * are cut at 1 KiB. */
void tr_log_line(tr_log_level level, const char *event, const char *format, ...) TR_PRINTF(3, 4);

/* Copies a text that a peer chose so that it can stand between quotes: `"` and `\` become `'` and
 * `/`; cut to fit. */
void tr_log_quote(const char *text, char *out, size_t capacity);

#endif
