/* Character models from arbitrary text: a model that is finite and within the caps, or an error
 * with a message. */
#include "fuzz/target.h"

#include "model/mjcf.h"
#include "model/state.h"

#include <math.h>
#include <stdlib.h>

static void check_model(const tr_model *model) {
    if (model->body_count < 1 || model->body_count > TR_BODY_MAX)
        abort();
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        if (body->parent >= i || !(body->mass > 0) || !isfinite(body->mass) ||
            !tr_vec3_is_finite(body->com))
            abort();
    }
    static tr_body_state bodies[TR_BODY_MAX];
    tr_pose rest = tr_pose_rest(model);
    tr_pose_forward(model, &rest, bodies);
    for (int i = 0; i < model->body_count; i++)
        if (!tr_vec3_is_finite(bodies[i].com_pos) || !tr_quat_is_finite(bodies[i].rot))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tr_model *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_parse((const char *)data, size, "fuzz", &model, &error)) {
        if (model || !error.message[0] || !error.status)
            abort();
        return 0;
    }
    check_model(model);
    tr_model_destroy(model);
    return 0;
}
