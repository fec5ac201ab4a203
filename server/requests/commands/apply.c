#include "server/requests/commands/apply.h"

#include <math.h>

tr_status tr_apply_no_entity(tr_reply *result, tr_entity_id entity, const char *what) {
    return tr_fail(&result->error, TR_NOT_FOUND, "entity %u: no such %s in this world", entity,
                   what);
}

tr_status tr_apply_status(tr_reply *result, tr_status status, const char *what) {
    return tr_fail_if(&result->error, status, "%s", what);
}

tr_status tr_apply_status_of_limit(tr_reply *result, tr_status status, const char *what, int most) {
    if (status != TR_RESOURCE_EXHAUSTED)
        return tr_apply_status(result, status, what);
    return tr_fail(&result->error, status,
                   "%s: a world has at most %d, which no setting changes; use another world", what,
                   most);
}

tr_status tr_apply_check_fit(const tr_world_loop *loop, const tr_controller *controller,
                             const tr_model *model, tr_reply *result) {
    if (!controller)
        return TR_OK;
    if (controller->model_hash != model->hash)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned on model '%s', which is not this character's",
                       controller->name, controller->model_name);
    double step_s = tr_world_loop_step_s(loop);
    if (fabs(controller->step_s - step_s) > 1e-9)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned at a step of %g s; this world's is %g s",
                       controller->name, controller->step_s, step_s);
    return TR_OK;
}

void tr_apply_hash(const tr_world_loop *loop, tr_status status, tr_reply *result) {
    if (!status)
        result->hash = tr_stage_hash(loop->stage);
}
