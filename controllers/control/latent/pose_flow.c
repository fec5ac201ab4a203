#include "control/latent/pose_flow.h"

#include <math.h>

/* Weight of differences of movement beside those of poses, s; a short time, s. */
static const double MOVEMENT_S = 0.1, SHORT_S = 1e-3;

tr_pose_flow tr_pose_flow_of(const tr_latent_space *space, const tr_model *model,
                             const tr_state *state) {
    const tr_pose_reference *reference = &space->learned.reference;
    tr_pose_flow f = {{0}, {0}};
    double before[TR_POSE_VECTOR_MAX];
    tr_pose pose = state->pose;
    tr_pose_vector_from(model, reference, &pose, f.vector);
    pose.root_pos = tr_vec3_add_scaled(pose.root_pos, -SHORT_S, state->root_vel);
    pose.root_rot =
        tr_quat_mul(tr_quat_exp(tr_vec3_scale(state->root_omega, -SHORT_S)), pose.root_rot);
    for (int i = 1; i < model->body_count; i++)
        pose.joint[i] =
            tr_quat_mul(tr_quat_exp(tr_vec3_scale(state->joint_rate[i], -SHORT_S)), pose.joint[i]);
    tr_pose_vector_from(model, reference, &pose, before);
    for (int k = 0; k < space->learned.pose_size; k++)
        f.rate[k] = (f.vector[k] - before[k]) / SHORT_S;
    return f;
}

/* Returns the flow of a frame of a clip, whose first frame moves as its second. */
static tr_pose_flow flow_of_frame(const tr_latent_space_def *def, int frame) {
    tr_pose_flow f;
    int later = frame;
    for (int c = 0; c < def->clip_count; c++)
        later += def->clip[c].first == frame;
    const double *at = def->pose + frame * def->pose_size, *to = def->pose + later * def->pose_size;
    for (int k = 0; k < def->pose_size; k++) {
        f.vector[k] = at[k];
        f.rate[k] = (to[k] - to[k - def->pose_size]) / def->dt_s;
    }
    return f;
}

int tr_pose_flow_nearest_frame(const tr_latent_space *space, const tr_pose_flow *body) {
    const tr_latent_space_def *def = &space->learned;
    int nearest = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < def->frame_count; i++) {
        tr_pose_flow frame = flow_of_frame(def, i);
        double square = 0;
        for (int k = 0; k < def->pose_size; k++) {
            double off = body->vector[k] - frame.vector[k];
            double faster = MOVEMENT_S * (body->rate[k] - frame.rate[k]);
            square += off * off + faster * faster;
        }
        if (square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}
