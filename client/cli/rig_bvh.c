/* The skeleton of a clip of the user. Its head is kept as it is; the frames are new. */
#include "cli/rig.h"

#include "proto/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIP_BYTES_MAX = 256 << 20, DEPTH_MAX = 256 };

/* Where reading is. open: joints whose braces are open, -1 for the end of a limb. */
typedef struct reading {
    tr_bone_rig *rig;
    int open[DEPTH_MAX], depth, next;
} reading;

/* bone: -1: the world's origin */
static tr_vec3 pos_of(const tr_bone_rig *rig, int bone) {
    return bone < 0 ? tr_vec3_make(0, 0, 0) : rig->bone[bone].pos;
}

static bool begin_joint(reading *r, const char *name) {
    tr_bone_rig *rig = r->rig;
    if (rig->count == TR_RIG_BONE_MAX)
        return false;
    tr_rig_bone *bone = &rig->bone[rig->count];
    *bone = (tr_rig_bone){.rot = {.w = 1}, .scale = 1, .body = -1, .parent = -1};
    bone->parent = r->depth > 0 ? r->open[r->depth - 1] : -1;
    snprintf(bone->name, sizeof bone->name, "%s", name);
    bone->name[strcspn(bone->name, "\r\n{")] = '\0';
    for (size_t end = strlen(bone->name); end > 0 && strchr(" \t", bone->name[end - 1]); end--)
        bone->name[end - 1] = '\0';
    r->next = rig->count++;
    return true;
}

static bool read_channels(const char *line, tr_rig_bone *bone) {
    int used = 0, count = 0;
    if (sscanf(line, " CHANNELS %d%n", &count, &used) != 1 || count < 0 || count > 6)
        return false;
    for (bone->channel_count = 0; bone->channel_count < count; bone->channel_count++) {
        char word[16], *channel = bone->channel[bone->channel_count];
        int length = 0;
        if (sscanf(line += used, " %15s%n", word, &length) != 1 || !strchr("XYZ", word[0]))
            return false;
        used = length;
        channel[0] = word[0];
        channel[1] = word[1];
    }
    return true;
}

/* A line of the head. */
static bool read_line(reading *r, const char *line) {
    tr_rig_bone *bone =
        r->depth > 0 && r->open[r->depth - 1] >= 0 ? &r->rig->bone[r->open[r->depth - 1]] : NULL;
    tr_vec3 offset = {0};
    line += strspn(line, " \t");
    if (strncmp(line, "ROOT ", 5) == 0 || strncmp(line, "JOINT ", 6) == 0) {
        if (!begin_joint(r, strchr(line, ' ') + 1))
            return false;
    } else if (strncmp(line, "End", 3) == 0) {
        r->next = -1;
    } else if (strncmp(line, "CHANNELS", 8) == 0) {
        return bone && read_channels(line, bone);
    } else if (bone && sscanf(line, "OFFSET %lf %lf %lf", &offset.x, &offset.y, &offset.z) == 3) {
        bone->pos = tr_vec3_add(offset, pos_of(r->rig, bone->parent));
    }
    for (; *line && *line != '\n'; line++) {
        if (*line == '{' && r->depth < DEPTH_MAX)
            r->open[r->depth++] = r->next;
        if (*line == '}' && r->depth > 0)
            r->depth--;
    }
    return true;
}

tr_status tr_bone_rig_load_bvh(const char *path, tr_bone_rig *out, tr_error *error) {
    reading r = {.rig = out};
    int number = 1;
    tr_status status = tr_text_file_read(path, CLIP_BYTES_MAX, &out->bytes, &out->size, error);
    out->bone = status ? NULL : calloc(TR_RIG_BONE_MAX, sizeof *out->bone);
    if (status || !out->bone)
        return status ? status : tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    char *end = strstr(out->bytes, "MOTION");
    for (const char *line = out->bytes; end && line < end; number++) {
        if (!read_line(&r, line))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s:%d: expected a joint of a BVH", path,
                           number);
        const char *next = strchr(line, '\n');
        line = next ? next + 1 : end;
    }
    if (!end || out->count == 0 || r.depth != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: expected the joints of a BVH, and then MOTION", path);
    *end = '\0';
    return TR_OK;
}

/* --- writing --- */

/* An angle by name of its axis: of R = Ri(a) Rj(b) Rk(c), where i, j, k are the axes in `order`. */
static void angles_of(tr_quat rot, const int order[3], double out[3]) {
    const tr_mat3 matrix = tr_quat_to_mat3(rot);
    const double *m = matrix.m;
    const int i = order[0], j = order[1], k = order[2];
    const double sign = (j - i + 3) % 3 == 1 ? 1 : -1, degree = 180 / M_PI;
    const double sine = fmax(-1, fmin(1, sign * m[3 * i + k]));
    out[j] = asin(sine) * degree;
    if (fabs(sine) > 1 - 1e-12) { /* only the sum of the other two is determined */
        out[i] = atan2(sign * m[3 * k + j], m[4 * j]) * degree;
        out[k] = 0;
        return;
    }
    out[i] = atan2(-sign * m[3 * j + k], m[4 * k]) * degree;
    out[k] = atan2(-sign * m[3 * i + j], m[4 * i]) * degree;
}

/* The axes of a bone's rotations in their order, and then those that it lacks. */
static void order_of(const tr_rig_bone *bone, int out[3]) {
    bool used[3] = {false};
    int count = 0;
    for (int c = 0; c < bone->channel_count; c++)
        if (bone->channel[c][1] == 'r' && count < 3 && !used[bone->channel[c][0] - 'X']) {
            out[count] = bone->channel[c][0] - 'X';
            used[out[count++]] = true;
        }
    for (int axis = 0; axis < 3 && count < 3; axis++)
        if (!used[axis])
            out[count++] = axis;
}

static bool is_placed(const tr_rig_bone *bone) {
    for (int c = 0; c < bone->channel_count; c++)
        if (bone->channel[c][1] == 'p')
            return true;
    return false;
}

/* The hips, or where they have no position the next one above them that has. */
static int placed_above(const tr_bone_rig *rig, int bone) {
    while (rig->bone[bone].parent >= 0 && !is_placed(&rig->bone[bone]))
        bone = rig->bone[bone].parent;
    return bone;
}

static void write_bone(const tr_bone_rig *rig, const tr_bone_motion *motion, int frame, int b,
                       int mover, FILE *out) {
    const tr_rig_bone *bone = &rig->bone[b], *hips = &rig->bone[motion->root];
    tr_vec3 place = tr_vec3_sub(bone->pos, pos_of(rig, bone->parent));
    if (b == mover)
        place = tr_vec3_add(place, tr_vec3_add(motion->pos[frame],
                                               tr_vec3_sub(pos_of(rig, hips->parent), hips->pos)));
    const double at[3] = {place.x, place.y, place.z};
    int order[3] = {0, 1, 2};
    double angle[3];
    order_of(bone, order);
    angles_of(motion->rot[(size_t)frame * (size_t)rig->count + (size_t)b], order, angle);
    for (int c = 0; c < bone->channel_count; c++) {
        const int axis = bone->channel[c][0] - 'X';
        fprintf(out, "%.6f ", bone->channel[c][1] == 'p' ? at[axis] : angle[axis]);
    }
}

bool tr_bone_rig_write_bvh(const tr_bone_rig *rig, const tr_bone_motion *motion, FILE *out,
                           double frame_s) {
    const int mover = placed_above(rig, motion->root);
    fprintf(out, "%sMOTION\nFrames: %d\nFrame Time: %.9f\n", rig->bytes, motion->frame_count,
            frame_s);
    for (int f = 0; f < motion->frame_count; f++) {
        for (int b = 0; b < rig->count; b++)
            write_bone(rig, motion, f, b, mover, out);
        fputc('\n', out);
    }
    return true;
}
