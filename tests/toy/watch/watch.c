#include "toy/watch/watch.h"

#include "control/fields/reference_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20 };
static const double REACH_RAD = 0.3, REACH_MAX_RAD = 0.6;

typedef struct toy_watch {
    tr_state start;
} toy_watch;

/* angle_rad: of the chest, to the left */
typedef struct watch_state {
    int step;
    int64_t done;
    double angle_rad;
} watch_state;

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(watch_state, step, 0, STEPS - 1),
    TR_STATE_INT64_FIELD(watch_state, done, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(watch_state, angle_rad, -1, 1),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const toy_watch *watch = content;
    if (!tr_reference_is_sound(setting->model, &watch->start))
        return tr_fail(error, TR_INVALID_ARGUMENT, "start: expected a whole state");
    if (!setting->rig || setting->rig->object_count != TOY_WATCH_OBJECTS)
        return tr_fail(error, TR_INVALID_ARGUMENT, "rig: expected %d objects", TOY_WATCH_OBJECTS);
    return TR_OK;
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const toy_watch *watch = content;
    return tr_reference_hash(tr_driver_setting_hash(setting), &watch->start,
                             setting->model->body_count);
}

static tr_status create(const tr_state *start, void **out) {
    toy_watch *watch = malloc(sizeof *watch);
    if (!watch)
        return TR_RESOURCE_EXHAUSTED;
    watch->start = *start;
    *out = watch;
    return TR_OK;
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_state start = tr_state_mirror(setting->model, &((const toy_watch *)content)->start);
    return create(&start, out);
}

/* The pose is that of the spawn state. */
static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    (void)content, (void)out, (void)error;
    return TR_OK;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    (void)in, (void)error;
    return create(setting->spawn, out);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    (void)content;
    *out = (tr_driver_outline){.entry_count = 1,
                               .first_count = 1,
                               .cyclic = true,
                               .duration_s = STEPS * step_s,
                               .cycle_s = STEPS * step_s,
                               .gain_set = ""};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    (void)index;
    *out = (tr_driver_entry){
        .gain_set = "", .start = &((const toy_watch *)content)->start, .steps = STEPS};
}

static int parameters(const void *content, tr_driver_parameter *out) {
    (void)content;
    out[0] = (tr_driver_parameter){.name = "reach",
                                   .unit = "rad",
                                   .meaning = "how far the chest follows the ball",
                                   .high = REACH_MAX_RAD,
                                   .initial = REACH_RAD,
                                   .count = 1};
    return 1;
}

/* --- state --- */

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index, (void)mirrored;
    ((watch_state *)state)->step = 0;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    (void)content, (void)model, (void)state;
    *out_entry = 0;
    *out_mirrored = false;
}

static void look(const void *content, const void *state, tr_doing *out) {
    const watch_state *s = state;
    (void)content;
    *out = (tr_doing){.phase = (double)s->step / STEPS,
                      .between = s->step == 0,
                      .entries_done = s->done,
                      .text = s->angle_rad < 0 ? "watches the ball on the right"
                                               : "watches the ball on the left"};
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const toy_watch *watch = content;
    const tr_model *model = sight->model;
    watch_state *s = state;
    tr_vec3 way = tr_vec3_sub(sight->object[TOY_WATCH_BALL].pos, sight->state->pose.root_pos);
    way = tr_quat_rotate(tr_quat_from_heading(-tr_quat_heading(sight->state->pose.root_rot)), way);
    double reach = sight->parameter[0];
    s->angle_rad = fmax(-reach, fmin(reach, atan2(way.y, way.x)));
    s->step = (s->step + 1) % STEPS;
    out->completes = s->step == 0;
    s->done += out->completes;
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = 0;
    memcpy(out->target, watch->start.pose.joint, sizeof out->target);
    out->target[model->trunk] =
        tr_quat_mul(out->target[model->trunk], tr_quat_from_heading(s->angle_rad));
    return TR_OK;
}

const tr_driver_kind toy_watch_kind = {.name = "toy_watch",
                                       .check = check,
                                       .hash = hash,
                                       .mirror = mirror,
                                       .destroy = free,
                                       .save = save,
                                       .load = load,
                                       .outline = outline,
                                       .entry = entry,
                                       .parameters = parameters,
                                       .state_size = sizeof(watch_state),
                                       .field = fields,
                                       .field_count = sizeof fields / sizeof *fields,
                                       .enter = enter,
                                       .nearest = nearest,
                                       .look = look,
                                       .drive = drive};

/* --- the rig --- */

static tr_rig_object thing(const char *name, tr_geom_kind kind, tr_vec3 size, double mass,
                           tr_vec3 pos) {
    tr_rig_object object = {.def = {.geom_count = 1, .mass = mass},
                            .state = {.pos = pos, .rot = {1, 0, 0, 0}}};
    snprintf(object.def.name, sizeof object.def.name, "%s", name);
    object.def.geom[0] =
        (tr_geom){.kind = kind, .size = size, .rot = {1, 0, 0, 0}, .friction = 0.8};
    return object;
}

static tr_rig rig_of(const tr_model *model, const tr_state *start) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, start, bodies);
    int hand = model->hand[1];
    tr_vec3 at_hand = bodies[hand].com_pos;
    at_hand.z -= 0.35;
    tr_rig rig = {.object_count = TOY_WATCH_OBJECTS, .pin_count = 2};
    rig.object[TOY_WATCH_BALL] =
        thing("ball", TR_GEOM_SPHERE, (tr_vec3){0.1, 0, 0}, 1, (tr_vec3){1, 1, 0.1});
    rig.object[TOY_WATCH_BALL].state.vel = (tr_vec3){0, -1, 0};
    rig.object[TOY_WATCH_BAT] =
        thing("bat", TR_GEOM_CAPSULE, (tr_vec3){0.02, 0.1, 0}, 0.3, at_hand);
    rig.object[TOY_WATCH_POST] =
        thing("post", TR_GEOM_CYLINDER, (tr_vec3){0.1, 0.3, 0}, 40, (tr_vec3){-1, 0.5, 0.3});
    rig.object[TOY_WATCH_GATE] =
        thing("gate", TR_GEOM_BOX, (tr_vec3){0.3, 0.02, 0.1}, 2, (tr_vec3){-0.5, 0.5, 0.3});
    rig.pin[0] = (tr_rig_pin){
        {TR_RIG_CHARACTER, TOY_WATCH_BAT},
        {.kind = TR_PIN_POINT, .body = {hand, 0}, .point = {model->body[hand].com, {0, 0, 0.35}}}};
    rig.pin[1] = (tr_rig_pin){{TOY_WATCH_GATE, TOY_WATCH_POST},
                              {.kind = TR_PIN_HINGE,
                               .point = {{-0.4, 0, 0}, {0.1, 0, 0}},
                               .axis = {0, 0, 1},
                               .limited = true,
                               .range = {-1, 0.5},
                               .damping = 0.1}};
    return rig;
}

tr_status toy_watch_create(const tr_model *model, tr_controller **out) {
    tr_driver driver = {&toy_watch_kind, NULL};
    tr_pose rest = tr_pose_rest(model);
    tr_state start = tr_state_at_rest(model, &rest);
    tr_rig rig = rig_of(model, &start);
    tr_status status = create(&start, &driver.content);
    if (status)
        return status;
    status = tr_controller_create(driver, out);
    if (status) {
        free(driver.content);
        return status;
    }
    tr_controller *controller = *out;
    controller->spawn = start;
    controller->step_s = 0.005;
    controller->model_hash = model->hash;
    snprintf(controller->name, sizeof controller->name, "watch");
    snprintf(controller->skill, sizeof controller->skill, "watch");
    snprintf(controller->model_name, sizeof controller->model_name, "humanoid");
    status = tr_controller_set_rig(controller, &rig);
    if (status)
        tr_controller_destroy(controller);
    return status;
}
