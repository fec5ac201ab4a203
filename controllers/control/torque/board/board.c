/* A board under both feet of a character, which stands on it sideways and turns it by kicks (Liu and
 * Hodgins 2017, section 5.2.2).
 *
 * When the board is off the heading that is asked for, the character lifts the nose, turns the board
 * about its rear axle and sets it down, again and again (kick.h). The heading is where the character
 * faces, across the board; without a target it is that of the first step. The first object of the
 * rig is the board, which rolls along its y axis. */
#include "control/parts/board_rig.h"
#include "control/torque/board/boarding_step.h"
#include "control/torque/torque_support.h"

enum { BOARD }; /* object of the rig */
static const char *const STAGE[TR_KICK_STAGES] = {
    [TR_KICK_ROLL] = "rolls",
    [TR_KICK_SHIFT] = "leans back",
    [TR_KICK_TURN] = "turns the board",
    [TR_KICK_LOWER] = "sets the nose down",
};

enum { MANEUVERS = 3 };
static const tr_torque_maneuver maneuver[MANEUVERS] = {
    {"ride", 0, 0}, {"kick-toes", 0, 1}, {"kick-heels", 0, -1}};

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_boarding_numbers, field, __VA_ARGS__)
static const tr_parameter number_row[] = {TR_BOARDING_LIST(NUMBER)};
const tr_parameter_table tr_boarding_number_table = {.row = number_row,
                                                     .count = TR_BOARDING_NUMBERS};

static const tr_state_field fields[] = {
    TR_TORQUE_FIELDS,
    TR_TORQUE_DOUBLE(board.first_rad),
    TR_STATE_INT_FIELD(tr_torque_state, board.kick.stage, 0, TR_KICK_STAGES - 1),
    TR_STATE_INT_FIELD(tr_torque_state, board.kick.steps, 0, TR_KICK_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_torque_state, board.kick.side, -1, 1),
    TR_TORQUE_DOUBLE(board.kick.goal_rad),
    TR_STATE_INT_FIELD(tr_torque_state, maneuver, 0, MANEUVERS - 1),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* --- content --- */

static bool has_maneuvers(const tr_torque *torque) {
    return torque->board.numbers.maneuvers > 0;
}

static int entries(const tr_torque *torque) {
    return has_maneuvers(torque) ? MANEUVERS : 1;
}

/* Without maneuvers numbers and states keep their bytes and hashes. */
static int used_numbers(const tr_torque *torque) {
    return TR_BOARDING_NUMBERS - !has_maneuvers(torque);
}

static int used_fields(const tr_torque *torque) {
    return FIELD_COUNT - !has_maneuvers(torque);
}

static tr_status check(const tr_torque *torque, const tr_rig *rig, tr_error *error) {
    const tr_ride_board *board = &torque->board.board;
    tr_status status = tr_board_rig_check(rig, "boarding", error);
    return status || board->front_m > board->rear_m
               ? status
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "boarding: expected a rig with a front and a rear axle");
}

static void look(const tr_torque *torque, const tr_dynamics *dynamics, const tr_body_state *bodies,
                 const tr_object_state *deck, tr_ride_scene *out) {
    tr_ride_scene_look(&(tr_ride_scene_def){.dynamics = dynamics,
                                            .bodies = bodies,
                                            .sole = torque->sole,
                                            .deck = deck,
                                            .board = &torque->board.board,
                                            .leading = torque->side},
                       out);
}

static tr_status prepare(const tr_model *model, const tr_rig *rig, tr_torque *torque,
                         tr_error *error) {
    const tr_state state = tr_state_at_rest(model, &torque->stance.pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_dynamics dynamics;
    tr_ride_scene scene;
    (void)error;
    if (!rig)
        return TR_OK;
    torque->board.board = tr_ride_board_of(rig, BOARD, torque->side);
    tr_state_forward(model, &state, bodies);
    tr_dynamics_init(&dynamics, model, &state, bodies);
    look(torque, &dynamics, bodies, &rig->object[BOARD].state, &scene);
    torque->at_rest = (tr_momentum_stance){scene.centroid, state.pose.root_rot};
    return TR_OK;
}

/* Its speed is that of the board. */
static void reach(const tr_torque *torque, tr_driver_reach *out) {
    (void)torque;
    out->heading = true;
}

/* --- driving --- */

static const char *text(const tr_torque_state *s) {
    return STAGE[s->board.kick.stage];
}

static void follow(const tr_torque *torque, const tr_sight *sight, tr_torque_state *s) {
    (void)torque;
    if (!s->begun)
        s->board.first_rad = tr_quat_heading(sight->object[BOARD].rot);
}

static tr_status plan(const tr_torque_view *view, tr_torque_state *s, tr_torque_plan *out) {
    const tr_torque *torque = view->torque;
    const tr_sight *sight = view->sight;
    const tr_boarding_numbers *n = &torque->board.numbers;
    tr_ride_scene scene;
    look(torque, view->body.dynamics, view->body.bodies, &sight->object[BOARD], &scene);
    /* The heading that the character should face, across its board. A maneuver that asks for none
     * does not kick. */
    const double home_rad = has_maneuvers(torque) ? scene.heading_rad : s->board.first_rad;
    const double wanted_rad =
        sight->target->aim == TR_AIM_HEADING ? sight->target->heading_rad : home_rad;
    /* The kick says how the board should move; then the torques for it. */
    tr_kick_advance(&s->board.kick, n, &scene, wanted_rad, sight->step_s);
    const tr_kick_plan kick = tr_kick_plan_of(&s->board.kick, n, &scene);
    const tr_boarding_view step = {.numbers = n,
                                   .at_rest = &torque->at_rest,
                                   .board = &torque->board.board,
                                   .body = view->body,
                                   .scene = &scene,
                                   .deck = &sight->object[BOARD],
                                   .kick = &kick};
    out->made = true;
    out->damping = n->servo_damping;
    return tr_boarding_step(&step, out->accel, out->torque);
}

const tr_torque_support tr_torque_board = {
    .name = "boarding",
    .skill = "ride",
    .performs = "ride",
    .fell = "fell off",
    .sided = true,
    .numbers = {{.table = &tr_boarding_number_table,
                 .offset = offsetof(tr_torque, board.numbers),
                 .least = TR_BOARDING_NUMBERS - 1,
                 .used = used_numbers}},
    .maneuver = maneuver,
    .entries = entries,
    .field = fields,
    .field_count = FIELD_COUNT,
    .used_fields = used_fields,
    .check = check,
    .prepare = prepare,
    .reach = reach,
    .text = text,
    .is_off = tr_torque_has_tipped,
    .follow = follow,
    .plan = plan,
};
