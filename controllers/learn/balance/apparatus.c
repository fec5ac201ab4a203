#include "learn/balance/apparatus.h"

#include "math/cholesky.h"
#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BASE, DECK }; /* objects of the rig */
enum { ANGLES = 7, ERRORS = 6, SOLVER_ROUNDS = 60, SHIFT_ROUNDS = 8 };

static const double TURN_WEIGHT_M = 0.3; /* a radian off counts as so many metres off */
static const double DAMPING = 1e-4, PROBE_RAD = 1e-5, NEAR_M = 1e-3;

/* Where a foot is to be: its joint's place, and its turn. */
typedef struct footing {
    tr_vec3 pos;
    tr_quat rot;
} footing;

typedef struct posing {
    const tr_model *model;
    const tr_balance_settings *settings;
    tr_gait_body body;
    double ankle_m; /* height above the sole */
    tr_pose pose;
} posing;

/* --- one leg --- */

/* v: hip rotation vector, knee angle, ankle rotation vector. */
static void pose_leg(posing *p, int side, const double v[ANGLES]) {
    int thigh = p->body.thigh[side], shank = p->body.shank[side], foot = p->body.foot[side];
    p->pose.joint[thigh] = tr_quat_exp((tr_vec3){v[0], v[1], v[2]});
    p->pose.joint[shank] = tr_quat_exp(tr_vec3_scale(p->model->body[shank].axis, v[3]));
    p->pose.joint[foot] = tr_quat_exp((tr_vec3){v[4], v[5], v[6]});
}

static void miss(posing *p, int side, const footing *goal, const double v[ANGLES],
                 double out[ERRORS]) {
    tr_body_state bodies[TR_BODY_MAX];
    int foot = p->body.foot[side];
    pose_leg(p, side, v);
    tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    tr_vec3 off = tr_vec3_sub(tr_body_origin(p->model, foot, &bodies[foot]), goal->pos);
    tr_vec3 turn = tr_quat_log(tr_quat_mul(bodies[foot].rot, tr_quat_conj(goal->rot)));
    memcpy(out,
           (double[]){off.x, off.y, off.z, TURN_WEIGHT_M * turn.x, TURN_WEIGHT_M * turn.y,
                      TURN_WEIGHT_M * turn.z},
           ERRORS * sizeof *out);
}

/* One damped Gauss-Newton step; returns the error before it. */
static double step_leg(posing *p, int side, const footing *goal, double v[ANGLES]) {
    double at[ERRORS], probe[ERRORS], slope[ERRORS][ANGLES], left[ANGLES * ANGLES] = {0};
    double right[ANGLES] = {0}, square = 0;
    miss(p, side, goal, v, at);
    for (int i = 0; i < ANGLES; i++) {
        double was = v[i];
        v[i] += PROBE_RAD;
        miss(p, side, goal, v, probe);
        v[i] = was;
        for (int e = 0; e < ERRORS; e++)
            slope[e][i] = (probe[e] - at[e]) / PROBE_RAD;
    }
    for (int e = 0; e < ERRORS; e++) {
        square += at[e] * at[e];
        for (int i = 0; i < ANGLES; i++) {
            right[i] -= slope[e][i] * at[e];
            for (int j = 0; j < ANGLES; j++)
                left[i * ANGLES + j] += slope[e][i] * slope[e][j];
        }
    }
    for (int i = 0; i < ANGLES; i++)
        left[i * ANGLES + i] += DAMPING;
    if (tr_cholesky_factor(ANGLES, left))
        return INFINITY;
    tr_cholesky_solve(ANGLES, left, 1, right);
    for (int i = 0; i < ANGLES; i++)
        v[i] += right[i];
    v[3] = fmax(v[3], 0.02);
    return sqrt(square);
}

static double solve_leg(posing *p, int side, const footing *goal) {
    double knee = p->settings->knee_rad, off = INFINITY;
    double v[ANGLES] = {0, -knee / 2, 0, knee, 0, -knee / 2, 0};
    for (int i = 0; i < SOLVER_ROUNDS; i++)
        off = step_leg(p, side, goal, v);
    pose_leg(p, side, v);
    return off;
}

/* --- the stance --- */

static bool is_board(const tr_balance_settings *s) {
    return strcmp(s->object, "board") == 0;
}

/* Of the middle of the base. */
static double base_height(const tr_balance_settings *s) {
    return s->radius_m;
}

/* x: of the ankles; side 0 is the left. */
static footing footing_of(const posing *p, int side, double x) {
    const tr_balance_settings *s = p->settings;
    double y = side ? -s->feet_m : s->feet_m;
    if (is_board(s)) {
        double top = 2 * s->radius_m + s->deck_thickness_m;
        return (footing){{x, y, top + p->ankle_m}, tr_quat_identity()};
    }
    double lean = tr_asin(y / s->radius_m), far = s->radius_m + p->ankle_m;
    return (footing){{x, far * tr_sin(lean), base_height(s) + far * tr_cos(lean)},
                     tr_quat_exp((tr_vec3){-lean, 0, 0})};
}

/* Height of the root at which a leg with knees bent so reaches the footing. */
static double root_height(const posing *p, const footing *left) {
    const tr_body *thigh = &p->model->body[p->body.thigh[0]];
    double upper = tr_vec3_length(p->model->body[p->body.shank[0]].pos);
    double lower = tr_vec3_length(p->model->body[p->body.foot[0]].pos);
    double reach =
        upper * upper + lower * lower + 2 * upper * lower * tr_cos(p->settings->knee_rad);
    double x = left->pos.x - thigh->pos.x, y = left->pos.y - thigh->pos.y;
    return left->pos.z - thigh->pos.z + sqrt(fmax(0, reach - x * x - y * y));
}

static double mass_x(const posing *p) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    return tr_body_momentum(p->model, bodies).com_pos.x;
}

/* The root stays at x = 0: the feet are shifted until the mass is `ahead_m` in front of the
 * ankles. */
static double solve_stance(posing *p) {
    double off = 0, x = -p->settings->ahead_m;
    p->pose = tr_pose_rest(p->model);
    p->pose.root_pos.x = p->pose.root_pos.y = 0;
    for (int i = 0; i < SHIFT_ROUNDS; i++) {
        footing left = footing_of(p, 0, x), right = footing_of(p, 1, x);
        p->pose.root_pos.z = root_height(p, &left);
        off = fmax(solve_leg(p, 0, &left), solve_leg(p, 1, &right));
        x = mass_x(p) - p->settings->ahead_m;
    }
    return off;
}

/* --- the rig --- */

static tr_rig_object thing(const char *name, tr_geom shape, double mass, tr_vec3 pos) {
    tr_rig_object object = {.def = {.geom_count = 1, .mass = mass},
                            .state = {.pos = pos, .rot = tr_quat_identity()}};
    object.def.geom[0] = shape;
    object.def.geom[0].rot = tr_quat_identity();
    snprintf(object.def.name, sizeof object.def.name, "%s", name);
    return object;
}

/* A point on the sole, and the same point on the board. */
static tr_rig_pin pin_of(const posing *p, int side, const tr_body_state *bodies, tr_vec3 deck) {
    int foot = p->body.foot[side];
    double inward = p->settings->pin_inward_m * (side ? 1 : -1);
    tr_vec3 sole = {p->settings->ahead_m, inward, -p->ankle_m};
    tr_vec3 at = tr_body_point(p->model, foot, sole, &bodies[foot]);
    return (tr_rig_pin){
        {TR_RIG_CHARACTER, DECK},
        {.kind = TR_PIN_POINT, .body = {foot, 0}, .point = {sole, tr_vec3_sub(at, deck)}}};
}

static tr_rig board_of(const posing *p, double x) {
    const tr_balance_settings *s = p->settings;
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    tr_vec3 deck = {x, 0, 2 * s->radius_m + s->deck_thickness_m / 2};
    tr_rig rig = {.object_count = 2, .pin_count = 2};
    rig.object[BASE] = thing("cylinder",
                             (tr_geom){.kind = TR_GEOM_CYLINDER,
                                       .size = {s->radius_m, s->base_half_m, 0},
                                       .friction = s->friction},
                             s->base_kg, (tr_vec3){x, 0, base_height(s)});
    rig.object[BASE].state.rot = tr_quat_exp((tr_vec3){0, TR_PI / 2, 0});
    rig.object[DECK] = thing(
        "board",
        (tr_geom){.kind = TR_GEOM_BOX,
                  .size = {s->deck_width_m / 2, s->deck_length_m / 2, s->deck_thickness_m / 2},
                  .friction = s->friction},
        s->deck_kg, deck);
    for (int side = 0; side < 2; side++)
        rig.pin[side] = pin_of(p, side, bodies, deck);
    return rig;
}

static tr_rig ball_of(const posing *p, double x) {
    const tr_balance_settings *s = p->settings;
    tr_rig rig = {.object_count = 1};
    rig.object[BASE] = thing(
        "ball",
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {s->radius_m, 0, 0}, .friction = s->friction},
        s->base_kg, (tr_vec3){x, 0, base_height(s)});
    return rig;
}

/* --- together --- */

static tr_status begin(posing *p, tr_error *error) {
    const tr_balance_settings *s = p->settings;
    tr_body_state bodies[TR_BODY_MAX];
    if (!is_board(s) && strcmp(s->object, "ball") != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "object '%s': expected board or ball",
                       s->object);
    if (!is_board(s) && s->feet_m >= s->radius_m)
        return tr_fail(error, TR_INVALID_ARGUMENT, "feet_m %g: expected less than radius_m, %g",
                       s->feet_m, s->radius_m);
    tr_status status = tr_gait_body_find(p->model, &p->body, error);
    if (status)
        return status;
    int foot = p->body.foot[0];
    p->pose = tr_pose_rest(p->model);
    tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    p->ankle_m = tr_body_origin(p->model, foot, &bodies[foot]).z -
                 tr_body_lowest_point(p->model, foot, bodies);
    return TR_OK;
}

tr_status tr_apparatus_create(const tr_model *model, const tr_balance_settings *settings,
                              tr_controller **out, tr_error *error) {
    posing p = {.model = model, .settings = settings};
    tr_status status = begin(&p, error);
    if (status)
        return status;
    double off = solve_stance(&p);
    if (!(off < NEAR_M))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "feet_m %g, knee_rad %g: the feet miss their places by %.3f m; try less",
                       settings->feet_m, settings->knee_rad, off);
    tr_state stance = tr_state_at_rest(model, &p.pose);
    double x = mass_x(&p);
    tr_rig rig = is_board(settings) ? board_of(&p, x) : ball_of(&p, x);
    const tr_balance_def def = {.stance = &stance,
                                .gain_set = settings->gain_set,
                                .step_s = settings->step_s,
                                .hold = settings->hold,
                                .bound_rad = settings->bound_rad,
                                .place = {BASE, is_board(settings) ? DECK : -1},
                                .rig = &rig};
    return tr_balance_controller_create(model, &def, out, error);
}
