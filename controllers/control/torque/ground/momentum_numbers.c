#include "control/torque/ground/momentum_numbers.h"

#include "control/torque/shared_numbers.h"

#define NUMBER(field, ...) TR_SUPPORT_NUMBER(tr_momentum_numbers, field, __VA_ARGS__)

static const tr_parameter row[TR_MOMENTUM_NUMBERS] = {
    NUMBER(place_stiffness, 0, 400, "25", "pulls the centroid over its place above the feet, 1/s2"),
    NUMBER(place_damping, 0, 60, "10", "slows the centroid along the ground, 1/s"),
    TR_BODY_NUMBERS(tr_momentum_numbers),
    NUMBER(ahead_m, -0.1, 0.1, "0.055", "how far in front of the stance's centroid it is held"),
    NUMBER(margin_m, 0, 0.04, "0.005", "how far within the soles the centre of pressure stays"),
    NUMBER(swing_nm, 0, 500, "90", "largest moment by which arms and trunk swing to help the feet"),
    NUMBER(friction, 0.05, 2, "0.7", "the force stays within the cone of this coefficient"),
    NUMBER(foot_damping, 0, 60, "20", "slows feet that stand, 1/s"),
    NUMBER(observe_s, 0.02, 100, "0.04", "time constant of the estimated force from outside"),
    TR_SERVO_NUMBERS(tr_momentum_numbers),
};

const tr_parameter_table tr_momentum_number_table = {.row = row, .count = TR_MOMENTUM_NUMBERS};

bool tr_momentum_stance_of(const tr_model *model, const tr_foot_sole sole[2], const tr_pose *pose,
                           tr_momentum_stance *out) {
    const tr_state state = tr_state_at_rest(model, pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_foothold foothold;
    tr_state_forward(model, &state, bodies);
    tr_foothold_def def = {.model = model, .sole = sole, .bodies = bodies};
    for (int side = 0; side < 2; side++)
        def.ground[side] = (tr_ground){bodies[model->foot[side]].com_pos.z, {0, 0, 1}};
    if (!tr_foothold_place(&def, &foothold)) /* soles that are below their feet stand */
        return false;
    const tr_vec3 centroid = tr_body_momentum(model, bodies).com_pos;
    *out = (tr_momentum_stance){
        tr_vec3_to_heading(tr_vec3_sub(centroid, foothold.middle), foothold.heading_rad),
        tr_quat_mul(tr_quat_from_heading(-foothold.heading_rad), pose->root_rot)};
    return true;
}
