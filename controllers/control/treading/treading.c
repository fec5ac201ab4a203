#include "control/treading/treading.h"

#include "control/parts/driver_holder.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "treading";
static const double TURN_MAX_RAD = 2;
static const int RAMP_CYCLES = 2; /* in which steps and sway grow from 0 (treading.h) */

static const tr_state_field fields[] = {
    TR_STATE_DOUBLE_FIELD(tr_treading_state, place, -2, 2),
};

static void *inner_state(const tr_treading *treading, const void *state) {
    const tr_driver driver = {&tr_treading_kind, (void *)treading};
    return tr_driver_held_state(driver, state, 0);
}

static const tr_balance *balance_of(const tr_treading *treading) {
    return treading->inner.content;
}

/* --- content --- */

static bool are_turns(const double *value, int count) {
    bool fit = true;
    for (int i = 0; i < count; i++)
        fit = fit && fabs(value[i]) <= TURN_MAX_RAD;
    return fit;
}

static tr_status check_steps(const tr_treading_steps *t, tr_error *error) {
    if (t->period < 2 || t->period > TR_TREADING_PERIOD_MAX || t->period % 2)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "treading: cycle of %d looks; expected an even number from 2 to %d",
                       t->period, TR_TREADING_PERIOD_MAX);
    if (!(t->share > 0 && t->share <= 1))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "treading: share %g of a step; expected above 0, at most 1", t->share);
    if (!(t->bend_rad >= 0 && t->bend_rad <= TURN_MAX_RAD))
        return tr_fail(error, TR_INVALID_ARGUMENT, "treading: bend of %g rad; expected 0 to %g",
                       t->bend_rad, TURN_MAX_RAD);
    if (!are_turns(t->swing, TR_TREADING_SWINGS) ||
        !are_turns(&t->sway[0][0], 2 * TR_TREADING_SWAYS))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "treading: a swing or sway: expected at most %g rad", TURN_MAX_RAD);
    if (!tr_all_finite(&t->place[0][0], TR_TREADING_PLACES * TR_BALANCE_FEATURES))
        return tr_fail(error, TR_INVALID_ARGUMENT, "treading: a gain of places: not finite");
    return TR_OK;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_treading *treading = content;
    const tr_driver *inner = &treading->inner;
    if (inner->kind != &tr_balance_kind)
        return tr_fail(error, TR_INVALID_ARGUMENT, "treading: expected a balance inside");
    tr_status status = inner->kind->check(inner->content, setting, error);
    return status ? status : check_steps(&treading->steps, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_treading *treading = content;
    const tr_treading_steps *t = &treading->steps;
    uint64_t hash = treading->inner.kind->hash(treading->inner.content, setting);
    const int shape[] = {t->period, t->right_first};
    hash = tr_hash_add(hash, shape, sizeof shape);
    hash = tr_hash_add(hash, &t->share, sizeof t->share);
    hash = tr_hash_add(hash, &t->bend_rad, sizeof t->bend_rad);
    hash = tr_hash_add(hash, t->swing, sizeof t->swing);
    hash = tr_hash_add(hash, t->sway, sizeof t->sway);
    return tr_hash_add(hash, t->place, sizeof t->place);
}

/* The other foot begins, half a cycle later, when the sway has the other sign. Gains from sagittal
 * features to pitch and from lateral ones to roll stay. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_treading *treading = content;
    tr_treading *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *treading;
    image->inner.content = NULL;
    image->steps.right_first = !treading->steps.right_first;
    for (int p = 0; p < TR_TREADING_PLACES; p++)
        for (int f = 0; f < TR_BALANCE_FEATURES; f++)
            if (tr_balance_feature_row_of[f].lateral != (p == TR_TREADING_ROLL))
                image->steps.place[p][f] = -image->steps.place[p][f];
    tr_status status =
        tr_balance_kind.mirror(treading->inner.content, setting, &image->inner.content);
    if (status)
        tr_driver_holder_destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_treading *treading = content;
    const tr_treading_steps *t = &treading->steps;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_int(&writer, t->period);
    tr_section_put_int(&writer, t->right_first);
    tr_section_put_doubles(&writer, &t->share, 1);
    tr_section_put_doubles(&writer, &t->bend_rad, 1);
    tr_section_put_doubles(&writer, t->swing, TR_TREADING_SWINGS);
    tr_section_put_doubles(&writer, &t->sway[0][0], 2 * TR_TREADING_SWAYS);
    tr_section_put_doubles(&writer, &t->place[0][0],
                           (size_t)TR_TREADING_PLACES * TR_BALANCE_FEATURES);
    tr_status status = tr_section_end(&writer, error);
    return status ? status : treading->inner.kind->save(treading->inner.content, out, error);
}

static void read_section(tr_section_reader *reader, tr_treading_steps *out) {
    out->period = (int)tr_section_get_int(reader, 2, TR_TREADING_PERIOD_MAX);
    out->right_first = tr_section_get_int(reader, 0, 1);
    out->share = tr_section_get_double(reader);
    out->bend_rad = tr_section_get_double(reader);
    tr_section_get_doubles(reader, out->swing, TR_TREADING_SWINGS);
    tr_section_get_doubles(reader, &out->sway[0][0], 2 * TR_TREADING_SWAYS);
    tr_section_get_doubles(reader, &out->place[0][0],
                           (size_t)TR_TREADING_PLACES * TR_BALANCE_FEATURES);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_treading *treading = calloc(1, sizeof *treading);
    if (!treading)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "treading: no memory");
    tr_section_reader reader = tr_section_open(in, SECTION);
    treading->inner.kind = &tr_balance_kind;
    read_section(&reader, &treading->steps);
    tr_status status = tr_section_close(&reader, error);
    if (!status)
        status = tr_balance_kind.load(in, setting, &treading->inner.content, error);
    if (status)
        tr_driver_holder_destroy(treading);
    else
        *out = treading;
    return status;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_treading *treading = content;
    return treading->inner.kind->fits(treading->inner.content, inner_state(treading, state));
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_treading *treading = content;
    *(tr_treading_state *)state = (tr_treading_state){0};
    treading->inner.kind->enter(treading->inner.content, inner_state(treading, state), entry_index,
                                mirrored);
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_treading *treading = content;
    treading->inner.kind->nearest(treading->inner.content, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_treading *treading = content;
    treading->inner.kind->look(treading->inner.content, inner_state(treading, state), out);
    if (!out->down)
        out->text = "treading";
}

/* --- driving --- */

/* Returns w of the header, sin^2(pi x). */
static double lift_at(double t, double share) {
    const double x = (t - 0.5) / share + 0.5;
    const double root = x > 0 && x < 1 ? tr_sin(TR_PI * x) : 0;
    return root * root;
}

tr_treading_moment tr_treading_moment_of(const tr_treading_steps *t, int64_t looks) {
    tr_treading_moment step = {0};
    /* The place in the cycle; the first half is the step of the left foot. */
    const int64_t at = (looks + (t->right_first ? t->period / 2 : 0)) % t->period;
    const int side = 2 * at < t->period ? 0 : 1;
    const double cycle = (double)at / t->period;
    const double grown = fmin(1, (double)looks / ((double)RAMP_CYCLES * t->period));
    step.lift[side] = grown * lift_at((double)(2 * at - side * t->period) / t->period, t->share);
    for (int i = 0; i < TR_TREADING_SWAYS; i++)
        step.sway[i] = grown * (t->sway[i][0] * tr_sin(2 * TR_PI * cycle) +
                                t->sway[i][1] * tr_cos(2 * TR_PI * cycle));
    return step;
}

/* Bends the knee, with half of it back at hip and ankle, and turns the hip, with all of it back at
 * the ankle. */
static void turn_leg(const tr_balance *balance, const tr_model *model, int side, double bend_rad,
                     tr_vec3 hip, tr_quat *out) {
    const tr_gait_body *body = &balance->body;
    const int shank = body->shank[side];
    const tr_vec3 half = {0, -bend_rad / 2, 0};
    tr_quat_turn(&out[body->thigh[side]], tr_vec3_add(half, hip));
    tr_quat_turn(&out[shank], tr_vec3_scale(model->body[shank].axis, bend_rad));
    tr_quat_turn(&out[body->foot[side]], tr_vec3_sub(half, hip));
}

static void step_on(const tr_treading *t, const tr_treading_state *state,
                    const tr_treading_moment *step, const tr_model *model, tr_quat *out) {
    const tr_balance *balance = balance_of(t);
    double action[TR_BALANCE_ACTIONS] = {0};
    for (int i = 0; i < TR_TREADING_SWAYS; i++)
        action[TR_BALANCE_TURN_ANKLE_ROLL + i] = step->sway[i];
    tr_balance_turn(balance, action, model, out);
    /* The lifted leg bends, and its hip turns by w u; the other leg stretches. */
    for (int side = 0; side < 2; side++) {
        const double w = step->lift[side], outwards = side ? -1 : 1;
        const tr_vec3 hip = {
            w * (state->place[TR_TREADING_ROLL] + outwards * t->steps.swing[TR_TREADING_ROLL]),
            w * (state->place[TR_TREADING_PITCH] + t->steps.swing[TR_TREADING_PITCH]), 0};
        turn_leg(balance, model, side, w * t->steps.bend_rad, hip, out);
        turn_leg(balance, model, 1 - side, -w * t->steps.swing[TR_TREADING_STRETCH],
                 (tr_vec3){0, 0, 0}, out);
    }
}

/* A turn that is not finite counts as 0. */
static double bound_turn(double turn_rad) {
    return isfinite(turn_rad) ? fmax(-TURN_MAX_RAD, fmin(TURN_MAX_RAD, turn_rad)) : 0;
}

static void choose_place(const tr_treading *t, const tr_balance_state *inner, const tr_sight *sight,
                         tr_treading_state *state) {
    const tr_balance *balance = balance_of(t);
    double z[TR_BALANCE_FEATURES];
    tr_balance_look(&balance->place, &balance->body, &inner->home, sight, z);
    for (int p = 0; p < TR_TREADING_PLACES; p++) {
        double turn_rad = 0;
        for (int f = 0; f < TR_BALANCE_FEATURES; f++)
            turn_rad += t->steps.place[p][f] * (z[f] - balance->rest[f]);
        state->place[p] = bound_turn(turn_rad);
    }
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_treading *treading = content;
    tr_treading_state *s = state;
    tr_balance_state *inner = inner_state(treading, state);
    /* The balance advances its count of looks; the steps are those of the look in progress. */
    const bool looks = inner->step == 0;
    const int64_t before = inner->looks;
    tr_status status = treading->inner.kind->drive(treading->inner.content, inner, sight, out);
    if (status || inner->down)
        return status;
    if (looks)
        choose_place(treading, inner, sight, s);
    const tr_treading_moment step = tr_treading_moment_of(&treading->steps, before);
    step_on(treading, s, &step, sight->model, out->target);
    return TR_OK;
}

const tr_driver_kind tr_treading_kind = {.name = "treading",
                                         .check = check,
                                         .hash = hash,
                                         .mirror = mirror,
                                         .destroy = tr_driver_holder_destroy,
                                         .save = save,
                                         .load = load,
                                         .outline = tr_driver_holder_outline,
                                         .entry = tr_driver_holder_entry,
                                         .held = tr_driver_holder_held,
                                         .state_size = sizeof(tr_treading_state),
                                         .field = fields,
                                         .field_count = sizeof fields / sizeof *fields,
                                         .fits = fits,
                                         .enter = enter,
                                         .nearest = nearest,
                                         .look = look,
                                         .drive = drive};

/* --- making --- */

tr_status tr_treading_add(tr_controller *controller, const tr_treading_steps *steps,
                          tr_error *error) {
    tr_status status = check_steps(steps, error);
    if (status)
        return status;
    if (controller->driver.kind != &tr_balance_kind)
        return tr_fail(error, TR_INVALID_ARGUMENT, "treading: '%s' does not balance",
                       tr_driver_kind_name(controller->driver));
    tr_treading *treading = calloc(1, sizeof *treading);
    if (!treading)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "treading: no memory");
    *treading = (tr_treading){controller->driver, *steps};
    controller->driver = (tr_driver){&tr_treading_kind, treading};
    return TR_OK;
}

tr_treading *tr_treading_of(const tr_controller *controller) {
    return controller->driver.kind == &tr_treading_kind ? controller->driver.content : NULL;
}
