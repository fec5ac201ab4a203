/* Queries of the catalogue: a request in, a response out, on the catalogue's thread.
 *
 * One function a request; it reads rows and fills the response. What the response points to is
 * taken from the query and lives as long as it does. */
#ifndef TROUPE_SERVER_INQUIRY_H
#define TROUPE_SERVER_INQUIRY_H

#include "db/store/catalogue.h"

#include <troupe/envelope.pb-c.h>

#include <stddef.h>

typedef struct tr_inquiry_block tr_inquiry_block;
typedef struct tr_inquiry_kept tr_inquiry_kept;

typedef struct tr_inquiry {
    tr_catalogue *catalogue;
    const Troupe__ClientMessage *request;
    Troupe__Response *response; /* initialised; the query sets the result */
    tr_error *error;
    tr_inquiry_block *blocks; /* what was taken */
    tr_inquiry_kept *kept;    /* messages that the response points into */
} tr_inquiry;

/* Answers one kind of request. TR_NOT_FOUND, TR_INVALID_ARGUMENT, ... with the message in
 * inquiry->error. */
typedef tr_status (*tr_inquiry_function)(tr_inquiry *inquiry);

tr_status tr_inquiry_run(tr_inquiry *inquiry, tr_inquiry_function answer) TR_NODISCARD;
void tr_inquiry_deinit(tr_inquiry *inquiry);

/* --- for the queries of each noun --- */

/* Zeroed memory; NULL and an error in the query when there is none. */
void *tr_inquiry_take(tr_inquiry *inquiry, size_t size);
/* Keeps a decoded message as long as the query and takes it, on failure too. False: no memory, and
 * an error in the query. */
bool tr_inquiry_keep(tr_inquiry *inquiry, ProtobufCMessage *take_message);
char *tr_inquiry_text(tr_inquiry *inquiry, const char *text);
char *tr_inquiry_digest(tr_inquiry *inquiry, const tr_digest *digest);

/* A page as it was asked for. after: NULL for the first. TR_INVALID_ARGUMENT: too large, or not a
 * token. A query asks the catalogue for `fetch` rows, one more than it shows: that one says whether
 * there is a page after this. */
typedef struct tr_inquiry_page {
    int size, fetch;
    const char *after;
} tr_inquiry_page;
tr_status tr_inquiry_read_page(tr_inquiry *inquiry, const Troupe__Page *page,
                               tr_inquiry_page *out) TR_NODISCARD;

/* How many of the `count` rows fetched the page shows. */
int tr_inquiry_shown(const tr_inquiry_page *page, int count);

/* The token of the page after this one: the name of the last row shown; empty: this is the last. */
char *tr_inquiry_token(tr_inquiry *inquiry, const tr_inquiry_page *page, int count,
                       const char *last_name);

/* NULL for an empty text: a filter that is not set. */
const char *tr_inquiry_filter(const char *text);

tr_status tr_inquiry_list_models(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_model(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_clips(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_clip(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_runs(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_run(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_controllers(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_controller(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_lineage(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_certificate(tr_inquiry *inquiry) TR_NODISCARD;

#endif
