#include "learn/balance/balance_trial.h"

#include "control/parts/falls.h"
#include "control/torque/torque.h"
#include "math/elementary.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double tr_balance_near_rad = 20 * TR_PI / 180;
const double tr_balance_upright_rad = 25 * TR_PI / 180;

static const double LOOK_S = 0.1;
static const double FAR_MASS_M = 0.15, FAR_HOME_M = 0.6; /* no closeness is left there */

/* Supports on which a character computes its torques; the first ones are boards. */
enum { BOARDS = 2, WITHOUT_FEEDBACK = 4 };
static const tr_torque_support *const without_feedback[WITHOUT_FEEDBACK] = {
    &tr_torque_skate, &tr_torque_board, &tr_torque_ball, &tr_torque_ground};

/* Does it stand on one of the first `count` supports? */
static bool is_among(const tr_controller *controller, int count) {
    const tr_torque *torque = tr_torque_of(controller);
    for (int i = 0; torque && i < count; i++)
        if (torque->support == without_feedback[i])
            return true;
    return false;
}

tr_status tr_balance_trial_look(const tr_trial *trial, const tr_rehearsal *rehearsal,
                                double out[TR_BALANCE_FEATURES]) {
    const tr_balance *balance = tr_balance_of(trial->runner.controller);
    tr_rehearsal_moment moment;
    tr_status status = tr_rehearsal_look(rehearsal, &moment);
    if (status)
        return status;
    const tr_sight sight = {.world = rehearsal->world,
                            .character = rehearsal->character,
                            .model = rehearsal->model,
                            .state = &moment.state,
                            .object = moment.object,
                            .object_count = rehearsal->pieces.count};
    const tr_balance_state *state = tr_balance_state_of(&trial->runner);
    tr_balance_home home =
        state && state->begun ? state->home : tr_balance_home_of(&balance->place, &sight);
    tr_balance_look(&balance->place, &balance->body, &home, &sight, out);
    return TR_OK;
}

/* Measures how far the root moved and turned from home. */
static tr_status measure_way(const tr_rehearsal *rehearsal, const tr_balance_home *home,
                             double *z) {
    tr_state state;
    tr_status status = tr_world_get_state(rehearsal->world, rehearsal->character, &state);
    if (status)
        return status;
    z[TR_BALANCE_DRIFT_X] = state.pose.root_pos.x - home->x;
    z[TR_BALANCE_DRIFT_Y] = state.pose.root_pos.y - home->y;
    z[TR_BALANCE_HEADING] = tr_angle_wrap(tr_quat_heading(state.pose.root_rot) - home->heading_rad);
    return TR_OK;
}

/* Measures a character without feedback, from where it was spawned: its way, and the heading of its
 * board or, without a board, its own. */
static tr_status measure_ride(const tr_trial *trial, const tr_rehearsal *rehearsal,
                              const tr_balance_home *spawned, double *z) {
    tr_rehearsal_moment moment;
    tr_status status = measure_way(rehearsal, spawned, z);
    if (status || !is_among(trial->runner.controller, BOARDS))
        return status;
    status = tr_rehearsal_look(rehearsal, &moment);
    if (!status)
        z[TR_BALANCE_HEADING] =
            tr_angle_wrap(tr_quat_heading(moment.object[0].rot) - spawned->heading_rad);
    return status;
}

/* Looks as the driver does; the drift is that of the object. */
static tr_status watch(const tr_trial *trial, const tr_rehearsal *rehearsal,
                       const tr_balance_home *spawned, double out[TR_BALANCE_FEATURES]) {
    return tr_balance_of(trial->runner.controller) ? tr_balance_trial_look(trial, rehearsal, out)
                                                   : measure_ride(trial, rehearsal, spawned, out);
}

static void push(tr_rehearsal *rehearsal, double push_n, int steps, tr_random *random) {
    double x = push_n * tr_random_normal(random), y = push_n * tr_random_normal(random);
    if (push_n > 0)
        (void)!tr_rehearsal_shove(rehearsal,
                                  &(tr_rehearsal_push){sqrt(x * x + y * y), tr_atan2(y, x), steps});
}

/* Returns 1 at home and 0 far from it. Of a rolling base only the drift across its way counts. */
static double closeness_of(const double *z, bool rolls) {
    double mass =
        sqrt(z[TR_BALANCE_COM_X] * z[TR_BALANCE_COM_X] + z[TR_BALANCE_COM_Y] * z[TR_BALANCE_COM_Y]);
    double along = rolls ? 0 : z[TR_BALANCE_DRIFT_Y];
    double home = sqrt(z[TR_BALANCE_DRIFT_X] * z[TR_BALANCE_DRIFT_X] + along * along);
    return 1 - fmin(1, mass / FAR_MASS_M + home / FAR_HOME_M);
}

/* Does a foot of this side touch anything? */
static bool stands_on(int side, const tr_rehearsal *rehearsal) {
    int count;
    const tr_contact *contact = tr_world_contacts(rehearsal->world, &count);
    for (int i = 0; i < count; i++)
        for (int end = 0; end < 2; end++)
            if (contact[i].entity[end] == rehearsal->character &&
                tr_model_is_of_foot(rehearsal->model, contact[i].body[end], side))
                return true;
    return false;
}

/* Counts a moment in which one foot alone stands, for its side. */
static void count_foot(const tr_rehearsal *rehearsal, int alone[2]) {
    const bool left = stands_on(0, rehearsal), right = stands_on(1, rehearsal);
    alone[0] += left && !right;
    alone[1] += right && !left;
}

static double or_look(double seconds) {
    return seconds > 0 ? seconds : LOOK_S;
}

/* Returns the turn that is asked for: to the left in every second trial. */
static double turn_of(const tr_balance_test *test, int number) {
    return number % 2 ? test->turn_rad : -test->turn_rad;
}

static void set_heading(const tr_balance_test *test, int number, const tr_state *start,
                        tr_trial *trial) {
    const double heading_rad = tr_quat_heading(start->pose.root_rot) + turn_of(test, number);
    if (test->turn_rad > 0)
        trial->runner.target =
            (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = tr_angle_wrap(heading_rad)};
}

static double step_of(const double *z, const double *before) {
    const double x = z[TR_BALANCE_DRIFT_X] - before[TR_BALANCE_DRIFT_X];
    const double y = z[TR_BALANCE_DRIFT_Y] - before[TR_BALANCE_DRIFT_Y];
    return sqrt(x * x + y * y);
}

void tr_balance_trial(const tr_controller *controller, const tr_balance_test *test, int item,
                      tr_rehearsal *rehearsal, tr_balance_outcome *out) {
    int number = test->first + item, looks = 0, alone[2] = {0};
    int every = (int)llround(LOOK_S / controller->step_s);
    int lasts = (int)llround(or_look(test->push_s) / controller->step_s);
    int apart = (int)fmax(1, round(or_look(test->push_every_s) / LOOK_S));
    int64_t last = llround(test->cap_s / controller->step_s);
    tr_random random = tr_random_split(test->seed, 2, (uint64_t)number);
    tr_state start = tr_trial_disturbed_start(controller, test->seed, number);
    const tr_balance_home spawned = {.heading_rad = tr_quat_heading(start.pose.root_rot)};
    double z[TR_BALANCE_FEATURES] = {0}, before[TR_BALANCE_FEATURES];
    tr_trial trial;
    *out = (tr_balance_outcome){0};
    if (tr_trial_begin(&trial, controller, rehearsal, &start))
        return;
    /* The heading is asked for from the first step on. */
    set_heading(test, number, &start, &trial);
    for (; !trial.lost && trial.steps < last; looks++) {
        /* A push comes in the middle of its interval. */
        if (looks % apart == apart / 2)
            push(rehearsal, test->push_n, lasts, &random);
        tr_trial_run(&trial, rehearsal, last < trial.steps + every ? last : trial.steps + every);
        memcpy(before, z, sizeof before);
        if (watch(&trial, rehearsal, &spawned, z))
            break;
        out->way_m += step_of(z, before);
        out->closeness += closeness_of(z, controller->spawn.root_vel.y != 0);
        out->rocks_rad += z[TR_BALANCE_DECK_ROLL] * z[TR_BALANCE_DECK_ROLL];
        out->upright += tr_falls_uprightness(rehearsal->world, rehearsal->character) >=
                        tr_cos(tr_balance_upright_rad);
        count_foot(rehearsal, alone);
    }
    out->held = !trial.lost;
    /* The heading at the end counts. */
    out->turned =
        out->held && test->turn_rad > 0 &&
        fabs(tr_angle_wrap(z[TR_BALANCE_HEADING] - turn_of(test, number))) < tr_balance_near_rad;
    out->held_s = fmin(test->cap_s, (double)trial.steps * controller->step_s);
    out->closeness /= looks ? looks : 1;
    out->upright /= looks ? looks : 1;
    out->rocks_rad = sqrt(out->rocks_rad / (looks ? looks : 1));
    /* Twice the rarer side, so that standing on one foot alone gains nothing. */
    out->one_foot = 2.0 * (alone[0] < alone[1] ? alone[0] : alone[1]) / (looks ? looks : 1);
    out->drift_m = sqrt(z[TR_BALANCE_DRIFT_X] * z[TR_BALANCE_DRIFT_X] +
                        z[TR_BALANCE_DRIFT_Y] * z[TR_BALANCE_DRIFT_Y]);
}

typedef struct work {
    const tr_controller *controller;
    const tr_balance_test *test;
    tr_balance_outcome *outcome; /* [trials] */
} work;

static void try_one(void *context, int item, tr_rehearsal *rehearsal) {
    const work *w = context;
    tr_balance_trial(w->controller, w->test, item, rehearsal, &w->outcome[item]);
}

static tr_balance_count count(const work *w) {
    tr_balance_count sum = {.trials = w->test->trials, .shortest_s = w->test->cap_s};
    for (int i = 0; i < sum.trials; i++) {
        const tr_balance_outcome *o = &w->outcome[i];
        sum.held += o->held;
        sum.turned += o->turned;
        sum.mean_s += o->held_s / sum.trials;
        sum.drift_m += o->drift_m / sum.trials;
        sum.one_foot += o->one_foot / sum.trials;
        sum.upright += o->upright / sum.trials;
        sum.way_m += o->way_m / sum.trials;
        sum.rocks_rad += o->rocks_rad / sum.trials;
        sum.shortest_s = fmin(sum.shortest_s, o->held_s);
    }
    return sum;
}

bool tr_balance_trial_suits(const tr_controller *controller) {
    return tr_balance_of(controller) || is_among(controller, WITHOUT_FEEDBACK);
}

bool tr_balance_trial_turns(const tr_controller *controller) {
    const tr_steering_target heading = {.aim = TR_AIM_HEADING};
    return tr_balance_trial_suits(controller) && tr_driver_follows(controller->driver, &heading);
}

tr_status tr_balance_test_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_balance_test *test, tr_balance_count *out) {
    if (test->trials < 1 || test->trials > TR_BALANCE_TRIAL_MAX || !(test->cap_s > 0) ||
        !(test->push_n >= 0) || !tr_balance_trial_suits(controller) ||
        (test->turn_rad > 0 && !tr_balance_trial_turns(controller)))
        return TR_INVALID_ARGUMENT;
    work w = {controller, test, calloc((size_t)test->trials, sizeof *w.outcome)};
    if (!w.outcome)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, try_one, &w, test->trials,
                      (const tr_ranks_result[]){{w.outcome, sizeof *w.outcome}, {0}});
    *out = count(&w);
    free(w.outcome);
    return TR_OK;
}
