#include "control/postures/postures.h"

#include "control/parts/driver_holder.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "postures";
static const double TURN_MAX_RAD = 2;

/* A lean for each action: to one side, and to the other. */
static const char *const lean_name[TR_BALANCE_ACTIONS][2] = {
    [TR_BALANCE_TURN_ANKLE_PITCH] = {"ankle-pitch+", "ankle-pitch-"},
    [TR_BALANCE_TURN_HIP_PITCH] = {"hip-pitch+", "hip-pitch-"},
    [TR_BALANCE_TURN_WAIST_PITCH] = {"waist-pitch+", "waist-pitch-"},
    [TR_BALANCE_TURN_ANKLE_ROLL] = {"ankle-roll+", "ankle-roll-"},
    [TR_BALANCE_TURN_HIP_ROLL] = {"hip-roll+", "hip-roll-"},
    [TR_BALANCE_TURN_WAIST_ROLL] = {"waist-roll+", "waist-roll-"},
    [TR_BALANCE_TURN_KNEES] = {"knees+", "knees-"},
    [TR_BALANCE_TURN_HIP_YAW] = {"hip-yaw+", "hip-yaw-"},
};

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_postures_state, entry, 0, TR_POSTURE_MAX - 1),
    TR_STATE_INT_FIELD(tr_postures_state, look, 0, TR_POSTURE_LOOKS_MAX - 1),
};

static void *inner_state(const tr_postures *postures, const void *state) {
    const tr_driver driver = {&tr_postures_kind, (void *)postures};
    return tr_driver_held_state(driver, state, 0);
}

static const tr_balance *balance_of(const tr_postures *postures) {
    return postures->inner.content;
}

/* --- content --- */

static bool leans(const tr_postures *postures) {
    return postures->count > 1 + postures->rocking;
}

static tr_status check_numbers(const tr_postures *postures, tr_error *error) {
    const int rocking = postures->rocking, count = postures->count;
    if (rocking < 0 || rocking > TR_POSTURE_ROCKING_MAX ||
        (count != 1 + rocking && count != 1 + rocking + TR_POSTURE_LEANS))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "postures: %d entries, %d of them rocking; expected 1, 0 to %d more, and %d "
                       "leans or none",
                       count, rocking, TR_POSTURE_ROCKING_MAX, TR_POSTURE_LEANS);
    if (postures->looks < 1 || postures->looks > TR_POSTURE_LOOKS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "postures: %d looks; expected 1 to %d",
                       postures->looks, TR_POSTURE_LOOKS_MAX);
    /* The first entry is the stance, which turns nothing. */
    for (int i = 0; i < count; i++)
        for (int a = 0; a < TR_BALANCE_ACTIONS; a++)
            if (!(fabs(postures->turn[i][a]) <= (i ? TURN_MAX_RAD : 0)))
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "postures: entry %d, turn %d: expected at most %g rad", i, a,
                               i ? TURN_MAX_RAD : 0);
    return TR_OK;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_postures *postures = content;
    const tr_driver *inner = &postures->inner;
    if (inner->kind != &tr_balance_kind)
        return tr_fail(error, TR_INVALID_ARGUMENT, "postures: expected a balance inside");
    tr_status status = inner->kind->check(inner->content, setting, error);
    return status ? status : check_numbers(postures, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_postures *postures = content;
    uint64_t hash = postures->inner.kind->hash(postures->inner.content, setting);
    const int sizes[] = {postures->looks, postures->rocking, postures->count};
    hash = tr_hash_add(hash, sizes, sizeof sizes);
    return tr_hash_add(hash, postures->turn, (size_t)postures->count * sizeof *postures->turn);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_postures *postures = content;
    tr_postures *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *postures;
    image->inner.content = NULL;
    image->stance = tr_state_mirror(setting->model, &postures->stance);
    /* Lateral turns change their signs; they come last in the list of actions. */
    for (int i = 0; i < image->count; i++)
        for (int a = TR_BALANCE_TURN_ANKLE_ROLL; a < TR_BALANCE_ACTIONS; a++)
            image->turn[i][a] = -image->turn[i][a];
    tr_status status =
        tr_balance_kind.mirror(postures->inner.content, setting, &image->inner.content);
    if (status)
        tr_driver_holder_destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_postures *postures = content;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_int(&writer, postures->looks);
    tr_section_put_int(&writer, postures->rocking);
    tr_section_put_int(&writer, postures->count);
    tr_section_put_doubles(&writer, &postures->turn[0][0],
                           (size_t)postures->count * TR_BALANCE_ACTIONS);
    tr_status status = tr_section_end(&writer, error);
    return status ? status : postures->inner.kind->save(postures->inner.content, out, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_postures *postures = calloc(1, sizeof *postures);
    if (!postures)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "postures: no memory");
    tr_section_reader reader = tr_section_open(in, SECTION);
    postures->inner.kind = &tr_balance_kind;
    postures->stance = *setting->spawn;
    postures->looks = (int)tr_section_get_int(&reader, 1, TR_POSTURE_LOOKS_MAX);
    postures->rocking = (int)tr_section_get_int(&reader, 0, TR_POSTURE_ROCKING_MAX);
    postures->count = (int)tr_section_get_int(&reader, 1, TR_POSTURE_MAX);
    tr_section_get_doubles(&reader, &postures->turn[0][0],
                           (size_t)postures->count * TR_BALANCE_ACTIONS);
    tr_status status = tr_section_close(&reader, error);
    if (!status)
        status = tr_balance_kind.load(in, setting, &postures->inner.content, error);
    if (status)
        tr_driver_holder_destroy(postures);
    else
        *out = postures;
    return status;
}

/* --- what it can do --- */

static int steps_of(const tr_postures *postures) {
    return postures->looks * balance_of(postures)->hold;
}

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_postures *postures = content;
    const double entry_s = steps_of(postures) * step_s;
    *out = (tr_driver_outline){.entry_count = postures->count,
                               .first_count = 1,
                               .cyclic = true,
                               .duration_s = postures->count * entry_s,
                               .cycle_s = entry_s,
                               .gain_set = balance_of(postures)->gain_set};
}

static int skill_of(const tr_postures *postures, int entry) {
    const int rocks = postures->rocking > 0;
    /* The stance, then all phases of rocking as one skill, then each lean as its own. */
    if (entry <= postures->rocking)
        return entry > 0 ? 1 : 0;
    return 1 + rocks + (entry - 1 - postures->rocking);
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_postures *postures = content;
    *out = (tr_driver_entry){.gain_set = balance_of(postures)->gain_set,
                             .start = &postures->stance,
                             .steps = steps_of(postures),
                             .skill = skill_of(postures, index)};
}

/* Returns the name of the skill to which an entry belongs. */
static const char *name_of(const tr_postures *postures, int entry) {
    if (entry <= postures->rocking)
        return entry > 0 ? "rocking" : "stance";
    const int lean = entry - 1 - postures->rocking;
    return lean_name[lean / 2][lean % 2];
}

static tr_status add_skill(const tr_postures *postures, int first, int count,
                           tr_driver_sheet *sheet) {
    const tr_driver_skill skill = {
        .name = name_of(postures, first), .first = first, .count = count, .cyclic = true};
    return tr_driver_sheet_add_skill(sheet, &skill);
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_postures *postures = content;
    tr_status status = add_skill(postures, 0, 1, sheet);
    if (!status && postures->rocking > 0)
        status = add_skill(postures, 1, postures->rocking, sheet);
    for (int i = 1 + postures->rocking; !status && i < postures->count; i++)
        status = add_skill(postures, i, 1, sheet);
    return status;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_postures *postures = content;
    const tr_postures_state *s = state;
    return s->entry < postures->count && s->look < postures->looks;
}

/* The state of the balance stays. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)mirrored;
    *(tr_postures_state *)state = (tr_postures_state){.entry = entry_index};
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    (void)content, (void)model, (void)state;
    *out_entry = 0;
    *out_mirrored = false;
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_postures *postures = content;
    const tr_postures_state *s = state;
    postures->inner.kind->look(postures->inner.content, inner_state(postures, state), out);
    /* An entry is as many looks of the balance as the settings say. */
    out->phase = (s->look + out->phase) / postures->looks;
    out->between = out->between && s->look == 0;
    out->entry = s->entry;
    out->skill = skill_of(postures, s->entry);
    out->entries_done /= postures->looks;
    if (!out->down)
        out->text = name_of(postures, s->entry);
}

/* --- driving --- */

/* Returns the entry that follows in fixed order: the next phase of rocking, or the same entry
 * again. */
static int follower_of(const tr_postures *postures, int entry) {
    if (entry == 0 || entry > postures->rocking)
        return entry;
    return entry == postures->rocking ? 1 : entry + 1;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_postures *postures = content;
    tr_postures_state *s = state;
    tr_balance_state *inner = inner_state(postures, state);
    tr_status status = postures->inner.kind->drive(postures->inner.content, inner, sight, out);
    if (status)
        return status;
    /* The posture is added on top of the feedback. */
    if (!inner->down)
        tr_balance_turn(balance_of(postures), postures->turn[s->entry], sight->model, out->target);
    out->entry = s->entry;
    s->look += out->completes;
    out->completes = s->look == postures->looks;
    /* Without a scheduler postures follow in fixed order. */
    if (out->completes)
        *s = (tr_postures_state){.entry = follower_of(postures, s->entry)};
    return TR_OK;
}

const tr_driver_kind tr_postures_kind = {.name = "postures",
                                         .check = check,
                                         .hash = hash,
                                         .mirror = mirror,
                                         .destroy = tr_driver_holder_destroy,
                                         .save = save,
                                         .load = load,
                                         .outline = outline,
                                         .entry = entry,
                                         .describe = describe,
                                         .held = tr_driver_holder_held,
                                         .state_size = sizeof(tr_postures_state),
                                         .field = fields,
                                         .field_count = sizeof fields / sizeof *fields,
                                         .fits = fits,
                                         .enter = enter,
                                         .nearest = nearest,
                                         .look = look,
                                         .drive = drive};

/* --- making --- */

/* Fills in the turns by which the feedback follows a roll of rock_rad sin(phase), and its rate. */
static void fill_rocking(tr_postures *postures, const tr_postures_def *def, double step_s) {
    const tr_balance *balance = balance_of(postures);
    const double period_s = def->rocking * steps_of(postures) * step_s;
    for (int k = 0; k < def->rocking; k++) {
        /* The middle of the k-th part of the period. */
        const double phase = 2 * TR_PI * (k + 0.5) / def->rocking;
        const double roll = def->rock_rad * tr_sin(phase);
        const double rate = def->rock_rad * tr_cos(phase) * 2 * TR_PI / period_s;
        for (int a = 0; a < TR_BALANCE_ACTIONS; a++) {
            const double *gain = balance->gain[a];
            /* The negative gains turn joints by what the feedback would answer to that roll. */
            const double turn =
                -gain[TR_BALANCE_DECK_ROLL] * roll - gain[TR_BALANCE_DECK_ROLL_RATE] * rate;
            postures->turn[1 + k][a] = fmin(fmax(turn, -TURN_MAX_RAD), TURN_MAX_RAD);
        }
    }
}

static void fill(tr_postures *postures, const tr_postures_def *def, double step_s) {
    postures->looks = def->looks;
    postures->rocking = def->rocking;
    postures->count = 1 + def->rocking + (def->lean_rad > 0 ? TR_POSTURE_LEANS : 0);
    fill_rocking(postures, def, step_s);
    for (int i = 0; leans(postures) && i < TR_POSTURE_LEANS; i++)
        postures->turn[1 + def->rocking + i][i / 2] = i % 2 ? -def->lean_rad : def->lean_rad;
}

tr_status tr_postures_add(tr_controller *controller, const tr_postures_def *def, tr_error *error) {
    if (controller->driver.kind != &tr_balance_kind)
        return tr_fail(error, TR_INVALID_ARGUMENT, "postures: '%s' does not balance",
                       tr_driver_kind_name(controller->driver));
    if (def->rocking < 0 || def->rocking > TR_POSTURE_ROCKING_MAX || def->looks < 1 ||
        def->looks > TR_POSTURE_LOOKS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "postures: %d phases of %d looks; expected 0 to %d of 1 to %d", def->rocking,
                       def->looks, TR_POSTURE_ROCKING_MAX, TR_POSTURE_LOOKS_MAX);
    tr_postures *postures = calloc(1, sizeof *postures);
    if (!postures)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "postures: no memory");
    /* The balance moves inside; the controller keeps its stance. */
    postures->inner = controller->driver;
    postures->stance = controller->spawn;
    fill(postures, def, controller->step_s);
    tr_status status = check_numbers(postures, error);
    if (status)
        free(postures);
    else
        controller->driver = (tr_driver){&tr_postures_kind, postures};
    return status;
}
