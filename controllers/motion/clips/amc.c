/* Acclaim motion (AMC): for each frame its number, then a line per bone with the values of its
 * degrees of freedom.
 *
 * A bone's local rotation is C M C^-1, with C the axis frame of the skeleton and M the product of
 * its turns, the first turning first. Bones become joints at their begin: the offset of a joint is
 * the parent bone's direction times length. The bones that move are those of the first frame; every
 * other frame must have the same. */
#include "math/hash.h"
#include "motion/clips/asf.h"
#include "motion/clips/loader.h"
#include "motion/scan/scan.h"
#include "proto/option.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { RATE_HZ = 120, PATH_SIZE = 1024 };

typedef struct amc {
    tr_scan scan;
    tr_clip *clip;
    bool degrees;
    double rate_hz;                    /* 0: not stated */
    int announced;                     /* frames by :FRAME-RANGE; 0: not stated */
    int bone_joint[TR_CLIP_JOINT_MAX]; /* joint of the clip by bone */
    int joint_bone[TR_CLIP_JOINT_MAX]; /* and back; -1 for ends */
    int column[TR_CLIP_JOINT_MAX];     /* first value of a bone in a row */
    bool moves[TR_CLIP_JOINT_MAX];     /* bones with a line in the first frame */
    int row_size;
    double *rows; /* [frame_count][row_size] */
    int frame_count, capacity;
    unsigned seen; /* keywords */
    tr_asf asf;
} amc;

/* ---- The skeleton as joints ---- */

static bool add_bone(amc *a, int bone) {
    const tr_asf_bone *b = &a->asf.bones[bone];
    int parent = b->parent < 0 ? -1 : a->bone_joint[b->parent];
    int joint = tr_clip_add_joint(a->clip, b->name, parent);
    if (joint < 0)
        return false;
    a->bone_joint[bone] = joint;
    a->joint_bone[joint] = bone;
    if (b->parent > 0) {
        const tr_asf_bone *p = &a->asf.bones[b->parent];
        a->clip->joints[joint].offset = tr_vec3_scale(p->direction, p->length);
    }
    char *order = a->clip->joints[joint].order;
    for (int i = b->dof_count - 1; i >= 0; i--)
        if (b->dof_turns[i])
            order[strlen(order)] = b->dof_axis[i];
    return true;
}

static bool has_children(const tr_asf *asf, int bone) {
    for (int i = 0; i < asf->bone_count; i++)
        if (asf->bones[i].parent == bone)
            return true;
    return false;
}

/* Joints in an order in which parents come first, an end for every leaf. */
static bool add_bones(amc *a) {
    for (int i = 0; i < a->asf.bone_count; i++)
        a->bone_joint[i] = -1;
    for (int added = -1; added != 0;) {
        added = 0;
        for (int i = 0; i < a->asf.bone_count; i++) {
            int parent = a->asf.bones[i].parent;
            if (a->bone_joint[i] >= 0 || (parent >= 0 && a->bone_joint[parent] < 0))
                continue;
            if (!add_bone(a, i))
                return false;
            added++;
        }
    }
    for (int i = 1; i < a->asf.bone_count; i++) {
        const tr_asf_bone *b = &a->asf.bones[i];
        if (has_children(&a->asf, i))
            continue;
        char name[TR_CLIP_NAME_MAX + 4];
        snprintf(name, sizeof name, "%s_end", b->name);
        int joint = tr_clip_add_joint(a->clip, name, a->bone_joint[i]);
        if (joint < 0)
            return false;
        a->joint_bone[joint] = -1;
        a->clip->joints[joint].is_end = true;
        a->clip->joints[joint].offset = tr_vec3_scale(b->direction, b->length);
    }
    return true;
}

static void number_columns(amc *a) {
    for (int i = 0; i < a->asf.bone_count; i++) {
        a->column[i] = a->row_size;
        a->row_size += a->asf.bones[i].dof_count;
    }
}

/* ---- Frames ---- */

static tr_status next_row(amc *a, double **out) {
    /* The caps of tr_clip_reserve_frames, checked before memory is taken for rows. */
    int joint_count = a->clip->joint_count, by_values = TR_CLIP_VALUE_MAX / joint_count;
    int most = by_values < TR_CLIP_FRAME_MAX ? by_values : TR_CLIP_FRAME_MAX;
    if (a->frame_count == most)
        return tr_scan_fail(&a->scan, "more than %d frames of %d joints", most, joint_count);
    if (a->frame_count == a->capacity) {
        int capacity = a->capacity ? 2 * a->capacity : 256;
        double *rows = realloc(a->rows, (size_t)capacity * (size_t)a->row_size * sizeof *rows);
        if (!rows)
            return tr_fail(a->scan.error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory",
                           a->scan.name);
        a->rows = rows;
        a->capacity = capacity;
    }
    *out = a->rows + (size_t)a->frame_count * (size_t)a->row_size;
    memset(*out, 0, (size_t)a->row_size * sizeof **out);
    a->frame_count++;
    return TR_OK;
}

/* The rest of a bone's line; the token is its name. */
static tr_status read_bone(amc *a, double *row, bool *seen) {
    int bone = tr_asf_find(&a->asf, a->scan.token);
    if (bone < 0)
        return tr_scan_fail(&a->scan, "the skeleton has no bone '%.40s'", a->scan.token);
    const tr_asf_bone *b = &a->asf.bones[bone];
    if (seen[bone])
        return tr_scan_fail(&a->scan, "bone '%s' twice in a frame", b->name);
    seen[bone] = true;
    for (int i = 0; i < b->dof_count; i++) {
        if (!tr_scan_more_on_line(&a->scan))
            return tr_scan_fail(&a->scan, "bone '%s': expected %d values, found %d", b->name,
                                b->dof_count, i);
        tr_status status = tr_scan_number(&a->scan, b->name, &row[a->column[bone] + i]);
        if (status)
            return status;
    }
    if (tr_scan_more_on_line(&a->scan))
        return tr_scan_fail(&a->scan, "bone '%s': more than %d values", b->name, b->dof_count);
    return TR_OK;
}

/* The bones of a frame are complete when they are those of the first frame. */
static tr_status check_frame(amc *a, const bool *seen) {
    if (a->frame_count == 0)
        return TR_OK;
    if (a->frame_count == 1) {
        if (!seen[0])
            return tr_scan_fail(&a->scan, "frame 1: no line of the root");
        memcpy(a->moves, seen, sizeof a->moves);
        return TR_OK;
    }
    for (int i = 0; i < a->asf.bone_count; i++)
        if (seen[i] != a->moves[i])
            return tr_scan_fail(&a->scan, "frame %d: bone '%s' is %s the first frame",
                                a->frame_count, a->asf.bones[i].name,
                                seen[i] ? "missing from" : "missing, but is in");
    return TR_OK;
}

static tr_status read_rate(amc *a) {
    double rate_hz;
    tr_status status = tr_scan_number(&a->scan, ":SAMPLES-PER-SECOND", &rate_hz);
    if (!status && !(rate_hz >= 1 && rate_hz <= 1e4))
        status = tr_scan_fail(&a->scan, ":SAMPLES-PER-SECOND: expected 1 to 10000, found '%.40s'",
                              a->scan.token);
    if (!status)
        a->rate_hz = rate_hz;
    return status;
}

static tr_status read_range(amc *a) {
    static const int64_t range[2] = {-1000000000, 1000000000};
    int64_t first, last;
    tr_status status = tr_scan_integer(&a->scan, ":FRAME-RANGE", range, &first);
    if (!status)
        status = tr_scan_integer(&a->scan, ":FRAME-RANGE", range, &last);
    if (!status && last >= first && last - first < TR_CLIP_FRAME_MAX)
        a->announced = (int)(last - first + 1);
    return status;
}

static tr_status read_keyword(amc *a) {
    if (a->frame_count)
        return tr_scan_fail(&a->scan, "'%.40s' after the first frame: expected it before",
                            a->scan.token);
    static const char *const single[] = {
        ":SAMPLES-PER-SECOND", ":FRAME-RANGE", ":ASF-FILE", ":DEGREES", ":RADIANS", NULL};
    tr_status status = tr_scan_once(&a->scan, single, &a->seen);
    if (status)
        return status;
    if (tr_scan_is(&a->scan, ":SAMPLES-PER-SECOND"))
        return read_rate(a);
    if (tr_scan_is(&a->scan, ":FRAME-RANGE"))
        return read_range(a);
    if (tr_scan_is(&a->scan, ":ASF-FILE")) /* find_asf has read it */
        (void)tr_scan_rest(&a->scan, '\0');
    else if (tr_scan_is(&a->scan, ":DEGREES"))
        a->degrees = true;
    else if (tr_scan_is(&a->scan, ":RADIANS"))
        a->degrees = false;
    else if (!tr_scan_is(&a->scan, ":FULLY-SPECIFIED"))
        return tr_scan_fail(&a->scan,
                            "expected :FULLY-SPECIFIED, :DEGREES, :RADIANS, :SAMPLES-PER-SECOND, "
                            ":FRAME-RANGE or :ASF-FILE, found '%.40s'",
                            a->scan.token);
    return TR_OK;
}

/* Frame numbers may begin anywhere and then increase by one. */
static tr_status begin_frame(amc *a, double number, int64_t *first, double **row) {
    if (a->frame_count == 0)
        *first = (int64_t)number;
    if (number != (double)(*first + a->frame_count))
        return tr_scan_fail(&a->scan, "expected frame %lld, found '%.40s'",
                            (long long)*first + a->frame_count, a->scan.token);
    return next_row(a, row);
}

static tr_status read_rows(amc *a) {
    bool seen[TR_CLIP_JOINT_MAX] = {false};
    double *row = NULL, number;
    int64_t first = 0;
    tr_status status = TR_OK;
    while (!status && tr_scan_next(&a->scan)) {
        if (a->scan.token[0] == '#')
            while (tr_scan_more_on_line(&a->scan))
                tr_scan_next(&a->scan);
        else if (a->scan.token[0] == ':')
            status = read_keyword(a);
        else if (tr_option_real(a->scan.token, &number)) {
            if (number < 0 || number > 1e9)
                return tr_scan_fail(&a->scan, "expected a frame number, found '%.40s'",
                                    a->scan.token);
            status = check_frame(a, seen);
            memset(seen, 0, sizeof seen);
            if (!status)
                status = begin_frame(a, number, &first, &row);
        } else if (!row)
            status =
                tr_scan_fail(&a->scan, "expected a frame number, found '%.40s'", a->scan.token);
        else
            status = read_bone(a, row, seen);
    }
    if (!status)
        status = check_frame(a, seen);
    if (!status && a->frame_count == 0)
        status = tr_scan_fail(&a->scan, "expected frames");
    return status;
}

static void place_frame(amc *a, int frame) {
    const double *row = a->rows + (size_t)frame * (size_t)a->row_size;
    double factor = a->degrees ? TR_PI / 180 : 1;
    for (int joint = 0; joint < a->clip->joint_count; joint++) {
        tr_vec3 pos = a->clip->joints[joint].offset;
        tr_quat turn = tr_quat_identity();
        int bone = a->joint_bone[joint];
        if (bone >= 0) {
            const tr_asf_bone *b = &a->asf.bones[bone];
            for (int i = 0; i < b->dof_count; i++) {
                double value = row[a->column[bone] + i];
                char axis = b->dof_axis[i];
                if (b->dof_turns[i])
                    turn = tr_quat_mul(tr_clip_axis_turn(axis, value * factor), turn);
                else
                    *(axis == 'X' ? &pos.x : axis == 'Y' ? &pos.y : &pos.z) += value;
            }
            turn = tr_quat_mul(tr_quat_mul(b->axis, turn), tr_quat_conj(b->axis));
        }
        tr_clip_place_joint(a->clip, frame, joint, pos, turn);
    }
}

/* ---- Which skeleton belongs to a motion ---- */

static size_t shared_prefix(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* How well an .asf fits: by the file name up to '_' or '.' (the subject), and by the word after
 * '-', if both have one. */
static int asf_score(const char *amc_name, const char *asf_name) {
    size_t subject = strcspn(amc_name, "_-.");
    if (strncmp(amc_name, asf_name, subject) != 0)
        return 0;
    const char *amc_word = strchr(amc_name, '-'), *asf_word = strchr(asf_name, '-');
    int score = 1 + (int)(2 * shared_prefix(amc_name, asf_name));
    if (!amc_word == !asf_word)
        score += 100;
    if (amc_word && asf_word)
        score += (int)shared_prefix(amc_word, asf_word);
    return score;
}

static void folder_of(const char *path, char out[PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    snprintf(out, PATH_SIZE, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}

/* The file that the header names by :ASF-FILE, beside the motion: its folder was another machine's. */
static bool find_named_asf(const tr_scan *scan, char out[PATH_SIZE]) {
    char folder[PATH_SIZE];
    tr_scan header = *scan;
    folder_of(scan->name, folder);
    while (tr_scan_next(&header) && !isdigit((unsigned char)header.token[0])) {
        if (!tr_scan_is(&header, ":ASF-FILE") || !tr_scan_rest(&header, '\0'))
            continue;
        const char *name = header.token + strlen(header.token);
        while (name > header.token && name[-1] != '/' && name[-1] != '\\')
            name--;
        snprintf(out, PATH_SIZE, "%.700s/%.255s", folder, name);
        return access(out, R_OK) == 0;
    }
    return false;
}

static tr_status find_asf(const tr_scan *scan, char out[PATH_SIZE], tr_error *error) {
    const char *amc_path = scan->name, *slash = strrchr(amc_path, '/');
    const char *name = slash ? slash + 1 : amc_path;
    char folder[PATH_SIZE];
    if (find_named_asf(scan, out))
        return TR_OK;
    folder_of(amc_path, folder);
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort), best = 0;
    for (int i = 0; i < count; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        int score = dot && strcasecmp(dot, ".asf") == 0 ? asf_score(name, entries[i]->d_name) : 0;
        if (score > best) {
            best = score;
            snprintf(out, PATH_SIZE, "%.700s/%.255s", folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    if (best > 0)
        return TR_OK;
    return tr_fail(error, TR_NOT_FOUND,
                   "%.200s: no skeleton (.asf) in its folder whose name begins with the same "
                   "letters; give one with --asf FILE",
                   amc_path);
}

/* ---- The whole file ---- */

static tr_status build(amc *a, const char *asf_path, tr_error *error) {
    tr_status status = tr_asf_read(asf_path, &a->asf, error);
    if (status)
        return status;
    if (!add_bones(a))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: more than %d joints", asf_path,
                       TR_CLIP_JOINT_MAX);
    number_columns(a);
    a->degrees = a->asf.degrees;
    status = read_rows(a);
    if (!status)
        status = tr_clip_reserve_frames(a->clip, a->frame_count, a->scan.name, error);
    for (int i = 0; !status && i < a->frame_count; i++)
        place_frame(a, i);
    a->clip->dt_s = 1.0 / (a->rate_hz > 0 ? a->rate_hz : RATE_HZ);
    a->clip->found.rate_assumed = !(a->rate_hz > 0);
    a->clip->found.announced_frames = a->announced;
    a->clip->found.unit_m = a->asf.unit_m;
    a->clip->found.unit_given = true;
    a->clip->hash = tr_hash_add(a->asf.hash, a->scan.text, a->scan.size);
    return status;
}

tr_status tr_amc_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                      tr_error *error) {
    char found[PATH_SIZE];
    amc *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory", path);
    a->clip = clip;
    tr_status status = tr_scan_open(&a->scan, path, TR_CLIP_FILE_MAX, error);
    if (!status && !options->asf_path)
        status = find_asf(&a->scan, found, error);
    if (!status)
        status = build(a, options->asf_path ? options->asf_path : found, error);
    tr_scan_close(&a->scan);
    free(a->rows);
    free(a);
    return status;
}
