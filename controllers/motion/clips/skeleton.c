#include "motion/clips/skeleton.h"

#include "motion/clips/scan.h"

#include "math/elementary.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAP_SIZE_MAX = 1024 * 1024, PATH_SIZE = 1024, MAP_COUNT_MAX = 256 };

const char *tr_part_name(tr_part part) {
    static const char *const names[] = {
#define X(name, text) text,
        TR_PART_LIST(X)
#undef X
    };
    return names[part];
}

/* Head and toes may be missing; retargeting needs all others. */
static bool is_needed(tr_part part) {
    return part != TR_PART_HEAD && part != TR_PART_LEFT_TOE && part != TR_PART_RIGHT_TOE;
}

static bool is_axis(const char *text) {
    return (text[0] == '+' || text[0] == '-') && (text[1] == 'x' || text[1] == 'z') && !text[2];
}

static bool copy_text(char *out, size_t size, const char *text) {
    return (size_t)snprintf(out, size, "%s", text) < size;
}

static tr_status read_parts(json_t *parts, tr_skeleton *out, const char *path, tr_error *error) {
    for (int part = 0; part < TR_PART_COUNT; part++) {
        out->calibration[part] = tr_quat_identity();
        const char *joint = json_string_value(json_object_get(parts, tr_part_name((tr_part)part)));
        if (!joint && is_needed((tr_part)part))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: parts: '%s' is missing", path,
                           tr_part_name((tr_part)part));
        if (joint && !copy_text(out->joint[part], sizeof out->joint[part], joint))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: parts: '%s': name too long", path,
                           tr_part_name((tr_part)part));
    }
    return TR_OK;
}

static tr_status read_calibration(json_t *calibration, tr_skeleton *out, const char *path,
                                  tr_error *error) {
    for (int part = 0; part < TR_PART_COUNT; part++) {
        json_t *value = json_object_get(calibration, tr_part_name((tr_part)part));
        tr_quat q;
        if (!value)
            continue;
        if (json_unpack(value, "[F,F,F,F]", &q.w, &q.x, &q.y, &q.z) || !tr_quat_is_finite(q) ||
            !(fabs(tr_quat_dot(q, q) - 1) < 1e-3))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: calibration: '%s': expected a unit quaternion [w, x, y, z]",
                           path, tr_part_name((tr_part)part));
        out->calibration[part] = tr_quat_normalize(q);
    }
    return TR_OK;
}

static tr_status read_ignore(json_t *ignore, tr_skeleton *out, const char *path, tr_error *error) {
    size_t count = json_array_size(ignore);
    if (count > TR_SKELETON_IGNORE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: ignore: more than %d entries", path,
                       TR_SKELETON_IGNORE_MAX);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(ignore, i));
        if (!text || !copy_text(out->ignore[i], sizeof out->ignore[i], text))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: ignore[%zu]: expected a joint name",
                           path, i);
    }
    out->ignore_count = (int)count;
    return TR_OK;
}

static tr_status read_map(json_t *root, tr_skeleton *out, const char *path, tr_error *error) {
    const char *name, *forward, *up = "";
    json_t *parts, *calibration = NULL, *ignore = NULL;
    json_error_t where;
    if (json_unpack_ex(root, &where, 0, "{s:s, s:s, s:o, s?o, s?o, s?F, s?s}", "name", &name,
                       "forward", &forward, "parts", &parts, "calibration", &calibration, "ignore",
                       &ignore, "unit_m", &out->unit_m, "up", &up))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: %.200s", path, where.text);
    if (!is_axis(forward) || !copy_text(out->name, sizeof out->name, name))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: forward: expected +x, -x, +z or -z (with y up), found '%.10s'",
                       path, forward);
    if (*up && (strlen(up) != 1 || !strchr("xyz", *up)))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: up: expected x, y or z", path);
    if (!(out->unit_m >= 0 && out->unit_m < 1e3))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: unit_m: expected metres per unit",
                       path);
    memcpy(out->forward, forward, sizeof out->forward);
    out->up = *up;
    tr_status status = read_parts(parts, out, path, error);
    if (!status)
        status = read_calibration(calibration, out, path, error);
    if (!status)
        status = read_ignore(ignore, out, path, error);
    return status;
}

tr_status tr_skeleton_load(const char *name_or_path, const char *dir, tr_skeleton *out,
                           tr_error *error) {
    char path[PATH_SIZE];
    if (strchr(name_or_path, '/') || strstr(name_or_path, ".json"))
        snprintf(path, sizeof path, "%s", name_or_path);
    else
        snprintf(path, sizeof path, "%s/%s.json", dir ? dir : TR_SKELETON_DIR, name_or_path);
    tr_scan scan;
    tr_status status = tr_scan_open(&scan, path, MAP_SIZE_MAX, error);
    if (status)
        return status;
    json_error_t where;
    json_t *root = json_loadb(scan.text, scan.size, JSON_REJECT_DUPLICATES, &where);
    tr_scan_close(&scan);
    if (!root)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s:%d: %.200s", path, where.line,
                       where.text);
    tr_skeleton skeleton = {0};
    status = read_map(root, &skeleton, path, error);
    json_decref(root);
    if (!status)
        *out = skeleton;
    return status;
}

int tr_skeleton_joint(const tr_skeleton *skeleton, const tr_clip *clip, tr_part part) {
    return skeleton->joint[part][0] ? tr_clip_find_joint(clip, skeleton->joint[part]) : -1;
}

bool tr_skeleton_shows(const tr_skeleton *skeleton, const char *joint_name) {
    for (int i = 0; i < skeleton->ignore_count; i++) {
        const char *pattern = skeleton->ignore[i];
        size_t length = strlen(pattern), name_length = strlen(joint_name);
        if (pattern[0] == '*' && name_length + 1 >= length &&
            strcasecmp(joint_name + name_length + 1 - length, pattern + 1) == 0)
            return false;
        if (length && pattern[length - 1] == '*' &&
            strncasecmp(joint_name, pattern, length - 1) == 0)
            return false;
        if (strcasecmp(joint_name, pattern) == 0)
            return false;
    }
    return true;
}

/* First part whose joint the clip lacks, or TR_PART_COUNT. */
static tr_part first_lacking(const tr_skeleton *skeleton, const tr_clip *clip) {
    for (int part = 0; part < TR_PART_COUNT; part++)
        if (skeleton->joint[part][0] && tr_skeleton_joint(skeleton, clip, (tr_part)part) < 0)
            return (tr_part)part;
    return TR_PART_COUNT;
}

tr_status tr_skeleton_check(const tr_skeleton *skeleton, const tr_clip *clip, tr_error *error) {
    tr_part part = first_lacking(skeleton, clip);
    if (part == TR_PART_COUNT)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "no joint '%s', which joint map '%s' takes for the part '%s'",
                   skeleton->joint[part], skeleton->name, tr_part_name(part));
}

static int part_count(const tr_skeleton *skeleton) {
    int count = 0;
    for (int part = 0; part < TR_PART_COUNT; part++)
        count += skeleton->joint[part][0] != '\0';
    return count;
}

static int is_map_file(const struct dirent *entry) {
    const char *name = entry->d_name;
    size_t length = strlen(name);
    if (length < 6 || strcmp(name + length - 5, ".json") != 0)
        return 0;
    return length < 11 || strcmp(name + length - 11, ".bones.json") != 0;
}

/* Keeps `best` when it names more parts; otherwise tells in `tried` why `candidate` does not
 * fit. */
static void compare(const tr_skeleton *candidate, const tr_clip *clip, tr_skeleton *best,
                    char tried[256]) {
    tr_part lacking = first_lacking(candidate, clip);
    if (lacking == TR_PART_COUNT) {
        if (part_count(candidate) > part_count(best))
            *best = *candidate;
        return;
    }
    size_t used = strlen(tried);
    snprintf(tried + used, 256 - used, "%s%.20s lacks %.30s", used ? "; " : "", candidate->name,
             candidate->joint[lacking]);
}

tr_status tr_skeleton_detect(const char *dir, const tr_clip *clip, tr_skeleton *out,
                             tr_error *error) {
    struct dirent **entries = NULL;
    int count = scandir(dir, &entries, is_map_file, alphasort);
    if (count < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: no folder of joint maps", dir);
    tr_skeleton best = {0};
    char tried[256] = "";
    tr_status status = TR_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        tr_skeleton candidate = {0};
        snprintf(path, sizeof path, "%.700s/%.255s", dir, entries[i]->d_name);
        if (!status && i < MAP_COUNT_MAX)
            status = tr_skeleton_load(path, dir, &candidate, error);
        if (!status && i < MAP_COUNT_MAX)
            compare(&candidate, clip, &best, tried);
        free(entries[i]);
    }
    free(entries);
    if (status)
        return status;
    if (!best.name[0])
        return tr_fail(error, TR_NOT_FOUND, "no joint map fits its %d joints: %s",
                       clip->joint_count, tried);
    *out = best;
    return TR_OK;
}

/* Mean orientation of a joint over frames, by the sum of aligned quaternions. */
static tr_quat mean_rotation(const tr_clip *clip, int joint, int first, int last) {
    tr_quat sum = {0}, begin = tr_clip_rot(clip, first, joint);
    for (int f = first; f <= last; f++) {
        tr_quat q = tr_clip_rot(clip, f, joint);
        double s = tr_quat_dot(q, begin) < 0 ? -1 : 1;
        sum = (tr_quat){sum.w + s * q.w, sum.x + s * q.x, sum.y + s * q.y, sum.z + s * q.z};
    }
    return tr_quat_normalize(sum);
}

static tr_vec3 mean_bone(const tr_clip *clip, int from, int to, int first, int last) {
    tr_vec3 sum = {0};
    for (int f = first; f <= last; f++)
        sum = tr_vec3_add(sum, tr_vec3_sub(tr_clip_pos(clip, f, to), tr_clip_pos(clip, f, from)));
    return sum;
}

tr_status tr_skeleton_calibrate(tr_skeleton *skeleton, const tr_clip *clip, int first, int last) {
    if (first < 0 || last < first || last >= clip->frame_count)
        return TR_OUT_OF_RANGE;
    int joint[TR_PART_COUNT];
    for (int part = 0; part < TR_PART_COUNT; part++)
        joint[part] = tr_skeleton_joint(skeleton, clip, (tr_part)part);
    tr_vec3 left = mean_bone(clip, joint[TR_PART_RIGHT_HIP], joint[TR_PART_LEFT_HIP], first, last);
    double ahead = tr_atan2(-left.x, left.y);
    static const tr_part parts[] = {TR_PART_HIPS, TR_PART_CHEST, TR_PART_HEAD, TR_PART_LEFT_ANKLE,
                                    TR_PART_RIGHT_ANKLE};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tr_part part = parts[i];
        int toe = part >= TR_PART_LEFT_ANKLE ? joint[part + 2] : -1;
        double heading = ahead;
        if (toe >= 0) {
            tr_vec3 foot = mean_bone(clip, joint[part], toe, first, last);
            heading = tr_atan2(foot.y, foot.x);
        }
        if (joint[part] >= 0)
            skeleton->calibration[part] =
                tr_quat_mul(tr_quat_conj(mean_rotation(clip, joint[part], first, last)),
                            tr_quat_from_heading(heading));
    }
    return TR_OK;
}
