#include "motion/body/flesh.h"

#include "math/elementary.h"
#include "math/quantile.h"

#include <math.h>
#include <stdlib.h>

/* The segment that a part's joint begins. */
static tr_segment begun_by(int part) {
    static const tr_segment single[] = {TR_SEGMENT_PELVIS, TR_SEGMENT_PELVIS, TR_SEGMENT_HEAD};
    static const tr_segment paired[] = {TR_SEGMENT_UPPER_ARM, TR_SEGMENT_FOREARM, TR_SEGMENT_HAND,
                                        TR_SEGMENT_THIGH,     TR_SEGMENT_SHANK,   TR_SEGMENT_FOOT,
                                        TR_SEGMENT_TOE};
    int pair = (part - TR_PART_LEFT_SHOULDER) / 2;
    return part < TR_PART_LEFT_SHOULDER ? single[part] : paired[pair];
}

typedef struct sorter {
    const tr_landmarks *marks;
    double waist_z, chest_z;
    int part[TR_CLIP_JOINT_MAX]; /* by joint: of it or above it; -1: outside the body */
    tr_quat turn[TR_PART_COUNT]; /* from the landmarks' frame to the hanging segment's */
    double *value[3], *weight;   /* [skin count], of the segment that is measured */
} sorter;

/* ---- Which part moves a joint ---- */

/* ---- Into the segment's frame ---- */

/* The shortest turn from a bone to straight down. */
static tr_quat hang(tr_vec3 bone) {
    tr_vec3 d = tr_vec3_normalize_or(bone, tr_vec3_make(0, 0, -1));
    if (d.z > 1 - 1e-9) /* upwards: about the axis to the left */
        return (tr_quat){0, 0, 1, 0};
    return tr_quat_between(d, tr_vec3_make(0, 0, -1));
}

static void find_turns(sorter *s) {
    const tr_landmarks *m = s->marks;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        s->turn[part] = tr_quat_identity();
        if (part >= TR_PART_LEFT_ANKLE) { /* feet stay flat and turn ahead */
            int ankle = TR_PART_LEFT_ANKLE + (part - TR_PART_LEFT_ANKLE) % 2;
            tr_vec3 foot = tr_vec3_sub(m->pos[ankle + 2], m->pos[ankle]);
            if (m->has[ankle + 2] && hypot(foot.x, foot.y) > 0)
                s->turn[part] = tr_quat_from_heading(-tr_atan2(foot.y, foot.x));
        } else if (part >= TR_PART_LEFT_SHOULDER) { /* a hand hangs as its forearm does */
            int from = begun_by(part) == TR_SEGMENT_HAND ? part - 2 : part;
            s->turn[part] = hang(tr_vec3_sub(m->pos[from + 2], m->pos[from]));
        }
    }
}

/* The trunk is cut at heights, whatever the number of its bones. */
static tr_segment segment_of(const sorter *s, int part, tr_vec3 p) {
    tr_segment begun = begun_by(part);
    return begun != TR_SEGMENT_PELVIS ? begun
           : p.z < s->waist_z         ? TR_SEGMENT_PELVIS
           : p.z < s->chest_z         ? TR_SEGMENT_WAIST
                                      : TR_SEGMENT_CHEST;
}

static tr_vec3 into_segment(const sorter *s, int part, tr_vec3 p) {
    int from = part >= TR_PART_LEFT_TOE ? part - 2 : part;
    if (begun_by(part) == TR_SEGMENT_PELVIS)
        return p;
    p = tr_quat_rotate(s->turn[part], tr_vec3_sub(p, s->marks->pos[from]));
    bool right = part >= TR_PART_LEFT_SHOULDER && (part - TR_PART_LEFT_SHOULDER) % 2;
    return right ? tr_vec3_mirror(p) : p;
}

/* ---- Measures ---- */

static int gather(sorter *s, const tr_skin *skin, tr_segment segment) {
    int count = 0;
    for (int i = 0; i < skin->count; i++) {
        int part = s->part[skin->joint[i]];
        tr_vec3 p = tr_landmarks_place(s->marks, skin->pos[i]);
        if (part < 0 || segment_of(s, part, p) != segment)
            continue;
        p = into_segment(s, part, p);
        s->value[0][count] = p.x;
        s->value[1][count] = p.y;
        s->value[2][count] = p.z;
        s->weight[count++] = skin->area[i] * s->marks->unit_m * s->marks->unit_m;
    }
    return count;
}

static double mean_of(const double *value, const double *weight, int count, double power_about,
                      int power) {
    double sum = 0, total = 0;
    for (int i = 0; i < count; i++) {
        double d = value[i] - power_about;
        sum += weight[i] * (power == 2 ? d * d : d);
        total += weight[i];
    }
    return total > 0 ? sum / total : 0;
}

static tr_flesh measure(sorter *s, int count) {
    tr_flesh f = {.count = count};
    double mean[3], across[3], low[3], high[3];
    for (int k = 0; k < 3 && count > 0; k++) {
        mean[k] = mean_of(s->value[k], s->weight, count, 0, 1);
        across[k] = mean_of(s->value[k], s->weight, count, mean[k], 2);
    }
    for (int i = 0; i < count; i++)
        f.weight += s->weight[i];
    for (int k = 0; k < 3 && count > 0; k++) { /* sorts the values */
        low[k] = tr_quantile(s->value[k], count, 0.02);
        high[k] = tr_quantile(s->value[k], count, 0.98);
    }
    if (count > 0) {
        f.mean = tr_vec3_make(mean[0], mean[1], mean[2]);
        f.across = tr_vec3_make(across[0], across[1], across[2]);
        f.low = tr_vec3_make(low[0], low[1], low[2]);
        f.high = tr_vec3_make(high[0], high[1], high[2]);
    }
    return f;
}

tr_status tr_flesh_measure(const tr_clip *clip, const tr_skeleton *map, const tr_skin *skin,
                           const tr_landmarks *marks, double waist_z, double chest_z,
                           tr_flesh out[static TR_SEGMENT_COUNT], tr_error *error) {
    sorter *s = calloc(1, sizeof *s);
    double *room = calloc(4 * ((size_t)skin->count + 1), sizeof *room);
    tr_status status = TR_OK;
    if (s && room) {
        *s = (sorter){.marks = marks, .waist_z = waist_z, .chest_z = chest_z};
        for (int k = 0; k < 3; k++)
            s->value[k] = room + (size_t)k * (size_t)(skin->count + 1);
        s->weight = room + 3 * (size_t)(skin->count + 1);
        tr_part_joints joints = tr_skeleton_joints(map, clip);
        for (int i = 0; i < clip->joint_count; i++) {
            s->part[i] = clip->joints[i].parent < 0 ? -1 : s->part[clip->joints[i].parent];
            for (int part = 0; part < TR_PART_COUNT; part++)
                if (joints.of[part] == i)
                    s->part[i] = part;
        }
        find_turns(s);
        for (int segment = 0; segment < TR_SEGMENT_COUNT; segment++)
            out[segment] = measure(s, gather(s, skin, (tr_segment)segment));
    } else
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    free(room);
    free(s);
    return status;
}
