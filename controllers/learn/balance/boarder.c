#include "learn/balance/boarder.h"

#include "control/gait/gait_body.h"
#include "learn/balance/number_parameters.h"
#include "math/elementary.h"
#include "motion/limb.h"

#include <math.h>

enum { LEFT, RIGHT, DECK = 0, SHIFT_ROUNDS = 20, LEG_ANGLES = 7 };
static const double NEAR_M = 1e-3;
static const double ENTRY_S = 0.1;
static const double SHOULDER_RAD = 0.35, ELBOW_RAD = 0.6; /* of arms held away from the trunk */

/* --- settings --- */

#define AT(field) offsetof(tr_boarder_settings, field)

static const tr_parameter own_row[] = {
    {"gain_set", TR_NAME, AT(gain_set), 0, 0, "gain set of toes, and of the stance after a fall"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "simulation step"},
    {"knee_rad", TR_REAL, AT(knee_rad), 0.2, 2.2,
     "bend of the knees, which sets the height of the hips"},
    {"tilt_rad", TR_REAL, AT(tilt_rad), -0.5, 1, "tilt of the trunk, forwards"},
    {"front_m", TR_REAL, AT(front_m), -1, 1, "place of the left foot, ahead of the middle"},
    {"rear_m", TR_REAL, AT(rear_m), -1, 1, "place of the right foot, ahead of the middle"},
    {"wheel_radius_m", TR_REAL, AT(board.wheel_radius_m), 0.01, 0.2, "radius of the wheels"},
    {"wheel_kg", TR_REAL, AT(board.wheel_kg), 0.01, 10, "mass of each wheel"},
    {"wheel_damping", TR_REAL, AT(board.wheel_damping), 0, 1, "damping of each wheel, N m s/rad"},
    {"deck_length_m", TR_REAL, AT(board.deck_length_m), 0.3, 3, "length of the board"},
    {"deck_width_m", TR_REAL, AT(board.deck_width_m), 0.1, 0.5, "width of the board"},
    {"deck_thickness_m", TR_REAL, AT(board.deck_thickness_m), 0.002, 0.1, "thickness of the deck"},
    {"deck_kg", TR_REAL, AT(board.deck_kg), 0.1, 50, "mass of the deck"},
    {"friction", TR_REAL, AT(board.friction), 0.1, 2, "friction of deck and wheels"},
    {"start_mps", TR_REAL, AT(board.speed_mps), 0, 5, "speed of the board at spawn"},
};

_Static_assert(sizeof own_row / sizeof *own_row + TR_BOARDING_NUMBERS == TR_BOARDER_SETTINGS,
               "a row for each setting");

tr_boarder_settings tr_boarder_settings_default(void) {
    return (tr_boarder_settings){.board = tr_skateboard_default(),
                                 .numbers = tr_boarding_numbers_default(),
                                 .gain_set = "b",
                                 .step_s = 0.005,
                                 .knee_rad = 1.4,
                                 .tilt_rad = 0.3,
                                 .front_m = 0.16,
                                 .rear_m = -0.28};
}

tr_parameter_table tr_boarder_settings_table(tr_parameter row[TR_BOARDER_SETTINGS]) {
    tr_number_parameters(&tr_boarding_number_table, AT(numbers), row);
    for (size_t i = 0; i < sizeof own_row / sizeof *own_row; i++)
        row[TR_BOARDING_NUMBERS + i] = own_row[i];
    return (tr_parameter_table){row, TR_BOARDER_SETTINGS};
}

/* --- the stance --- */

typedef struct posing {
    const tr_model *model;
    const tr_boarder_settings *settings;
    tr_gait_body body;
    tr_limb leg[2];
    tr_vec3 sole; /* its middle, foot frame */
    tr_pose pose;
} posing;

static tr_status begin(posing *p, tr_error *error) {
    tr_status status = tr_gait_body_find(p->model, &p->body, error);
    if (status)
        return status;
    for (int side = 0; !status && side < 2; side++)
        status = tr_limb_find(p->model, p->body.foot[side], &p->leg[side]);
    if (status || p->leg[LEFT].angles != LEG_ANGLES || p->leg[RIGHT].angles != LEG_ANGLES)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "model '%s': expected legs with ball joints at hip and ankle and a hinge at "
                       "the knee",
                       p->model->name);
    const tr_foot_sole sole = tr_foot_sole_of(p->model, RIGHT);
    p->sole = tr_vec3_lerp(sole.low, sole.high, 0.5);
    return TR_OK;
}

static void hold_arms(posing *p) {
    for (int side = 0; side < 2; side++) {
        p->pose.joint[p->body.upper_arm[side]] =
            tr_quat_exp((tr_vec3){side ? -SHOULDER_RAD : SHOULDER_RAD, 0, 0});
        p->pose.joint[p->body.forearm[side]] = tr_quat_exp((tr_vec3){0, -ELBOW_RAD, 0});
    }
}

/* Puts the middle of a sole to a place, straight ahead. */
static double put_foot(posing *p, int side, tr_vec3 place) {
    const double knee = p->settings->knee_rad;
    double v[TR_LIMB_ANGLES_MAX] = {0, -knee / 2, 0, knee, 0, -knee / 2, 0};
    const tr_limb_goal goal = {
        .pos = tr_vec3_sub(place, p->sole), .turned = true, .rot = tr_quat_identity()};
    return tr_limb_reach(p->model, &p->leg[side], &goal, &p->pose, v);
}

/* Of the hip over the sole of a leg with this knee. */
static double hip_height(const posing *p) {
    const tr_model *model = p->model;
    const double upper = tr_vec3_length(model->body[p->body.shank[RIGHT]].pos);
    const double lower = tr_vec3_length(model->body[p->body.foot[RIGHT]].pos);
    return sqrt(upper * upper + lower * lower + 2 * upper * lower * tr_cos(p->settings->knee_rad)) -
           p->sole.z;
}

static tr_vec3 centroid_of(const posing *p) {
    tr_body_state bodies[TR_BODY_MAX];
    const tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    return tr_body_momentum(p->model, bodies).com_pos;
}

/* Shifts the root until the centroid is at its place, then everything until the root is at x = y = 0.
 * Returns how far a foot misses its place, and the middle of the board. */
static double solve_stance(posing *p, double rear_axle_m, tr_vec3 *out_middle) {
    const tr_boarder_settings *s = p->settings;
    const double top = tr_skateboard_top(&s->board);
    const tr_vec3 front = {0, s->front_m, top}, rear = {0, s->rear_m, top};
    double off = 0;
    p->pose = tr_pose_rest(p->model);
    p->pose.root_rot = tr_quat_exp((tr_vec3){0, s->tilt_rad, 0});
    p->pose.root_pos =
        (tr_vec3){0, 0, top + hip_height(p) - p->model->body[p->body.thigh[RIGHT]].pos.z};
    hold_arms(p);
    for (int i = 0; i < SHIFT_ROUNDS; i++) {
        off = fmax(put_foot(p, RIGHT, rear), put_foot(p, LEFT, front));
        const tr_vec3 centroid = centroid_of(p);
        p->pose.root_pos.x -= centroid.x;
        p->pose.root_pos.y -= centroid.y - (rear_axle_m + s->numbers.ride_m);
    }
    *out_middle = (tr_vec3){-p->pose.root_pos.x, -p->pose.root_pos.y, top};
    p->pose.root_pos.x = p->pose.root_pos.y = 0;
    return off;
}

/* --- together --- */

/* The board alone, rolling to the left. */
static tr_rig board_of(const tr_boarder_settings *s, tr_vec3 middle) {
    tr_rig rig = {0};
    tr_skateboard_put(&s->board, TR_SKATEBOARD_LEFT, middle.x, &rig);
    for (int i = 0; i < rig.object_count; i++)
        rig.object[i].state.pos.y += middle.y;
    return rig;
}

/* The paper pins the right foot to the board. */
static void add_pin(const posing *p, tr_vec3 middle, tr_rig *rig) {
    const tr_vec3 sole = tr_vec3_add(middle, (tr_vec3){0, p->settings->rear_m, 0});
    rig->pin[rig->pin_count++] =
        (tr_rig_pin){{TR_RIG_CHARACTER, DECK},
                     {.kind = TR_PIN_POINT,
                      .body = {p->body.foot[RIGHT], 0},
                      .point = {p->sole, tr_vec3_sub(sole, rig->object[DECK].state.pos)}}};
}

tr_status tr_boarder_create(const tr_model *model, const tr_boarder_settings *settings,
                            tr_controller **out, tr_error *error) {
    posing p = {.model = model, .settings = settings};
    tr_vec3 middle;
    tr_status status = begin(&p, error);
    if (status)
        return status;
    const tr_rig empty = board_of(settings, (tr_vec3){0, 0, 0});
    const double axle_m = tr_ride_board_of(&empty, DECK, LEFT).rear_m;
    const double off = solve_stance(&p, axle_m, &middle);
    if (!(off < NEAR_M))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "knee_rad %g, front_m %g, rear_m %g: the feet miss their places by %.3f m",
                       settings->knee_rad, settings->front_m, settings->rear_m, off);
    tr_state stance = tr_state_at_rest(model, &p.pose);
    stance.root_vel.y = settings->board.speed_mps;
    tr_rig rig = board_of(settings, middle);
    add_pin(&p, middle, &rig);
    const tr_boarding_def def = {.stance = &stance,
                                 .gain_set = settings->gain_set,
                                 .step_s = settings->step_s,
                                 .hold = (int)fmax(1, round(ENTRY_S / settings->step_s)),
                                 .leading = LEFT,
                                 .numbers = settings->numbers,
                                 .rig = &rig};
    return tr_boarding_controller_create(model, &def, out, error);
}
