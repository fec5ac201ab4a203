#include "control/fragments/features.h"

const double tr_feature_spread[TR_FEATURE_COUNT] = {0.2, 0.2, 0.05, 0.05, 0.05, 0.05, 0.4, 0.3, 0.4,
                                                    0.2, 0.1, 0.1,  0.2,  0.1,  0.1,  4,   4,   2};

const double tr_ground_spread[TR_GROUND_COUNT] = {0.03, 0.03, 0.03, 0.03};

static void put(double *s, tr_vec3 v) {
    s[0] = v.x;
    s[1] = v.y;
    s[2] = v.z;
}

tr_features tr_features_of(const tr_model *model, const tr_state *state,
                           const tr_body_state *bodies) {
    tr_momentum sum = tr_body_momentum(model, bodies);
    tr_vec3 root = state->pose.root_pos;
    double heading = tr_quat_heading(state->pose.root_rot);
    /* The rotation of the root without its heading. */
    tr_quat swing = tr_quat_mul(tr_quat_from_heading(-heading), state->pose.root_rot);
    tr_vec3 tilt = tr_quat_log(swing);
    tr_vec3 c = {sum.com_pos.x - root.x, sum.com_pos.y - root.y, sum.com_pos.z};
    tr_vec3 d_l = tr_vec3_sub(bodies[model->foot[0]].com_pos, sum.com_pos);
    tr_vec3 d_r = tr_vec3_sub(bodies[model->foot[1]].com_pos, sum.com_pos);

    tr_features out = {0};
    out.s[0] = tilt.x;
    out.s[1] = tilt.y;
    out.s[2] = root.z;
    put(out.s + 3, tr_vec3_to_heading(c, heading));
    put(out.s + 6, tr_vec3_to_heading(sum.com_vel, heading));
    put(out.s + 9, tr_vec3_to_heading(d_l, heading));
    put(out.s + 12, tr_vec3_to_heading(d_r, heading));
    put(out.s + 15, tr_vec3_to_heading(sum.angular, heading));
    return out;
}

tr_features tr_features_at(const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    return tr_features_of(model, state, bodies);
}

double tr_features_distance(const tr_features *a, const tr_features *b) {
    double sum = 0;
    for (int i = 0; i < TR_FEATURE_COUNT; i++) {
        const double off = (a->s[i] - b->s[i]) / tr_feature_spread[i];
        sum += off * off;
    }
    return sum;
}

/* The table says where each feature of the mirror image comes from, and with which sign: rotation
 * vectors and angular momentum are axial, the rest polar; the feet change places. */
tr_features tr_features_mirror(const tr_features *features) {
    static const struct {
        int from, sign;
    } map[TR_FEATURE_COUNT] = {{0, -1}, {1, 1},   {2, 1},  {3, 1},   {4, -1},  {5, 1},
                               {6, 1},  {7, -1},  {8, 1},  {12, 1},  {13, -1}, {14, 1},
                               {9, 1},  {10, -1}, {11, 1}, {15, -1}, {16, 1},  {17, -1}};
    tr_features out;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        out.s[i] = map[i].sign * features->s[map[i].from];
    out.ground[0] = features->ground[0];
    out.ground[1] = -features->ground[1];
    out.ground[2] = features->ground[3];
    out.ground[3] = features->ground[2];
    return out;
}
