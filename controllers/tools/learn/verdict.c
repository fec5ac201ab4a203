#include "tools/learn/verdict.h"

#include "learn/measure/evaluate.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>

enum { TRIALS = 100, TRIALS_BRIEF = 20, PHASES_BRIEF = 3, CYCLES = 10 };
static const uint64_t SEED = 20240101; /* of no training */

static tr_status print_push(tr_ensemble *ensemble, const tr_controller *controller, bool brief) {
    tr_push_search search = {
        .test = tr_push_test_default(), .from_n = 60, .grid_n = 20, .limit_n = 1000, .share = 0.95};
    double survived_n = 0, score = 0;
    search.test.seed = SEED;
    search.test.phases = brief ? PHASES_BRIEF : search.test.phases;
    tr_status status = tr_evaluate_largest_push(ensemble, controller, &search, &survived_n, &score);
    if (!status)
        printf("survives pushes of %.0f N (95 %% of %d, 0.2 s on the trunk)\n", survived_n,
               search.test.directions * search.test.phases);
    return status;
}

/* The largest share of a limit that a torque reaches; for each kilogram bodies are as strong. */
static double share_of_limits(const tr_model *model, const tr_model *limits,
                              const tr_gait_report *report, const char **out_body) {
    double most = 0;
    for (int i = 1; i < model->body_count; i++) {
        int other = tr_model_find_body(limits, model->body[i].name);
        for (int k = 0; other >= 0 && k < 6; k++) {
            double bound = tr_body_torque_bound(&limits->body[other], k / 2, k % 2) * model->mass /
                           limits->mass;
            double share = bound > 0 ? report->peak_nm[i][k / 2][k % 2] / bound : 0;
            if (share > most) {
                most = share;
                *out_body = model->body[i].name;
            }
        }
    }
    return most;
}

tr_status tr_verdict_strength(const tr_model *model, const tr_gait_report *report,
                              tr_verdict_share out[TR_VERDICT_BODIES], tr_error *error) {
    static const struct {
        const char *file, *whose;
    } rows[TR_VERDICT_BODIES] = {{TR_MODEL_DIR "/humanoid_limited.xml", "a person"},
                                 {TR_MODEL_DIR "/athlete.xml", "an athlete"}};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < TR_VERDICT_BODIES; i++) {
        tr_model *limits = NULL;
        const char *body = "";
        out[i].whose = rows[i].whose;
        status = tr_mjcf_load(rows[i].file, &limits, error);
        if (!status)
            out[i].share = share_of_limits(model, limits, report, &body);
        snprintf(out[i].body, sizeof out[i].body, "%s", body);
        tr_model_destroy(limits);
    }
    return status;
}

static tr_status print_strength(const tr_model *model, const tr_gait_report *report,
                                tr_error *error) {
    tr_verdict_share most[TR_VERDICT_BODIES];
    tr_status status = tr_verdict_strength(model, report, most, error);
    for (int i = 0; !status && i < TR_VERDICT_BODIES; i++)
        printf("%s %.0f %% of the limit of %s, at '%s'", i ? ";" : "largest torque",
               100 * most[i].share, most[i].whose, most[i].body);
    printf("\n");
    return status;
}

/* A cycle is compared with a cycle: over many the ways of a curve or a turn cancel out. */
static tr_status print_gait(tr_ensemble *ensemble, const tr_model *model,
                            const tr_controller *controller, const tr_motion *motion,
                            tr_error *error) {
    static const double deg = 180 / TR_PI;
    tr_gait_report report;
    tr_status status = tr_evaluate_gait(ensemble, controller, 3, CYCLES, &report);
    const double cycle_s = tr_motion_duration(motion);
    if (status)
        return status;
    if (!report.held) {
        printf("loses its motion within 3 s and %d cycles: how it moves was not measured\n",
               CYCLES);
        return TR_OK;
    }
    printf("moves at %.2f m/s, the clip at %.2f; turns %.1f deg a cycle, the clip %.1f; joints "
           "%.1f deg off on average\n",
           report.cycle_m / cycle_s, hypot(motion->cycle_shift.x, motion->cycle_shift.y) / cycle_s,
           report.turn_rate * cycle_s * deg, motion->cycle_turn_rad * deg,
           report.pose_error_rad * deg);
    return print_strength(model, &report, error);
}

tr_status tr_verdict_print(tr_ensemble *ensemble, const tr_model *model,
                           const tr_controller *controller, const tr_motion *motion, bool brief,
                           tr_error *error) {
    bool cyclic = tr_controller_outline(controller).cyclic;
    double cap_s = tr_controller_outline(controller).cyclic ? 60 : tr_motion_duration(motion) + 5;
    tr_hold_test test = {.trials = brief ? TRIALS_BRIEF : TRIALS, .cap_s = cap_s, .seed = SEED};
    tr_hold_result held;
    tr_status status = tr_evaluate_hold(ensemble, controller, &test, &held);
    if (!status)
        printf("holds %.0f s undisturbed in %d of %d trials, %.1f s on average\n", cap_s, held.held,
               held.trials, held.mean_s);
    if (!status)
        status = print_push(ensemble, controller, brief);
    if (!status && cyclic)
        status = print_gait(ensemble, model, controller, motion, error);
    return tr_fail_if(error, status, "test");
}
