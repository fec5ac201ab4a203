/* troupe-train collect: what a character did in a served world, as a motion. */
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/state_log.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct arguments {
    const char *model, *out, *bvh;
    tr_state_log_def log;
} arguments;

static bool parse(int argc, char **argv, void *out) {
    arguments *a = out;
    *a = (arguments){.model = TR_MODEL_DIR "/humanoid.xml", .log = {.dt_s = 0.01}};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &a->model, 0, 0},
        {"character", TR_OPTION_TEXT, &a->log.character, 0, 0},
        {"dt", TR_OPTION_NUMBER, &a->log.dt_s, 0, 1e9},
        {"bvh", TR_OPTION_TEXT, &a->bvh, 0, 0},
        {"out", TR_OPTION_TEXT, &a->out, 0, 0},
    };
    int first = tr_options_take("collect", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (argc - first != 1 || (!a->out && !a->bvh) || !(a->log.dt_s > 0))
        return false;
    a->log.path = argv[first];
    return true;
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
    .arguments = "STATES [--character LABEL] [--model M] [--dt S] [--bvh FILE] [-o MOTION]",
    .summary = "turn states that 'troupe watch --json' printed into a motion or a BVH file",
    .help = "Take one character out of the states and write its motion, for 'troupe-train strip'\n"
            "or, as BVH, for Blender and others.\n\n"
            "  --character LABEL   label or #ENTITY (the first in the states)\n"
            "  --model M           character model, MJCF (the shipped humanoid.xml)\n"
            "  --dt S              time step of the motion (0.01)\n"
            "  --bvh FILE          write it as BVH\n"
            "  -o MOTION           write it as a motion, JSON\n\n"
            "  troupe watch arena --rate 50 --for 10 --json > states.jsonl\n"
            "  troupe-train collect states.jsonl --character guard -o guard.json --bvh guard.bvh\n",
    .options = sizeof(arguments),
    .parse = parse,
    .run = run,
};
