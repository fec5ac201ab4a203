/* Digests: SHA-256 of bytes and of rows.
 *
 * A row's digest is taken over its fields in a fixed order: integers and doubles as 8 bytes,
 * little-endian; texts and blobs as their length, an integer, and their bytes; digests as raw
 * bytes. It begins with a text that names the noun and the version of its order, so that rows of
 * different kinds never share a digest. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_digest {
    uint8_t byte[32];
} tr_digest;

enum { TR_DIGEST_TEXT_MAX = 65 }; /* 64 hexadecimal digits and terminator */

/* Lower-case hexadecimal. out: [TR_DIGEST_TEXT_MAX]. */
void tr_digest_format(const tr_digest *digest, char *out);
/* false, and *out untouched, unless the text is what tr_digest_format gives. */
bool tr_digest_parse(const char *text, tr_digest *out);
bool tr_digest_equal(const tr_digest *a, const tr_digest *b);

/* A digest being computed. status: the first failure, after which nothing is added; tr_digest_end
 * returns it. */
typedef struct tr_digest_writer {
    void *context;
    tr_status status;
} tr_digest_writer;

tr_digest_writer tr_digest_begin(const char *noun); /* "clip 1"; NULL: of bytes alone */
void tr_digest_add_bytes(tr_digest_writer *writer, const void *data, size_t size); /* no length */
void tr_digest_add_int(tr_digest_writer *writer, int64_t value);
void tr_digest_add_double(tr_digest_writer *writer, double value);
void tr_digest_add_text(tr_digest_writer *writer, const char *text);
void tr_digest_add_blob(tr_digest_writer *writer, const void *data, size_t size);
void tr_digest_add_digest(tr_digest_writer *writer, const tr_digest *digest);

/* Ends and frees. TR_RESOURCE_EXHAUSTED: the library had no memory. */
tr_status tr_digest_end(tr_digest_writer *writer, tr_digest *out) TR_NODISCARD;
