#include "server/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

static const char *const level_name[] = {"error", "warn", "info", "debug"};
static atomic_int threshold = TR_LOG_INFO;

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

static size_t write_head(char *line, tr_log_level level, const char *event) {
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t at = strftime(line, LINE_MAX_BYTES, "ts=%Y-%m-%dT%H:%M:%S", &utc);
    int more = snprintf(line + at, LINE_MAX_BYTES - at, ".%03ldZ level=%s event=%s",
                        now.tv_nsec / 1000000, level_name[level], event);
    return at + (size_t)(more > 0 ? more : 0);
}

static void make_printable(char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] < 0x20 || text[i] > 0x7e)
            text[i] = '?';
}

void tr_log_line(tr_log_level level, const char *event, const char *format, ...) {
    if ((int)level > atomic_load(&threshold))
        return;
    char line[LINE_MAX_BYTES];
    size_t size = write_head(line, level, event);
    if (format[0] != '\0') {
        line[size++] = ' ';
        va_list args;
        va_start(args, format);
        int more = vsnprintf(line + size, LINE_MAX_BYTES - size, format, args);
        va_end(args);
        size += (size_t)(more > 0 ? more : 0);
        if (size > LINE_MAX_BYTES - 1)
            size = LINE_MAX_BYTES - 1;
    }
    make_printable(line, size);
    line[size++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, size);
    (void)written; /* a log that cannot be written has nobody to tell */
}

void tr_log_quote(const char *text, char *out, size_t capacity) {
    size_t size = strnlen(text, capacity - 1);
    for (size_t i = 0; i < size; i++)
        out[i] = (char)(text[i] == '"' ? '\'' : text[i] == '\\' ? '/' : text[i]);
    out[size] = '\0';
}
