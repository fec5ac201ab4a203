/* Sections: the stored form of a driver's content. A section is a named run of bytes; catalogues
 * and bundles know only its name.
 *
 * It is a sequence of integers (64 bits), doubles, and texts (their length as an integer, and their
 * bytes), little-endian and unaligned. Writing grows a section; reading trusts nothing.
 * The code that stores sections seals them (db/store/blob.h).
 *
 * Fragments are stored apart from sections, because catalogues share them between controllers
 * (bank.h). */
#pragma once

#include "control/fields/bytes.h"
#include "model/model.h"
#include "proto/status.h"

enum { TR_SECTION_MAX = 64, TR_SECTION_SIZE_MAX = 1 << 26 };

/* replaceable: it may be learned again and replaced, and the controller stays the same; it is no
 * part of the controller's digest. */
typedef struct tr_section {
    char name[TR_NAME_MAX];
    bool replaceable;
    unsigned char *bytes; /* [size], owned */
    size_t size;
} tr_section;

/* bank: the fragments that belong to them; NULL: none. Borrowed. */
typedef struct tr_sections {
    int count;
    tr_section section[TR_SECTION_MAX];
    const struct tr_bank *bank;
} tr_sections;

void tr_sections_deinit(tr_sections *sections);

/* NULL: no such section. */
const tr_section *tr_sections_find(const tr_sections *sections, const char *name);

/* --- writing --- */

typedef struct tr_section_writer {
    tr_sections *sections;
    tr_section section;
    size_t capacity;
    tr_status status; /* the first failure; nothing is written after it */
} tr_section_writer;

tr_section_writer tr_section_begin(tr_sections *sections, const char *name);
void tr_section_put_int(tr_section_writer *writer, int64_t value);
void tr_section_put_doubles(tr_section_writer *writer, const double *values, size_t count);
void tr_section_put_text(tr_section_writer *writer, const char *text);
void tr_section_put_bytes(tr_section_writer *writer, const void *data, size_t size);

/* Adds the section. TR_RESOURCE_EXHAUSTED: past a cap, or no memory; TR_INVALID_ARGUMENT: a number
 * that is not finite, or a name that exists already or is too long. */
tr_status tr_section_end(tr_section_writer *writer, tr_error *error) TR_NODISCARD;

/* --- reading --- */

typedef struct tr_section_reader {
    const char *name;
    tr_byte_reader source;
    bool missing;
} tr_section_reader;

/* After a value that is missing or out of its bounds, everything reads as zero. */
tr_section_reader tr_section_open(const tr_sections *sections, const char *name);
int64_t tr_section_get_int(tr_section_reader *reader, int64_t low, int64_t high);
bool tr_section_get_bool(tr_section_reader *reader);
double tr_section_get_double(tr_section_reader *reader);                           /* finite */
void tr_section_get_doubles(tr_section_reader *reader, double *out, size_t count); /* finite */
void tr_section_get_text(tr_section_reader *reader, char *out,
                         size_t capacity); /* no zeros inside */

/* TR_DATA_LOSS: the section is missing, too short or too long, or a number was out of its
 * bounds. */
tr_status tr_section_close(tr_section_reader *reader, tr_error *error) TR_NODISCARD;
