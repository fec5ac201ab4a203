/* troupe-train import: a motion-capture clip becomes a motion of a character model. */
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "tools/clips/clip_use.h"
#include "tools/clips/import_arguments.h"
#include "tools/clips/import_report.h"
#include "tools/frame/tool.h"

#include <stdio.h>

/* The command line. */
typedef struct arguments {
    const char *clip, *model, *out, *bvh;
    tr_import import;
} arguments;

static void preset(void *out) {
    *(arguments *)out =
        (arguments){.model = TR_MODEL_DIR "/humanoid.xml", .import = tr_import_default()};
}

static const tr_argument *list(void) {
    static const tr_argument own[] = {
        {"CLIP", TR_OPTION_TEXT, offsetof(arguments, clip), "BVH, AMC or DeepMimic"},
        {"--model M", TR_OPTION_TEXT, offsetof(arguments, model),
         "character model, MJCF (the shipped humanoid.xml)"},
        {"--name N", TR_OPTION_TEXT, offsetof(arguments, import.name),
         "name of the motion (the clip's)"},
        {"--bvh FILE", TR_OPTION_TEXT, offsetof(arguments, bvh), "also write the result as BVH"},
        {"--out MOTION", TR_OPTION_TEXT, offsetof(arguments, out),
         "write the motion here, as JSON (without: print the report only)"},
    };
    static tr_argument_list all;
    all = (tr_argument_list){0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        tr_argument_list_add(&all, &own[i], NULL, NULL);
    tr_import_arguments_list(&all, offsetof(arguments, import), true);
    return all.row;
}

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_import_account account = {0};
    tr_motion_report report;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status)
        status = tr_clip_import(a->clip, model, &a->import, &motion, &account, error);
    if (!status)
        status =
            tr_fail_if(error, tr_motion_describe(model, motion, &report), "%s: report", a->clip);
    if (!status) {
        tr_import_report_clip(&account);
        tr_import_report_motion(&account, model, motion, &report);
        status = TR_OK;
        if (a->out)
            status = tr_motion_save(motion, a->out, error);
        if (!status && a->bvh)
            status = tr_bvh_save_motion(model, motion, a->bvh, error);
    }
    tr_import_account_deinit(&account);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_import = {
    .name = "import",
    .summary = "turn a motion-capture clip (BVH, AMC, DeepMimic) into a motion of a model",
    .help =
        "Read the clip, find units, axes and joints, calibrate by the clip's zero pose or "
        "standing\n"
        "frames, put the motion on the model and on the ground, and check it: left and right,\n"
        "calibration, rate, symmetry, breaks, the gap to close, sinking bodies. Each finding is\n"
        "printed with its remedy; findings that leave no usable motion refuse the import.\n",
    .example =
        "  troupe-train import 16_36_1.bvh --from 10 --to 34 --symmetric --frames 160 -o run.json\n"
        "  troupe-train import humanoid3d_spinkick.txt --return 0.32 --frames 320 -o spin.json\n",
    .options = sizeof(arguments),
    .list = list,
    .preset = preset,
    .run = run,
};
