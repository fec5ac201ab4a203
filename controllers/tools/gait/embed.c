/* troupe-train gait embed: the gaits of a training in few dimensions. */
#include "learn/gait/gait_atlas.h"
#include "learn/gait/gait_start.h"
#include "tools/frame/options.h"
#include "tools/gait/embedding_plot.h"
#include "tools/gait/gait_tool.h"

#include <stdio.h>

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint, *svg;
    tr_gait_atlas_def atlas;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.work = {.model = TR_MODEL_DIR "/humanoid.xml",
                            .settings = tr_gait_settings_default(),
                            .threads = 1},
                   .atlas = tr_gait_atlas_def_default()};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->work.model, 0, 0},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"neighbours", TR_OPTION_COUNT, &o->atlas.k, 1, 60},
        {"landmarks", TR_OPTION_NUMBER, &o->atlas.landmark_share, 0, 1},
        {"seed", TR_OPTION_SEED, &o->atlas.seed, 0, 0},
        {"svg", TR_OPTION_TEXT, &o->svg, 0, 0},
    };
    int first = tr_options_take("gait embed", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + 1 != argc || !o->checkpoint) {
        fputs("troupe-train gait embed: expected MOTION and --checkpoint\n", stderr);
        return false;
    }
    o->work.motion = argv[first];
    return true;
}

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
    .arguments = "MOTION --checkpoint FILE [--neighbours K] [--landmarks SHARE] [--svg FILE]",
    .summary = "show the gaits of a training in few dimensions",
    .help =
        "Landmark Isomap over all gaits that the continuation kept, by dimension: how well the\n"
        "distances are kept, and how well a gait that is left out is made again, by local\n"
        "weights and by kernel ridge regression in the embedding, and on the plane of principal\n"
        "components.\n"
        "\n"
        "  --neighbours K     of each gait (10)\n"
        "  --landmarks SHARE  of the gaits, beside all optimal ones (0.2)\n"
        "  --svg FILE         draws the first two dimensions\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
