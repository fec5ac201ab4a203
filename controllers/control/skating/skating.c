#include "control/skating/skating.h"

#include "control/driver_hold.h"
#include "control/falls.h"
#include "control/gait/gait_body.h"
#include "control/momentum/drive_by_plan.h"
#include "control/reference_state.h"
#include "control/skating/board_rig.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARD }; /* object of the rig */
static const char KIND[] = "skating", SKILL[] = "skate", HOP[] = "hop";
static const char *const STAGE[TR_STROKE_STAGES] = {
    [TR_STROKE_ROLL] = "rolls",
    [TR_STROKE_REACH] = "reaches for the ground",
    [TR_STROKE_PUSH] = "pushes off",
    [TR_STROKE_RETURN] = "lifts its foot",
};
static const double TIPPED = 0.5;    /* of the board's up axis that still points up */
static const double SLOW_MPS = 0.5;  /* below, it turns as at this speed */
static const double FASTEST_MPS = 3; /* that can be asked for */

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_skating_state, step, 0, TR_SKATING_HOLD_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_skating_state, begun),
    TR_STATE_BOOL_FIELD(tr_skating_state, down),
    TR_STATE_INT64_FIELD(tr_skating_state, entries, 0, TR_STATE_STEPS),
    TR_STATE_INT_FIELD(tr_skating_state, stroke.stage, 0, TR_STROKE_STAGES - 1),
    TR_STATE_INT_FIELD(tr_skating_state, stroke.steps, 0, TR_STROKE_STEPS_MAX),
    TR_STATE_INT_FIELD(tr_skating_state, hop.stage, 0, TR_HOP_STAGES - 1),
    TR_STATE_INT_FIELD(tr_skating_state, hop.steps, 0, TR_HOP_STEPS_MAX),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields, HOP_FIELDS = 2 };

/* --- content --- */

/* The numbers that its board has. */
static tr_number_table table_of(bool trucks) {
    tr_number_table table = tr_skating_number_table;
    if (!trucks)
        table.count = TR_SKATING_STRAIGHT_NUMBERS;
    return table;
}

static bool hops(const tr_skating *skating) {
    return skating->hop.launch_s > 0;
}

/* The states of those that do not hop keep their bytes and hashes. */
static int used_fields(const void *content) {
    return FIELD_COUNT - (hops(content) ? 0 : HOP_FIELDS);
}

static tr_status check_standing(const tr_skating *skating, tr_error *error) {
    return skating->standing == 0 || skating->standing == 1
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "skating: standing side %d; expected 0 or 1",
                         skating->standing);
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_skating *skating = content;
    const tr_driver_hold held = {.kind = KIND,
                                 .gain_set = skating->gain_set,
                                 .stance = &skating->stance,
                                 .hold = skating->hold,
                                 .most = TR_SKATING_HOLD_MAX};
    tr_status status = tr_driver_hold_check(&held, setting->model, error);
    if (status)
        return status;
    if (check_standing(skating, error))
        return TR_INVALID_ARGUMENT;
    status = tr_board_rig_check(setting->rig, KIND, error);
    if (!status && !tr_trucks_are_usable(&skating->trucks))
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "skating: trucks of the rig: expected a front and a rear one that turn into "
                    "a lean, with springs");
    if (!status)
        status = tr_number_table_check(&tr_skating_number_table, &skating->numbers, error);
    return status || !hops(skating)
               ? status
               : tr_number_table_check(&tr_hop_number_table, &skating->hop, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_skating *skating = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &skating->stance, setting->model->body_count);
    hash = tr_hash_add(hash, skating->gain_set, strlen(skating->gain_set));
    hash = tr_hash_add(hash, &skating->hold, sizeof skating->hold);
    hash = tr_hash_add(hash, &skating->standing, sizeof skating->standing);
    hash = tr_hash_add(hash, &skating->numbers,
                       (size_t)table_of(skating->trucks.turn_pm != 0).count * sizeof(double));
    return hops(skating) ? tr_hash_add(hash, &skating->hop, sizeof skating->hop) : hash;
}

/* The centroid and the root, from the standing sole. */
static tr_skating_stance stance_of(const tr_model *model, const tr_skating *skating) {
    const tr_state state = tr_state_at_rest(model, &skating->stance.pose);
    const tr_object_state deck = {.rot = tr_quat_identity()};
    tr_body_state bodies[TR_BODY_MAX];
    tr_dynamics dynamics;
    tr_board_scene scene;
    tr_state_forward(model, &state, bodies);
    tr_dynamics_init(&dynamics, model, &state, bodies);
    tr_board_scene_look(&(tr_board_scene_def){.dynamics = &dynamics,
                                              .bodies = bodies,
                                              .sole = skating->sole,
                                              .deck = &deck,
                                              .standing = skating->standing},
                        &scene);
    return (tr_skating_stance){scene.centroid, state.pose.root_rot};
}

/* A box, and wheels as points. */
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

static tr_status make(const tr_model *model, const tr_rig *rig, const tr_skating *from, void **out,
                      tr_error *error) {
    tr_gait_body legs;
    tr_status status = tr_gait_body_find(model, &legs, error);
    if (status)
        return status;
    tr_skating *skating = malloc(sizeof *skating);
    if (!skating)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "skating: no memory");
    *skating = *from;
    for (int side = 0; side < 2; side++)
        skating->sole[side] = tr_foot_sole_of(model, side);
    skating->at_rest = stance_of(model, skating);
    if (rig) {
        skating->load = load_of(rig);
        skating->trucks = tr_trucks_of(rig, BOARD);
        skating->board = hop_board_of(rig);
    }
    *out = skating;
    return TR_OK;
}

/* No number has a side. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_skating image = *(const tr_skating *)content;
    image.stance = tr_state_mirror(setting->model, &image.stance);
    image.standing = 1 - image.standing;
    tr_rig rig;
    if (setting->rig)
        rig = tr_rig_mirror(setting->rig, setting->model);
    return make(setting->model, setting->rig ? &rig : NULL, &image, out, NULL);
}

static tr_status save_hop(const tr_hop_numbers *hop, tr_sections *out, tr_error *error) {
    tr_section_writer writer = tr_section_begin(out, HOP);
    tr_number_table_save(&tr_hop_number_table, hop, &writer);
    return tr_section_end(&writer, error);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_skating *skating = content;
    tr_section_writer writer = tr_section_begin(out, KIND);
    tr_section_put_text(&writer, skating->gain_set);
    tr_section_put_int(&writer, skating->hold);
    tr_section_put_int(&writer, skating->standing);
    const tr_number_table table = table_of(skating->trucks.turn_pm != 0);
    tr_number_table_save(&table, &skating->numbers, &writer);
    tr_status status = tr_section_end(&writer, error);
    return status || !hops(skating) ? status : save_hop(&skating->hop, out, error);
}

static tr_status load_hop(const tr_sections *in, tr_hop_numbers *out, tr_error *error) {
    if (!tr_sections_find(in, HOP))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, HOP);
    tr_number_table_load(&tr_hop_number_table, &reader, out);
    return tr_section_close(&reader, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_skating read = {.stance = *setting->spawn};
    tr_section_reader reader = tr_section_open(in, KIND);
    tr_section_get_text(&reader, read.gain_set, sizeof read.gain_set);
    read.hold = (int)tr_section_get_int(&reader, 1, TR_SKATING_HOLD_MAX);
    read.standing = (int)tr_section_get_int(&reader, 0, 1);
    const tr_number_table table =
        table_of(setting->rig && tr_trucks_of(setting->rig, BOARD).turn_pm != 0);
    read.numbers = tr_skating_numbers_default();
    tr_number_table_load(&table, &reader, &read.numbers);
    tr_status status = tr_section_close(&reader, error);
    if (!status)
        status = load_hop(in, &read.hop, error);
    return status ? status : make(setting->model, setting->rig, &read, out, error);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_skating *skating = content;
    *out = tr_driver_hold_outline(skating->hold, step_s, "");
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_skating *skating = content;
    (void)index;
    *out = (tr_driver_entry){.gain_set = "", .start = &skating->stance, .steps = skating->hold};
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    (void)content;
    const tr_driver_skill skill = {.name = SKILL, .count = 1, .cyclic = true};
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_skating *skating = content;
    const tr_skating_state *s = state;
    return s->step < skating->hold;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index, (void)mirrored;
    *(tr_skating_state *)state = (tr_skating_state){0};
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_skating *skating = content;
    const tr_skating_state *s = state;
    *out = (tr_doing){.phase = (double)s->step / skating->hold,
                      .between = s->step == 0,
                      .down = s->down,
                      .entries_done = s->entries,
                      .text = s->down ? "fell off" : STAGE[s->stroke.stage]};
}

/* A board without trucks does not turn. */
static bool suits(const void *content, const tr_steering_target *target) {
    const tr_skating *skating = content;
    return target->speed_mps <= FASTEST_MPS && !target->skill[0] &&
           (target->aim == TR_AIM_NONE || skating->trucks.turn_pm != 0);
}

/* --- driving --- */

static void hold_stance(const tr_skating *skating, const tr_sight *sight, tr_drive *out) {
    out->gain_set = tr_model_find_gain_set(sight->model, skating->gain_set);
    memcpy(out->target, skating->stance.pose.joint, sizeof out->target);
}

static double wanted_speed(const tr_skating *skating, const tr_sight *sight) {
    return sight->target->speed_mps > 0 ? sight->target->speed_mps : skating->numbers.speed_mps;
}

/* To the aim, to the left, from where the board points. */
static double way_off(const tr_skating *skating, const tr_sight *sight, double heading_rad) {
    if (skating->trucks.turn_pm == 0 || sight->target->aim == TR_AIM_NONE)
        return 0;
    const double own_rad = tr_quat_heading(sight->state->pose.root_rot);
    const tr_bearing bearing = tr_steering_bearing(sight->target, sight->world, sight->state);
    if (sight->target->aim != TR_AIM_HEADING && !isfinite(bearing.distance_m))
        return 0; /* reached, or no longer there */
    return tr_angle_wrap(bearing.turn_rad + own_rad - heading_rad);
}

/* Curvature of the way back to the heading. */
static double wanted_curvature(const tr_skating_numbers *n, double off_rad, double speed_mps) {
    return tr_within(n->course_rate * off_rad, n->course_radps) / fmax(SLOW_MPS, speed_mps);
}

static double ground_below_pushing(const tr_skating *skating, const tr_sight *sight,
                                   const tr_body_state *bodies) {
    return tr_foothold_ground(sight->world, sight->model, skating->sole, bodies,
                              1 - skating->standing)
        .height;
}

/* Advances hop and stroke. A stroke that would meet a rise is put off, or ended. */
static tr_hop_plan plan_hop(const tr_skating *skating, const tr_sight *sight,
                            const tr_board_scene *scene, tr_skating_state *s) {
    const tr_skating_numbers *n = &skating->numbers;
    const tr_object_state *deck = &sight->object[BOARD];
    double wanted_mps = wanted_speed(skating, sight);
    tr_hop_plan plan = {0};
    if (hops(skating)) {
        const tr_hop_road road = tr_hop_road_look(sight->world, &skating->board, deck);
        const tr_hop_view view = {.numbers = &skating->hop,
                                  .road = &road,
                                  .board_mps = scene->board_mps,
                                  .wheels_m = deck->pos.z - skating->board.height_m - road.level_m,
                                  .wheels_mps = deck->vel.z,
                                  .step_s = sight->step_s};
        tr_hop_advance(&s->hop, &view);
        plan = tr_hop_plan_of(&s->hop, &view);
        if (s->stroke.stage == TR_STROKE_ROLL &&
            tr_hop_is_due(&s->hop, &view, n->reach_s + n->push_s + n->return_s))
            wanted_mps = 0;
        if (s->stroke.stage != TR_STROKE_ROLL && s->stroke.stage != TR_STROKE_RETURN &&
            tr_hop_is_due(&s->hop, &view, n->return_s))
            s->stroke = (tr_stroke){.stage = TR_STROKE_RETURN};
    }
    tr_stroke_advance(&s->stroke, n, scene, wanted_mps, sight->step_s);
    return plan;
}

static tr_status plan(const tr_skating *skating, const tr_sight *sight, tr_skating_state *s,
                      tr_drive *out) {
    const tr_body_state *bodies = tr_sight_bodies(sight);
    const tr_skating_numbers *n = &skating->numbers;
    tr_dynamics dynamics;
    tr_board_scene scene;
    double accel[TR_DOF_MAX];
    tr_dynamics_init(&dynamics, sight->model, sight->state, bodies);
    tr_board_scene_look(
        &(tr_board_scene_def){.dynamics = &dynamics,
                              .bodies = bodies,
                              .sole = skating->sole,
                              .deck = &sight->object[BOARD],
                              .standing = skating->standing,
                              .ground_m = ground_below_pushing(skating, sight, bodies)},
        &scene);
    const double off_rad = way_off(skating, sight, scene.heading_rad);
    const tr_hop_plan hop_plan = plan_hop(skating, sight, &scene, s);
    const tr_stroke_plan stroke_plan = tr_stroke_plan_of(&s->stroke, n, &scene, sight->step_s);
    const tr_skating_view view = {.numbers = n,
                                  .stance = &skating->at_rest,
                                  .load = &skating->load,
                                  .trucks = &skating->trucks,
                                  .curvature_pm = wanted_curvature(n, off_rad, scene.board_mps),
                                  .joint = skating->stance.pose.joint,
                                  .sole = &skating->sole[skating->standing],
                                  .state = sight->state,
                                  .bodies = bodies,
                                  .dynamics = &dynamics,
                                  .scene = &scene,
                                  .deck = &sight->object[BOARD],
                                  .stroke = &stroke_plan,
                                  .hop = &hop_plan,
                                  .gravity = tr_world_definition(sight->world)->gravity};
    tr_status status = tr_skating_step(&view, accel, out->torque);
    if (!status)
        tr_drive_by_plan(&dynamics, accel,
                         &(tr_planned_servo){.gain_set = skating->gain_set,
                                             .damping = n->servo_damping,
                                             .step_s = sight->step_s},
                         out);
    return status;
}

static bool has_tipped(const tr_sight *sight) {
    return tr_quat_rotate(sight->object[BOARD].rot, (tr_vec3){0, 0, 1}).z < TIPPED;
}

/* Contacts before the first step are from before the driver began: it does not end by them. */
static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_skating *skating = content;
    tr_skating_state *s = state;
    const bool weighs = tr_vec3_length(tr_world_definition(sight->world)->gravity) > 0;
    tr_status status = TR_OK;
    s->down = s->begun && (s->down || has_tipped(sight) ||
                           tr_falls_is_down(sight->world, sight->character, false));
    s->begun = true;
    out->mode = TR_DRIVE_TARGETS;
    hold_stance(skating, sight, out);
    if (!s->down && weighs)
        status = plan(skating, sight, s, out);
    s->step = (s->step + 1) % skating->hold;
    out->completes = s->step == 0;
    s->entries += out->completes;
    return status;
}

const tr_driver_kind tr_skating_kind = {.name = KIND,
                                        .check = check,
                                        .hash = hash,
                                        .mirror = mirror,
                                        .destroy = free,
                                        .save = save,
                                        .load = load,
                                        .outline = outline,
                                        .entry = entry,
                                        .describe = describe,
                                        .state_size = sizeof(tr_skating_state),
                                        .field = fields,
                                        .field_count = FIELD_COUNT,
                                        .used_fields = used_fields,
                                        .fits = fits,
                                        .enter = enter,
                                        .nearest = tr_driver_hold_nearest,
                                        .look = look,
                                        .suits = suits,
                                        .drive = drive};

/* --- making --- */

tr_status tr_skating_controller_create(const tr_model *model, const tr_skating_def *def,
                                       tr_controller **out, tr_error *error) {
    tr_skating wanted = {.stance = *def->stance,
                         .hold = def->hold,
                         .standing = def->standing,
                         .numbers = def->numbers,
                         .hop = def->hop};
    void *content = NULL;
    snprintf(wanted.gain_set, sizeof wanted.gain_set, "%s", def->gain_set);
    tr_status status = check_standing(&wanted, error);
    if (!status)
        status = make(model, def->rig, &wanted, &content, error);
    if (status)
        return status;
    return tr_driver_hold_controller(
        model, (tr_driver){&tr_skating_kind, content},
        &(tr_driver_hold_setting){SKILL, def->step_s, def->stance, def->rig}, out, error);
}
