/* What every file of db/ knows of a catalogue and its rows (catalogue.h). */
#pragma once

#include "db/store/digest.h"

typedef struct tr_catalogue tr_catalogue;

/* Identifies a row within its table of one catalogue file; positive. 0 means none. */
typedef int64_t tr_row_id;

/* What has rows of its own. */
typedef enum tr_noun {
    TR_NOUN_MODEL,
    TR_NOUN_CLIP,
    TR_NOUN_RUN,
    TR_NOUN_CONTROLLER,
    TR_NOUN_MATCH,
    TR_NOUN_CERTIFICATE,
    TR_NOUN_FRAGMENT,
    TR_NOUN_NONE /* a table whose rows belong to those of a noun */
} tr_noun;

/* Declares tr_NOUNS_get, of an id, and tr_NOUNS_find, of a name. TR_NOT_FOUND: no such row. */
#define TR_NOUN_READERS(nouns, noun)                                                               \
    tr_status tr_##nouns##_get(tr_catalogue *catalogue, tr_row_id id, tr_##noun##_row *out,        \
                               tr_error *error) TR_NODISCARD;                                      \
    tr_status tr_##nouns##_find(tr_catalogue *catalogue, const char *name, tr_##noun##_row *out,   \
                                tr_error *error) TR_NODISCARD;

/* "model", "clip", ...: its table, and its word in messages. */
const char *tr_noun_name(tr_noun noun);

enum {
    TR_PAGE_MAX = 256, /* rows of a page */
    TR_LIST_MAX = TR_PAGE_MAX +
                  1, /* rows of a list call: a page, and one more that shows whether more follow */
    TR_SHORT_TEXT_MAX = 256 /* bytes with terminator: sources, licences, hosts, versions */
};
