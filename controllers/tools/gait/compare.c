/* troupe-train gait compare: the gaits of a training in few dimensions, and ways from anchors to a
 * curve by what the character survives. */
#include "learn/gait/gait_interpolation.h"
#include "learn/gait/gait_measure.h"
#include "learn/gait/gait_start.h"
#include "learn/measure/evaluate.h"
#include "model/mjcf.h"
#include "tools/frame/force_list.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    const char *model, *motion, *checkpoint, *beside;
    tr_force_list spacing;
    int dimension, trials, threads;
    double low_n, high_n, share;
    uint64_t seed;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .spacing = {4, {10, 20, 40, 100}},
                   .dimension = 5,
                   .trials = 100,
                   .low_n = -200,
                   .high_n = 200,
                   .share = 0.5,
                   .seed = 20150815};
}

static const tr_argument words[] = {
    {"MOTION", TR_OPTION_TEXT, offsetof(options, motion), "the motion that was learned"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--checkpoint FILE", TR_OPTION_TEXT, offsetof(options, checkpoint), "of the training",
     .needed = true},
    {"--beside FILE", TR_OPTION_TEXT, offsetof(options, beside),
     "checkpoint of a training at another speed: gaits between the two"},
    {"--share S", TR_OPTION_NUMBER, offsetof(options, share), "of the way to that one (0.5)", 0, 1},
    {"--spacings LIST", TR_OPTION_CALL, offsetof(options, spacing),
     "of the anchors, N (10,20,40,100)", .take = tr_force_list_take},
    {"--dimension D", TR_OPTION_COUNT, offsetof(options, dimension), "of embedding and plane (5)",
     1, TR_GAIT_ATLAS_DIMENSION},
    {"--low N", TR_OPTION_NUMBER, offsetof(options, low_n),
     "the least force along the heading (-200)", -2000, 0},
    {"--high N", TR_OPTION_NUMBER, offsetof(options, high_n), "the largest force (200)", 0, 2000},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, trials), "of each kind (100)", 1,
     TR_GAIT_TEST_TRIAL_MAX},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of the trials"},
    TR_TOOL_THREADS(options, threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    const options *o = out;
    for (int i = 0; i < o->spacing.count; i++)
        if (!(o->spacing.force_n[i] > 0))
            return tr_fail(error, TR_INVALID_ARGUMENT, "--spacings: expected numbers above 0");
    return TR_OK;
}

/* --- the embedding --- */

static tr_status print_embedding(const tr_gait_atlas *atlas, tr_error *error) {
    printf("%d samples, %d landmarks, %d neighbours each, %d components\n"
           "share of variance not made again, each sample left out:\n"
           "dimension  eigenvalue  1 - R^2  local weights  principal plane\n",
           atlas->count, atlas->isomap.landmark_count, TR_GAIT_ATLAS_NEIGHBOURS,
           atlas->isomap.components);
    for (int d = 1; d <= TR_GAIT_ATLAS_DIMENSION; d++) {
        tr_gait_atlas_row row;
        tr_status status = tr_gait_atlas_describe(atlas, d, &row);
        if (status)
            return tr_fail_if(error, status, "dimension %d", d);
        printf("%9d  %10.4g  %7.4f  %13.4f  %15.4f\n", d, row.eigenvalue, row.residual, row.local,
               row.plane);
        fflush(stdout);
    }
    return TR_OK;
}

/* --- what the ways survive --- */

static tr_status print_survival(const options *o, tr_gait_training *training, const tr_gait *gait,
                                tr_force_kind kind, tr_error *error) {
    const tr_gait_test test = {.name = "",
                               .kind = kind,
                               .low_n = o->low_n,
                               .high_n = o->high_n,
                               .slope_nps = 100,
                               .duration_s = 20,
                               .trials = o->trials,
                               .seed = o->seed};
    tr_gait_survival survival;
    double low, high;
    tr_status status = tr_gait_measure(gait, &test, training->ensemble, &survival);
    if (status)
        return tr_fail_if(error, status, "measuring a gait");
    tr_evaluate_wilson(survival.survived, o->trials, &low, &high);
    printf("  %4d (%.3f to %.3f) %.2f m/s", survival.survived, low, high, survival.speed_mps);
    fflush(stdout);
    return TR_OK;
}

static tr_status measure(const options *o, tr_gait_training *training, const tr_gait_atlas *atlas,
                         const tr_gait_route *route, tr_error *error) {
    tr_gait_curve curve = {0};
    tr_gait *gait = NULL;
    const tr_gait_def def = {.force = &curve, .own_mps = 1};
    tr_status status = tr_gait_interpolate(atlas, route, &curve);
    if (status)
        tr_fail(error, status,
                "--low %g --high %g: expected forces between which the training has two anchors",
                o->low_n, o->high_n);
    else
        status = tr_gait_create(training->ensemble->rehearsal[0].model, &def, &gait, error);
    if (!status && !(status = print_survival(o, training, gait, TR_FORCE_CONSTANT, error)))
        status = print_survival(o, training, gait, TR_FORCE_VARYING, error);
    puts("");
    tr_gait_destroy(gait);
    tr_gait_curve_deinit(&curve);
    return status;
}

/* first: samples of the training itself; those behind are of the one beside */
static tr_status compare(const options *o, tr_gait_training *training, int first,
                         const tr_gait_atlas *atlas, tr_error *error) {
    tr_status status = print_embedding(atlas, error);
    printf("survivors of %d trials from %g to %g N, in %d dimensions\n"
           "spacing N  way       constant (95 %%)                varying (95 %%)\n",
           o->trials, o->low_n, o->high_n, o->dimension);
    for (int s = 0; s < o->spacing.count; s++) {
        int anchor[TR_GAIT_STOP_MAX], beside[TR_GAIT_STOP_MAX];
        tr_gait_stops stops = {o->spacing.force_n[s], o->low_n, o->high_n, 0, first};
        tr_gait_route route = {.dimension = o->dimension,
                               .anchor = anchor,
                               .count = tr_gait_atlas_anchors(atlas, &stops, anchor),
                               .row_spacing = 1,
                               .beside = beside,
                               .share = o->share};
        stops.first = first;
        stops.past = atlas->count;
        route.beside_count = o->beside ? tr_gait_atlas_anchors(atlas, &stops, beside) : 0;
        for (; !status && tr_gait_interpolation_name(route.way); route.way++) {
            printf("%9g  %-8s", stops.spacing, tr_gait_interpolation_name(route.way));
            status = measure(o, training, atlas, &route, error);
        }
    }
    return status;
}

/* Adds the samples of a checkpoint. *out_training: made of it, also after a failure, or NULL */
static tr_status add_samples(const tr_method_def *def, const char *checkpoint,
                             tr_gait_samples *samples, tr_gait_training **out_training,
                             tr_error *error) {
    tr_status status = tr_gait_training_create(def, out_training, error);
    if (!status)
        status = tr_gait_start_load(*out_training, checkpoint, error);
    const tr_gait_samples *found = status ? samples : &(*out_training)->samples;
    for (int i = 0; !status && i < found->count; i++)
        status = tr_gait_samples_add(samples, &found->sample[i]);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_gait_training *training = NULL, *other = NULL;
    tr_gait_samples samples = {0};
    tr_gait_atlas atlas = {0};
    tr_status status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = tr_motion_load(o->motion, model, &motion, error);
    tr_gait_settings settings = {0};
    const tr_method_given walk = {.motion = motion};
    const tr_method_def def = {model, &settings, &walk, "", o->threads, NULL};
    tr_parameter_reset(&tr_gait_settings_table, &settings);
    if (!status)
        status = add_samples(&def, o->checkpoint, &samples, &training, error);
    const int first = samples.count;
    if (!status && o->beside)
        status = add_samples(&def, o->beside, &samples, &other, error);
    if (!status)
        status = tr_gait_atlas_create(&samples, &atlas, error);
    if (!status)
        status = compare(o, training, first, &atlas, error);
    tr_gait_atlas_destroy(&atlas);
    tr_gait_samples_deinit(&samples);
    tr_gait_training_destroy(other);
    tr_gait_training_destroy(training);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_gait_compare = {
    .name = "gait compare",
    .summary = "compare ways from anchors to a curve by what the character survives",
    .help =
        "First landmark Isomap over all gaits that the continuation kept, by dimension: how well\n"
        "the distances are kept, and how well a gait that is left out is made again, by local\n"
        "weights in the embedding and on the plane of principal components.\n\n"
        "Then the anchors of the training, before hardening, that lie at multiples of a spacing,\n"
        "and the first and the last. Each way joins them to a curve: nearest, linear, pca, isomap\n"
        "(which is exact at the anchors). A line for each:\n"
        "survivors of 20 s at constant forces, which rise at 100 N/s, and at forces with a new "
        "goal\n"
        "each 1 to 3 s, with Wilson's intervals and their speed.\n\n"
        "With --beside the task has two values, force and speed: the curve lies between those of\n"
        "two trainings, and all gaits of both are embedded.\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .run = run,
};
