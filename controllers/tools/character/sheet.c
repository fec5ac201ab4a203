#include "db/store/catalogue.h"
#include "db/tables/runs.h"
#include "tools/character/character.h"
#include "tools/character/step.h"
#include "tools/frame/subject.h"
#include "tools/learn/verdict.h"

#include <math.h>
#include <stdio.h>

enum { HOLD_TRIALS = 20, CYCLES = 6 };
static const double HOLD_S = 20;
static const uint64_t SEED = 20260101; /* of no training */

/* A skill of its own, as measured; push_n: by the last test of its training, 0: not known */
typedef struct measured {
    tr_hold_result hold;
    tr_gait_report gait;
    tr_verdict_share most[TR_VERDICT_BODIES];
    double push_n;
} measured;

static double push_of(const tr_character_work *c, tr_row_id run) {
    static tr_run_metric metric[256];
    tr_catalogue *catalogue = NULL;
    int count = sizeof metric / sizeof *metric;
    const tr_metric_filter filter = {.run = run, .name = "push95_n"};
    double most = 0;
    tr_status status = tr_catalogue_open(c->catalogue, TR_CATALOGUE_READ, &catalogue, NULL);
    if (!status)
        status = tr_runs_metrics(catalogue, &filter, metric, &count, NULL);
    for (int i = 0; !status && i < count; i++)
        most = fmax(most, metric[i].value);
    tr_catalogue_close(catalogue);
    return most;
}

/* Opens a skill, and counts the trials that it holds. */
static tr_status measure_hold(const tr_character_work *c, const char *name, tr_subject *s,
                              tr_hold_result *out, tr_error *error) {
    const tr_hold_test test = {.trials = HOLD_TRIALS, .cap_s = HOLD_S, .seed = SEED};
    tr_status status = tr_subject_read(c->catalogue, name, s, error);
    if (!status)
        status = tr_subject_make_worlds(s, c->threads, error);
    if (!status)
        status =
            tr_fail_if(error, tr_evaluate_hold(s->ensemble, s->controller, &test, out), "%s", name);
    return status;
}

tr_status tr_character_check_hold(const tr_character_work *c, tr_character_skill *skill,
                                  tr_error *error) {
    tr_subject s = {0};
    tr_hold_result hold;
    tr_status status = measure_hold(c, skill->name, &s, &hold, error);
    if (!status && 2 * hold.held < hold.trials)
        tr_character_refuse(skill, "falls by itself: it needs more effort, or another part");
    tr_subject_deinit(&s);
    return status;
}

static tr_status measure(const tr_character_work *c, const char *name, measured *out,
                         tr_error *error) {
    tr_subject s = {0};
    tr_status status = measure_hold(c, name, &s, &out->hold, error);
    if (!status)
        status = tr_fail_if(
            error, tr_evaluate_gait(s.ensemble, s.controller, 3, CYCLES, &out->gait), "%s", name);
    if (!status)
        status = tr_verdict_strength(s.model, &out->gait, out->most, error);
    out->push_n = status ? 0 : push_of(c, s.row.run_id);
    tr_subject_deinit(&s);
    return status;
}

static void print_row(const tr_character_skill *skill, const measured *m) {
    printf("%-20s %-8s %-20s %-7s ", skill->clip, skill->part, skill->name,
           tr_plan_kind_name(skill->kind));
    if (m)
        printf("%3d of %d  %4.0f N  %4.1f deg  %3.0f %%, %3.0f %%", m->hold.held, m->hold.trials,
               m->push_n, m->gait.pose_error_rad * 180 / TR_PI, 100 * m->most[0].share,
               100 * m->most[1].share);
    printf("%s%s\n", m && skill->refused[0] ? "  " : "", skill->refused);
}

tr_status tr_character_print(const tr_character_work *c, tr_error *error) {
    tr_status status = TR_OK;
    printf("\n%-20s %-8s %-20s %-7s %s\n", "clip", "part", "skill", "kind",
           "holds 20 s  push   posture  torque, limits of a person and an athlete");
    for (int i = 0; !status && i < c->count; i++) {
        const tr_character_skill *skill = &c->skill[i];
        measured m = {0};
        tr_controller_row row;
        const bool known = skill->clip[0] && !tr_character_find(c, skill->name, &row, NULL);
        if (known)
            status = measure(c, skill->name, &m, error);
        if (!status && skill->clip[0])
            print_row(skill, known ? &m : NULL);
    }
    return status;
}
