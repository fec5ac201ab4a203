/* Methods that make a controller without learning: begin makes it, and one row reports it. */
#pragma once

#include "learn/method/method.h"

/* The work of such a method. */
typedef struct tr_making {
    tr_controller *controller;
    bool done;
} tr_making;

/* Functions for its row. */
tr_status tr_making_advance(void *work, tr_method_row *out, tr_error *error);
bool tr_making_is_done(const void *work);
double tr_making_share(const void *work);
tr_status tr_making_best(void *work, const tr_controller **out, tr_error *error);
void tr_making_list(void *work, tr_blocks *blocks);
void tr_making_destroy(void *work);

#define TR_MAKING                                                                                  \
    .size = sizeof(tr_making), .advance = tr_making_advance, .is_done = tr_making_is_done,         \
    .share = tr_making_share, .best = tr_making_best, .list = tr_making_list,                      \
    .destroy = tr_making_destroy
