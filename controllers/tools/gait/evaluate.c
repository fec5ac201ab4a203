/* troupe-train gait evaluate: what a gait of a catalogue survives. */
#include "learn/measure/evaluate.h"
#include "control/gait/gait_driver.h"
#include "draw/strip.h"
#include "learn/gait/gait_haul.h"
#include "learn/gait/gait_measure.h"
#include "tools/frame/lead.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"
#include "tools/gait/gait_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    {"at once front, phases", TR_FORCE_STEP, -130, -98, 0, 100, 10, 0, 0, 0, true},
    {"at once front from 2 s", TR_FORCE_STEP, -130, -98, 0, 100, 6, 0, 0, 0, false},
    {"at once 200 N", TR_FORCE_STEP, -200, 200, 0, 100, 20, 0, 0, 0, false},
    {"from the side 60 N", TR_FORCE_CONSTANT, 0, 0, 60, 100, 20, 0, 0, 0, false},
    {"0.2 s pushes 80 N", TR_FORCE_PUSH, 0, 80, 0, 100, 0, 0, 0, 0, false},
    {"0.2 s pushes 120 N", TR_FORCE_PUSH, 0, 120, 0, 100, 0, 0, 0, 0, false},
};
enum { TEST_COUNT = sizeof tests / sizeof tests[0], STRIP_FIGURES = 24 };

static const double HAUL_M = 15, HAUL_YAW_RAD = 0.2; /* wanted of a haul */

typedef struct options {
    const char *name, *catalogue, *strip, *only;
    double speed_mps;
    int trials, hauls, threads;
    tr_gait_haul_def haul;
    uint64_t seed;
    bool bands, each, published, unfelt;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.trials = 200, .haul = tr_gait_haul_default(), .seed = 20150815};
}

static const tr_argument words[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "a controller that is a gait"},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue), "holds it", .needed = true},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, trials), "of each test (200)", 1,
     TR_GAIT_TEST_TRIAL_MAX},
    {"--only TEXT", TR_OPTION_TEXT, offsetof(options, only), "tests whose name contains TEXT"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of the trials"},
    {"--bands", TR_OPTION_FLAG, offsetof(options, bands), "also by force"},
    {"--each", TR_OPTION_FLAG, offsetof(options, each),
     "also each trial: its force, the phase of the step in which it begins (0 to 1 while the foot "
     "lifts, then to 2), and the direction of a fall: 0 is forwards, 90 to the side of the leg "
     "that stands then"},
    {"--published", TR_OPTION_FLAG, offsetof(options, published),
     "the SIMBICON walk that trainings begin with, on the same model, for comparison"},
    {"--unfelt", TR_OPTION_FLAG, offsetof(options, unfelt),
     "the gait answers forces along its heading as if it felt none"},
    {"--speed V", TR_OPTION_NUMBER, offsetof(options, speed_mps),
     "the requested speed, m/s, for a gait with a curve of speeds", 0, 3},
    {"--hauls N", TR_OPTION_COUNT, offsetof(options, hauls),
     "trials of 60 s in which four characters push one box", 0, TR_GAIT_TEST_TRIAL_MAX},
    {"--mass KG", TR_OPTION_NUMBER, offsetof(options, haul.mass_kg), "of the box (400)", 1, 10000},
    {"--friction MU", TR_OPTION_NUMBER, offsetof(options, haul.friction), "of the box (0)", 0, 2},
    {"--damping C", TR_OPTION_NUMBER, offsetof(options, haul.damping), "of the box, 1/s (0.8)", 0,
     100},
    {"--look M", TR_OPTION_NUMBER, offsetof(options, haul.look_m),
     "how far ahead haulers look in their lanes of the box (0.6); 0: straight", 0, 100},
    {"--spread M", TR_OPTION_NUMBER, offsetof(options, haul.spread_m),
     "the gap before the box is drawn from 1.2 m less M to 1.2 m plus M (0)", 0, 0.6},
    {"--strip SVG", TR_OPTION_TEXT, offsetof(options, strip),
     "draws the walk without a force and under five forces"},
    TR_TOOL_THREADS(options, threads),
    {0}};

/* --- the table --- */

static void print_report(const options *o, const tr_gait_test *test,
                         const tr_gait_survival *report) {
    double low, high;
    tr_evaluate_wilson(report->survived, report->trials, &low, &high);
    printf(
        "%-22s %5d/%-5d %6.2f %%  (%5.2f to %6.2f)  %5.2f m/s  slowest %5.2f  mean %5.1f s  trunk "
        "%5.1f deg forwards, root at %.2f m\n",
        test->name, report->survived, report->trials, 100.0 * report->survived / report->trials,
        100 * low, 100 * high, report->speed_mps, report->slowest_mps, report->mean_s,
        report->pitch_rad * 180 / TR_PI, report->root_m);
    for (int b = 0; o->bands && b < report->band_count; b++)
        printf("    %6.0f to %5.0f N  %4d/%-4d  %5.2f m/s\n", report->band[b].low_n,
               report->band[b].high_n, report->band[b].survived, report->band[b].trials,
               report->band[b].speed_mps);
    fflush(stdout);
}

static void print_each(const tr_gait_test *test, const tr_gait_outcome *outcome) {
    for (int i = 0; i < test->trials; i++) {
        double from_s;
        tr_vec3 force = tr_gait_test_force(test, i, &from_s);
        printf("    trial %5d  %7.1f %7.1f N from %5.2f s ", i, force.x, force.y, from_s);
        if (isnan(outcome[i].phase))
            printf("not reached    ");
        else
            printf("in phase %4.2f  ", outcome[i].phase);
        if (outcome[i].fell)
            printf("falls after %5.2f s, to %4.0f degrees\n", outcome[i].survived_s,
                   outcome[i].lean_rad * 180 / TR_PI);
        else
            printf("walks, %5.2f m/s\n", outcome[i].speed_mps);
    }
}

static tr_status measure_row(const options *o, const tr_gait_test *test, const tr_gait *gait,
                             tr_ensemble *worlds) {
    tr_gait_outcome *outcome = calloc((size_t)test->trials, sizeof *outcome);
    tr_status status =
        outcome ? tr_gait_measure_each(gait, test, worlds, outcome) : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        const tr_gait_survival report = tr_gait_survival_of(test, outcome);
        print_report(o, test, &report);
    }
    if (!status && o->each)
        print_each(test, outcome);
    free(outcome);
    return status;
}

static tr_status measure(const options *o, const tr_gait *gait, tr_ensemble *worlds,
                         tr_error *error) {
    for (int i = 0; i < TEST_COUNT; i++) {
        tr_gait_test test = tests[i];
        if (o->only && !strstr(test.name, o->only))
            continue;
        test.trials = o->trials;
        test.seed = o->seed;
        test.wanted_mps = o->speed_mps;
        tr_status status = measure_row(o, &test, gait, worlds);
        if (status)
            return tr_fail(error, status, "%s: %s", test.name, tr_status_text(status));
    }
    return TR_OK;
}

/* --- the box --- */

/* Of all hauls: those that end with all on their feet, and the worst of these. */
typedef struct hauls {
    int made, stood, reached;
    double least_m, most_rad, mean_n;
} hauls;

static void count_haul(const tr_gait_haul_def *def, const tr_gait_haul_outcome *out, hauls *h) {
    h->made++;
    if (out->fell)
        return;
    h->stood++;
    h->reached += out->way_m >= HAUL_M && out->yaw_rad < HAUL_YAW_RAD;
    h->least_m = fmin(h->least_m, out->way_m);
    h->most_rad = fmax(h->most_rad, out->yaw_rad);
    for (int k = 0; k < def->walkers; k++)
        h->mean_n += out->force_n[k] / def->walkers;
}

static void print_hauls(const hauls *h) {
    double low, high;
    if (h->made == 0)
        return;
    tr_evaluate_wilson(h->reached, h->made, &low, &high);
    printf("box: all walk in %d of %d; in %d (%.2f to %.2f %%) also %g m and less than %g rad\n",
           h->stood, h->made, h->reached, 100 * low, 100 * high, HAUL_M, HAUL_YAW_RAD);
    if (h->stood)
        printf("box: of these the least %.1f m, the most %.2f rad, mean %.0f N each\n", h->least_m,
               h->most_rad, h->mean_n / h->stood);
}

static tr_status haul(const options *o, const tr_gait *gait, const tr_model *model,
                      tr_error *error) {
    hauls sum = {.least_m = (double)INFINITY};
    for (int i = 0; i < o->hauls; i++) {
        tr_gait_haul_def def = o->haul;
        tr_gait_haul_outcome out;
        def.seed = tr_random_split(o->seed, 8, (uint64_t)i).state;
        tr_status status = tr_gait_haul(gait, model, &def, &out);
        if (status)
            return tr_fail(error, status, "box: %s", tr_status_text(status));
        count_haul(&def, &out, &sum);
        printf("box %3d: %s after %4.1f s, %5.1f m, yaw %.2f rad, N each:", i + 1,
               out.fell ? "one fell" : "all walk", out.survived_s, out.way_m, out.yaw_rad);
        for (int k = 0; k < def.walkers; k++)
            printf(" %.0f", out.force_n[k]);
        putchar('\n');
        fflush(stdout);
    }
    print_hauls(&sum);
    return TR_OK;
}

/* --- the strip --- */

/* The rows of the strip: walks under constant forces, which begin after 1 s and are
 * drawn from 10 s on, and under one that begins suddenly as a foot comes down, drawn from just before. */
static const struct {
    const char *label;
    double force_n;
    bool is_sudden;
} walks[] = {
    {"no force", 0, false},
    {"100 N from the front", -100, false},
    {"200 N from the front", -200, false},
    {"100 N from behind", 100, false},
    {"200 N from behind", 200, false},
    {"120 N from the front, suddenly", -120, true},
};
enum { STRIP_ROWS = sizeof walks / sizeof *walks };

static const double SUDDEN_S = 4, SUDDEN_PHASE = 1.3;

static int walk_poses(const options *o, const tr_gait *gait, tr_rehearsal *rehearsal, int row,
                      tr_pose *out) {
    tr_gait_trial_def def = {.force = {.low_n = walks[row].force_n,
                                       .high_n = walks[row].force_n,
                                       .slope_nps = 100,
                                       .from_s = 1},
                             .noise = {.speed_low_mps = 0.5, .speed_high_mps = 0.5},
                             .speed_mps = o->speed_mps};
    if (!walks[row].is_sudden)
        return tr_gait_trial_poses(gait, &def, rehearsal, 2000, 10, out, STRIP_FIGURES);
    def.force.kind = TR_FORCE_STEP;
    def.force.from_s = SUDDEN_S;
    def.from_phase = SUDDEN_PHASE;
    return tr_gait_trial_poses(gait, &def, rehearsal, 840, 10, out, STRIP_FIGURES);
}

static tr_status draw(const options *o, const tr_gait *gait, const tr_subject *subject,
                      tr_error *error) {
    static tr_pose pose[STRIP_ROWS][STRIP_FIGURES];
    tr_strip_row row[STRIP_ROWS] = {0};
    int count = 0;
    for (int r = 0; r < STRIP_ROWS; r++) {
        int figures = walk_poses(o, gait, &subject->ensemble->rehearsal[0], r, pose[r]);
        if (figures > 0)
            row[count++] = (tr_strip_row){.label = walks[r].label,
                                          .model = subject->model,
                                          .poses = pose[r],
                                          .figure_count = figures,
                                          .view = TR_STRIP_SIDE};
    }
    tr_strip strip = {.title = "gait", .rows = row, .row_count = count, .time_step_s = 0.05};
    return tr_lead_save_strip(&strip, o->strip, error);
}

/* --- the gait --- */

static const double PUBLISHED_MPS = 0.4;

/* Uses the published walk for every force. */
static tr_status make_published(const tr_model *model, tr_gait **out, tr_error *error) {
    double row[1][TR_GAIT_SIZE];
    const tr_gait_curve curve = {0, 0, 1, row};
    const tr_gait_def def = {.force = &curve, .own_mps = PUBLISHED_MPS};
    tr_gait_parameters_published(row[0]);
    return tr_gait_create(model, &def, out, error);
}

/* Makes the gait answer every force along the heading as if there were none. */
static void forget_forces(tr_gait *gait) {
    double value[TR_GAIT_SIZE];
    tr_gait_curve_at(&gait->force, 0, value);
    for (int i = 0; i < gait->force.count; i++)
        memcpy(gait->force.row[i], value, sizeof value);
}

static tr_status make_gait(const options *o, const tr_subject *subject, tr_gait **out,
                           tr_error *error) {
    const tr_gait *gait = tr_gait_of(subject->controller);
    if (!gait)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s' is not a gait", o->name);
    if (o->published)
        return make_published(subject->model, out, error);
    tr_status status = tr_gait_copy(gait, subject->model, out);
    if (status)
        return tr_fail(error, status, "'%s': %s", o->name, tr_status_text(status));
    if (o->unfelt)
        forget_forces(*out);
    return TR_OK;
}

/* --- the command --- */

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_subject subject = {0};
    tr_gait *gait = NULL;
    tr_status status = tr_subject_read(o->catalogue, o->name, &subject, error);
    if (!status)
        status = make_gait(o, &subject, &gait, error);
    if (!status)
        status = tr_subject_make_worlds(&subject, o->threads, error);
    if (!status && o->strip)
        status = draw(o, gait, &subject, error);
    if (!status)
        status = measure(o, gait, subject.ensemble, error);
    if (!status)
        status = haul(o, gait, subject.model, error);
    tr_gait_destroy(gait);
    tr_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_gait_evaluate = {
    .name = "evaluate",
    .summary = "count what a gait survives",
    .help =
        "Trials of 20 s under constant and varying forces along the heading, sudden forces,\n"
        "constant forces from the side, and pushes of 0.2 s from 8 directions at 12 times of the\n"
        "cycle. 95 % intervals are Wilson's; speeds are means of those that survive.\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .run = run,
};
