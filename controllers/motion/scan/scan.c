#include "motion/scan/scan.h"

#include "proto/option.h"
#include "proto/text_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

tr_status tr_scan_open(tr_scan *scan, const char *path, size_t size_max, tr_error *error) {
    *scan = (tr_scan){.name = path, .line = 1, .next_line = 1, .error = error};
    return tr_text_file_read(path, size_max, &scan->text, &scan->size, error);
}

void tr_scan_close(tr_scan *scan) {
    free(scan->text);
    scan->text = NULL;
}

bool tr_scan_next(tr_scan *scan) {
    while (scan->at < scan->size && is_space(scan->text[scan->at]))
        if (scan->text[scan->at++] == '\n')
            scan->next_line++;
    scan->line = scan->next_line;
    scan->token[0] = '\0';
    if (scan->at >= scan->size)
        return false;
    size_t length = 0;
    for (; scan->at < scan->size && !is_space(scan->text[scan->at]); scan->at++)
        if (length + 1 < sizeof scan->token)
            scan->token[length++] = scan->text[scan->at];
    scan->token[length] = '\0';
    return true;
}

bool tr_scan_rest(tr_scan *scan, char stop) {
    size_t length = 0, kept = 0;
    scan->token[0] = '\0';
    if (!tr_scan_more_on_line(scan))
        return false;
    while (is_space(scan->text[scan->at]))
        scan->at++;
    scan->line = scan->next_line;
    for (; scan->at < scan->size && scan->text[scan->at] != '\n'; scan->at++) {
        char c = scan->text[scan->at];
        if (stop && c == stop)
            break;
        if (length + 1 < sizeof scan->token)
            scan->token[length++] = c;
        kept = is_space(c) ? kept : length;
    }
    scan->token[kept] = '\0';
    return kept > 0;
}

bool tr_scan_more_on_line(const tr_scan *scan) {
    for (size_t i = scan->at; i < scan->size && scan->text[i] != '\n'; i++)
        if (!is_space(scan->text[i]))
            return true;
    return false;
}

bool tr_scan_is(const tr_scan *scan, const char *word) {
    return strcasecmp(scan->token, word) == 0;
}

static tr_status fail_unexpected(const tr_scan *scan, const char *what) {
    if (scan->token[0] == '\0')
        return tr_scan_fail(scan, "%s: the file ends too early", what);
    return tr_scan_fail(scan, "%s: found '%.40s'", what, scan->token);
}

tr_status tr_scan_number(tr_scan *scan, const char *what, double *out) {
    tr_scan_next(scan);
    if (tr_option_real(scan->token, out))
        return TR_OK;
    char expected[96];
    snprintf(expected, sizeof expected, "%s: expected a number", what);
    return fail_unexpected(scan, expected);
}

tr_status tr_scan_vec3(tr_scan *scan, const char *what, tr_vec3 *out) {
    tr_status status = tr_scan_number(scan, what, &out->x);
    if (!status)
        status = tr_scan_number(scan, what, &out->y);
    return status ? status : tr_scan_number(scan, what, &out->z);
}

tr_status tr_scan_integer(tr_scan *scan, const char *what, const int64_t range[2], int64_t *out) {
    tr_scan_next(scan);
    double value;
    if (tr_option_real(scan->token, &value) && value == floor(value) && value >= (double)range[0] &&
        value <= (double)range[1]) {
        *out = (int64_t)value;
        return TR_OK;
    }
    char expected[128];
    snprintf(expected, sizeof expected, "%s: expected an integer from %lld to %lld", what,
             (long long)range[0], (long long)range[1]);
    return fail_unexpected(scan, expected);
}

tr_status tr_scan_expect(tr_scan *scan, const char *word) {
    tr_scan_next(scan);
    if (tr_scan_is(scan, word))
        return TR_OK;
    char expected[96];
    snprintf(expected, sizeof expected, "expected '%s'", word);
    return fail_unexpected(scan, expected);
}

tr_status tr_scan_once(const tr_scan *scan, const char *const *words, unsigned *seen) {
    for (unsigned bit = 1; *words; words++, bit <<= 1) {
        if (!tr_scan_is(scan, *words))
            continue;
        if (*seen & bit)
            return tr_scan_fail(scan, "'%.40s' stands twice: expected it once", scan->token);
        *seen |= bit;
    }
    return TR_OK;
}

tr_status tr_scan_fail(const tr_scan *scan, const char *format, ...) {
    char message[TR_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tr_fail(scan->error, TR_INVALID_ARGUMENT, "%.200s:%d: %.280s", scan->name, scan->line,
                   message);
}

void tr_text_copy(char *out, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) /* inside a character */
            length--;
    }
    memcpy(out, text, length);
    out[length] = '\0';
}
