/* Reading text files whole and token by token, with the line number for messages. Internal to motion. */
#pragma once

#include "math/vec3.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TR_SCAN_TOKEN_MAX = 128 };

/* A text being read. `token` is the last one read, cut to its buffer. */
typedef struct tr_scan {
    const char *name; /* of the file, for messages */
    char *text;       /* owned; terminated */
    size_t size, at;
    int line;      /* of the last token */
    int next_line; /* of the position `at` */
    char token[TR_SCAN_TOKEN_MAX];
    tr_error *error;
} tr_scan;

/* Reads a whole file of at most `size_max` bytes, as proto/text_file.h does. `path` and `error` must outlive the scan;
 * tr_scan_close frees. */
tr_status tr_scan_open(tr_scan *scan, const char *path, size_t size_max,
                       tr_error *error) TR_NODISCARD;
void tr_scan_close(tr_scan *scan);

/* Next token (white space separates); false at the end of the text. */
bool tr_scan_next(tr_scan *scan);

/* Makes the rest of the line the token, without white space at its ends and without what follows `stop`
 * ('\0': nothing stops it). False: nothing is there. */
bool tr_scan_rest(tr_scan *scan, char stop);

/* Whether another token follows on the line of the last one. */
bool tr_scan_more_on_line(const tr_scan *scan);

/* Whether the last token is `word`; letter case ignored. */
bool tr_scan_is(const tr_scan *scan, const char *word);

/* Reads the next token as a finite number, as an integer in range[0] to range[1], or as exactly
 * `word`. `what` names the value in the message when it is something else. */
tr_status tr_scan_number(tr_scan *scan, const char *what, double *out) TR_NODISCARD;
tr_status tr_scan_vec3(tr_scan *scan, const char *what, tr_vec3 *out) TR_NODISCARD; /* three */
tr_status tr_scan_integer(tr_scan *scan, const char *what, const int64_t range[2],
                          int64_t *out) TR_NODISCARD;
tr_status tr_scan_expect(tr_scan *scan, const char *word) TR_NODISCARD;

/* Refuses the last token if the bit of its word, one of `words`, is set in *seen, else sets it. A word
 * that is not in the list (it ends with NULL) passes. */
tr_status tr_scan_once(const tr_scan *scan, const char *const *words, unsigned *seen) TR_NODISCARD;

/* Fills the error with "file:line: message" and returns TR_INVALID_ARGUMENT. */
tr_status tr_scan_fail(const tr_scan *scan, const char *format, ...) TR_PRINTF(2, 3);

/* Copies a text, cut to `size` bytes with its end; a UTF-8 character is kept whole or left out. */
void tr_text_copy(char *out, size_t size, const char *text);
