/* The daemon's log: one line per happening on stderr, `key=value` pairs that scripts and journald
 * can read.
 *
 *   ts=2026-01-31T12:00:00.123Z level=info event=session.open session=3 peer=127.0.0.1
 *
 * Where stderr is the journal (JOURNAL_STREAM says so) a line begins with its priority, "<6>", and
 * has no ts, which the journal adds itself.
 *
 * A place in the source that has much to say is cut short: past a burst its lines are counted, and
 * the next one that leaves says `suppressed=COUNT`. So no client can fill a disk, and a storm of one
 * kind hides no line of another. Values that a peer chose are passed as ordinary strings: every byte
 * outside printable ASCII is written as '?', so that no client can forge a line. Keys and what is
 * derived from them are never passed. Any thread may log; a line leaves in one write. Wall-clock
 * time is read here and nowhere else. */
#ifndef TROUPE_SERVER_LOG_H
#define TROUPE_SERVER_LOG_H

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tr_log_level { TR_LOG_ERROR, TR_LOG_WARN, TR_LOG_INFO, TR_LOG_DEBUG } tr_log_level;

enum { TR_LOG_BURST = 100, TR_LOG_PER_SECOND = 20 }; /* lines of one place in the source */

/* Lines above `level` are not written. Call before threads start; the default is TR_LOG_INFO. */
void tr_log_set_level(tr_log_level level);

/* "error", "warn", "info", "debug"; false for anything else. */
bool tr_log_level_parse(const char *text, tr_log_level *out);

/* tr_log_line(level, event, format, ...): `event` is a dotted name of this program, `format` the
 * pairs that follow it as printf has them. Lines are cut at 1 KiB. */
#define tr_log_line(level, event, ...)                                                             \
    do {                                                                                           \
        static tr_log_site log_site;                                                               \
        tr_log_at(&log_site, level, event, __VA_ARGS__);                                           \
    } while (0)

/* Writes what places have suppressed and not told since. For a timer of a second or so. */
void tr_log_flush(void);

/* Copies a text that a peer chose so that it can stand between quotes: `"` and `\` become `'` and
 * `/`; cut to fit. */
void tr_log_quote(const char *text, char *out, size_t capacity);

/* --- what the macro stands on --- */

/* A place in the source; zeroed, static. */
typedef struct tr_log_site {
    int64_t filled_ns; /* when its allowance was last added to */
    double allowance;  /* lines */
    uint64_t suppressed;
    const char *event;
    bool listed;
    struct tr_log_site *next; /* of all that have spoken */
} tr_log_site;

/* May the site have a line at `now_ns`? If so *out_suppressed is what it kept back before. */
bool tr_log_admit(tr_log_site *site, int64_t now_ns, uint64_t *out_suppressed);

void tr_log_at(tr_log_site *site, tr_log_level level, const char *event, const char *format, ...)
    TR_PRINTF(4, 5);

#endif
