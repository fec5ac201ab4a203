#include "control/latent/anchor.h"

/* A standing support may shift so far, while the prediction is off by so much; only their ratio
 * matters. */
static const double SHIFT = 1, TRAVEL = 6;

static void find_supports(const tr_latent_space *space, const tr_model *model, const double *vector,
                          tr_vec3 *out) {
    const tr_latent_space_def *def = &space->learned;
    tr_pose pose = tr_pose_vector_to(model, &def->reference, vector, &(tr_pose_place){0, 0, 0});
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    for (int i = 0; i < def->support_count; i++)
        out[i] = tr_support_position(model, &def->support[i], bodies);
}

tr_footing tr_footing_of(const tr_latent_space *space, const tr_model *model, const double *x) {
    double vector[TR_POSE_VECTOR_MAX];
    tr_footing footing = {0};
    tr_latent_space_show(space, x, vector, footing.standing);
    find_supports(space, model, vector, footing.at);
    return footing;
}

tr_footing tr_footing_of_mixture(const tr_latent_space *space, const tr_model *model,
                                 const tr_latent_mixture *mixture, double *out_pose) {
    tr_footing footing = {0};
    tr_latent_space_show_mixture(space, mixture, out_pose, footing.standing);
    find_supports(space, model, out_pose, footing.at);
    return footing;
}

double tr_footing_slip(int support_count, const tr_footing *from, const tr_footing *to,
                       const tr_root_step *step, double dt_s) {
    double weights = 1e-9, sum = 0;
    for (int i = 0; i < support_count; i++) {
        double weight = from->standing[i] * to->standing[i];
        tr_vec3 moved = tr_vec3_from_heading(to->at[i], step->turn_rad);
        moved = tr_vec3_add(moved, (tr_vec3){step->forward, step->left, 0});
        weights += weight;
        sum += weight * tr_vec3_distance(moved, from->at[i]);
    }
    return sum / weights / dt_s;
}

tr_root_step tr_anchor_step(int support_count, const tr_footing *from, const tr_footing *to,
                            const tr_root_step *predicted) {
    /* The sum of the header is least at the weighted mean of what the prediction and each support
     * ask for. */
    const double trust = 1 / (TRAVEL * TRAVEL);
    double weights = trust, forward = trust * predicted->forward, left = trust * predicted->left;
    for (int i = 0; i < support_count; i++) {
        double weight = from->standing[i] * to->standing[i] / (SHIFT * SHIFT);
        tr_vec3 turned = tr_vec3_from_heading(to->at[i], predicted->turn_rad);
        weights += weight;
        forward += weight * (from->at[i].x - turned.x);
        left += weight * (from->at[i].y - turned.y);
    }
    return (tr_root_step){predicted->turn_rad, forward / weights, left / weights};
}
