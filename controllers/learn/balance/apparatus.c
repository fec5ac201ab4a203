#include "learn/balance/apparatus.h"

#include "learn/balance/skateboard.h"
#include "learn/rehearsal/ensemble.h"
#include "math/elementary.h"
#include "motion/made/limb.h"

#include <math.h>
#include <string.h>

/* --- settings --- */

#define AT(field) offsetof(tr_balance_settings, field)

static const tr_parameter rows[] = {
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
    {"object", TR_NAME, AT(object), 0, 0, "board", "board (on a cylinder) or ball"},
    {"radius_m", TR_REAL, AT(radius_m), 0.01, 5, "0.06", "radius of the cylinder or ball"},
    {"base_kg", TR_REAL, AT(base_kg), 0.01, 1000, "1", "mass of the cylinder or ball"},
    {"feet_m", TR_REAL, AT(feet_m), 0, 1, "0.25", "each foot's distance from the middle"},
    {"bound_rad", TR_REAL, AT(bound_rad), 0, 2, "0.6", "largest turn of a joint out of the stance"},
    {"rounds", TR_COUNT, AT(rounds), 1, 100, "4",
     "rounds of identification; later ones excite the regulator, the best counts"},
    {"generations", TR_COUNT, AT(generations), 0, 1e6, "100",
     "of the search; 0: only the regulator"},
    {"samples", TR_COUNT, AT(samples), 4, 1000, "16", "policies of a generation (lambda)"},
    {"trials", TR_COUNT, AT(trials), 1, 1000, "6", "trials of a policy, the same for all"},
    {"push_n", TR_REAL, AT(push_n), 0, 1000, "10", "pushes of tests (balance_trial.h)"},
    {"test_every", TR_COUNT, AT(test_every), 1, 1e6, "10", "generations between tests"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 10000, "24",
     "trials of a test of 60 s, by which the best policy is chosen"},
    {"posture_looks", TR_COUNT, AT(posture_looks), 0, TR_POSTURE_LOOKS_MAX, "0",
     "looks of a posture, for schedulers to choose; 0: none"},
    {"rocking", TR_COUNT, AT(rocking), 0, TR_POSTURE_ROCKING_MAX, "0",
     "postures that rock the board"},
    {"rock_rad", TR_REAL, AT(rock_rad), 0, 1, "0", "roll of the board to either side in rocking"},
    {"lean_rad", TR_REAL, AT(lean_rad), 0, 1, "0",
     "turn of a joint in each of the other postures; 0: no such postures"},
};

/* Constants now, where they are used. */
static const char retired[] =
    "base_half_m=0.13 pin_inward_m=0.04 excitation_rad=0.05 ridge=1e-5 action_cost=1 "
    "rate_cost=0.1 base_cost=1 drift_cost=0.3 deck_thickness_m=0.02 hold=2 sigma=0.15 "
    "turn_rad=0.05 speed_mps=0 wheel_damping=0 blind=0 physical=0 separable=0 "
    "first_push_n=1000 push_every_s=0.1 deck_length_m=0.8 deck_width_m=0.26 deck_kg=2.2 "
    "friction=1 gain_set=b step_s=0.005 ahead_m=0.02 near_rad=0.06 near_m=0.03 push_s=0.1 "
    "knee_rad=0.5 episodes=400 episode_s=0.6 first_cap_s=8 last_cap_s=40 feedback=1";

const tr_parameter_table tr_balance_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};

/* What the trainings of the shipped controllers used: controllers/log/2026-11-28-balance.md. */
static const double BASE_HALF_M = 0.13; /* half of the cylinder's length */
static const double DECK_LENGTH_M = 0.8, DECK_WIDTH_M = 0.26, DECK_KG = 2.2;
static const double FRICTION = 1;
static const double AHEAD_M = 0.02; /* centre of mass, in front of the ankles */
static const double PIN_INWARD_M =
    0.04; /* pins of the feet on a board, inwards from the middle of the soles */

enum { BASE, DECK }; /* objects of the rig */
enum { SHIFT_ROUNDS = 8, LEG_ANGLES = 7, HOLD = 2 /* steps between two looks: 10 ms */ };

static const double NEAR_M = 1e-3;

/* Where a foot is to be: its joint's place, and its turn. */
typedef struct footing {
    tr_vec3 pos;
    tr_quat rot;
} footing;

typedef struct posing {
    const tr_model *model;
    const tr_balance_settings *settings;
    double knee_rad;
    tr_gait_body body;
    tr_limb leg[2];
    double ankle_m; /* height above the sole */
    tr_pose pose;
} posing;

/* --- one leg --- */

static double solve_leg(posing *p, int side, const footing *goal) {
    const double knee = p->knee_rad;
    double v[TR_LIMB_ANGLES_MAX] = {0, -knee / 2, 0, knee, 0, -knee / 2, 0};
    const tr_limb_goal place = {.pos = goal->pos, .turned = true, .rot = goal->rot};
    return tr_limb_reach(p->model, &p->leg[side], &place, &p->pose, v);
}

/* --- the stance --- */

static bool is_board(const tr_balance_settings *s) {
    return strcmp(s->object, "board") == 0;
}

/* Returns the height of the middle of the base. */
static double base_height(const tr_balance_settings *s) {
    return s->radius_m;
}

/* Returns where a foot is to be. x: of the ankles; side 0 is the left. */
static footing footing_of(const posing *p, int side, double x) {
    const tr_balance_settings *s = p->settings;
    double y = side ? -s->feet_m : s->feet_m;
    if (is_board(s))
        return (footing){{x, y, 2 * s->radius_m + TR_DECK_THICKNESS_M + p->ankle_m},
                         tr_quat_identity()};
    /* On a ball the leg ends along the radius. */
    double lean = tr_asin(y / s->radius_m), far = s->radius_m + p->ankle_m;
    return (footing){{x, far * tr_sin(lean), base_height(s) + far * tr_cos(lean)},
                     tr_quat_exp((tr_vec3){-lean, 0, 0})};
}

/* Returns the height of the root at which a leg with knees bent so reaches the footing. */
static double root_height(const posing *p, const footing *left) {
    const tr_body *thigh = &p->model->body[p->body.thigh[0]];
    double upper = tr_vec3_length(p->model->body[p->body.shank[0]].pos);
    double lower = tr_vec3_length(p->model->body[p->body.foot[0]].pos);
    /* The squared distance from hip to ankle, by the law of cosines. */
    double reach = upper * upper + lower * lower + 2 * upper * lower * tr_cos(p->knee_rad);
    double x = left->pos.x - thigh->pos.x, y = left->pos.y - thigh->pos.y;
    return left->pos.z - thigh->pos.z + sqrt(fmax(0, reach - x * x - y * y));
}

/* Returns how far the centroid is ahead. */
static double mass_x(const posing *p) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(p->model, &p->pose, bodies);
    return tr_body_momentum(p->model, bodies).com_pos.x;
}

/* The root stays at x = 0: the feet are shifted until the mass is AHEAD_M in front of the
 * ankles. */
static double solve_stance(posing *p) {
    double off = 0, x = -AHEAD_M;
    /* Inverse kinematics from the rest pose. */
    p->pose = tr_pose_rest(p->model);
    p->pose.root_pos.x = p->pose.root_pos.y = 0;
    for (int i = 0; i < SHIFT_ROUNDS; i++) {
        /* The feet move, the legs follow, and so the mass moves: repeat. */
        footing left = footing_of(p, 0, x), right = footing_of(p, 1, x);
        p->pose.root_pos.z = root_height(p, &left);
        off = fmax(solve_leg(p, 0, &left), solve_leg(p, 1, &right));
        x = mass_x(p) - AHEAD_M;
    }
    return off;
}

/* --- the rig --- */

static tr_rig board_of(const posing *p, double x) {
    const tr_balance_settings *s = p->settings;
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state = tr_state_at_rest(p->model, &p->pose);
    tr_state_forward(p->model, &state, bodies);
    tr_vec3 deck = {x, 0, 2 * s->radius_m + TR_DECK_THICKNESS_M / 2};
    tr_rig rig = {.object_count = 2, .pin_count = 2};
    rig.object[BASE] = tr_rig_object_of("cylinder",
                                        (tr_geom){.kind = TR_GEOM_CYLINDER,
                                                  .size = {s->radius_m, BASE_HALF_M, 0},
                                                  .friction = FRICTION},
                                        s->base_kg, (tr_vec3){x, 0, base_height(s)});
    /* The axle of the cylinder points forwards. */
    rig.object[BASE].state.rot = tr_quat_exp((tr_vec3){0, TR_PI / 2, 0});
    rig.object[DECK] = tr_rig_object_of(
        "board",
        (tr_geom){.kind = TR_GEOM_BOX,
                  .size = {DECK_WIDTH_M / 2, DECK_LENGTH_M / 2, TR_DECK_THICKNESS_M / 2},
                  .friction = FRICTION},
        DECK_KG, deck);
    for (int side = 0; side < 2; side++) {
        /* Pins a point on the sole to the same point on the board. */
        int foot = p->body.foot[side];
        double inward = PIN_INWARD_M * (side ? 1 : -1);
        /* The pin holds the sole inside of its middle, where the leg bears. */
        tr_vec3 sole = {AHEAD_M, inward, -p->ankle_m};
        tr_vec3 at = tr_body_point(p->model, foot, sole, &bodies[foot]);
        rig.pin[side] = (tr_rig_pin){
            {TR_RIG_CHARACTER, DECK},
            {.kind = TR_PIN_POINT, .body = {foot, 0}, .point = {sole, tr_vec3_sub(at, deck)}}};
    }
    return rig;
}

static tr_rig ball_of(const posing *p, double x) {
    const tr_balance_settings *s = p->settings;
    tr_rig rig = {.object_count = 1};
    rig.object[BASE] = tr_rig_object_of(
        "ball",
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {s->radius_m, 0, 0}, .friction = FRICTION},
        s->base_kg, (tr_vec3){x, 0, base_height(s)});
    return rig;
}

/* --- together --- */

static tr_status begin(posing *p, tr_error *error) {
    const tr_balance_settings *s = p->settings;
    tr_body_state bodies[TR_BODY_MAX];
    const bool is_ball = strcmp(s->object, "ball") == 0;
    if (!is_board(s) && !is_ball)
        return tr_fail(error, TR_INVALID_ARGUMENT, "object '%s': expected board or ball",
                       s->object);
    if (is_ball && s->feet_m >= s->radius_m)
        return tr_fail(error, TR_INVALID_ARGUMENT, "feet_m %g: expected less than radius_m, %g",
                       s->feet_m, s->radius_m);
    tr_status status = tr_gait_body_find(p->model, &p->body, error);
    if (status)
        return status;
    for (int side = 0; !status && side < 2; side++)
        status = tr_limb_find(p->model, p->body.foot[side], &p->leg[side]);
    if (status || p->leg[0].angles != LEG_ANGLES || p->leg[1].angles != LEG_ANGLES)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "model '%s': expected legs with ball joints at hip and ankle and a hinge at "
                       "the knee",
                       p->model->name);
    /* The ankle's height above the sole, at rest. */
    int foot = p->body.foot[0];
    p->pose = tr_pose_rest(p->model);
    tr_pose_forward(p->model, &p->pose, bodies);
    p->ankle_m = tr_body_origin(p->model, foot, &bodies[foot]).z -
                 tr_body_lowest_point(p->model, foot, bodies);
    return TR_OK;
}

static tr_status make_stance(posing *p, tr_state *out, tr_error *error) {
    tr_status status = begin(p, error);
    if (status)
        return status;
    double off = solve_stance(p);
    if (!(off < NEAR_M))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "feet_m %g: the feet miss their places by %.3f m; try less",
                       p->settings->feet_m, off);
    *out = tr_state_at_rest(p->model, &p->pose);
    return TR_OK;
}

tr_status tr_apparatus_create(const tr_model *model, const tr_balance_settings *settings,
                              double knee_rad, tr_controller **out, tr_error *error) {
    posing p = {.model = model, .settings = settings, .knee_rad = knee_rad};
    tr_state stance;
    tr_status status = make_stance(&p, &stance, error);
    if (status)
        return status;
    const bool board = is_board(settings);
    const tr_rig rig = board ? board_of(&p, mass_x(&p)) : ball_of(&p, mass_x(&p));
    const tr_balance_def def = {.stance = &stance,
                                .gain_set = TR_APPARATUS_GAINS,
                                .step_s = TR_LEARN_STEP_S,
                                .hold = HOLD,
                                .bound_rad = settings->bound_rad,
                                .place = {BASE, board ? DECK : -1},
                                .rig = &rig};
    return tr_balance_controller_create(model, &def, out, error);
}
