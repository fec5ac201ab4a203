#include "server/config/log.h"

#include "proto/clock.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

static const char *const level_name[] = {"error", "warn", "info", "debug"};
static const int level_priority[] = {3, 4, 6, 7}; /* of syslog */
static atomic_int threshold = TR_LOG_INFO;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the sites */
static tr_log_site *sites;

void tr_log_set_level(tr_log_level level) {
    atomic_store(&threshold, (int)level);
}

bool tr_log_level_parse(const char *text, tr_log_level *out) {
    for (int i = 0; i < (int)(sizeof level_name / sizeof *level_name); i++)
        if (strcmp(text, level_name[i]) == 0) {
            *out = (tr_log_level)i;
            return true;
        }
    return false;
}

/* --- rate limit per call site --- */

bool tr_log_admit(tr_log_site *site, int64_t now_ns, uint64_t *out_suppressed) {
    if (site->filled_ns == 0)
        site->allowance = TR_LOG_BURST;
    else
        site->allowance += (double)(now_ns - site->filled_ns) * 1e-9 * TR_LOG_PER_SECOND;
    if (site->allowance > TR_LOG_BURST)
        site->allowance = TR_LOG_BURST;
    site->filled_ns = now_ns;
    if (site->allowance < 1) {
        site->suppressed++;
        return false;
    }
    site->allowance -= 1;
    *out_suppressed = site->suppressed;
    site->suppressed = 0;
    return true;
}

static bool admit(tr_log_site *site, const char *event, uint64_t *out_suppressed) {
    pthread_mutex_lock(&lock);
    if (!site->listed) {
        site->listed = true;
        site->event = event;
        site->next = sites;
        sites = site;
    }
    bool admitted = tr_log_admit(site, tr_clock_ns(CLOCK_MONOTONIC), out_suppressed);
    pthread_mutex_unlock(&lock);
    return admitted;
}

/* --- a line --- */

typedef struct log_text {
    char bytes[LINE_MAX_BYTES];
    size_t size;
} log_text;

static void add_list(log_text *line, const char *format, va_list args) TR_PRINTF(2, 0);
static void add(log_text *line, const char *format, ...) TR_PRINTF(2, 3);

static void add_list(log_text *line, const char *format, va_list args) {
    int more = vsnprintf(line->bytes + line->size, LINE_MAX_BYTES - line->size, format, args);
    line->size += (size_t)(more > 0 ? more : 0);
    if (line->size > LINE_MAX_BYTES - 1)
        line->size = LINE_MAX_BYTES - 1;
}

static void add(log_text *line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_list(line, format, args);
    va_end(args);
}

/* systemd names the device and inode of the journal's stream. */
static bool is_journal(void) {
    struct stat info;
    char expected[64];
    const char *stream = getenv("JOURNAL_STREAM");
    if (!stream || fstat(STDERR_FILENO, &info) != 0)
        return false;
    snprintf(expected, sizeof expected, "%llu:%llu", (unsigned long long)info.st_dev,
             (unsigned long long)info.st_ino);
    return strcmp(stream, expected) == 0;
}

static void add_head(log_text *line, tr_log_level level, const char *event) {
    struct timespec now;
    struct tm utc;
    if (is_journal()) {
        add(line, "<%d>event=%s", level_priority[level], event);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    line->size = strftime(line->bytes, LINE_MAX_BYTES, "ts=%Y-%m-%dT%H:%M:%S", &utc);
    add(line, ".%03ldZ level=%s event=%s", now.tv_nsec / 1000000, level_name[level], event);
}

static void write_line(log_text *line) {
    for (size_t i = 0; i < line->size; i++)
        if (line->bytes[i] < 0x20 || line->bytes[i] > 0x7e)
            line->bytes[i] = '?';
    line->bytes[line->size++] = '\n';
    ssize_t written = write(STDERR_FILENO, line->bytes, line->size);
    (void)written; /* a failure to write the log cannot be reported */
}

void tr_log_at(tr_log_site *site, tr_log_level level, const char *event, const char *format, ...) {
    uint64_t suppressed = 0;
    if ((int)level > atomic_load(&threshold) || !admit(site, event, &suppressed))
        return;
    log_text line = {.size = 0};
    add_head(&line, level, event);
    if (suppressed > 0)
        add(&line, " suppressed=%llu", (unsigned long long)suppressed);
    add(&line, " ");
    va_list args;
    va_start(args, format);
    add_list(&line, format, args);
    va_end(args);
    write_line(&line);
}

void tr_log_flush(void) {
    pthread_mutex_lock(&lock);
    for (tr_log_site *site = sites; site; site = site->next) {
        if (site->suppressed == 0)
            continue;
        log_text line = {.size = 0};
        add_head(&line, TR_LOG_WARN, "log.suppressed");
        add(&line, " of=%s suppressed=%llu", site->event, (unsigned long long)site->suppressed);
        site->suppressed = 0;
        write_line(&line);
    }
    pthread_mutex_unlock(&lock);
}

void tr_log_quote(const char *text, char *out, size_t capacity) {
    size_t size = strnlen(text, capacity - 1);
    for (size_t i = 0; i < size; i++)
        out[i] = (char)(text[i] == '"' ? '\'' : text[i] == '\\' ? '/' : text[i]);
    out[size] = '\0';
}
