#include "control/torque/ground/momentum_numbers.h"

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_momentum_numbers, field, __VA_ARGS__)

static const tr_parameter row[] = {TR_MOMENTUM_LIST(NUMBER)};

const tr_parameter_table tr_momentum_number_table = {.row = row, .count = TR_MOMENTUM_NUMBERS};

bool tr_momentum_stance_of(const tr_model *model, const tr_foot_sole sole[2], const tr_pose *pose,
                           tr_momentum_stance *out) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_foothold foothold;
    tr_pose_forward(model, pose, bodies);
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
