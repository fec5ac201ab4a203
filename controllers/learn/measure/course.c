#include "learn/measure/course.h"

#include "learn/rehearsal/trial.h"
#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 12, TRIALS_MAX = 10000 };

static const double WIDER = 2, NEAR_SHARE = 0.15;

typedef struct attempt {
    bool done;
    double time_s;
} attempt;

typedef struct course {
    const tr_controller *controller;
    const tr_course_test *test;
    double radius_m, near_m, limit_s;
    attempt *attempt; /* [trials] */
} course;

/* Returns waypoint i of a figure of eight: round the left circle anticlockwise, then the right one
 * clockwise, from and to the origin, where it heads along the x axis. Turned by `turn_rad`. */
static tr_vec3 waypoint(const course *c, int i, double turn_rad) {
    const int half = POINTS / 2;
    double angle = 2 * TR_PI * (i % half + 1) / half;
    double x = c->radius_m * tr_sin(angle), y = c->radius_m * (1 - tr_cos(angle));
    tr_vec3 point = {x, i < half ? y : -y, 0};
    return tr_quat_rotate(tr_quat_from_heading(turn_rad), point);
}

static void attempt_course(void *context, int item, tr_rehearsal *rehearsal) {
    course *c = context;
    const tr_controller *controller = c->controller;
    tr_state state = tr_trial_disturbed_start(controller, c->test->seed, item);
    double turn_rad = 2 * TR_PI * item / c->test->trials;
    attempt result = {0};
    tr_trial trial;
    state = tr_state_place(&state, turn_rad, (tr_vec3){0, 0, 0});
    c->attempt[item] = result;
    if (tr_trial_begin(&trial, controller, rehearsal, &state))
        return;
    for (int i = 0; i < POINTS;) {
        tr_vec3 point = waypoint(c, i, turn_rad);
        trial.runner.target = (tr_steering_target){.aim = TR_AIM_POINT, .x = point.x, .y = point.y};
        tr_trial_run(&trial, rehearsal, trial.steps + 1);
        result.time_s = (double)trial.steps * controller->step_s;
        if (trial.lost || result.time_s > c->limit_s ||
            tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            return;
        double miss = hypot(state.pose.root_pos.x - point.x, state.pose.root_pos.y - point.y);
        /* Near the point: steer to the next. */
        i += miss < c->near_m;
    }
    result.done = true;
    c->attempt[item] = result;
}

/* Finds the skill that the controller begins in. */
static tr_status find_first_skill(const tr_controller *controller, tr_driver_skill *out) {
    tr_driver_sheet sheet;
    tr_status status = tr_driver_describe(controller->driver, controller->step_s, &sheet);
    if (status)
        return status;
    *out = sheet.skill[sheet.entry[0].skill];
    tr_driver_sheet_deinit(&sheet);
    return TR_OK;
}

tr_status tr_course_run(tr_ensemble *ensemble, const tr_controller *controller,
                        const tr_course_test *test, tr_course_result *out) {
    tr_driver_skill skill;
    if (test->trials < 1 || test->trials > TRIALS_MAX)
        return TR_INVALID_ARGUMENT;
    tr_status status = find_first_skill(controller, &skill);
    if (status)
        return status;
    if (!(skill.turn_rad_s > 0 && skill.speed_mps > 0))
        return TR_FAILED_PRECONDITION;
    /* Full turn draws a circle of radius v / omega; these are wider, so that there is room to
     * steer. */
    double radius = WIDER * skill.speed_mps / skill.turn_rad_s;
    tr_course_result result = {.trials = test->trials,
                               .radius_m = radius,
                               .near_m = NEAR_SHARE * radius,
                               .length_m = 4 * TR_PI * radius};
    course c = {.controller = controller,
                .test = test,
                .radius_m = radius,
                .near_m = result.near_m,
                .limit_s = 2 * result.length_m / skill.speed_mps};
    c.attempt = calloc((size_t)test->trials, sizeof *c.attempt);
    if (!c.attempt)
        return TR_RESOURCE_EXHAUSTED;
    tr_ensemble_share(ensemble, attempt_course, &c, test->trials,
                      (const tr_ranks_result[]){{c.attempt, sizeof *c.attempt}, {0}});
    for (int i = 0; i < test->trials; i++) {
        result.done += c.attempt[i].done;
        result.mean_s += c.attempt[i].time_s;
    }
    if (result.done > 0)
        result.mean_s /= result.done;
    free(c.attempt);
    *out = result;
    return TR_OK;
}
