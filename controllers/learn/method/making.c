#include "learn/method/making.h"

#include <stdlib.h>

tr_status tr_making_advance(void *work, tr_method_row *out, tr_error *error) {
    tr_making *m = work;
    (void)error;
    m->done = true;
    *out = (tr_method_row){.phase = "made", .best = true};
    return TR_OK;
}

bool tr_making_is_done(const void *work) {
    return ((const tr_making *)work)->done;
}

double tr_making_share(const void *work) {
    return tr_making_is_done(work) ? 1 : 0;
}

tr_status tr_making_best(void *work, const tr_controller **out, tr_error *error) {
    (void)error;
    *out = ((tr_making *)work)->controller;
    return TR_OK;
}

void tr_making_list(void *work, tr_blocks *blocks) {
    tr_block(blocks, "made", &((tr_making *)work)->done, sizeof(bool));
}

void tr_making_destroy(void *work) {
    tr_making *m = work;
    if (!m)
        return;
    tr_controller_destroy(m->controller);
    free(m);
}
