/* A board under one foot of a character, to which that foot is pinned (Liu and Hodgins 2017, section
 * 5.2.2); the other foot pushes off.
 *
 * Strokes keep the board at a speed: the steering target's, or else that of its numbers (stroke.h).
 * The first object of the rig is the board, which rolls along its x axis; trucks let it turn
 * (trucks.h). */
#include "control/parts/board_rig.h"
#include "control/torque/skate/skating_step.h"
#include "control/torque/torque_support.h"
#include "math/elementary.h"

#include <math.h>

enum { BOARD }; /* object of the rig */
static const char *const STAGE[TR_STROKE_STAGES] = {
    [TR_STROKE_ROLL] = "rolls",
    [TR_STROKE_REACH] = "reaches for the ground",
    [TR_STROKE_PUSH] = "pushes off",
    [TR_STROKE_RETURN] = "lifts its foot",
};
static const double SLOW_MPS = 0.5;  /* below, it turns as at this speed */
static const double FASTEST_MPS = 3; /* that can be asked for */

/* At a speed of almost 0 it pushes off only from rest. */
enum { MANEUVERS = 4 };
static const tr_torque_maneuver maneuver[MANEUVERS] = {
    {"roll", 1e-3, 0}, {"push", 0, 0}, {"turn-in", 1e-3, 1}, {"turn-out", 1e-3, -1}};

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_skating_numbers, field, __VA_ARGS__)
static const tr_parameter number_row[] = {TR_SKATING_LIST(NUMBER)};
const tr_parameter_table tr_skating_number_table = {.row = number_row, .count = TR_SKATING_NUMBERS};

static const tr_state_field fields[] = {
    TR_TORQUE_FIELDS,
    TR_STATE_INT_FIELD(tr_torque_state, skate.stroke.stage, 0, TR_STROKE_STAGES - 1),
    TR_STATE_INT_FIELD(tr_torque_state, skate.stroke.steps, 0, TR_STROKE_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_torque_state, skate.hop.stage, 0, TR_HOP_STAGES - 1),
    TR_STATE_INT_FIELD(tr_torque_state, skate.hop.steps, 0, TR_HOP_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_torque_state, maneuver, 0, MANEUVERS - 1),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields, HOP_FIELDS = 2 };

/* --- content --- */

static bool hops(const tr_torque *torque) {
    return torque->skate.hop.launch_s > 0;
}

static int used_hop(const tr_torque *torque) {
    return hops(torque) ? TR_HOP_NUMBERS : 0;
}

static bool has_maneuvers(const tr_torque *torque) {
    return torque->skate.numbers.maneuvers > 0;
}

static int entries(const tr_torque *torque) {
    return has_maneuvers(torque) ? MANEUVERS : 1;
}

/* The last numbers are of a board with trucks, and of maneuvers, alone. */
static int used_numbers(const tr_torque *torque) {
    if (has_maneuvers(torque))
        return TR_SKATING_NUMBERS;
    return torque->skate.trucks.turn_pm != 0 ? TR_SKATING_NUMBERS - 1 : TR_SKATING_STRAIGHT_NUMBERS;
}

/* The states of characters without hops or maneuvers keep their bytes and hashes. */
static int used_fields(const tr_torque *torque) {
    if (has_maneuvers(torque))
        return FIELD_COUNT;
    return FIELD_COUNT - 1 - (hops(torque) ? 0 : HOP_FIELDS);
}

static tr_status check(const tr_torque *torque, const tr_rig *rig, tr_error *error) {
    tr_status status = tr_board_rig_check(rig, "skating", error);
    return status || tr_trucks_are_usable(&torque->skate.trucks)
               ? status
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "skating: trucks of the rig: expected a front and a rear one that turn "
                         "into a lean, with springs");
}

/* Returns centroid and root of the stance, seen from the standing sole. */
static tr_momentum_stance stance_of(const tr_model *model, const tr_torque *torque) {
    const tr_state state = tr_state_at_rest(model, &torque->stance.pose);
    const tr_object_state deck = {.rot = tr_quat_identity()};
    tr_body_state bodies[TR_BODY_MAX];
    tr_dynamics dynamics;
    tr_board_scene scene;
    tr_state_forward(model, &state, bodies);
    tr_dynamics_init(&dynamics, model, &state, bodies);
    tr_board_scene_look(&(tr_board_scene_def){.dynamics = &dynamics,
                                              .bodies = bodies,
                                              .sole = torque->sole,
                                              .deck = &deck,
                                              .standing = torque->side},
                        &scene);
    return (tr_momentum_stance){scene.centroid, state.pose.root_rot};
}

/* Returns the inertia of the deck as a box, with the other objects as points. */
static tr_vec3 inertia_of(const tr_rig *rig) {
    const tr_object_def *deck = &rig->object[BOARD].def;
    const tr_vec3 half = deck->geom[0].size, middle = rig->object[BOARD].state.pos;
    tr_vec3 square = {(half.y * half.y + half.z * half.z) / 3,
                      (half.x * half.x + half.z * half.z) / 3,
                      (half.x * half.x + half.y * half.y) / 3};
    tr_vec3 inertia = tr_vec3_scale(square, deck->mass);
    for (int i = BOARD + 1; i < rig->object_count; i++) {
        const tr_vec3 r = tr_vec3_sub(rig->object[i].state.pos, middle);
        square = (tr_vec3){r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y};
        inertia = tr_vec3_add_scaled(inertia, rig->object[i].def.mass, square);
    }
    return inertia;
}

static bool is_wheel(const tr_rig_pin *pin) {
    return pin->def.kind == TR_PIN_HINGE && pin->member[0] >= 0 && pin->member[1] >= BOARD &&
           !tr_trucks_has_pin(pin, BOARD);
}

/* Wheels are solid cylinders, each on a hinge of the board or of a truck. */
static tr_skating_load load_of(const tr_rig *rig) {
    tr_skating_load load = {0};
    for (int i = 0; i < rig->object_count; i++)
        load.kg += rig->object[i].def.mass;
    load.board_kg = load.kg;
    load.inertia = inertia_of(rig);
    for (int i = 0; i < rig->pin_count; i++) {
        const tr_rig_pin *pin = &rig->pin[i];
        if (!is_wheel(pin))
            continue;
        const tr_object_def *wheel = &rig->object[pin->member[0]].def;
        const double radius = wheel->geom[0].size.x;
        /* A wheel that rolls adds I / r^2, of a solid cylinder m / 2. */
        load.kg += wheel->mass / 2;
        load.drag_kgps += pin->def.damping / (radius * radius);
    }
    return load;
}

static tr_hop_board hop_board_of(const tr_rig *rig) {
    tr_hop_board board = {0};
    for (int i = 0; i < rig->pin_count; i++) {
        if (!is_wheel(&rig->pin[i]))
            continue;
        const tr_rig_object *wheel = &rig->object[rig->pin[i].member[0]];
        const tr_vec3 axle = tr_vec3_sub(wheel->state.pos, rig->object[BOARD].state.pos);
        board.wheel_m = wheel->def.geom[0].size.x;
        board.height_m = board.wheel_m - axle.z;
        board.axle_m[0] = fmax(board.axle_m[0], axle.x);
        board.axle_m[1] = fmin(board.axle_m[1], axle.x);
    }
    return board;
}

static tr_status prepare(const tr_model *model, const tr_rig *rig, tr_torque *torque,
                         tr_error *error) {
    (void)error;
    torque->at_rest = stance_of(model, torque);
    if (rig) {
        torque->skate.load = load_of(rig);
        torque->skate.trucks = tr_trucks_of(rig, BOARD);
        torque->skate.board = hop_board_of(rig);
    }
    return TR_OK;
}

/* A board without trucks does not turn. */
static void reach(const tr_torque *torque, tr_driver_reach *out) {
    out->heading = out->place = torque->skate.trucks.turn_pm != 0;
    out->fastest_mps = FASTEST_MPS;
    out->strict = true;
}

/* --- driving --- */

static const char *text(const tr_torque_state *s) {
    return STAGE[s->skate.stroke.stage];
}

/* Returns the angle from where the board points to the aim, to the left. */
static double way_off(const tr_torque *torque, const tr_sight *sight, double heading_rad) {
    if (torque->skate.trucks.turn_pm == 0 || sight->target->aim == TR_AIM_NONE)
        return 0;
    const double own_rad = tr_quat_heading(sight->state->pose.root_rot);
    const tr_bearing bearing = tr_steering_bearing(sight->target, sight->world, sight->state);
    if (sight->target->aim != TR_AIM_HEADING && !isfinite(bearing.distance_m))
        return 0; /* reached, or no longer there */
    return tr_angle_wrap(bearing.turn_rad + own_rad - heading_rad);
}

/* Advances hop and stroke. A stroke that would meet a rise is put off, or ended. */
static tr_hop_plan plan_hop(const tr_torque *torque, const tr_sight *sight,
                            const tr_board_scene *scene, tr_torque_state *s) {
    const tr_skating_numbers *n = &torque->skate.numbers;
    const tr_object_state *deck = &sight->object[BOARD];
    double wanted_mps = sight->target->speed_mps > 0 ? sight->target->speed_mps : n->speed_mps;
    tr_hop_plan plan = {0};
    if (hops(torque)) {
        const tr_hop_road road = tr_hop_road_look(sight->world, &torque->skate.board, deck);
        const tr_hop_view view = {.numbers = &torque->skate.hop,
                                  .road = &road,
                                  .board_mps = scene->board_mps,
                                  .wheels_m =
                                      deck->pos.z - torque->skate.board.height_m - road.level_m,
                                  .wheels_mps = deck->vel.z,
                                  .step_s = sight->step_s};
        tr_hop_advance(&s->skate.hop, &view);
        plan = tr_hop_plan_of(&s->skate.hop, &view);
        /* A stroke that would not end before the rise does not begin. */
        if (s->skate.stroke.stage == TR_STROKE_ROLL &&
            tr_hop_is_due(&s->skate.hop, &view, n->reach_s + n->push_s + n->return_s))
            wanted_mps = 0;
        /* A foot at the ground, or on its way there, is lifted before the rise. */
        if (s->skate.stroke.stage != TR_STROKE_ROLL && s->skate.stroke.stage != TR_STROKE_RETURN &&
            tr_hop_is_due(&s->skate.hop, &view, n->return_s))
            s->skate.stroke = (tr_stroke){.stage = TR_STROKE_RETURN};
    }
    tr_stroke_advance(&s->skate.stroke, n, scene, wanted_mps, sight->step_s);
    return plan;
}

static tr_status plan(const tr_torque_view *view, tr_torque_state *s, tr_torque_plan *out) {
    const tr_torque *torque = view->torque;
    const tr_sight *sight = view->sight;
    const tr_skating_numbers *n = &torque->skate.numbers;
    const tr_ground ground = tr_foothold_ground(sight->world, sight->model, torque->sole,
                                                view->body.bodies, 1 - torque->side);
    tr_board_scene scene;
    tr_board_scene_look(&(tr_board_scene_def){.dynamics = view->body.dynamics,
                                              .bodies = view->body.bodies,
                                              .sole = torque->sole,
                                              .deck = &sight->object[BOARD],
                                              .standing = torque->side,
                                              .ground_m = ground.height},
                        &scene);
    /* What is wanted: the way, the hop, the stroke. Then the torques for it. */
    const double off_rad = way_off(torque, sight, scene.heading_rad);
    const tr_hop_plan hop = plan_hop(torque, sight, &scene, s);
    const tr_stroke_plan stroke = tr_stroke_plan_of(&s->skate.stroke, n, &scene, sight->step_s);
    const tr_skating_view step = {.numbers = n,
                                  .stance = &torque->at_rest,
                                  .load = &torque->skate.load,
                                  .trucks = &torque->skate.trucks,
                                  .curvature_pm =
                                      tr_within(n->course_rate * off_rad, n->course_radps) /
                                      fmax(SLOW_MPS, scene.board_mps),
                                  .sole = &torque->sole[torque->side],
                                  .body = view->body,
                                  .scene = &scene,
                                  .deck = &sight->object[BOARD],
                                  .stroke = &stroke,
                                  .hop = &hop};
    out->made = true;
    out->damping = n->servo_damping;
    return tr_skating_step(&step, out->accel, out->torque);
}

const tr_torque_support tr_torque_skate = {
    .name = "skating",
    .skill = "skate",
    .performs = "skate",
    .fell = "fell off",
    .sided = true,
    .numbers = {{.table = &tr_skating_number_table,
                 .offset = offsetof(tr_torque, skate.numbers),
                 .least = TR_SKATING_STRAIGHT_NUMBERS,
                 .used = used_numbers},
                {.section = "hop",
                 .table = &tr_hop_number_table,
                 .offset = offsetof(tr_torque, skate.hop),
                 .used = used_hop}},
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
    .plan = plan,
};
