/* troupe-train rest: the model's rest pose as a motion to learn quiet standing from. */
#include "model/mjcf.h"
#include "motion/poses/motion.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *model, *out;
    int frames;
} arguments;

static const arguments defaults = {.model = TR_MODEL_DIR "/humanoid.xml", .frames = 20};

static const tr_argument words[] = {{"--model M", TR_OPTION_TEXT, offsetof(arguments, model),
                                     "character model, MJCF (the shipped humanoid.xml)"},
                                    {"--frames N", TR_OPTION_COUNT, offsetof(arguments, frames),
                                     "number of frames (20: one control fragment)", 1,
                                     TR_MOTION_FRAME_MAX},
                                    {"--out MOTION", TR_OPTION_TEXT, offsetof(arguments, out),
                                     "write it here, as JSON", .needed = true},
                                    {0}};

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    static const double dt_s = 0.005;
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status && (status = tr_motion_create(model, a->frames, dt_s, &motion)))
        status = tr_fail(error, status, "%d frames: %s", a->frames, tr_status_text(status));
    if (!status) {
        motion->cyclic = true;
        snprintf(motion->name, sizeof motion->name, "rest");
        snprintf(motion->source.clip, sizeof motion->source.clip, "rest pose");
        snprintf(motion->source.licence, sizeof motion->source.licence, "the project's");
        snprintf(motion->source.origin, sizeof motion->source.origin, "the model's rest pose");
        status = tr_motion_save(motion, a->out, error);
    }
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_rest = {
    .name = "rest",
    .summary = "write the model's rest pose as a motion to learn standing from",
    .help = "The motion is cyclic, and every frame of 5 ms is the rest pose.\n",
    .example = "  troupe-train rest -o stand.json\n",
    .options = sizeof(arguments),
    .argument = words,
    .defaults = &defaults,
    .run = run,
};
