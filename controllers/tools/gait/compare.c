/* troupe-train gait compare: ways from anchors to a curve, by what the character survives. */
#include "learn/gait/gait_checkpoint.h"
#include "learn/gait/gait_interpolation.h"
#include "learn/gait/gait_measure.h"
#include "learn/measure/evaluate.h"
#include "tools/frame/options.h"
#include "tools/gait/gait_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 16 };

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint, *way;
    int trials, spacing_count, dimension_count;
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

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.work = {.model = TR_MODEL_DIR "/humanoid.xml",
                            .settings = tr_gait_settings_default(),
                            .threads = tr_option_default_threads()},
                   .trials = 100,
                   .spacing_count = 4,
                   .spacing = {10, 20, 40, 100},
                   .dimension_count = 1,
                   .dimension = {5},
                   .low_n = -200,
                   .high_n = 200,
                   .seed = 20150815};
    tr_option_call spacings = {take_spacings, o}, dimensions = {take_dimensions, o};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->work.model, 0, 0},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"spacings", TR_OPTION_CALL, &spacings, 0, 0},
        {"dimensions", TR_OPTION_CALL, &dimensions, 0, 0},
        {"way", TR_OPTION_TEXT, &o->way, 0, 0},
        {"low", TR_OPTION_NUMBER, &o->low_n, -2000, 0},
        {"high", TR_OPTION_NUMBER, &o->high_n, 0, 2000},
        {"trials", TR_OPTION_COUNT, &o->trials, 1, TR_GAIT_TEST_TRIAL_MAX},
        {"seed", TR_OPTION_SEED, &o->seed, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->work.threads, 1, TR_POOL_THREAD_MAX},
    };
    int first = tr_options_take("gait compare", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + 1 != argc || !o->checkpoint) {
        fputs("troupe-train gait compare: expected MOTION and --checkpoint\n", stderr);
        return false;
    }
    o->work.motion = argv[first];
    return true;
}

/* --- one cell of the table --- */

typedef struct bench {
    const options *o;
    const tr_gait_work *work;
    tr_gait_atlas atlas;
} bench;

static tr_status measure_kind(const bench *b, const tr_gait *gait, tr_force_kind kind,
                              int *out_survived) {
    const options *o = b->o;
    const tr_gait_test test = {.name = "",
                               .kind = kind,
                               .low_n = fmax(o->low_n, gait->force.low),
                               .high_n = fmin(o->high_n, gait->force.high),
                               .slope_nps = 100,
                               .duration_s = 20,
                               .trials = o->trials,
                               .seed = o->seed};
    tr_gait_survival survival;
    tr_status status =
        tr_gait_measure(gait, &test, tr_gait_training_worlds(b->work->training), &survival);
    *out_survived = status ? 0 : survival.survived;
    return status;
}

static tr_status measure(const bench *b, const tr_gait_route *route, double spacing_n,
                         tr_error *error) {
    tr_gait_curve curve = {0};
    tr_gait *gait = NULL;
    const tr_gait_def def = {.force = &curve, .own_mps = 1};
    int constant = 0, varying = 0;
    tr_status status = tr_gait_interpolate(&b->atlas, route, &curve);
    if (!status)
        status = tr_gait_create(b->work->model, &def, &gait, error);
    if (!status)
        status = measure_kind(b, gait, TR_FORCE_CONSTANT, &constant);
    if (!status)
        status = measure_kind(b, gait, TR_FORCE_VARYING, &varying);
    if (status)
        tr_fail(error, status, "%s, %g N: %s", route->way, spacing_n, tr_status_text(status));
    else
        printf("%g,%d,%s,%d,%g,%g,%d,%d,%d\n", spacing_n, route->count, route->way,
               route->dimension, gait->force.low, gait->force.high, b->o->trials, constant,
               varying);
    fflush(stdout);
    tr_gait_destroy(gait);
    tr_gait_curve_deinit(&curve);
    return status;
}

/* Ways that know no dimensions are measured once. */
static bool has_dimensions(const char *way) {
    return strcmp(way, "nearest") != 0 && strcmp(way, "linear") != 0;
}

static tr_status compare(const bench *b, tr_error *error) {
    const options *o = b->o;
    tr_status status = TR_OK;
    puts("spacing_n,anchors,way,dimension,low_n,high_n,trials,constant,varying");
    for (int s = 0; s < o->spacing_count && !status; s++) {
        int anchor[TR_GAIT_STOP_MAX];
        int count = tr_gait_atlas_anchors(&b->atlas, o->spacing[s], anchor);
        const char *way;
        for (int w = 0; (way = tr_gait_interpolation_name(w)) && !status; w++)
            for (int d = 0; d < o->dimension_count && !status; d++) {
                tr_gait_route route = {way, (int)o->dimension[d], anchor, count, 1};
                if ((o->way && strcmp(way, o->way) != 0) || (d > 0 && !has_dimensions(way)))
                    continue;
                status = measure(b, &route, o->spacing[s], error);
            }
    }
    return status;
}

static tr_status run(const options *o, tr_error *error) {
    tr_gait_work work = {0};
    bench b = {.o = o, .work = &work};
    const tr_gait_atlas_def atlas = tr_gait_atlas_def_default();
    tr_status status = tr_gait_work_open(&o->work, &work, error);
    if (!status)
        status = tr_gait_checkpoint_load(work.training, o->checkpoint, true, error);
    if (!status)
        status =
            tr_gait_atlas_create(tr_gait_training_samples(work.training), &atlas, &b.atlas, error);
    if (!status)
        status = compare(&b, error);
    tr_gait_atlas_destroy(&b.atlas);
    tr_gait_work_deinit(&work);
    return status;
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    tr_physics_init();
    return tr_tool_end("gait compare", run(&o, &error), &error);
}

const tr_tool_command tr_tool_gait_compare = {
    .name = "compare",
    .arguments = "MOTION --checkpoint FILE [--spacings LIST] [--dimensions LIST] [--trials N]",
    .summary = "compare ways from anchors to a curve by what the character survives",
    .help =
        "Of the anchors of a training, before hardening, those at multiples of a spacing are\n"
        "joined by each way: nearest, linear, pca, isomap, isomap+residual, isomap-kernel,\n"
        "isomap-kernel+residual. Prints a line of comma-separated values for each: survivors of\n"
        "20 s at constant forces, which rise at 100 N/s, and at forces with a new goal each 1 to\n"
        "3 s.\n"
        "\n"
        "  --spacings LIST    of the anchors, N (10,20,40,100)\n"
        "  --dimensions LIST  of embedding and plane, 1 to 10 (5)\n"
        "  --way WAY          only this one\n"
        "  --low N --high N   forces, along the heading (-200, 200)\n"
        "  --trials N         of each kind (100)\n"
        "  --seed S           of the trials\n"
        "  --threads N        all cores; does not change the result\n",
    .exec = exec,
};
