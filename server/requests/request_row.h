/* One row for each request of ClientMessage: the role that may send it, whether it is served in a
 * drain, and its handler. A request without a row is unknown. To add a request, write its handler or
 * query and add a row to request_row.c. */
#pragma once

#include "server/catalogue/inquiry.h"
#include "server/requests/dispatch.h"

/* While the daemon drains, requests are refused that begin something which outlasts it: its state
 * may be lost with its machine. */
typedef enum tr_in_drain {
    TR_UNSAID, /* no row */
    TR_SERVED,
    TR_REFUSED
} tr_in_drain;

typedef struct tr_request_row {
    Troupe__ClientMessage__RequestCase request;
    tr_role role; /* the lowest that may send it; TR_ROLE_NONE: before login */
    tr_in_drain in_drain;
    void (*handle)(tr_request *request);
    tr_inquiry_function inquire; /* of tr_handle_query: answers on the catalogue's thread */
} tr_request_row;

/* NULL: no such request. */
const tr_request_row *tr_request_row_find(Troupe__ClientMessage__RequestCase request);
