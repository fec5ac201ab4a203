/* Clips from arbitrary texts: each loader, given the text as its file, makes a clip that is finite
 * throughout and can be retargeted and written, or an error with a message. */
#include "fuzz/target.h"

#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/clips/calibration.h"
#include "motion/retarget/retarget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 256, FRAME_MAX = 200 };

/* The model, and the folder in memory where the texts become files. */
static struct {
    tr_model *model;
    char folder[64];
} stage;

static void path_of(const char *ending, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/clip%s", stage.folder, ending);
}

static const char *const endings[] = {".bvh", ".amc", ".asf", ".txt"};

static void close_stage(void) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        path_of(endings[i], path);
        remove(path);
    }
    rmdir(stage.folder);
    tr_model_destroy(stage.model);
}

static void open_stage(void) {
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(stage.folder, sizeof stage.folder, "%s/troupe-fuzz-XXXXXX", parent);
    if (!mkdtemp(stage.folder) || tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &stage.model, NULL))
        abort();
    atexit(close_stage);
}

static void check_pose(const tr_pose *pose, int body_count) {
    if (!tr_vec3_is_finite(pose->root_pos) || !tr_quat_is_finite(pose->root_rot))
        abort();
    for (int i = 1; i < body_count; i++)
        if (fabs(tr_quat_dot(pose->joint[i], pose->joint[i]) - 1) > 1e-6)
            abort();
}

static void check_retargeted(const tr_clip *clip) {
    tr_motion *motion = NULL;
    tr_calibration calibration;
    if (tr_calibrate(clip, NULL, &calibration))
        abort();
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (!tr_quat_is_finite(calibration.turn[part]))
            abort();
    memcpy(clip->skeleton->calibration, calibration.turn, sizeof calibration.turn);
    if (tr_retarget(clip, clip->skeleton, stage.model, &motion, NULL))
        return;
    for (int i = 0; i < motion->frame_count; i++)
        check_pose(&motion->poses[i], motion->body_count);
    tr_motion_destroy(motion);
}

static void check_clip(const tr_clip *clip) {
    for (int f = 0; f < clip->frame_count; f++)
        for (int i = 0; i < clip->joint_count; i++) {
            tr_quat q = tr_clip_rot(clip, f, i);
            if (!tr_vec3_is_finite(tr_clip_pos(clip, f, i)) || fabs(tr_quat_dot(q, q) - 1) > 1e-6)
                abort();
        }
    if (clip->frame_count > FRAME_MAX)
        return;
    char *text = NULL;
    size_t size = 0;
    if (tr_bvh_print(clip, &text, &size) || strstr(text, "nan"))
        abort();
    free(text);
    check_retargeted(clip);
}

static void load(const char *path, const char *asf_path) {
    tr_clip_options options = {.asf_path = asf_path};
    tr_error error = {0};
    tr_clip *clip = NULL;
    if (tr_clip_load(path, &options, &clip, &error)) {
        if (clip || !error.message[0] || !error.status)
            abort();
        return;
    }
    check_clip(clip);
    tr_clip_destroy(clip);
}

static void write_text(const char *path, const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wbe");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!stage.model)
        open_stage();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[PATH_SIZE];
        path_of(endings[i], path);
        write_text(path, data, size);
        if (strcmp(endings[i], ".asf") == 0)
            load(TR_SAMPLE_DIR "/figure.amc", path);
        else
            load(path, TR_SAMPLE_DIR "/figure.asf");
    }
    return 0;
}
