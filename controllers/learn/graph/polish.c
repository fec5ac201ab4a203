#include "learn/graph/polish.h"

#include <stdlib.h>

static double share(tr_graph_transition_count count) {
    return count.came > 0 ? (double)count.held / count.came : 0;
}

bool tr_polish_is_better(tr_graph_transition_count one, tr_graph_transition_count other) {
    return share(one) > share(other);
}

tr_status tr_polish(tr_ensemble *ensemble, const tr_harden_def *def,
                    const tr_graph_transition_test *test, tr_graph_transition_count before,
                    tr_controller *controller, tr_graph_transition_count *out_after) {
    const tr_graph_transition *transition = def->transition;
    tr_fragment *learns = tr_controller_bank(controller)->fragment + transition->learns;
    double mean_return = 0;
    tr_policy *aside = calloc((size_t)transition->learns_count, sizeof *aside);
    if (!aside)
        return TR_RESOURCE_EXHAUSTED;
    for (int k = 0; k < transition->learns_count; k++)
        aside[k] = learns[k].policy;
    tr_status status = tr_harden(ensemble, def, controller, &mean_return);
    if (!status)
        status = tr_graph_transition_try(ensemble, controller, transition, test, out_after);
    const bool undone = status || tr_polish_is_better(before, *out_after);
    for (int k = 0; undone && k < transition->learns_count; k++)
        learns[k].policy = aside[k];
    free(aside);
    return status;
}
