/* troupe-train pose: a motion from key poses. */
#include "model/mjcf.h"
#include "motion/key_poses.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct arguments {
    const char *keys, *model, *out;
} arguments;

static bool parse(int argc, char **argv, void *out) {
    arguments *a = out;
    *a = (arguments){.model = TR_MODEL_DIR "/humanoid.xml"};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &a->model, 0, 0},
        {"out", TR_OPTION_TEXT, &a->out, 0, 0},
    };
    int first = tr_options_take("pose", argc, argv, table, sizeof table / sizeof *table);
    if (!first || first + 1 != argc || !a->out)
        return false;
    a->keys = argv[first];
    return true;
}

static void print(const tr_model *model, const tr_motion *motion, const tr_key_poses_report *r) {
    printf("%s: %.3f s, %d frames%s, %d keys, %d limbs held to %.1f mm\n", motion->name,
           tr_motion_duration(motion), motion->frame_count, motion->cyclic ? ", cyclic" : "",
           r->keys, r->limbs, 1000 * r->miss_m);
    if (r->bend_share > 0)
        printf("largest bend: joint of '%s' at %.3f s, %.0f %% of its range\n",
               model->body[r->bent].name, r->bend_s, 100 * r->bend_share);
}

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_key_poses_report report;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status)
        status = tr_key_poses_make(a->keys, model, &motion, &report, error);
    if (!status)
        status = tr_motion_save(motion, a->out, error);
    if (!status)
        print(model, motion, &report);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_pose = {
    .name = "pose",
    .arguments = "KEYS [--model M] -o MOTION",
    .summary = "make a motion from key poses, with feet and hands held to objects",
    .help =
        "KEYS is a JSON file of key poses with times: places of the root, turns of joints, and\n"
        "places of feet and hands in the world or on objects, which move by keys too. Between "
        "keys\n"
        "everything follows monotone cubics; limbs that are held bend by inverse kinematics. The\n"
        "motion's origin is 'made'. controllers/motion/MOTIONS.md lists the keys of the file;\n"
        "controllers/recipes/poses has examples. The command prints how well the limbs are held,\n"
        "and the joint that is bent furthest for its range.\n\n"
        "  --model M     character model, MJCF (the shipped humanoid.xml)\n"
        "  -o MOTION     write it here, as JSON\n\n"
        "  troupe-train pose controllers/recipes/poses/side-step.json -o side-step.json\n"
        "  troupe-train strip side-step.json --front -o side-step.svg\n",
    .options = sizeof(arguments),
    .parse = parse,
    .run = run,
};
