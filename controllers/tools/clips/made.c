/* troupe-train pose, rest: motions without a clip, from key poses, and the model's rest pose to learn quiet
 * standing from. */
#include "model/mjcf.h"
#include "motion/made/key_poses.h"
#include "tools/frame/tool.h"

#include <stdio.h>

static const double STEP_S = 0.005; /* of the rest pose */

/* keys: NULL: the rest pose, in so many frames */
typedef struct arguments {
    const char *keys, *model, *out;
    int frames;
} arguments;

static const arguments defaults = {.model = TR_MODEL_DIR "/humanoid.xml", .frames = 20};

static const tr_argument of_pose[] = {
    {"KEYS", TR_OPTION_TEXT, offsetof(arguments, keys), "the key poses"},
    {"--model M", TR_OPTION_TEXT, offsetof(arguments, model),
     "character model, MJCF (the shipped humanoid.xml)"},
    {"--out MOTION", TR_OPTION_TEXT, offsetof(arguments, out), "write it here, as JSON",
     .needed = true},
    {0}};
static const tr_argument of_rest[] = {{"--model M", TR_OPTION_TEXT, offsetof(arguments, model),
                                       "character model, MJCF (the shipped humanoid.xml)"},
                                      {"--frames N", TR_OPTION_COUNT, offsetof(arguments, frames),
                                       "number of frames (20: one control fragment)", 1,
                                       TR_MOTION_FRAME_MAX},
                                      {"--out MOTION", TR_OPTION_TEXT, offsetof(arguments, out),
                                       "write it here, as JSON", .needed = true},
                                      {0}};

static void print(const tr_model *model, const tr_motion *motion, const tr_key_poses_report *r) {
    printf("%s: %.3f s, %d frames%s, %d keys, %d limbs held to %.1f mm\n", motion->name,
           tr_motion_duration(motion), motion->frame_count, motion->cyclic ? ", cyclic" : "",
           r->keys, r->limbs, 1000 * r->miss_m);
    if (r->bend_share > 0)
        printf("largest bend: joint of '%s' at %.3f s, %.0f %% of its range\n",
               model->body[r->bent].name, r->bend_s, 100 * r->bend_share);
}

static tr_status make_rest(const arguments *a, const tr_model *model, tr_motion **out,
                           tr_error *error) {
    tr_status status = tr_motion_create(model, a->frames, STEP_S, out);
    if (status)
        return tr_fail_if(error, status, "%d frames", a->frames);
    tr_motion *motion = *out;
    motion->cyclic = true;
    snprintf(motion->name, sizeof motion->name, "rest");
    snprintf(motion->source.clip, sizeof motion->source.clip, "rest pose");
    snprintf(motion->source.licence, sizeof motion->source.licence, "the project's");
    snprintf(motion->source.origin, sizeof motion->source.origin, "the model's rest pose");
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_key_poses_report report;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status)
        status = a->keys ? tr_key_poses_make(a->keys, model, &motion, &report, error)
                         : make_rest(a, model, &motion, error);
    if (!status)
        status = tr_motion_save(motion, a->out, error);
    if (!status && a->keys)
        print(model, motion, &report);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_pose = {
    .name = "pose",
    .summary = "make a motion from key poses, with feet and hands held to objects",
    .help =
        "KEYS is a JSON file of key poses with times: places of the root, turns of joints, and\n"
        "places of feet and hands in the world or on objects, which move by keys too. Between "
        "keys\n"
        "everything follows monotone cubics; limbs that are held bend by inverse kinematics. The\n"
        "motion's origin is 'made'. controllers/motion/MOTIONS.md lists the keys of the file;\n"
        "controllers/recipes/poses has examples. The command prints how well the limbs are held,\n"
        "and the joint that is bent furthest for its range.\n",
    .example = "  troupe-train pose controllers/recipes/poses/side-step.json -o side-step.json\n"
               "  troupe-train strip side-step.json --front -o side-step.svg\n",
    .options = sizeof(arguments),
    .argument = of_pose,
    .defaults = &defaults,
    .run = run,
};

const tr_tool_command tr_tool_rest = {
    .name = "rest",
    .summary = "write the model's rest pose as a motion to learn standing from",
    .help = "The motion is cyclic, and every frame of 5 ms is the rest pose.\n",
    .example = "  troupe-train rest -o stand.json\n",
    .options = sizeof(arguments),
    .argument = of_rest,
    .defaults = &defaults,
    .run = run,
};
