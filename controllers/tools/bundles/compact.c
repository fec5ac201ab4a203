#include "tools/bundles/compact.h"

#include "db/tables/controllers.h"
#include "db/tables/models.h"

#include <math.h>

/* --- rounding: zeros behind what is kept, which packing takes away (db/store/pack.h) --- */

static const double MOTION = 0x1p-20; /* packing's grid: within 0.001 degrees, 0.001 mm */
static const double RATE = 0x1p-14;   /* of velocities, m/s and rad/s */
enum { FEEDBACK_BITS = 13 };

/* No number becomes -0, which a grid does not have. */
static void round_vector(tr_vec3 *v, double grid) {
    *v = (tr_vec3){nearbyint(v->x / grid) * grid + 0.0, nearbyint(v->y / grid) * grid + 0.0,
                   nearbyint(v->z / grid) * grid + 0.0};
}

/* w is what is left of the unit length, in the order in which packing predicts it. */
static void round_turn(tr_quat *q) {
    tr_vec3 axis = {q->x, q->y, q->z};
    round_vector(&axis, MOTION);
    double left = 1;
    left -= axis.x * axis.x;
    left -= axis.y * axis.y;
    left -= axis.z * axis.z;
    *q = (tr_quat){copysign(sqrt(fmax(left, 0)), q->w), axis.x, axis.y, axis.z};
}

static void round_state(tr_state *state, int body_count) {
    round_vector(&state->pose.root_pos, MOTION);
    round_turn(&state->pose.root_rot);
    round_vector(&state->root_vel, RATE);
    round_vector(&state->root_omega, RATE);
    for (int b = 0; b < body_count; b++) { /* the root's is not used; zeros become a turn by 0 */
        round_turn(&state->pose.joint[b]);
        round_vector(&state->joint_rate[b], RATE);
    }
}

static void round_feedback(double *values, int count) {
    for (int i = 0; i < count; i++) {
        int exponent = 0;
        const double share = frexp(values[i], &exponent);
        values[i] = ldexp(nearbyint(ldexp(share, FEEDBACK_BITS)), exponent - FEEDBACK_BITS);
    }
}

static void round_fragment(tr_fragment *fragment, int body_count) {
    for (int i = 0; i < fragment->steps * body_count; i++)
        round_turn(&fragment->target[i]);
    round_feedback(tr_policy_numbers(&fragment->policy), TR_POLICY_NUMBERS);
    round_state(&fragment->start, body_count);
    round_state(&fragment->end, body_count);
}

/* --- the row --- */

/* Under the name and the guide of the one before. */
static tr_status replace(tr_catalogue *catalogue, const tr_controller_row *row,
                         const tr_controller *controller, tr_row_id *id, tr_error *error) {
    tr_guide guide;
    const tr_controller_entry entry = {.controller = controller, .model_id = row->model_id};
    tr_status status = tr_guides_get(catalogue, row->id, &guide, error);
    if (!status)
        status = tr_controllers_remove(catalogue, row->id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, id, error);
    return status ? status : tr_guides_put(catalogue, *id, &guide, error);
}

tr_status tr_compact_controller(tr_catalogue *catalogue, tr_row_id *id, tr_error *error) {
    tr_controller_row row;
    const tr_model *model = NULL;
    tr_controller *controller = NULL;
    tr_status status = tr_controllers_get(catalogue, *id, &row, error);
    if (!status)
        status = tr_models_borrow(catalogue, row.model_id, &model, error);
    if (!status)
        status = tr_controllers_load(catalogue, row.id, model, &controller, error);
    if (status)
        return status;
    const tr_bank *bank = tr_controller_bank(controller);
    for (int i = 0; bank && i < bank->fragment_count; i++)
        round_fragment(&bank->fragment[i], model->body_count);
    status = replace(catalogue, &row, controller, id, error);
    tr_controller_destroy(controller);
    return status;
}
