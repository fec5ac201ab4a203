/* The daemon's log: one line per event on stderr, `key=value` pairs that scripts and journald can
 * read.
 *
 *   ts=2026-01-31T12:00:00.123Z level=info event=session.open session=3 peer=127.0.0.1
 *
 * If stderr is the journal (JOURNAL_STREAM shows it), a line begins with its priority, "<6>", and
 * has no ts, which the journal adds.
 *
 * Each call site is rate limited: after a burst its lines are only counted, and the next line that
 * is written has `suppressed=COUNT`. So no client can fill a disk, and a flood of one kind hides no
 * line of another kind. Values chosen by a peer are passed as ordinary strings: every byte outside
 * printable ASCII is written as '?', so that no client can forge a line. Keys and values derived
 * from them are never logged. Any thread may log; a line is one write. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tr_log_level { TR_LOG_ERROR, TR_LOG_WARN, TR_LOG_INFO, TR_LOG_DEBUG } tr_log_level;

enum { TR_LOG_BURST = 100, TR_LOG_PER_SECOND = 20 }; /* lines of one call site */

/* Lines above `level` are not written. Call before threads start; the default is TR_LOG_INFO. */
void tr_log_set_level(tr_log_level level);

/* "error", "warn", "info", "debug"; false for anything else. */
bool tr_log_level_parse(const char *text, tr_log_level *out);

/* tr_log_line(level, event, format, ...): `event` is a dotted name, `format` the pairs after it, as
 * for printf. Lines are cut at 1 KiB. */
#define tr_log_line(level, event, ...)                                                             \
    do {                                                                                           \
        static tr_log_site log_site;                                                               \
        tr_log_at(&log_site, level, event, __VA_ARGS__);                                           \
    } while (0)

/* Writes the counts of suppressed lines that were not reported yet. For a timer of about a
 * second. */
void tr_log_flush(void);

/* Copies a text chosen by a peer so that it can be quoted: `"` and `\` become `'` and `/`; cut to
 * fit. */
void tr_log_quote(const char *text, char *out, size_t capacity);

/* --- used by the macro --- */

/* A call site; zeroed, static. */
typedef struct tr_log_site {
    int64_t filled_ns; /* when its allowance was last increased */
    double allowance;  /* lines */
    uint64_t suppressed;
    const char *event;
    bool listed;
    struct tr_log_site *next; /* list of all that have logged */
} tr_log_site;

/* May the site write a line at `now_ns`? If so, *out_suppressed is the number of lines suppressed
 * before. */
bool tr_log_admit(tr_log_site *site, int64_t now_ns, uint64_t *out_suppressed);

void tr_log_at(tr_log_site *site, tr_log_level level, const char *event, const char *format, ...)
    TR_PRINTF(4, 5);
