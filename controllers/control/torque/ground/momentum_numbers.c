#include "control/torque/ground/momentum_numbers.h"

#define AT(field) offsetof(tr_momentum_numbers, field)

static const tr_number_row row[TR_MOMENTUM_NUMBERS] = {
    {"place_stiffness", "pulls the centroid over its place above the feet, 1/s2", 0, 400, 25,
     AT(place_stiffness)},
    {"place_damping", "slows the centroid along the ground, 1/s", 0, 60, 10, AT(place_damping)},
    {"height_stiffness", "pulls the centroid to its height, 1/s2", 0, 400, 60,
     AT(height_stiffness)},
    {"height_damping", "slows the centroid up and down, 1/s", 0, 60, 15, AT(height_damping)},
    {"turn_damping", "ends angular momentum, 1/s", 0, 60, 5, AT(turn_damping)},
    {"turn_softness", "how much the posture counts against turn_damping; 0: nothing", 0, 1000, 1,
     AT(turn_softness)},
    {"posture_stiffness", "pulls joints and root to the stance, 1/s2", 0, 400, 50,
     AT(posture_stiffness)},
    {"posture_damping", "slows joints and root, 1/s", 0, 60, 12, AT(posture_damping)},
    {"ahead_m", "how far in front of the stance's centroid it is held", -0.1, 0.1, 0.055,
     AT(ahead_m)},
    {"margin_m", "how far within the soles the centre of pressure stays", 0, 0.04, 0.005,
     AT(margin_m)},
    {"swing_nm", "largest moment by which arms and trunk swing to help the feet", 0, 500, 90,
     AT(swing_nm)},
    {"friction", "the force stays within the cone of this coefficient", 0.05, 2, 0.7, AT(friction)},
    {"foot_damping", "slows feet that stand, 1/s", 0, 60, 20, AT(foot_damping)},
    {"observe_s", "time constant of the estimated force from outside", 0.02, 100, 0.04,
     AT(observe_s)},
    {"servo_damping", "damping of joints against the planned rates, N m s/rad", 0, 100, 5,
     AT(servo_damping)},
    {"strength_nm", "largest torque about an axis of a joint", 10, 1000, 300, AT(strength_nm)},
};

const tr_number_table tr_momentum_number_table = {"momentum", row, TR_MOMENTUM_NUMBERS};

tr_momentum_numbers tr_momentum_numbers_default(void) {
    tr_momentum_numbers numbers;
    tr_number_table_reset(&tr_momentum_number_table, &numbers);
    return numbers;
}

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
