#include "learn/method/making.h"

#include <stdlib.h>

typedef struct making {
    tr_controller *controller;
    bool done;
} making;

tr_status tr_making_create(tr_controller *take_controller, void **out, tr_error *error) {
    making *m = calloc(1, sizeof *m);
    if (!m) {
        tr_controller_destroy(take_controller);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a controller");
    }
    m->controller = take_controller;
    *out = m;
    return TR_OK;
}

tr_status tr_making_advance(void *work, tr_method_row *out, tr_error *error) {
    making *m = work;
    (void)error;
    m->done = true;
    *out = (tr_method_row){.phase = "made", .best = true};
    return TR_OK;
}

bool tr_making_is_done(const void *work) {
    return ((const making *)work)->done;
}

double tr_making_share(const void *work) {
    return tr_making_is_done(work) ? 1 : 0;
}

tr_status tr_making_best(void *work, const tr_controller **out, tr_error *error) {
    (void)error;
    *out = ((making *)work)->controller;
    return TR_OK;
}

void tr_making_list(void *work, tr_blocks *blocks) {
    tr_block(blocks, "made", &((making *)work)->done, sizeof(bool));
}

void tr_making_destroy(void *work) {
    making *m = work;
    if (!m)
        return;
    tr_controller_destroy(m->controller);
    free(m);
}
