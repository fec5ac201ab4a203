/* troupe-train gait embed: the gaits of a training in few dimensions. */
#include "learn/gait/gait_atlas.h"
#include "learn/gait/gait_start.h"
#include "tools/gait/embedding_plot.h"
#include "tools/gait/gait_tool.h"

#include <stdio.h>

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint, *svg;
    tr_gait_atlas_def atlas;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.work = {.model = TR_MODEL_DIR "/humanoid.xml",
                            .settings = tr_gait_settings_default(),
                            .threads = 1},
                   .atlas = tr_gait_atlas_def_default()};
}

static const tr_argument words[] = {
    {"MOTION", TR_OPTION_TEXT, offsetof(options, work.motion), "the motion that was learned"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, work.model),
     "the character's model (the shipped humanoid.xml)"},
    {"--checkpoint FILE", TR_OPTION_TEXT, offsetof(options, checkpoint), "of the training",
     .needed = true},
    {"--neighbours K", TR_OPTION_COUNT, offsetof(options, atlas.k), "of each gait (10)", 1, 60},
    {"--landmarks SHARE", TR_OPTION_NUMBER, offsetof(options, atlas.landmark_share),
     "of the gaits, beside all optimal ones (0.2)", 0, 1},
    {"--seed S", TR_OPTION_SEED, offsetof(options, atlas.seed), "of the landmarks"},
    {"--svg FILE", TR_OPTION_TEXT, offsetof(options, svg), "draws the first two dimensions"},
    {0}};

static tr_status print_table(const tr_gait_atlas *atlas, tr_error *error) {
    printf("%d samples, %d landmarks, %d neighbours each, %d components\n", atlas->count,
           atlas->isomap.landmark_count, atlas->def.k, atlas->isomap.components);
    printf("share of variance not made again, each sample left out:\n"
           "dimension  eigenvalue  1 - R^2  local weights  kernel ridge  principal plane\n");
    for (int d = 1; d <= atlas->def.dimension; d++) {
        tr_gait_atlas_row row;
        tr_status status = tr_gait_atlas_describe(atlas, d, &row);
        if (status)
            return tr_fail(error, status, "dimension %d: %s", d, tr_status_text(status));
        printf("%9d  %10.4g  %7.4f  %13.4f  %12.4f  %15.4f\n", d, row.eigenvalue, row.residual,
               row.local, row.kernel, row.plane);
        fflush(stdout);
    }
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_gait_work work = {0};
    tr_gait_atlas atlas = {0};
    tr_status status = tr_gait_work_open(&o->work, &work, error);
    if (!status)
        status = tr_gait_start_load(work.training, o->checkpoint, error);
    if (!status)
        status =
            tr_gait_atlas_create(tr_gait_training_samples(work.training), &o->atlas, &atlas, error);
    if (!status)
        status = print_table(&atlas, error);
    if (!status && o->svg)
        status = tr_embedding_plot(o->svg, &atlas, error);
    tr_gait_atlas_destroy(&atlas);
    tr_gait_work_deinit(&work);
    return status;
}

const tr_tool_command tr_tool_gait_embed = {
    .name = "embed",
    .summary = "show the gaits of a training in few dimensions",
    .help =
        "Landmark Isomap over all gaits that the continuation kept, by dimension: how well the\n"
        "distances are kept, and how well a gait that is left out is made again, by local\n"
        "weights and by kernel ridge regression in the embedding, and on the plane of principal\n"
        "components.\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .run = run,
};
