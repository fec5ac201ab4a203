#include "tools/learn/verdict.h"

#include "learn/measure/evaluate.h"

#include <math.h>
#include <stdio.h>

enum { TRIALS = 100, CYCLES = 10 };
static const uint64_t SEED = 20240101; /* of no training */

static tr_status print_hold(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_motion *motion) {
    double cap_s = tr_controller_outline(controller).cyclic ? 60 : tr_motion_duration(motion) + 5;
    tr_hold_test test = {.trials = TRIALS, .cap_s = cap_s, .seed = SEED};
    tr_hold_result held;
    tr_status status = tr_evaluate_hold(ensemble, controller, &test, &held);
    if (!status)
        printf("holds %.0f s undisturbed in %d of %d trials, %.1f s on average\n", cap_s, held.held,
               held.trials, held.mean_s);
    return status;
}

static tr_status print_push(tr_ensemble *ensemble, const tr_controller *controller) {
    tr_push_search search = {
        .test = tr_push_test_default(), .from_n = 60, .grid_n = 20, .limit_n = 1000, .share = 0.95};
    double survived_n = 0, score = 0;
    search.test.seed = SEED;
    tr_status status = tr_evaluate_largest_push(ensemble, controller, &search, &survived_n, &score);
    if (!status)
        printf("survives pushes of %.0f N (95 %% of 96, 0.2 s on the trunk)\n", survived_n);
    return status;
}

static tr_status print_gait(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_motion *motion) {
    tr_gait_report report;
    tr_status status = tr_evaluate_gait(ensemble, controller, 3, CYCLES, &report);
    double clip_mps =
        hypot(motion->cycle_shift.x, motion->cycle_shift.y) / tr_motion_duration(motion);
    if (!status)
        printf("moves at %.2f m/s, the clip at %.2f; turns %.1f deg/s beyond it; joints %.1f deg "
               "off on average\n",
               report.speed_mps, clip_mps, report.turn_rate_beyond * 180 / TR_PI,
               report.pose_error_rad * 180 / TR_PI);
    return status;
}

tr_status tr_verdict_print(tr_ensemble *ensemble, const tr_controller *controller,
                           const tr_motion *motion, tr_error *error) {
    bool cyclic = tr_controller_outline(controller).cyclic;
    tr_status status = print_hold(ensemble, controller, motion);
    if (!status)
        status = print_push(ensemble, controller);
    if (!status && cyclic)
        status = print_gait(ensemble, controller, motion);
    return !status ? TR_OK : tr_fail(error, status, "test: %s", tr_status_text(status));
}
