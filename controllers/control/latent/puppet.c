#include "control/latent/puppet.h"

#include "control/fields/reference_state.h"
#include "control/latent/pillar.h"
#include "control/latent/pose_constraint.h"
#include "control/latent/strike.h"
#include "control/parts/state_distance.h"
#include "math/hash.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Values of parameters. A puppet with a heading task has no strikes. */
enum { REACH_HAND, REACH, MAP_HOLD = 4, MAP, PILLAR = 7, AIMS = 10, AIM };
enum { HELD = 14, STRIKE, TARGET };

/* Hands: left, right; a value of REACH_HAND. */
enum { HANDS = 2, BOTH = 3 };

/* A constraint that has come less far than this does not count. */
static const double LEAST_SHARE = 1e-4;

/* A character further than this from where its motion left it was put somewhere else, m. */
static const double PUT_M = 0.05;

/* A puppet that can stand does so this near to its place, and slows down on the way, m and s. */
static const double ARRIVED_M = 0.25, BRAKING_S = 0.8;

/* A least speed below this was learned from clips that stand. */
static const double STANDS_MPS = 0.05;

typedef struct puppet_state {
    bool started;
    int64_t decisions;
    tr_vec3 root;                 /* as the motion left it, world, m */
    double reached[HANDS], aimed; /* shares of the way to the reach points and to the aim */
    double
        facing; /* heading of the last strike, or of the start, rad: kept while it strikes at nothing */
    tr_strike strike;
    tr_latent_motion motion;
} puppet_state;

static const tr_state_field fields[] = {
    TR_STATE_BOOL_FIELD(puppet_state, started),
    TR_STATE_INT64_FIELD(puppet_state, decisions, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(puppet_state, root, -1e7, 1e7),
    TR_STATE_DOUBLE_FIELD(puppet_state, reached, 0, 1),
    TR_STATE_DOUBLE_FIELD(puppet_state, aimed, 0, 1),
    TR_STATE_DOUBLE_FIELD(puppet_state, strike.offset, -1e3, 1e3),
    TR_STATE_DOUBLE_FIELD(puppet_state, strike.rate, -1e6, 1e6),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.point, -1e6, 1e6),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.phase, 0, 1),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.place, -1e7, 1e7),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.carried, -1e3, 1e3),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.carried_rate, -1e5, 1e5),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.footing.at, -1e3, 1e3),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.footing.standing, 0, 1.000001),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.drag, -1e3, 1e3),
    {"known", TR_STATE_INT, offsetof(puppet_state, motion.plants.known), 1, 0, 1},
    {"planted", TR_STATE_INT, offsetof(puppet_state, motion.plants.planted), TR_SUPPORT_MAX, 0, 1},
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.plants.place, -1e7, 1e7),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.plants.at, -1e7, 1e7),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.plants.speed, -1e7, 1e7),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.plants.offset, -1e3, 1e3),
    TR_STATE_DOUBLE_FIELD(puppet_state, motion.plants.rate, -1e6, 1e6),
    TR_STATE_DOUBLE_FIELD(puppet_state, facing, -TR_PI, TR_PI),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_latent_puppet *puppet = content;
    if (tr_latent_space_fits(puppet->space, setting->model) &&
        tr_latent_policy_fits(puppet->policy, puppet->space, setting->model) &&
        setting->step_s <= puppet->space->learned.dt_s)
        return TR_OK;
    return tr_fail(
        error, TR_INVALID_ARGUMENT,
        "puppet: space and policy: expected those of the model, and steps no longer than "
        "the %g s between decisions",
        puppet->space->learned.dt_s);
}

/* The number of the way in which poses are shown. Snapshots and recordings of puppets that are
 * shown in another way, or whose state is another, name a controller that is not found. */
static const int64_t SHOWN = 3;

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_latent_puppet *puppet = content;
    uint64_t hash = tr_hash_add(TR_HASH_START, &setting->model->hash, sizeof(uint64_t));
    hash = tr_hash_add(hash, &setting->step_s, sizeof setting->step_s);
    hash = tr_reference_hash(hash, setting->spawn, setting->model->body_count);
    hash = tr_latent_space_hash(puppet->space, hash);
    hash = tr_latent_policy_hash(puppet->policy, hash);
    return tr_hash_add(hash, &SHOWN, sizeof SHOWN);
}

static void destroy(void *content) {
    tr_latent_puppet *puppet = content;
    if (!puppet)
        return;
    tr_latent_policy_destroy(puppet->policy);
    tr_latent_space_destroy(puppet->space);
    free(puppet->start);
    free(puppet);
}

/* Returns the state of a clip's first frame, at the origin and with heading 0. */
static tr_state first_state(const tr_latent_space_def *def, const tr_model *model, int clip) {
    const tr_latent_clip *c = &def->clip[clip];
    const tr_root_step *step = def->root + c->first - clip;
    tr_pose pose[3];
    tr_pose_place place = {0, 0, 0};
    /* Rates need three frames. */
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            place = tr_pose_place_moved(&place, &step[i - 1]);
        pose[i] = tr_pose_vector_to(model, &def->reference,
                                    def->pose + (c->first + i) * def->pose_size, &place);
    }
    tr_state state = tr_state_from_poses(model, &pose[0], &pose[1], &pose[2], def->dt_s);
    tr_pose_place at = tr_pose_place_of(&state.pose);
    tr_vec3 back = tr_vec3_from_heading((tr_vec3){-at.x, -at.y, 0}, -at.heading_rad);
    return tr_state_place(&state, -at.heading_rad, back);
}

/* Are there two hands, and is each hinge between them and the trunk about y? */
static bool can_aim(const tr_model *model) {
    bool can = model->hand[0] >= 0 && model->hand[1] >= 0 && model->trunk >= 0;
    for (int side = 0; can && side < HANDS; side++)
        for (int b = model->hand[side]; b > model->trunk; b = model->body[b].parent)
            can &= model->body[b].joint != TR_JOINT_HINGE || fabs(model->body[b].axis.y) > 0.999;
    return can;
}

static tr_status load_parts(const tr_sections *in, const tr_model *model, tr_latent_puppet *puppet,
                            tr_error *error) {
    tr_status status = tr_latent_space_load(in, model, &puppet->space, error);
    if (!status)
        status = tr_latent_policy_load(in, puppet->space, model, &puppet->policy, error);
    if (status)
        return status;
    const tr_latent_space_def *def = &puppet->space->learned;
    puppet->start = calloc((size_t)def->clip_count, sizeof *puppet->start);
    if (!puppet->start)
        return TR_RESOURCE_EXHAUSTED;
    for (int c = 0; c < def->clip_count; c++)
        puppet->start[c] = first_state(def, model, c);
    puppet->view = tr_latent_view_of(puppet->space);
    puppet->aims = can_aim(model);
    return TR_OK;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_latent_puppet *puppet = calloc(1, sizeof *puppet);
    tr_status status =
        puppet ? load_parts(in, setting->model, puppet, error) : TR_RESOURCE_EXHAUSTED;
    return TR_GIVE(status, puppet, destroy, out);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_latent_puppet *puppet = content;
    tr_status status = tr_latent_space_save(puppet->space, out, error);
    return status ? status : tr_latent_policy_save(puppet->policy, out, error);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_latent_puppet *puppet = content;
    tr_latent_puppet *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    const tr_latent_space_def *def = &puppet->space->learned;
    tr_status status = tr_latent_space_mirror(puppet->space, setting->model, &image->space);
    if (!status)
        status = tr_latent_policy_mirror(puppet->policy, setting->model, &image->policy);
    image->view = puppet->view;
    image->aims = puppet->aims;
    image->start = calloc((size_t)def->clip_count, sizeof *image->start);
    if (!status && !image->start)
        status = TR_RESOURCE_EXHAUSTED;
    for (int c = 0; !status && c < def->clip_count; c++)
        image->start[c] = tr_state_mirror(setting->model, &puppet->start[c]);
    return TR_GIVE(status, image, destroy, out);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    (void)step_s;
    const tr_latent_space_def *def = &((const tr_latent_puppet *)content)->space->learned;
    *out = (tr_driver_outline){.entry_count = def->clip_count,
                               .first_count = def->clip_count,
                               .cyclic = true,
                               .duration_s = def->frame_count * def->dt_s,
                               .gain_set = ""};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_latent_puppet *puppet = content;
    *out = (tr_driver_entry){.gain_set = "", .start = &puppet->start[index]};
}

/* Rows of name, unit, meaning, low, high, initial value, count. */
static const tr_driver_parameter every_parameter[] = {
    {"reach_hand", "", "hand that reaches: 0 none, 1 left, 2 right, 3 both", 0, BOTH, 0, 1},
    {"reach", "m", "where to: forward, outward, above the ground; see held", -1e6, 1e6, 0, 3},
    {"map_hold", "", "1: hold the point at map; 0: the policy moves it", 0, 1, 0, 1},
    {"map", "", "place on the map of the latent space: x, y", -100, 100, 0, 2},
    {"pillar", "m", "cylinder that the arms avoid, world: x, y, radius (0: none)", -1e6, 1e6, 0, 3},
    {"aims", "", "1: both hands point a weapon at aim; 0: none", 0, 1, 0, 1},
    {"aim", "m", "point to aim at, world: x, y, z", -1e6, 1e6, 0, 3},
    {"held", "", "1: reach is a point of the world, which hands hold while it is near", 0, 1, 0, 1},
    {"strike", "", "1: strike at the target; 0: straight ahead", 0, 1, 0, 1},
    {"target", "m", "point to strike, world: x, y, z", -1e6, 1e6, 0, 3},
};

/* The parameter aims of a body that cannot. */
static const tr_driver_parameter aims_not = {
    "aims", "", "this body has no two arms with elbows that are hinges about y", 0, 0, 0, 1};
enum { AIMS_ROW = 5 };

static bool strikes(const tr_latent_puppet *puppet) {
    return puppet->policy->task.kind == TR_LATENT_TARGET;
}

/* Only puppets that strike have a facing in their state. */
static const tr_state_field *fields_of(const void *content, int *out_count) {
    *out_count = FIELD_COUNT - !strikes(content);
    return fields;
}

static int parameters(const void *content, tr_driver_parameter *out) {
    const int all = sizeof every_parameter / sizeof *every_parameter;
    memcpy(out, every_parameter, sizeof every_parameter);
    if (!((const tr_latent_puppet *)content)->aims)
        out[AIMS_ROW] = aims_not;
    return strikes(content) ? all : all - 2;
}

static tr_vec3 place_on_map(const tr_latent_puppet *puppet, const double *x) {
    double flat[3];
    tr_latent_view_flatten(&puppet->view, x, 3, flat);
    return (tr_vec3){flat[0], flat[1], flat[2]};
}

/* Adds the clips' points to the sheet. */
static tr_status draw_map(const tr_latent_puppet *puppet, tr_driver_sheet *sheet) {
    const tr_latent_space_def *def = &puppet->space->learned;
    tr_status status = TR_OK;
    for (int c = 0; c < def->clip_count; c++)
        for (int i = 0; !status && i < def->clip[c].count; i++) {
            const double *x = def->point + (def->clip[c].first + i) * def->dimension;
            const tr_driver_point point = {place_on_map(puppet, x), i == 0, def->clip[c].mirrored};
            status = tr_driver_sheet_add_point(sheet, &point);
        }
    return status;
}

/* A policy with a heading task turns to its heading within about a second and a half. */
static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_latent_puppet *puppet = content;
    const tr_goal_axis *speed = &puppet->policy->task.grid.axis[1];
    tr_driver_skill skill = {
        .name = "", .count = puppet->space->learned.clip_count, .cyclic = true};
    if (puppet->policy->task.kind == TR_LATENT_HEADING) {
        skill.turn_rad_s = TR_PI / 2;
        skill.speed_mps = (speed->low + speed->high) / 2;
        skill.faster_mps = skill.slower_mps = (speed->high - speed->low) / 2;
    }
    tr_status status = tr_driver_sheet_add_skill(sheet, &skill);
    return status ? status : draw_map(puppet, sheet);
}

/* --- state --- */

/* The motion begins where the character is when the first step is driven. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content;
    (void)entry_index;
    (void)mirrored;
    *(puppet_state *)state = (puppet_state){0};
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_latent_puppet *puppet = content;
    double least = (double)INFINITY;
    *out_mirrored = false;
    for (int c = 0; c < puppet->space->learned.clip_count; c++) {
        double off = tr_state_distance(model, &puppet->start[c], state);
        if (off < least) {
            least = off;
            *out_entry = c;
        }
    }
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_latent_puppet *puppet = content;
    const puppet_state *s = state;
    const tr_latent_mover mover = {.space = puppet->space};
    *out = (tr_doing){
        .phase = s->motion.phase, .between = true, .entries_done = s->decisions, .text = ""};
    if (!s->started)
        return;
    tr_vec3 at = place_on_map(puppet, tr_latent_motion_shown(&mover, &s->motion).x);
    out->shown[out->shown_count++] = (tr_driver_shown){"map_at", "", 3, {at.x, at.y, at.z}};
}

/* A policy that strikes a target turns to that. */
static void reach_of(const void *content, tr_driver_reach *out) {
    const tr_latent_puppet *puppet = content;
    const tr_goal_axis *speed = &puppet->policy->task.grid.axis[1];
    if (!strikes(puppet))
        *out = (tr_driver_reach){
            .heading = true, .place = true, .slowest_mps = speed->low, .fastest_mps = speed->high};
    out->kinematic = true;
}

/* --- driving --- */

static tr_vec3 point_of(const tr_sight *sight, int parameter) {
    const double *to = &sight->parameter[parameter];
    return (tr_vec3){to[0], to[1], to[2]};
}

/* A goal straight ahead would turn with the root, and the puppet for ever. */
static tr_goal strike_goal(const tr_goal_axis *distance, puppet_state *s, const tr_sight *sight) {
    const double heading_rad = s->motion.place.heading_rad;
    if (sight->parameter[STRIKE] <= 0.5)
        return (tr_goal){
            {tr_angle_wrap(s->facing - heading_rad), (distance->low + distance->high) / 2}};
    s->facing = tr_angle_wrap(heading_rad);
    return tr_strike_goal(point_of(sight, TARGET), &s->motion.place);
}

/* A puppet that learned to stand does so without an aim, and at the place that it was sent to. */
static tr_goal travel_goal(const tr_goal_axis *speed, const tr_sight *sight) {
    const tr_steering_target *target = sight->target;
    const bool can_stand = speed->low < STANDS_MPS;
    tr_bearing bearing = tr_steering_bearing(target, sight->world, sight->state);
    double wanted = target->speed_mps > 0 ? target->speed_mps : (speed->low + speed->high) / 2;
    if (can_stand && target->aim == TR_AIM_NONE)
        wanted = 0;
    /* Within a stride of the place it brakes, and faces as it does. */
    if (can_stand)
        wanted = fmin(wanted, fmax(0, bearing.distance_m - ARRIVED_M) / BRAKING_S);
    if (can_stand && bearing.distance_m < ARRIVED_M)
        bearing.turn_rad = 0;
    return (tr_goal){{bearing.turn_rad, fmin(fmax(wanted, speed->low), speed->high)}};
}

/* A constraint comes when it is wanted, and goes, exponentially. */
static double eased(double share, bool wanted, double step_s) {
    static const double EASE_S = 0.3;
    return share + (wanted - share) * (1 - tr_exp(-step_s / EASE_S));
}

static tr_vec3 shoulder(const tr_model *model, int hand, const tr_body_state *bodies) {
    int body = hand;
    while (model->body[body].parent > model->trunk)
        body = model->body[body].parent;
    return tr_body_origin(model, body, &bodies[body]);
}

/* Where a hand is to be: beside the character on its side, or at a point of the world. If that is so
 * far that the arm would be straight, as near to it as need be; false then. */
static bool find_reach(const tr_sight *sight, const tr_pose_place *place, int side,
                       const tr_body_state *bodies, tr_vec3 *out) {
    static const double NEAR_M = 0.5, BESIDE_M = 2;
    const tr_vec3 to = point_of(sight, REACH);
    if (sight->parameter[HELD] <= 0.5) {
        const double x = fmax(-BESIDE_M, fmin(to.x, BESIDE_M)),
                     y = fmax(-BESIDE_M, fmin(to.y, BESIDE_M)),
                     z = fmax(-BESIDE_M, fmin(to.z, BESIDE_M));
        const tr_vec3 beside = {x, side == 0 ? y : -y, z + sight->ground.height};
        *out = tr_vec3_add(tr_vec3_from_heading(beside, place->heading_rad),
                           (tr_vec3){place->x, place->y, 0});
        return true;
    }
    const tr_vec3 from = shoulder(sight->model, sight->model->hand[side], bodies),
                  way = tr_vec3_sub(to, from);
    const double far_m = tr_vec3_length(way);
    *out = far_m < NEAR_M ? to : tr_vec3_add_scaled(from, NEAR_M / far_m, way);
    return far_m < NEAR_M;
}

/* Brings the hands that are asked for to where they reach. */
static void reach(puppet_state *s, const tr_sight *sight, tr_pose *pose) {
    const tr_model *model = sight->model;
    const int asked = (int)(sight->parameter[REACH_HAND] + 0.5);
    tr_pose_constraint c[HANDS];
    tr_body_state bodies[TR_BODY_MAX];
    int count = 0;
    tr_pose_forward(model, pose, bodies);
    for (int side = 0; side < HANDS; side++) {
        const int body = model->hand[side];
        if (body < 0)
            continue;
        tr_vec3 goal;
        double *share = &s->reached[side];
        const bool near = find_reach(sight, &s->motion.place, side, bodies, &goal);
        /* A hand leaves a point that is too far as gently as it came. */
        *share = eased(*share, near && (asked == side + 1 || asked == BOTH), sight->step_s);
        if (*share < LEAST_SHARE)
            continue;
        c[count++] =
            (tr_pose_constraint){.body = body,
                                 .point = model->body[body].com,
                                 .base = model->trunk < 0 ? 0 : model->trunk,
                                 .target = tr_vec3_lerp(bodies[body].com_pos, goal, *share)};
    }
    if (count > 0)
        (void)tr_pose_constrain(model, c, count, pose);
}

/* Turns the trunk by most of the way to a bearing, each of its joints by a third, and puts the arms
 * ahead, whatever they did: a search from swinging arms would let the elbows swing. */
static void face(const tr_model *model, double bearing_rad, tr_pose *pose) {
    static const double AHEAD_RAD = -1.2, BENT_RAD = -1;
    const tr_vec3 up = {0, 0, 1}, left = {0, 1, 0};
    for (int b = model->trunk; b > 0; b = model->body[b].parent)
        pose->joint[b] = tr_quat_mul(pose->joint[b], tr_quat_from_axis_angle(up, bearing_rad / 3));
    for (int side = 0; side < HANDS; side++)
        for (int b = model->hand[side]; b > model->trunk; b = model->body[b].parent) {
            const bool shoulder = model->body[b].parent == model->trunk;
            const bool elbow = model->body[b].joint == TR_JOINT_HINGE;
            const double turn = shoulder ? AHEAD_RAD : elbow ? BENT_RAD : 0;
            pose->joint[b] = tr_quat_from_axis_angle(left, turn);
        }
}

/* Holds a weapon before the chest, its barrel towards a point: the right hand at the grip, with the
 * fingers along the barrel (two points of a body are a direction), the left hand at the barrel. */
static void hold_weapon(const tr_model *model, tr_vec3 point, tr_pose *pose) {
    static const double GRIP_M = 0.3, HIGHER_M = 0.08, BARREL_M = 0.22;
    const int left = model->hand[0], right = model->hand[1], trunk = model->trunk;
    const tr_vec3 ahead = {1, 0, 0}, middle = model->body[right].com,
                  tip = tr_vec3_scale(middle, 2), none = {0, 0, 0};
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    const tr_vec3 chest = tr_vec3_add(bodies[trunk].com_pos, (tr_vec3){0, 0, HIGHER_M}),
                  line = tr_vec3_normalize_or(tr_vec3_sub(point, chest), ahead);
    const double tip_m = GRIP_M + tr_vec3_length(middle), barrel_m = GRIP_M + BARREL_M;
    const tr_pose_constraint c[] = {
        {right, trunk, middle, tr_vec3_add_scaled(chest, GRIP_M, line), none},
        {right, trunk, tip, tr_vec3_add_scaled(chest, tip_m, line), none},
        {left, trunk, model->body[left].com, tr_vec3_add_scaled(chest, barrel_m, line), none},
    };
    (void)tr_pose_constrain(model, c, sizeof c / sizeof *c, pose);
}

/* Aims with both hands at what the parameters name, while that is ahead or to a side. */
static void aim(puppet_state *s, const tr_sight *sight, tr_pose *pose) {
    static const double SIDE_RAD = 1.2;
    const tr_model *model = sight->model;
    const tr_vec3 point = point_of(sight, AIM);
    const double bearing_rad = tr_strike_goal(point, &s->motion.place).value[0];
    const bool wanted = sight->parameter[AIMS] > 0.5 && fabs(bearing_rad) < SIDE_RAD;
    s->aimed = eased(s->aimed, wanted, sight->step_s);
    if (s->aimed < LEAST_SHARE)
        return;
    tr_pose aiming = *pose;
    face(model, bearing_rad, &aiming);
    hold_weapon(model, point, &aiming);
    for (int b = 1; b < model->body_count; b++)
        pose->joint[b] = tr_quat_slerp(pose->joint[b], aiming.joint[b], s->aimed);
}

/* Brings the policy's body to the target, and back to the pose. */
static void strike(const tr_latent_policy *policy, puppet_state *s, const tr_sight *sight,
                   tr_pose *pose) {
    const tr_vec3 target = point_of(sight, TARGET);
    tr_strike_step(&s->strike, sight->model, policy->task.body,
                   sight->parameter[STRIKE] > 0.5 ? &target : NULL, sight->step_s, pose);
}

static void keep_arms_out(const tr_sight *sight, tr_pose *pose) {
    const double *p = &sight->parameter[PILLAR];
    const tr_pillar pillar = {p[0], p[1], p[2]};
    const double x = pose->root_pos.x - pillar.x, y = pose->root_pos.y - pillar.y;
    const double away = sqrt(x * x + y * y);
    if (away > pillar.radius_m && pillar.radius_m > 0) /* a body inside cannot take its arms out */
        (void)tr_pillar_avoid(sight->model, &pillar, pose);
}

/* Moves the point by the policy, or to where a hand holds it on the map. */
static tr_pose move(const tr_latent_puppet *puppet, puppet_state *s, const tr_sight *sight) {
    const tr_latent_mover mover = {sight->model, puppet->space, puppet->policy};
    const double ground = sight->ground.height;
    if (sight->parameter[MAP_HOLD] > 0.5) {
        tr_latent_state held = tr_latent_motion_shown(&mover, &s->motion);
        tr_latent_view_lift(&puppet->view, puppet->space, &sight->parameter[MAP], held.x);
        return tr_latent_motion_follow(&mover, held.x, ground, sight->step_s, &s->motion);
    }
    const tr_goal_axis *axis = &puppet->policy->task.grid.axis[1];
    tr_goal goal = strikes(puppet) ? strike_goal(axis, s, sight) : travel_goal(axis, sight);
    return tr_latent_motion_step(&mover, &goal, ground, sight->step_s, &s->motion);
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_latent_puppet *puppet = content;
    puppet_state *s = state;
    const tr_latent_mover mover = {sight->model, puppet->space, puppet->policy};
    /* A character that was put somewhere else joins the motion anew. */
    if (!s->started || tr_vec3_distance(s->root, sight->state->pose.root_pos) > PUT_M) {
        /* Characters decide at different times, so that many do not decide in the same step. */
        tr_latent_motion_join(&mover, sight->state, (double)(sight->character * 7 % 16) / 16,
                              &s->motion);
        s->facing = tr_angle_wrap(s->motion.place.heading_rad);
        s->started = true;
    }
    double phase = s->motion.phase;
    out->mode = TR_DRIVE_POSE;
    out->pose = move(puppet, s, sight);
    /* Constraints on the pose (levine2012, section 6). */
    if (strikes(puppet))
        strike(puppet->policy, s, sight, &out->pose);
    reach(s, sight, &out->pose);
    aim(s, sight, &out->pose);
    keep_arms_out(sight, &out->pose);
    s->root = out->pose.root_pos;
    out->completes = s->motion.phase < phase;
    s->decisions += out->completes;
    tr_state shown = tr_state_at_rest(sight->model, &out->pose);
    return tr_reference_is_sound(sight->model, &shown) ? TR_OK : TR_DATA_LOSS;
}

const tr_driver_kind tr_puppet_kind = {.name = "puppet",
                                       .check = check,
                                       .hash = hash,
                                       .mirror = mirror,
                                       .destroy = destroy,
                                       .save = save,
                                       .load = load,
                                       .outline = outline,
                                       .entry = entry,
                                       .parameters = parameters,
                                       .describe = describe,
                                       .state_size = sizeof(puppet_state),
                                       .fields_of = fields_of,
                                       .enter = enter,
                                       .nearest = nearest,
                                       .look = look,
                                       .reach = reach_of,
                                       .drive = drive};

/* --- controllers that are puppets --- */

tr_status tr_latent_puppet_create(const tr_sections *sections, const tr_model *model, double step_s,
                                  tr_controller **out, tr_error *error) {
    const tr_driver_setting setting = {.model = model, .step_s = step_s};
    void *content = NULL;
    tr_status status = load(sections, &setting, &content, error);
    if (status)
        return status;
    status = tr_controller_create_for((tr_driver){&tr_puppet_kind, content}, model, step_s,
                                      &((tr_latent_puppet *)content)->start[0], out);
    if (status)
        destroy(content);
    return status;
}
