/* troupe-train collect: what a character did in a served world, as a motion. */
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/poses/state_log.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct arguments {
    const char *model, *out, *bvh;
    tr_state_log_def log;
} arguments;

static const arguments defaults = {.model = TR_MODEL_DIR "/humanoid.xml", .log = {.dt_s = 0.01}};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(arguments, log.path), "a state log"},
    {"--model M", TR_OPTION_TEXT, offsetof(arguments, model),
     "character model, MJCF (the shipped humanoid.xml)"},
    {"--character LABEL", TR_OPTION_TEXT, offsetof(arguments, log.character),
     "label or #ENTITY (the first in the states)"},
    {"--dt S", TR_OPTION_NUMBER, offsetof(arguments, log.dt_s), "time step of the motion (0.01)", 0,
     1e9},
    {"--bvh FILE", TR_OPTION_TEXT, offsetof(arguments, bvh), "write it as BVH"},
    {"--out MOTION", TR_OPTION_TEXT, offsetof(arguments, out), "write it as a motion, JSON"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    arguments *a = out;
    if ((!a->out && !a->bvh) || !(a->log.dt_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected --out or --bvh, and --dt above 0");
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status)
        status = tr_state_log_load(&a->log, model, &motion, error);
    if (!status)
        printf("%s: %d frames, %.2f s\n", motion->name, motion->frame_count,
               tr_motion_duration(motion));
    if (!status && a->out)
        status = tr_motion_save(motion, a->out, error);
    if (!status && a->bvh)
        status = tr_bvh_save_motion(model, motion, a->bvh, error);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_collect = {
    .name = "collect",
    .summary = "turn states that 'troupe watch --json' printed into a motion or a BVH file",
    .help = "Take one character out of the states and write its motion, for 'troupe-train strip'\n"
            "or, as BVH, for Blender and others.\n",
    .example =
        "  troupe watch arena --rate 50 --for 10 --json > states.jsonl\n"
        "  troupe-train collect states.jsonl --character guard -o guard.json --bvh guard.bvh\n",
    .options = sizeof(arguments),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .run = run,
};
