/* troupe-train gait compare: ways from anchors to a curve, by what the character survives. */
#include "learn/gait/gait_interpolation.h"
#include "learn/gait/gait_measure.h"
#include "learn/gait/gait_start.h"
#include "learn/measure/evaluate.h"
#include "tools/frame/options.h"
#include "tools/gait/comparison_plot.h"
#include "tools/gait/gait_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 16, TRAINING_MAX = 8, CELL_MAX = 1024 };

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint[TRAINING_MAX], *way, *svg;
    int training_count, trials, spacing_count, dimension_count;
    double spacing[LIST_MAX], dimension[LIST_MAX], low_n, high_n;
    uint64_t seed;
} options;

static tr_status take_list(const tr_option_value *value, double *out, int *out_count,
                           tr_error *error) {
    const char *at = value->text;
    *out_count = 0;
    while (*out_count < LIST_MAX) {
        char *end = NULL;
        double number = strtod(at, &end);
        if (end == at || !(number > 0 && number <= 1000) || (*end && *end != ','))
            break;
        out[(*out_count)++] = number;
        if (!*end)
            return TR_OK;
        at = end + 1;
    }
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--%s %s: expected up to %d numbers above 0, as 10,20,40", value->option,
                   value->text, LIST_MAX);
}

static tr_status take_spacings(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    return take_list(value, o->spacing, &o->spacing_count, error);
}

static tr_status take_dimensions(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    tr_status status = take_list(value, o->dimension, &o->dimension_count, error);
    for (int i = 0; i < o->dimension_count && !status; i++)
        if (o->dimension[i] < 1 || o->dimension[i] > 10 ||
            o->dimension[i] != floor(o->dimension[i]))
            status = tr_fail(error, TR_INVALID_ARGUMENT,
                             "--dimensions %s: expected whole numbers, 1 to 10", value->text);
    return status;
}

static tr_status take_checkpoint(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    if (o->training_count == TRAINING_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--checkpoint %s: expected at most %d of them",
                       value->text, TRAINING_MAX);
    o->checkpoint[o->training_count++] = value->text;
    return TR_OK;
}

static void preset(void *out) {
    options *o = out;
    *o = (options){
        .work = {.model = TR_MODEL_DIR "/humanoid.xml", .settings = tr_gait_settings_default()},
        .trials = 100,
        .spacing_count = 4,
        .spacing = {10, 20, 40, 100},
        .dimension_count = 1,
        .dimension = {5},
        .low_n = -200,
        .high_n = 200,
        .seed = 20150815};
}

static const tr_argument words[] = {
    {"MOTION", TR_OPTION_TEXT, offsetof(options, work.motion), "the motion that was learned"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, work.model),
     "the character's model (the shipped humanoid.xml)"},
    {"--checkpoint FILE", TR_OPTION_CALL, 0,
     "of a training; repeat it for trainings with other seeds", .take = take_checkpoint},
    {"--spacings LIST", TR_OPTION_CALL, 0, "of the anchors, N (10,20,40,100)",
     .take = take_spacings},
    {"--dimensions LIST", TR_OPTION_CALL, 0, "of embedding and plane, 1 to 10 (5)",
     .take = take_dimensions},
    {"--way WAY", TR_OPTION_TEXT, offsetof(options, way), "only this one"},
    {"--svg FILE", TR_OPTION_TEXT, offsetof(options, svg),
     "draw it: over the dimensions if there are several, else over the spacings"},
    {"--low N", TR_OPTION_NUMBER, offsetof(options, low_n),
     "the least force along the heading (-200)", -2000, 0},
    {"--high N", TR_OPTION_NUMBER, offsetof(options, high_n), "the largest force (200)", 0, 2000},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, trials), "of each kind and training (100)", 1,
     TR_GAIT_TEST_TRIAL_MAX},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of the trials"},
    TR_TOOL_THREADS(options, work.threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (o->training_count == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "missing argument: --checkpoint FILE");
    return TR_OK;
}

/* --- trainings --- */

/* A training and the map of its samples. */
typedef struct subject {
    tr_gait_work work;
    tr_gait_atlas atlas;
} subject;

/* All that is compared.
 *   low_n, high_n: forces that every training's anchors span */
typedef struct bench {
    const options *o;
    double low_n, high_n;
    int cell_count;
    tr_comparison_cell cell[CELL_MAX];
    subject subject[TRAINING_MAX];
} bench;

static tr_status open_subject(bench *b, int i, tr_error *error) {
    const options *o = b->o;
    subject *s = &b->subject[i];
    const tr_gait_atlas_def def = tr_gait_atlas_def_default();
    tr_status status = tr_gait_work_open(&o->work, &s->work, error);
    if (!status)
        status = tr_gait_start_load(s->work.training, o->checkpoint[i], error);
    if (!status)
        status = tr_gait_atlas_create(tr_gait_training_samples(s->work.training), &def, &s->atlas,
                                      error);
    return status;
}

static tr_status find_span(bench *b, tr_error *error) {
    const tr_gait_atlas *atlas[TRAINING_MAX];
    int count = b->o->training_count;
    for (int i = 0; i < count; i++)
        atlas[i] = &b->subject[i].atlas;
    if (tr_gait_atlases_span(atlas, count, &b->low_n, &b->high_n))
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "--low %g --high %g: expected forces between which every training has two "
                   "anchors; choose others",
                   b->o->low_n, b->o->high_n);
}

static void close_subjects(bench *b) {
    for (int i = 0; i < b->o->training_count; i++) {
        tr_gait_atlas_destroy(&b->subject[i].atlas);
        tr_gait_work_deinit(&b->subject[i].work);
    }
}

/* --- one cell of the table --- */

static tr_status measure_kind(const bench *b, const subject *s, const tr_gait *gait,
                              tr_force_kind kind, int *out_survived) {
    const tr_gait_test test = {.name = "",
                               .kind = kind,
                               .low_n = b->low_n,
                               .high_n = b->high_n,
                               .slope_nps = 100,
                               .duration_s = 20,
                               .trials = b->o->trials,
                               .seed = b->o->seed};
    tr_gait_survival survival;
    tr_status status =
        tr_gait_measure(gait, &test, tr_gait_training_worlds(s->work.training), &survival);
    *out_survived = status ? 0 : survival.survived;
    return status;
}

/* Of one training; adds what survives to the cell. */
static tr_status measure(const bench *b, const subject *s, tr_comparison_cell *cell,
                         tr_error *error) {
    int anchor[TR_GAIT_STOP_MAX], constant = 0, varying = 0;
    const tr_gait_stops stops = {cell->spacing_n, b->low_n, b->high_n};
    const tr_gait_route route = {cell->way, cell->dimension, anchor,
                                 tr_gait_atlas_anchors(&s->atlas, &stops, anchor), 1};
    tr_gait_curve curve = {0};
    tr_gait *gait = NULL;
    const tr_gait_def def = {.force = &curve, .own_mps = 1};
    tr_status status = tr_gait_interpolate(&s->atlas, &route, &curve);
    if (!status)
        status = tr_gait_create(s->work.model, &def, &gait, error);
    if (!status)
        status = measure_kind(b, s, gait, TR_FORCE_CONSTANT, &constant);
    if (!status)
        status = measure_kind(b, s, gait, TR_FORCE_VARYING, &varying);
    if (status)
        tr_fail(error, status, "%s, %g N: %s", cell->way, cell->spacing_n, tr_status_text(status));
    printf(",%d+%d", constant, varying);
    cell->trials += b->o->trials;
    cell->survived[TR_COMPARISON_CONSTANT] += constant;
    cell->survived[TR_COMPARISON_VARYING] += varying;
    tr_gait_destroy(gait);
    tr_gait_curve_deinit(&curve);
    return status;
}

static tr_status fill_cell(const bench *b, tr_comparison_cell *cell, tr_error *error) {
    tr_status status = TR_OK;
    printf("%g,%s,%d,%g,%g", cell->spacing_n, cell->way, cell->dimension, b->low_n, b->high_n);
    for (int i = 0; i < b->o->training_count && !status; i++)
        status = measure(b, &b->subject[i], cell, error);
    printf(",%d", cell->trials);
    for (int k = 0; k < TR_COMPARISON_KINDS && !status; k++) {
        double low, high;
        tr_evaluate_wilson(cell->survived[k], cell->trials, &low, &high);
        printf(",%d,%.3f,%.3f", cell->survived[k], low, high);
    }
    puts("");
    fflush(stdout);
    return status;
}

/* --- all cells --- */

/* Ways that know no dimensions are measured once. */
static bool has_dimensions(const char *way) {
    return strcmp(way, "nearest") != 0 && strcmp(way, "linear") != 0;
}

static tr_status add_cells(bench *b, tr_error *error) {
    const options *o = b->o;
    const char *way;
    for (int s = 0; s < o->spacing_count; s++)
        for (int w = 0; (way = tr_gait_interpolation_name(w)); w++)
            for (int d = 0; d < o->dimension_count; d++) {
                if ((o->way && strcmp(way, o->way) != 0) || (d > 0 && !has_dimensions(way)))
                    continue;
                if (b->cell_count == CELL_MAX)
                    return tr_fail(error, TR_INVALID_ARGUMENT,
                                   "--spacings, --dimensions: more than %d lines; expected fewer "
                                   "numbers",
                                   CELL_MAX);
                b->cell[b->cell_count++] = (tr_comparison_cell){
                    .spacing_n = o->spacing[s],
                    .dimension = has_dimensions(way) ? (int)o->dimension[d] : 0,
                    .way = way};
            }
    return b->cell_count ? TR_OK
                         : tr_fail(error, TR_NOT_FOUND,
                                   "--way %s: expected one of those that "
                                   "'gait compare --help' lists",
                                   o->way);
}

static tr_status compare(bench *b, tr_error *error) {
    tr_status status = TR_OK;
    printf("spacing_n,way,dimension,low_n,high_n");
    for (int i = 0; i < b->o->training_count; i++)
        printf(",training %d", i + 1);
    puts(",trials,constant,low,high,varying,low,high");
    for (int c = 0; c < b->cell_count && !status; c++)
        status = fill_cell(b, &b->cell[c], error);
    if (!status && b->o->svg)
        status = tr_comparison_plot(b->o->svg, b->cell, b->cell_count, error);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    bench *b = calloc(1, sizeof *b);
    if (!b)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    b->o = o;
    b->low_n = o->low_n;
    b->high_n = o->high_n;
    tr_status status = add_cells(b, error);
    for (int i = 0; i < o->training_count && !status; i++)
        status = open_subject(b, i, error);
    if (!status)
        status = find_span(b, error);
    if (!status)
        status = compare(b, error);
    close_subjects(b);
    free(b);
    return status;
}

const tr_tool_command tr_tool_gait_compare = {
    .name = "compare",
    .summary = "compare ways from anchors to a curve by what the character survives",
    .help =
        "Takes the anchors of a training, before hardening, that lie at multiples of a spacing, "
        "and\n"
        "the first and the last. Each way joins them to a curve: nearest, linear, pca, isomap,\n"
        "isomap+residual, isomap-kernel, isomap-kernel+residual. Prints a line of comma-separated\n"
        "values for each: survivors of 20 s at constant forces, which rise at 100 N/s, and at\n"
        "forces with a new goal each 1 to 3 s; for each training (constant+varying), then of all\n"
        "trainings with Wilson's intervals. All are measured over the forces that the anchors of\n"
        "every training span.\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .run = run,
};
