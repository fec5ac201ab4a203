#include "control/balance/balance.h"

#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>

static const char SECTION[] = "postures";
static const double TURN_MAX_RAD = 2;

const tr_postures tr_postures_none = {.looks = 1, .count = 1};

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

/* --- content --- */

bool tr_postures_exist(const tr_postures *postures) {
    return postures->looks != 1 || postures->count != 1;
}

tr_status tr_postures_check(const tr_postures *postures, tr_error *error) {
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

uint64_t tr_postures_hash(const tr_postures *postures, uint64_t hash) {
    const int sizes[] = {postures->looks, postures->rocking, postures->count};
    if (!tr_postures_exist(postures))
        return hash;
    hash = tr_hash_add(hash, sizes, sizeof sizes);
    return tr_hash_add(hash, postures->turn, (size_t)postures->count * sizeof *postures->turn);
}

tr_status tr_postures_save(const tr_postures *postures, tr_sections *out, tr_error *error) {
    if (!tr_postures_exist(postures))
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_int(&writer, postures->looks);
    tr_section_put_int(&writer, postures->rocking);
    tr_section_put_int(&writer, postures->count);
    tr_section_put_doubles(&writer, &postures->turn[0][0],
                           (size_t)postures->count * TR_BALANCE_ACTIONS);
    return tr_section_end(&writer, error);
}

tr_status tr_postures_load(tr_postures *postures, const tr_sections *in, tr_error *error) {
    *postures = tr_postures_none;
    if (!tr_sections_find(in, SECTION))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, SECTION);
    postures->looks = (int)tr_section_get_int(&reader, 1, TR_POSTURE_LOOKS_MAX);
    postures->rocking = (int)tr_section_get_int(&reader, 0, TR_POSTURE_ROCKING_MAX);
    postures->count = (int)tr_section_get_int(&reader, 1, TR_POSTURE_MAX);
    tr_section_get_doubles(&reader, &postures->turn[0][0],
                           (size_t)postures->count * TR_BALANCE_ACTIONS);
    return tr_section_close(&reader, error);
}

/* --- what there is to choose from --- */

int tr_postures_skill_of(const tr_postures *postures, int entry) {
    const int rocks = postures->rocking > 0;
    /* The stance, then all phases of rocking as one skill, then each lean as its own. */
    if (entry <= postures->rocking)
        return entry > 0 ? 1 : 0;
    return 1 + rocks + (entry - 1 - postures->rocking);
}

const char *tr_postures_name_of(const tr_postures *postures, int entry) {
    if (!tr_postures_exist(postures))
        return ""; /* its controller's skill */
    if (entry <= postures->rocking)
        return entry > 0 ? "rocking" : "stance";
    const int lean = entry - 1 - postures->rocking;
    return lean_name[lean / 2][lean % 2];
}

int tr_postures_follower_of(const tr_postures *postures, int entry) {
    if (entry == 0 || entry > postures->rocking)
        return entry;
    return entry == postures->rocking ? 1 : entry + 1;
}

tr_status tr_postures_describe(const tr_postures *postures, tr_driver_sheet *sheet) {
    tr_status status = TR_OK;
    for (int i = 0, count; !status && i < postures->count; i += count) {
        /* All phases of rocking are one skill. */
        count = i == 1 && postures->rocking > 0 ? postures->rocking : 1;
        const tr_driver_skill skill = {
            .name = tr_postures_name_of(postures, i), .first = i, .count = count, .cyclic = true};
        status = tr_driver_sheet_add_skill(sheet, &skill);
    }
    return status;
}

/* --- making --- */

/* Fills in the turns by which the feedback follows a roll of rock_rad sin(phase), and its rate. */
static void fill_rocking(tr_balance *balance, const tr_postures_def *def, double step_s) {
    const double period_s = def->rocking * def->looks * balance->hold * step_s;
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
            balance->postures.turn[1 + k][a] = fmin(fmax(turn, -TURN_MAX_RAD), TURN_MAX_RAD);
        }
    }
}

tr_status tr_postures_add(tr_controller *controller, const tr_postures_def *def, tr_error *error) {
    tr_balance *balance = controller->driver.content;
    if (controller->driver.kind != &tr_balance_kind || tr_postures_exist(&balance->postures))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "postures: a '%s'; expected a balance without postures",
                       tr_driver_kind_name(controller->driver));
    if (def->rocking < 0 || def->rocking > TR_POSTURE_ROCKING_MAX || def->looks < 1 ||
        def->looks > TR_POSTURE_LOOKS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "postures: %d phases of %d looks; expected 0 to %d of 1 to %d", def->rocking,
                       def->looks, TR_POSTURE_ROCKING_MAX, TR_POSTURE_LOOKS_MAX);
    tr_postures *postures = &balance->postures;
    const int leans = def->lean_rad > 0 ? TR_POSTURE_LEANS : 0;
    postures->looks = def->looks;
    postures->rocking = def->rocking;
    postures->count = 1 + def->rocking + leans;
    fill_rocking(balance, def, controller->step_s);
    for (int i = 0; i < leans; i++)
        postures->turn[1 + def->rocking + i][i / 2] = i % 2 ? -def->lean_rad : def->lean_rad;
    return tr_postures_check(postures, error);
}
