/* Queries of the catalogue: a request in, an encoded response out, on the catalogue's thread.
 *
 * One function for each request: it reads rows and answers with a struct, which a mapping
 * (proto/mapping.h) turns into the message. */
#pragma once

#include "db/store/catalogue.h"
#include "proto/mapping.h"
#include "server/net/packet.h"

#include <troupe/envelope.pb-c.h>

typedef struct tr_inquiry {
    tr_catalogue *catalogue;
    const Troupe__ClientMessage *request;
    uint64_t request_id;
    tr_packet *answer; /* owned by the caller if the query succeeded */
    tr_error *error;
    tr_mapping_memory memory; /* of rows and messages; freed at the end of the query */
} tr_inquiry;

/* Answers one kind of request. TR_NOT_FOUND, TR_INVALID_ARGUMENT, ... with the message in
 * inquiry->error. */
typedef tr_status (*tr_inquiry_function)(tr_inquiry *inquiry);

/* A function that sets no answer gets an empty one. */
tr_status tr_inquiry_run(tr_inquiry *inquiry, tr_inquiry_function query) TR_NODISCARD;

/* --- for the queries of each noun --- */

/* Zeroed memory for [count] of `size` bytes, at least one. NULL and an error in the query: no
 * memory. */
void *tr_inquiry_take(tr_inquiry *inquiry, size_t count, size_t size);

/* Encodes the answer. from: the struct of the mapping; used during the call only. */
tr_status tr_inquiry_answer(tr_inquiry *inquiry, Troupe__Response__ResultCase result,
                            const tr_mapping *mapping, const void *from) TR_NODISCARD;

/* NULL for an empty text: a filter that is not set. */
const char *tr_inquiry_filter(const char *text);

/* --- pages --- */

/* A requested page. after: NULL for the first page. `fetch` rows are read, one more than shown: the
 * extra row tells whether another page follows. */
typedef struct tr_inquiry_page {
    int size, fetch;
    const char *after;
} tr_inquiry_page;

/* TR_INVALID_ARGUMENT: too large, or not a token. */
tr_status tr_inquiry_read_page(tr_inquiry *inquiry, const Troupe__Page *page,
                               tr_inquiry_page *out) TR_NODISCARD;

/* The number of the `count` fetched rows that the page shows. */
int tr_inquiry_shown(const tr_inquiry_page *page, int count);

/* The struct that the mapping of a list copies. next_page_token: the name of the last row; empty:
 * the last page. */
typedef struct tr_inquiry_rows {
    int count;
    const void *rows;
    const char *next_page_token;
} tr_inquiry_rows;

#define TR_INQUIRY_ROWS(Message, message_name, member, its_mapping)                                \
    TR_MAPPING(tr_inquiry_rows, Message, message_name,                                             \
               TR_COPY_LIST_AS(count, rows, member, its_mapping), TR_COPY(next_page_token))

/* A list by name. fetch: reads up to *count rows after `after` (NULL: from the first) and sets
 * *count. */
typedef struct tr_inquiry_list {
    Troupe__Response__ResultCase result;
    const tr_mapping *mapping; /* of tr_inquiry_rows */
    size_t row_size, name_offset;
    tr_status (*fetch)(tr_inquiry *inquiry, const char *after, void *rows, int *count);
} tr_inquiry_list;

tr_status tr_inquiry_answer_list(tr_inquiry *inquiry, const Troupe__Page *page,
                                 const tr_inquiry_list *list) TR_NODISCARD;

/* Of lists of controllers, in tr_inquiry_rows. */
extern const tr_mapping tr_inquiry_controllers_mapping;

/* --- the queries --- */

tr_status tr_inquiry_list_models(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_model(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_clips(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_clip(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_runs(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_run(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_list_controllers(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_add_bundle(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_controller(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_lineage(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_certificate(tr_inquiry *inquiry) TR_NODISCARD;
