/* 'troupe-train graph requests': how soon a skill begins that a player asks for, by skill. */
#ifndef TROUPE_TOOLS_REQUESTS_H
#define TROUPE_TOOLS_REQUESTS_H

#include "learn/measure/graph_requests.h"
#include "tools/frame/subject.h"

/* from, to: names of cyclic skills between commas; NULL: all that may be asked for */
typedef struct tr_requests_options {
    const char *from, *to;
    tr_graph_request_test test;
} tr_requests_options;

/* Measures all pairs and prints them. TR_NOT_FOUND: the graph has no cyclic skill of a name. */
tr_status tr_requests_report(const tr_subject *s, const tr_requests_options *o,
                             tr_error *error) TR_NODISCARD;

#endif
