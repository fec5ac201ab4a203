#include "learn/rehearsal/cost.h"

static const double LOST_HEIGHT_M = 0.3;
static const double LOST_ANGLE_RAD = 1.0;

tr_cost_weights tr_cost_weights_default(void) {
    return (tr_cost_weights){.pose = 4,
                             .root = 4,
                             .effector = 10,
                             .balance = 1,
                             .centroid = 3,
                             .velocity = 0.1,
                             .angular = 0.03,
                             .action = 0.5};
}

void tr_cost_look(const tr_model *model, const tr_state *state, const tr_body_state *bodies,
                  double heading_start_rad, tr_cost_view *out) {
    const tr_pose *pose = &state->pose;
    double heading = tr_quat_heading(pose->root_rot);
    tr_momentum sum = tr_body_momentum(model, bodies);
    /* The root keeps the heading that it gained in the fragment; the rest is seen in the frame of
     * the end. */
    out->root_rot = tr_quat_mul(tr_quat_from_heading(-heading_start_rad), pose->root_rot);
    out->root_height = pose->root_pos.z;
    for (int i = 1; i < model->body_count; i++)
        out->joint[i] = pose->joint[i];
    tr_vec3 arm = tr_vec3_sub(sum.com_pos, pose->root_pos);
    arm.z = sum.com_pos.z;
    out->centroid = tr_vec3_to_heading(arm, heading);
    out->velocity = tr_vec3_to_heading(sum.com_vel, heading);
    out->angular = tr_vec3_to_heading(sum.angular, heading);
    for (int e = 0; e < model->end_effector_count; e++) {
        tr_vec3 pos = bodies[model->end_effector[e]].com_pos;
        out->effector[e] = tr_vec3_to_heading(tr_vec3_sub(pos, sum.com_pos), heading);
    }
}

void tr_cost_reference(const tr_model *model, const tr_state *end, tr_cost_view *out) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, end, bodies);
    tr_cost_look(model, end, bodies, 0, out);
}

void tr_cost_references(const tr_model *model, const tr_bank *bank, tr_cost_view *out) {
    for (int k = 0; k < bank->fragment_count; k++)
        tr_cost_reference(model, &bank->fragment[k].end, &out[k]);
}

static double pose_term(const tr_model *model, const tr_cost_view *view,
                        const tr_cost_view *reference) {
    double sum = 0;
    int count = 0;
    for (int i = 1; i < model->body_count; i++) {
        if (i == model->toe[0] || i == model->toe[1])
            continue;
        sum += tr_quat_angle(view->joint[i], reference->joint[i]);
        count++;
    }
    return count ? sum / count : 0;
}

static void effector_terms(const tr_model *model, const tr_cost_view *view,
                           const tr_cost_view *reference, tr_cost_weights *out) {
    double height = 0, planar = 0;
    for (int e = 0; e < model->end_effector_count; e++) {
        tr_vec3 d = tr_vec3_sub(view->effector[e], reference->effector[e]);
        /* Effectors are relative to the centroid; its height makes theirs absolute. */
        height += fabs(d.z + view->centroid.z - reference->centroid.z);
        planar += hypot(d.x, d.y);
    }
    int count = model->end_effector_count ? model->end_effector_count : 1;
    out->effector = height / count;
    out->balance = planar / count / model->height;
}

tr_cost_weights tr_cost_terms(const tr_model *model, const tr_cost_view *view,
                              const tr_cost_view *reference) {
    tr_cost_weights terms = {
        .pose = pose_term(model, view, reference),
        .root = tr_quat_angle(view->root_rot, reference->root_rot),
        .centroid = tr_vec3_distance(view->centroid, reference->centroid),
        .velocity = tr_vec3_distance(view->velocity, reference->velocity),
        .angular = tr_vec3_distance(view->angular, reference->angular),
    };
    effector_terms(model, view, reference, &terms);
    return terms;
}

double tr_cost_total(const tr_cost_weights *w, const tr_cost_weights *terms, const double *action,
                     int size) {
    double square = 0;
    for (int i = 0; i < size; i++)
        square += action[i] * action[i];
    /* E = wp Ep + wr Er + ... (liu2015-guided, eq. 20). */
    return w->pose * terms->pose + w->root * terms->root + w->effector * terms->effector +
           w->balance * terms->balance + w->centroid * terms->centroid +
           w->velocity * terms->velocity + w->angular * terms->angular + w->action * sqrt(square);
}

bool tr_cost_root_is_lost(const tr_cost_root *root, const tr_cost_root *reference) {
    double height = fabs(root->height - reference->height);
    double angle = tr_quat_angle(root->rot, reference->rot);
    /* Written so that what is not a number is lost. */
    return !(height < LOST_HEIGHT_M) || !(angle < LOST_ANGLE_RAD);
}

bool tr_cost_is_lost(const tr_cost_view *view, const tr_cost_view *reference) {
    return tr_cost_root_is_lost(&(tr_cost_root){view->root_rot, view->root_height},
                                &(tr_cost_root){reference->root_rot, reference->root_height});
}
