#include "learn/train/verdict.h"

#include "learn/measure/evaluate.h"
#include "learn/measure/ground_test.h"
#include "learn/rehearsal/tread.h"

#include <math.h>

static const double PUSH_LIMIT_N = 1000;
static const double GROUND_TEST_S = 15, GROUND_WORTH_N = 200;
static const double TREAD_TEST_S = 5;

tr_harden_ground tr_verdict_ground(const tr_learn_parameters *p) {
    return (tr_harden_ground){p->harden_ground, p->harden_slope_deg, p->harden_kerb_m,
                              p->harden_uneven_m};
}

/* Measures the share of trials that stay up for 15 s on the largest slopes, kerbs and unevenness of
 * hardening; 0 without any. */
static tr_status judge_on_ground(tr_learner *learner, const tr_controller *controller,
                                 double *out_share) {
    const tr_learn_parameters *p = &learner->def.parameters;
    const tr_harden_ground size = tr_verdict_ground(p);
    tr_trial_ground grounds[TR_HARDEN_GROUND_MAX];
    int count = p->harden_ground > 0 ? tr_harden_grounds(&size, grounds) : 0;
    int all = 0, held = 0;
    *out_share = 0;
    for (int i = 0; i < count; i++) {
        int up = 0;
        /* Each row has its own seed, so that no controller is chosen for one lucky ground. */
        const int row = learner->progress.record.row_count;
        const tr_ground_test test = {.kind = grounds[i].kind,
                                     .amount = grounds[i].amount,
                                     .trials = p->test_trials,
                                     .seconds = GROUND_TEST_S,
                                     .seed =
                                         tr_learner_row_seed(learner, row, TR_LEARNER_FOR_GROUND)};
        tr_status status =
            tr_evaluate_ground(learner->ensemble->pool, learner->def.model, controller, &test, &up);
        if (status)
            return status;
        held += up;
        all += test.trials;
    }
    *out_share = all > 0 ? (double)held / all : 0;
    return TR_OK;
}

/* Measures what soft steps add to the score, N. */
static tr_status judge_tread(tr_learner *learner, const tr_controller *controller, double *out_n) {
    const tr_learn_parameters *p = &learner->def.parameters;
    tr_hold_test test = {.trials = p->test_trials,
                         .cap_s = TREAD_TEST_S,
                         .seed = tr_learner_row_seed(learner, learner->progress.record.row_count,
                                                     TR_LEARNER_FOR_HOLD)};
    tr_tread_result tread = {0};
    *out_n = 0;
    if (p->harden_strike == 0)
        return TR_OK;
    tr_status status = tr_evaluate_tread(learner->ensemble, controller, &test, &tread);
    *out_n = tr_tread_strike_worth(tread.peak_bw);
    return status;
}

tr_status tr_verdict_reach(tr_learner *learner, const tr_controller *controller, tr_verdict *out) {
    const tr_learn_parameters *p = &learner->def.parameters;
    int number = learner->progress.record.row_count;
    tr_hold_test hold = {.trials = p->test_trials,
                         .cap_s = p->test_cap_s,
                         .seed = tr_learner_row_seed(learner, number, TR_LEARNER_FOR_HOLD),
                         .starts = learner->def.starts};
    /* A chain whose answer to slopes alone is learned shows that there. */
    if (!tr_controller_bank(controller)->cyclic && p->harden_ground == 1)
        hold.slope_deg = p->harden_slope_deg;
    tr_hold_result held;
    tr_status status = tr_evaluate_hold(learner->ensemble, controller, &hold, &held);
    if (status)
        return status;
    /* A score below 0 is the share of the time held, less 1. Only a controller that holds all
     * trials is pushed. */
    *out = (tr_verdict){held.mean_s, (double)NAN, held.mean_s / p->test_cap_s - 1};
    bool is_pushed = tr_controller_bank(controller)->cyclic || p->stop_at_n > 0;
    if (held.held < held.trials || !is_pushed)
        return TR_OK;
    tr_push_search search = {.test = tr_push_test_default(),
                             .from_n = learner->progress.push_level_n,
                             .grid_n = p->test_grid_n,
                             .limit_n = PUSH_LIMIT_N,
                             .share = 0.95};
    search.test.settle_s = p->test_settle_s;
    search.test.after_s = p->test_after_s;
    search.test.seed = tr_learner_row_seed(learner, number, TR_LEARNER_FOR_PUSH);
    status = tr_evaluate_largest_push(learner->ensemble, controller, &search, &out->push95_n,
                                      &out->score);
    double share = 0, tread_n = 0;
    if (!status)
        status = judge_on_ground(learner, controller, &share);
    if (!status)
        status = judge_tread(learner, controller, &tread_n);
    out->score += GROUND_WORTH_N * share + tread_n;
    return status;
}
