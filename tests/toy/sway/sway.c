#include "toy/sway/sway.h"

#include "control/fields/reference_state.h"
#include "math/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AMPLITUDE, PERIOD, PARAMETER_COUNT };
static const double AMPLITUDE_MAX_RAD = 0.5, PERIOD_MIN_S = 0.5, PERIOD_MAX_S = 10;

/* phase: of the sway in progress, 0 to 1 */
typedef struct sway_state {
    double phase;
    int64_t done;
    bool mirrored;
} sway_state;

static const tr_state_field fields[] = {
    TR_STATE_DOUBLE_FIELD(sway_state, phase, 0, 1),
    TR_STATE_INT64_FIELD(sway_state, done, 0, TR_STATE_STEPS),
    TR_STATE_BOOL_FIELD(sway_state, mirrored),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const toy_sway *sway = content;
    if (!tr_reference_is_sound(setting->model, &sway->start))
        return tr_fail(error, TR_INVALID_ARGUMENT, "start: expected a whole state");
    if (tr_model_find_gain_set(setting->model, sway->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "gain_set '%s': the model has no such set",
                       sway->gain_set);
    if (!(sway->amplitude_rad >= 0 && sway->amplitude_rad <= AMPLITUDE_MAX_RAD))
        return tr_fail(error, TR_INVALID_ARGUMENT, "amplitude_rad: %g; expected 0 to %g",
                       sway->amplitude_rad, AMPLITUDE_MAX_RAD);
    if (!(sway->period_s >= PERIOD_MIN_S && sway->period_s <= PERIOD_MAX_S))
        return tr_fail(error, TR_INVALID_ARGUMENT, "period_s: %g; expected %g to %g",
                       sway->period_s, PERIOD_MIN_S, PERIOD_MAX_S);
    return TR_OK;
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const toy_sway *sway = content;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_reference_hash(hash, &sway->start, setting->model->body_count);
    hash = tr_hash_add(hash, sway->gain_set, strlen(sway->gain_set));
    hash = tr_hash_add(hash, &sway->amplitude_rad, sizeof sway->amplitude_rad);
    hash = tr_hash_add(hash, &sway->period_s, sizeof sway->period_s);
    return tr_hash_add(hash, &sway->side, sizeof sway->side);
}

static void destroy(void *content) {
    free(content);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const toy_sway *sway = content;
    toy_sway *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *sway;
    image->start = tr_state_mirror(setting->model, &sway->start);
    image->side = -sway->side;
    *out = image;
    return TR_OK;
}

/* The pose is that of the spawn state. */
static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const toy_sway *sway = content;
    tr_section_writer writer = tr_section_begin(out, "sway");
    tr_section_put_text(&writer, sway->gain_set);
    tr_section_put_doubles(&writer, &sway->amplitude_rad, 1);
    tr_section_put_doubles(&writer, &sway->period_s, 1);
    tr_section_put_int(&writer, sway->side);
    return tr_section_end(&writer, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    toy_sway sway = {.start = *setting->spawn};
    tr_section_reader reader = tr_section_open(in, "sway");
    tr_section_get_text(&reader, sway.gain_set, sizeof sway.gain_set);
    sway.amplitude_rad = tr_section_get_double(&reader);
    sway.period_s = tr_section_get_double(&reader);
    sway.side = tr_section_get_int(&reader, -1, 1) < 0 ? -1 : 1;
    tr_status status = tr_section_close(&reader, error);
    toy_sway *content = status ? NULL : malloc(sizeof *content);
    if (!content)
        return status ? status : TR_RESOURCE_EXHAUSTED;
    *content = sway;
    *out = content;
    return TR_OK;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const toy_sway *sway = content;
    (void)step_s;
    *out = (tr_driver_outline){.entry_count = 1,
                               .first_count = 1,
                               .cyclic = true,
                               .mirrored = true,
                               .duration_s = sway->period_s,
                               .cycle_s = sway->period_s,
                               .gain_set = sway->gain_set};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const toy_sway *sway = content;
    (void)index;
    *out = (tr_driver_entry){.gain_set = sway->gain_set, .start = &sway->start};
}

static int parameters(const void *content, tr_driver_parameter *out) {
    const toy_sway *sway = content;
    out[AMPLITUDE] = (tr_driver_parameter){.name = "amplitude",
                                           .unit = "rad",
                                           .meaning = "how far it sways",
                                           .high = AMPLITUDE_MAX_RAD,
                                           .initial = sway->amplitude_rad,
                                           .count = 1};
    out[PERIOD] = (tr_driver_parameter){.name = "period",
                                        .unit = "s",
                                        .meaning = "of a sway to and fro",
                                        .low = PERIOD_MIN_S,
                                        .high = PERIOD_MAX_S,
                                        .initial = sway->period_s,
                                        .count = 1};
    return PARAMETER_COUNT;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    (void)content;
    return ((const sway_state *)state)->phase < 1;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)entry_index;
    sway_state *s = state;
    s->phase = 0;
    s->mirrored = mirrored;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    (void)content, (void)model, (void)state;
    *out_entry = 0;
    *out_mirrored = false;
}

static void look(const void *content, const void *state, tr_doing *out) {
    (void)content;
    const sway_state *s = state;
    *out = (tr_doing){.phase = s->phase,
                      .mirrored = s->mirrored,
                      .between = s->phase == 0,
                      .entries_done = s->done,
                      .text = s->phase < 0.5 ? "sways one way" : "sways the other way",
                      .shown_count = 1,
                      .shown = {{"swings", "", 1, {(double)s->done + s->phase}}}};
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const toy_sway *sway = content;
    sway_state *s = state;
    double side = s->mirrored ? -sway->side : sway->side;
    s->phase += sight->step_s / sight->parameter[PERIOD];
    out->completes = s->phase >= 1;
    out->mirrored = s->mirrored;
    if (out->completes) {
        s->phase = 0;
        s->done++;
    }
    double angle = side * sight->parameter[AMPLITUDE] * sin(2 * TR_PI * s->phase);
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, sway->gain_set);
    memcpy(out->target, sway->start.pose.joint, sizeof out->target);
    out->target[1] =
        tr_quat_mul(out->target[1], tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, angle));
    return TR_OK;
}

const tr_driver_kind toy_sway_kind = {.name = "toy_sway",
                                      .check = check,
                                      .hash = hash,
                                      .mirror = mirror,
                                      .destroy = destroy,
                                      .save = save,
                                      .load = load,
                                      .outline = outline,
                                      .entry = entry,
                                      .parameters = parameters,
                                      .state_size = sizeof(sway_state),
                                      .field = fields,
                                      .field_count = sizeof fields / sizeof *fields,
                                      .fits = fits,
                                      .enter = enter,
                                      .nearest = nearest,
                                      .look = look,
                                      .drive = drive};

tr_status toy_sway_create(const tr_model *model, tr_controller **out) {
    toy_sway *sway = malloc(sizeof *sway);
    if (!sway)
        return TR_RESOURCE_EXHAUSTED;
    tr_pose rest = tr_pose_rest(model);
    *sway = (toy_sway){
        .start = tr_state_at_rest(model, &rest), .amplitude_rad = 0.1, .period_s = 1, .side = 1};
    snprintf(sway->gain_set, sizeof sway->gain_set, "%s", model->gain_set[0].name);
    tr_status status = tr_controller_create((tr_driver){&toy_sway_kind, sway}, out);
    if (status) {
        destroy(sway);
        return status;
    }
    tr_controller *controller = *out;
    controller->spawn = sway->start;
    controller->step_s = 0.005;
    controller->model_hash = model->hash;
    snprintf(controller->name, sizeof controller->name, "toy");
    snprintf(controller->skill, sizeof controller->skill, "sway");
    snprintf(controller->model_name, sizeof controller->model_name, "humanoid");
    return TR_OK;
}
