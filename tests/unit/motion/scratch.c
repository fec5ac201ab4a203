#include "cmocka_test.h"

#include "unit/motion/scratch.h"

#include "math/elementary.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *scratch_read(const char *path, size_t *out_size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *out_size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

/* The test's own folder, removed at the end with the files that were made in it. */
static struct {
    char folder[64];
    char path[8][128];
    int count;
} scratch;

static void remove_scratch(void) {
    for (int i = 0; i < scratch.count; i++)
        remove(scratch.path[i]);
    rmdir(scratch.folder);
}

const char *scratch_path(const char *ending) {
    if (!scratch.folder[0]) {
        const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(scratch.folder, sizeof scratch.folder, "%s/troupe-motion-XXXXXX", parent);
        assert_non_null(mkdtemp(scratch.folder));
        atexit(remove_scratch);
    }
    char path[128];
    snprintf(path, sizeof path, "%s/scratch%s", scratch.folder, ending);
    for (int i = 0; i < scratch.count; i++)
        if (strcmp(scratch.path[i], path) == 0)
            return scratch.path[i];
    assert_in_range(scratch.count, 0, 7);
    memcpy(scratch.path[scratch.count], path, sizeof path);
    return scratch.path[scratch.count++];
}

const char *scratch_write(const char *ending, const char *text, size_t size) {
    const char *path = scratch_path(ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *scratch_replace(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    size_t size = strlen(text) + strlen(to) + 1;
    char *out = calloc(1, size);
    assert_non_null(out);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

void scratch_told(const tr_error *error, const char *path, const char *expected) {
    char place[160];
    snprintf(place, sizeof place, "%s:", path);
    if (!strstr(error->message, place) || !strstr(error->message, expected))
        fail_msg("'%s' does not say '%s' and '%s'", error->message, place, expected);
}

void scratch_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g within %g", value, expected, tolerance);
}

tr_model *scratch_model(const char *file) {
    char path[512];
    tr_model *model = NULL;
    tr_error error = {0};
    snprintf(path, sizeof path, "%s/%s", TR_MODEL_DIR, file);
    if (tr_mjcf_load(path, &model, &error))
        fail_msg("%s", error.message);
    return model;
}

static void bend(const tr_model *model, tr_pose *pose, const char *body, tr_vec3 axis,
                 double angle) {
    pose->joint[tr_model_find_body(model, body)] = tr_quat_from_axis_angle(axis, angle);
}

/* One leg and the arm of the other side, `phase` of its step; side 0 is left. */
static void step(const tr_model *model, tr_pose *pose, int side, double phase) {
    static const char *const names[2][5] = {{"lthigh", "lshank", "lfoot", "ruarm", "rlarm"},
                                            {"rthigh", "rshank", "rfoot", "luarm", "llarm"}};
    const tr_vec3 y = {0, 1, 0};
    double lift = 0.4 + 0.4 * tr_sin(phase);
    bend(model, pose, names[side][0], y, -lift);
    bend(model, pose, names[side][1], y, 1.6 * lift);
    bend(model, pose, names[side][2], y, -0.6 * lift);
    bend(model, pose, names[side][3], y, -0.5 * tr_sin(phase));
    bend(model, pose, names[side][4], y, -0.6 - 0.3 * tr_sin(phase));
}

tr_motion *scratch_march(const tr_model *model, int n, double dt_s, double speed_mps) {
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, n + 1, dt_s, &motion), TR_OK);
    for (int i = 0; i <= n; i++) {
        double phase = 2 * TR_PI * i / n;
        tr_pose *pose = &motion->poses[i];
        pose->root_pos = tr_vec3_make(speed_mps * dt_s * i, 0.02 * tr_sin(phase), 0.9);
        pose->root_rot = tr_quat_exp(tr_vec3_make(0.05 * tr_sin(phase), 0.1, 0.1 * tr_cos(phase)));
        bend(model, pose, "utorso", tr_vec3_make(0, 0, 1), -0.15 * tr_cos(phase));
        step(model, pose, 0, phase);
        step(model, pose, 1, phase + TR_PI);
    }
    return motion;
}

int scratch_columns(char *line, char *columns[SCRATCH_COLUMN_COUNT]) {
    int count = 0;
    bool quoted = false;
    for (int i = 0; i < SCRATCH_COLUMN_COUNT; i++)
        columns[i] = line + strlen(line);
    columns[count++] = line;
    for (char *at = line; *at && count < SCRATCH_COLUMN_COUNT; at++) {
        quoted ^= *at == '"';
        if (*at == ',' && !quoted) {
            *at = '\0';
            columns[count++] = at + 1;
        }
    }
    return count;
}
