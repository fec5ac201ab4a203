/* troupe-train gait evaluate: what a gait of a catalogue survives. */
#include "learn/measure/evaluate.h"
#include "control/gait/gait_driver.h"
#include "learn/gait/gait_measure.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

/* Rows of the table; trials are the command line's. */
static const tr_gait_test tests[] = {
    {"no force", TR_FORCE_CONSTANT, 0, 0, 0, 100, 20, 0, 0, 0, false},
    {"front, 100 N", TR_FORCE_CONSTANT, -100, -100, 0, 100, 20, 0, 0, 0, false},
    {"front, 130 N", TR_FORCE_CONSTANT, -130, -130, 0, 100, 20, 0, 0, 0, false},
    {"front, 200 N", TR_FORCE_CONSTANT, -200, -200, 0, 100, 20, 0, 0, 0, false},
    {"constant 130 N", TR_FORCE_CONSTANT, -130, 130, 0, 100, 20, 0, 0, 0, false},
    {"varying 130 N", TR_FORCE_VARYING, -130, 130, 0, 100, 20, 0, 0, 0, false},
    {"constant 200 N", TR_FORCE_CONSTANT, -200, 200, 0, 100, 20, 0, 0, 0, false},
    {"varying 200 N", TR_FORCE_VARYING, -200, 200, 0, 100, 20, 0, 0, 0, false},
    {"varying, front 200 N", TR_FORCE_VARYING, -200, 0, 0, 100, 20, 0, 0, 0, false},
    {"varying, back 200 N", TR_FORCE_VARYING, 0, 200, 0, 100, 20, 0, 0, 0, false},
    {"at once 130 N", TR_FORCE_STEP, -130, 130, 0, 100, 20, 0, 0, 0, false},
    {"at once 130 N, phases", TR_FORCE_STEP, -130, 130, 0, 100, 20, 0, 0, 0, true},
    {"at once 200 N", TR_FORCE_STEP, -200, 200, 0, 100, 20, 0, 0, 0, false},
    {"from the side 60 N", TR_FORCE_CONSTANT, 0, 0, 60, 100, 20, 0, 0, 0, false},
    {"0.2 s pushes 80 N", TR_FORCE_PUSH, 0, 80, 0, 100, 0, 0, 0, 0, false},
    {"0.2 s pushes 120 N", TR_FORCE_PUSH, 0, 120, 0, 100, 0, 0, 0, 0, false},
};
enum { TEST_COUNT = sizeof tests / sizeof tests[0] };

typedef struct options {
    tr_subject_use of;
    const char *only;
    double speed_mps;
    int trials;
    uint64_t seed;
    bool published;
} options;

static const options defaults = {.trials = 200, .seed = 20150815};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("a controller that is a gait"),
    {"--trials N", TR_OPTION_COUNT, offsetof(options, trials), "of each test (200)", 1,
     TR_GAIT_TEST_TRIAL_MAX},
    {"--only TEXT", TR_OPTION_TEXT, offsetof(options, only), "tests whose name contains TEXT"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of the trials"},
    {"--published", TR_OPTION_FLAG, offsetof(options, published),
     "the SIMBICON walk that trainings begin with, on the same model, for comparison"},
    {"--speed V", TR_OPTION_NUMBER, offsetof(options, speed_mps),
     "the requested speed, m/s, for a gait with a curve of speeds", 0, 3},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

/* --- the table --- */

static void print_report(const tr_gait_test *test, const tr_gait_survival *report) {
    double low, high;
    tr_evaluate_wilson(report->survived, report->trials, &low, &high);
    printf(
        "%-22s %5d/%-5d %6.2f %%  (%5.2f to %6.2f)  %5.2f m/s  slowest %5.2f  mean %5.1f s  trunk "
        "%5.1f deg forwards, root at %.3f m\n",
        test->name, report->survived, report->trials, 100.0 * report->survived / report->trials,
        100 * low, 100 * high, report->speed_mps, report->slowest_mps, report->mean_s,
        report->pitch_rad * 180 / TR_PI, report->root_m);
    fflush(stdout);
}

static tr_status test_gait(const options *o, const tr_gait *gait, tr_ensemble *worlds,
                           tr_error *error) {
    for (int i = 0; i < TEST_COUNT; i++) {
        tr_gait_test test = tests[i];
        if (o->only && !strstr(test.name, o->only))
            continue;
        test.trials = o->trials;
        test.seed = o->seed;
        test.wanted_mps = o->speed_mps;
        tr_gait_survival report;
        tr_status status = tr_gait_measure(gait, &test, worlds, &report);
        if (status)
            return tr_fail_if(error, status, "%s", test.name);
        print_report(&test, &report);
    }
    return TR_OK;
}

/* --- the gait --- */

static const double PUBLISHED_MPS = 0.4;

static tr_status make_gait(const options *o, const tr_subject *subject, tr_gait **out,
                           tr_error *error) {
    const tr_gait *gait = tr_gait_of(subject->controller);
    if (!gait)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s' is not a gait", o->of.name);
    if (o->published) {
        /* Uses the published walk for every force. */
        double row[1][TR_GAIT_SIZE];
        const tr_gait_curve curve = {0, 0, 1, row};
        const tr_gait_def def = {.force = &curve, .own_mps = PUBLISHED_MPS};
        tr_gait_parameters_published(row[0]);
        return tr_gait_create(subject->model, &def, out, error);
    }
    return tr_fail_if(error, tr_gait_copy(gait, subject->model, out), "'%s'", o->of.name);
}

/* --- the command --- */

static tr_status measure(const void *given, const tr_subject *subject, tr_error *error) {
    tr_gait *gait = NULL;
    tr_status status = make_gait(given, subject, &gait, error);
    if (!status)
        status = test_gait(given, gait, subject->ensemble, error);
    tr_gait_destroy(gait);
    return status;
}

const tr_tool_command tr_tool_gait_evaluate = {
    .name = "gait evaluate",
    .summary = "count what a gait survives",
    .help =
        "Trials of 20 s under constant and varying forces along the heading, sudden forces,\n"
        "constant forces from the side, and pushes of 0.2 s from 8 directions at 12 times of the\n"
        "cycle. 95 % intervals are Wilson's; speeds are means of those that survive.\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .measure = measure,
};
