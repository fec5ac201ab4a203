#include "learn/balance/board_stance.h"

#include "control/parts/foothold.h"
#include "control/parts/gait_body.h"
#include "math/elementary.h"
#include "motion/made/limb.h"

#include <math.h>

enum { LEFT, RIGHT, DECK = 0, SHIFT_ROUNDS = 20, LEG_ANGLES = 7 };
static const double TILT_RAD = 0.3; /* of the trunk, forwards, as riders bend */
static const double KNEE_RAD = 1.4; /* where the search begins; it sets the height of the hips */
static const double SHOULDER_RAD = 0.35, ELBOW_RAD = 0.6; /* of arms held away from the trunk */

static const double NEAR_M = 1e-3; /* a foot misses its place by less */

/* sole: its middle, in the frame of the foot
 * pose: with the root at x = y = 0, once it is solved */
typedef struct posing {
    const tr_model *model;
    tr_gait_body body;
    tr_limb leg[2];
    tr_vec3 sole;
    tr_pose pose;
} posing;

static tr_status begin(const tr_model *model, posing *out, tr_error *error) {
    *out = (posing){.model = model};
    tr_status status = tr_gait_body_find(model, &out->body, error);
    if (status)
        return status;
    for (int side = 0; !status && side < 2; side++)
        status = tr_limb_find(model, out->body.foot[side], &out->leg[side]);
    if (status || out->leg[LEFT].angles != LEG_ANGLES || out->leg[RIGHT].angles != LEG_ANGLES)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "model '%s': expected legs with ball joints at hip and ankle and a hinge at "
                       "the knee",
                       model->name);
    const tr_foot_sole sole = tr_foot_sole_of(model, RIGHT);
    out->sole = tr_vec3_lerp(sole.low, sole.high, 0.5);
    return TR_OK;
}

/* Puts the middle of a sole to a place, straight ahead. */
static double put_foot(posing *s, int side, tr_vec3 place) {
    double v[TR_LIMB_ANGLES_MAX] = {0, -KNEE_RAD / 2, 0, KNEE_RAD, 0, -KNEE_RAD / 2, 0};
    const tr_limb_goal goal = {
        .pos = tr_vec3_sub(place, s->sole), .turned = true, .rot = tr_quat_identity()};
    return tr_limb_reach(s->model, &s->leg[side], &goal, &s->pose, v);
}

/* Returns the height of the hip over the sole of a leg. */
static double hip_height(const posing *s) {
    const tr_model *model = s->model;
    const double upper = tr_vec3_length(model->body[s->body.shank[RIGHT]].pos);
    const double lower = tr_vec3_length(model->body[s->body.foot[RIGHT]].pos);
    return sqrt(upper * upper + lower * lower + 2 * upper * lower * tr_cos(KNEE_RAD)) - s->sole.z;
}

/* Shifts the root until the centroid is at its place, then everything until the root is at x = y = 0.
 * Returns how far a foot misses its place. out_origin: where x = y = 0 of the definition is then */
static double solve(posing *s, const tr_board_stance_def *def, tr_vec3 *out_origin) {
    const double top = def->foot[RIGHT].z;
    double off = 0;
    s->pose = tr_pose_rest(s->model);
    s->pose.root_rot = tr_quat_exp((tr_vec3){0, TILT_RAD, 0});
    s->pose.root_pos =
        (tr_vec3){0, 0, top + hip_height(s) - s->model->body[s->body.thigh[RIGHT]].pos.z};
    for (int side = 0; side < 2; side++) {
        s->pose.joint[s->body.upper_arm[side]] =
            tr_quat_exp((tr_vec3){side ? -SHOULDER_RAD : SHOULDER_RAD, 0, 0});
        s->pose.joint[s->body.forearm[side]] = tr_quat_exp((tr_vec3){0, -ELBOW_RAD, 0});
    }
    /* Legs reach for the places of the feet, then the hips bring the centroid above; each undoes some of
     * the other. */
    for (int i = 0; i < SHIFT_ROUNDS; i++) {
        off = fmax(put_foot(s, RIGHT, def->foot[RIGHT]), put_foot(s, LEFT, def->foot[LEFT]));
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(s->model, &s->pose, bodies);
        const tr_vec3 centroid = tr_body_momentum(s->model, bodies).com_pos;
        s->pose.root_pos.x -= centroid.x;
        s->pose.root_pos.y -= centroid.y - def->centroid_y;
    }
    *out_origin = (tr_vec3){-s->pose.root_pos.x, -s->pose.root_pos.y, top};
    s->pose.root_pos.x = s->pose.root_pos.y = 0;
    return off;
}

tr_status tr_board_stance_make(const tr_model *model, const tr_board_stance_def *def,
                               tr_state *out_stance, tr_rig *out_rig, tr_error *error) {
    posing s;
    tr_vec3 origin;
    tr_rig rig = {0};
    tr_status status = begin(model, &s, error);
    if (status)
        return status;
    const double off = solve(&s, def, &origin);
    if (!(off < NEAR_M))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: the feet miss their places by %.3f m",
                       def->numbers, off);
    tr_skateboard_put(def->board, def->way, origin.x, &rig);
    for (int i = 0; i < rig.object_count; i++)
        rig.object[i].state.pos.y += origin.y;
    /* The right foot is pinned to the deck. */
    const tr_vec3 sole = tr_vec3_add(origin, (tr_vec3){0, def->foot[RIGHT].y, 0});
    rig.pin[rig.pin_count++] =
        (tr_rig_pin){{TR_RIG_CHARACTER, DECK},
                     {.kind = TR_PIN_POINT,
                      .body = {s.body.foot[RIGHT], 0},
                      .point = {s.sole, tr_vec3_sub(sole, rig.object[DECK].state.pos)}}};
    *out_stance = tr_state_at_rest(model, &s.pose);
    /* Character and board begin at one speed. */
    out_stance->root_vel = rig.object[DECK].state.vel;
    *out_rig = rig;
    return TR_OK;
}
