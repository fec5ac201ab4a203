#include "learn/graph/polish.h"

#include <stdlib.h>

static double share(tr_passage_count count) {
    return count.came > 0 ? (double)count.held / count.came : 0;
}

bool tr_polish_is_better(tr_passage_count one, tr_passage_count other) {
    return share(one) > share(other);
}

/* Policies, aside: [count]. */
static void copy_policies(tr_fragment *fragment, tr_policy *aside, int count, bool back) {
    for (int k = 0; k < count; k++) {
        if (back)
            fragment[k].policy = aside[k];
        else
            aside[k] = fragment[k].policy;
    }
}

tr_status tr_polish(tr_ensemble *ensemble, const tr_harden_def *def, const tr_passage_test *test,
                    tr_passage_count before, tr_controller *controller,
                    tr_passage_count *out_after) {
    const tr_passage *passage = def->passage;
    tr_fragment *learns = tr_controller_bank(controller)->fragment + passage->learns;
    double mean_return = 0;
    tr_policy *aside = calloc((size_t)passage->learns_count, sizeof *aside);
    if (!aside)
        return TR_RESOURCE_EXHAUSTED;
    copy_policies(learns, aside, passage->learns_count, false);
    tr_status status = tr_harden(ensemble, def, controller, &mean_return);
    if (!status)
        status = tr_passage_try(ensemble, controller, passage, test, out_after);
    if (status || tr_polish_is_better(before, *out_after))
        copy_policies(learns, aside, passage->learns_count, true);
    free(aside);
    return status;
}
