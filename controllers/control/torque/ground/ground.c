/* The ground under a character that stands, and answers pushes without a step (Liu and Hodgins 2017,
 * section 5.2.4). The stance is seen from the feet: the character stands where its feet are, and in
 * their heading. While no foot stands, servos hold the stance. */
#include "control/torque/ground/momentum_step.h"
#include "control/torque/torque_support.h"

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_momentum_numbers, field, __VA_ARGS__)
static const tr_parameter number_row[] = {TR_MOMENTUM_LIST(NUMBER)};
const tr_parameter_table tr_momentum_number_table = {.row = number_row,
                                                     .count = TR_MOMENTUM_NUMBERS};

static const tr_state_field fields[] = {
    TR_TORQUE_FIELDS,
    TR_STATE_BOOL_FIELD(tr_torque_state, outside.expects),
    TR_TORQUE_DOUBLE(outside.force.x),
    TR_TORQUE_DOUBLE(outside.force.y),
    TR_TORQUE_DOUBLE(outside.force.z),
    TR_TORQUE_DOUBLE(outside.moment.x),
    TR_TORQUE_DOUBLE(outside.moment.y),
    TR_TORQUE_DOUBLE(outside.moment.z),
    TR_TORQUE_DOUBLE(outside.expected.linear.x),
    TR_TORQUE_DOUBLE(outside.expected.linear.y),
    TR_TORQUE_DOUBLE(outside.expected.linear.z),
    TR_TORQUE_DOUBLE(outside.expected.angular.x),
    TR_TORQUE_DOUBLE(outside.expected.angular.y),
    TR_TORQUE_DOUBLE(outside.expected.angular.z),
};

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

static tr_status prepare(const tr_model *model, const tr_rig *rig, tr_torque *torque,
                         tr_error *error) {
    (void)rig;
    return tr_momentum_stance_of(model, torque->sole, &torque->stance.pose, &torque->at_rest)
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "momentum: stance: expected soles below the feet");
}

static const char *text(const tr_torque_state *state) {
    (void)state;
    return "stance";
}

/* A character that is down expects nothing. */
static void follow(const tr_torque *torque, const tr_sight *sight, tr_torque_state *s) {
    (void)torque, (void)sight;
    if (s->down)
        s->outside = (tr_disturbance){0};
}

/* Finds where the feet stand; false: no foot does. */
static bool find_foothold(const tr_torque_view *view, tr_foothold *out) {
    const tr_torque *torque = view->torque;
    const tr_sight *sight = view->sight;
    tr_foothold_def def = {.model = sight->model,
                           .sole = torque->sole,
                           .bodies = view->body.bodies,
                           .margin_m = torque->ground.numbers.margin_m};
    for (int side = 0; side < 2; side++)
        def.ground[side] =
            tr_foothold_ground(sight->world, sight->model, torque->sole, view->body.bodies, side);
    return tr_foothold_place(&def, out);
}

static tr_status plan(const tr_torque_view *view, tr_torque_state *s, tr_torque_plan *out) {
    const tr_torque *torque = view->torque;
    const tr_momentum_numbers *n = &torque->ground.numbers;
    const tr_spatial momentum = view->body.dynamics->momentum;
    const tr_momenta now = {tr_v4_to(momentum.lin), tr_v4_to(momentum.ang)};
    tr_foothold foothold;
    tr_momentum_plan planned;
    if (!find_foothold(view, &foothold)) {
        s->outside = (tr_disturbance){0};
        return TR_OK;
    }
    /* The force from outside is what the momenta did beyond the plan of the last step. */
    tr_disturbance_observe(&s->outside, &now, n->observe_s);
    const tr_momentum_view step = {.numbers = n,
                                   .stance = &torque->at_rest,
                                   .body = view->body,
                                   .foothold = &foothold,
                                   .disturbance = &s->outside,
                                   .up = view->sight->ground.normal};
    tr_status status = tr_momentum_step(&step, &planned, out->accel, out->torque);
    if (status)
        return status;
    tr_disturbance_expect(&s->outside, &now, &planned.rate, view->sight->step_s);
    out->made = true;
    out->damping = n->servo_damping;
    return TR_OK;
}

const tr_torque_support tr_torque_ground = {
    .name = "momentum",
    .skill = "stance",
    .performs = "stand",
    .fell = "fell",
    .numbers = {{.table = &tr_momentum_number_table,
                 .offset = offsetof(tr_torque, ground.numbers),
                 .least = TR_MOMENTUM_NUMBERS}},
    .field = fields,
    .field_count = sizeof fields / sizeof *fields,
    .prepare = prepare,
    .text = text,
    .follow = follow,
    .plan = plan,
};
