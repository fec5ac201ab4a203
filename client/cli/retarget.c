/* Limbs of a rig point where the character's do; trunk, head and feet turn as its bodies. The hips are
 * placed by the lengths of the legs. */
#include "cli/rig.h"

#include "proto/bvh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bodies whose places the rules below need. */
typedef enum place { PELVIS, LTHIGH, LSHANK, LFOOT, RTHIGH, RSHANK, RFOOT, PLACES } place;
static const char *const place_names[PLACES] = {"pelvis", "lthigh", "lshank", "lfoot",
                                                "rthigh", "rshank", "rfoot"};

/* body, bone: of each place. rest: of the bodies from the root's, w, x, y, z, and at: their places. axes:
 * from Troupe's to the rig's. scale: of lengths. hips: of the rig's pelvis from the middle of its hip joints,
 * as bound; joints: of that middle from the body's pelvis, in its frame. alignment: [bone_count], what
 * turns the bone, as bound, to where its body points at rest. order: [bone_count], parents first */
typedef struct retargeter {
    const tr_bone_rig *rig;
    const tr_recorded_motion *motion;
    int body[PLACES], bone[PLACES], *order;
    double axes[4], scale, hips[3], joints[3];
    double (*rest)[4], (*at)[3], (*alignment)[4], (*world)[4];
} retargeter;

/* --- vectors and rotations --- */

static void subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static void middle(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = 0.5 * (a[k] + b[k]);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static void unit(double v[3]) {
    double length = fmax(sqrt(dot(v, v)), 1e-12);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static double distance(const double a[3], const double b[3]) {
    double d[3];
    subtract(a, b, d);
    return sqrt(dot(d, d));
}

static void invert(const double q[4], double out[4]) {
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    memcpy(out, back, sizeof back);
}

/* a q a^-1: the rotation q in other axes. */
static void conjugate(const double a[4], const double q[4], double out[4]) {
    double back[4];
    invert(a, back);
    tr_bvh_multiply(a, q, out);
    tr_bvh_multiply(out, back, out);
}

/* The nearest axis, if it is within 12 degrees. */
static void snap(double v[3]) {
    unit(v);
    for (int k = 0; k < 3; k++)
        if (fabs(v[k]) > 0.978) {
            double sign = copysign(1, v[k]);
            v[0] = v[1] = v[2] = 0;
            v[k] = sign;
            return;
        }
}

/* The shortest turn from one unit vector to another. */
static void arc(const double a[3], const double b[3], double out[4]) {
    out[0] = 1 + dot(a, b);
    cross(a, b, out + 1);
    if (out[0] < 1e-9) { /* opposite: about any axis at a right angle */
        const double aside[3] = {fabs(a[1]) < 0.9 ? 0 : 1, fabs(a[1]) < 0.9 ? 1 : 0, 0};
        cross(a, aside, out + 1);
        out[0] = 0;
    }
    double length = sqrt(out[0] * out[0] + dot(out + 1, out + 1));
    for (int k = 0; k < 4; k++)
        out[k] /= length;
}

/* By the largest of the four terms (Shepperd 1978). */
void tr_bone_rig_rotation(const double x[3], const double y[3], const double z[3], double out[4]) {
    const double trace = x[0] + y[1] + z[2], terms[4] = {trace, x[0], y[1], z[2]};
    const double q[4][4] = {{1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                            {y[2] - z[1], 1 + 2 * x[0] - trace, x[1] + y[0], z[0] + x[2]},
                            {z[0] - x[2], x[1] + y[0], 1 + 2 * y[1] - trace, y[2] + z[1]},
                            {x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 + 2 * z[2] - trace}};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        largest = terms[k] > terms[largest] ? k : largest;
    double length = sqrt(q[largest][0] * q[largest][0] + dot(q[largest] + 1, q[largest] + 1));
    for (int k = 0; k < 4; k++)
        out[k] = q[largest][k] / length;
}

/* --- the rig and the model at rest --- */

static const double *bound(const retargeter *r, place p) {
    return r->rig->bone[r->bone[p]].pos;
}

static const double *placed(const retargeter *r, place p) {
    return r->at[r->body[p]];
}

static double leg(const retargeter *r, const double *(*where)(const retargeter *, place)) {
    return distance(where(r, LTHIGH), where(r, LSHANK)) +
           distance(where(r, LSHANK), where(r, LFOOT)) +
           distance(where(r, RTHIGH), where(r, RSHANK)) +
           distance(where(r, RSHANK), where(r, RFOOT));
}

static void find_rest(retargeter *r) {
    for (int i = 0; i < r->motion->body_count; i++) {
        const tr_client_body *body = &r->motion->body[i];
        memcpy(r->rest[i], body->rot, sizeof r->rest[i]);
        if (body->parent < 0)
            continue;
        tr_bvh_rotate(r->rest[body->parent], body->pos, r->at[i]);
        for (int k = 0; k < 3; k++)
            r->at[i][k] += r->at[body->parent][k];
        tr_bvh_multiply(r->rest[body->parent], body->rot, r->rest[i]);
    }
}

/* Left from hip to hip, up from the ankles to the hips, along axes where they nearly are. Returns how far
 * up the hips are. */
static double find_axes(retargeter *r) {
    double left[3], feet[3], hips[3], up[3], ahead[3];
    subtract(bound(r, LTHIGH), bound(r, RTHIGH), left);
    middle(bound(r, LFOOT), bound(r, RFOOT), feet);
    middle(bound(r, LTHIGH), bound(r, RTHIGH), hips);
    subtract(hips, feet, up);
    double height = sqrt(dot(up, up));
    snap(left);
    snap(up);
    double along = dot(left, up);
    for (int k = 0; k < 3; k++)
        left[k] -= along * up[k];
    unit(left);
    cross(left, up, ahead);
    tr_bone_rig_rotation(ahead, left, up, r->axes);
    return height;
}

/* The body at the far end of a limb; NULL: the body is not of a limb. Hands follow forearms. */
static const char *end_of(const char *body) {
    static const struct {
        const char *from, *to;
    } ends[] = {{"uarm", "larm"},
                {"larm", "hand"},
                {"hand", "hand"},
                {"thigh", "shank"},
                {"shank", "foot"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (body[0] && strcmp(body + 1, ends[i].from) == 0)
            return ends[i].to;
    return NULL;
}

/* The bone of the body SIDE + word, or -1; out_body: the body. */
static int bone_of(const retargeter *r, char side, const char *word, int *out_body) {
    for (int b = 0; b < r->rig->count; b++) {
        int body = r->rig->bone[b].body;
        const char *name = body < 0 ? "" : r->motion->body[body].name;
        if (name[0] != side || strcmp(name + 1, word) != 0)
            continue;
        *out_body = body;
        return b;
    }
    return -1;
}

static void align(retargeter *r, int bone) {
    const char *name = r->motion->body[r->rig->bone[bone].body].name, *to = end_of(name);
    double *out = r->alignment[bone], as_bound[3], at_rest[3], back[4];
    int from_body = -1, to_body = -1;
    out[0] = 1;
    if (!to)
        return;
    bool hand = strcmp(to, "hand") == 0;
    int from = bone_of(r, name[0], hand ? "larm" : name + 1, &from_body);
    int end = bone_of(r, name[0], to, &to_body);
    if (from < 0 || end < 0)
        return;
    subtract(r->rig->bone[end].pos, r->rig->bone[from].pos, as_bound);
    invert(r->axes, back);
    tr_bvh_rotate(back, as_bound, as_bound);
    subtract(r->at[to_body], r->at[from_body], at_rest);
    unit(as_bound);
    unit(at_rest);
    arc(as_bound, at_rest, out);
}

/* Parents first: as often as there are levels, all whose parent is listed. */
static void order_bones(retargeter *r) {
    int listed = 0;
    for (int begun = -1; begun < listed;) {
        begun = listed;
        for (int b = 0; b < r->rig->count; b++) {
            int parent = r->rig->bone[b].parent;
            /* A world without length is one that is not listed yet. */
            if (r->world[b][0] != 0 || (parent >= 0 && r->world[parent][0] == 0))
                continue;
            r->world[b][0] = 1;
            r->order[listed++] = b;
        }
    }
}

static bool prepare(retargeter *r) {
    double back[4], hip_joints[3];
    for (int p = 0; p < PLACES; p++)
        for (int b = 0; b < r->rig->count; b++) {
            int body = r->rig->bone[b].body;
            if (body < 0 || strcmp(r->motion->body[body].name, place_names[p]) != 0)
                continue;
            r->body[p] = body;
            r->bone[p] = b;
        }
    find_rest(r);
    double height = find_axes(r);
    r->scale = leg(r, bound) / leg(r, placed);
    middle(bound(r, LTHIGH), bound(r, RTHIGH), hip_joints);
    subtract(bound(r, PELVIS), hip_joints, r->hips);
    middle(placed(r, LTHIGH), placed(r, RTHIGH), hip_joints);
    subtract(hip_joints, placed(r, PELVIS), hip_joints);
    invert(r->rest[r->body[PELVIS]], back);
    tr_bvh_rotate(back, hip_joints, r->joints);
    for (int b = 0; b < r->rig->count; b++)
        if (r->rig->bone[b].body >= 0)
            align(r, b);
    order_bones(r);
    /* Of a pose that does not stand, nothing says where up is. */
    return height > 0.4 * leg(r, bound);
}

/* --- a frame --- */

/* How far a body has turned from rest, in the rig's axes; then: what comes first, in Troupe's axes. */
static void turn_of(const retargeter *r, int frame, int body, const double *then, double out[4]) {
    double back[4];
    tr_recorded_motion_turn(r->motion, frame, body, out);
    invert(r->rest[body], back);
    tr_bvh_multiply(out, back, out);
    if (then)
        tr_bvh_multiply(out, then, out);
    conjugate(r->axes, out, out);
}

static void turn_bones(const retargeter *r, int frame, float (*out)[4]) {
    for (int i = 0; i < r->rig->count; i++) {
        const int b = r->order[i];
        const tr_rig_bone *bone = &r->rig->bone[b];
        const double none[4] = {1};
        const double *parent = bone->parent < 0 ? none : r->world[bone->parent];
        double local[4], back[4];
        invert(bone->body >= 0    ? parent
               : bone->parent < 0 ? none
                                  : r->rig->bone[bone->parent].rot,
               back);
        memcpy(local, bone->rot, sizeof local);
        if (bone->body >= 0) {
            turn_of(r, frame, bone->body, r->alignment[b], local);
            tr_bvh_multiply(local, bone->rot, local);
        }
        tr_bvh_multiply(back, local, local);
        tr_bvh_multiply(parent, local, r->world[b]);
        for (int k = 0; k < 4; k++)
            out[b][k] = (float)local[k];
    }
}

/* The pelvis of the rig, in its parent, which stays as it is bound. */
static void place_root(const retargeter *r, int frame, float out[3]) {
    const int body = r->body[PELVIS];
    const tr_rig_bone *bone = &r->rig->bone[r->bone[PELVIS]];
    double own[4], turned[4], joints[3], hips[3], back[4];
    tr_recorded_motion_turn(r->motion, frame, body, own);
    tr_bvh_rotate(own, r->joints, joints);
    for (int k = 0; k < 3; k++)
        joints[k] = r->scale * (joints[k] + (double)r->motion->pos[3 * (size_t)frame + (size_t)k]);
    tr_bvh_rotate(r->axes, joints, joints);
    turn_of(r, frame, body, NULL, turned);
    tr_bvh_rotate(turned, r->hips, hips);
    for (int k = 0; k < 3; k++)
        hips[k] += joints[k];
    if (bone->parent >= 0) {
        const tr_rig_bone *parent = &r->rig->bone[bone->parent];
        subtract(hips, parent->pos, hips);
        invert(parent->rot, back);
        tr_bvh_rotate(back, hips, hips);
        for (int k = 0; k < 3; k++)
            hips[k] /= parent->scale;
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)hips[k];
}

/* --- all --- */

bool tr_bone_motion_init(tr_bone_motion *motion, int bone_count, int frame_count) {
    const size_t frames = (size_t)frame_count + 1;
    *motion = (tr_bone_motion){.bone_count = bone_count,
                               .frame_count = frame_count,
                               .rot = calloc(frames * (size_t)bone_count, sizeof *motion->rot),
                               .pos = calloc(frames, sizeof *motion->pos)};
    return motion->rot && motion->pos;
}

void tr_bone_motion_deinit(tr_bone_motion *motion) {
    free(motion->rot);
    free(motion->pos);
}

tr_status tr_bone_rig_retarget(const tr_bone_rig *rig, const tr_recorded_motion *motion,
                               tr_bone_motion *out, tr_error *error) {
    const size_t bodies = (size_t)motion->body_count, bones = (size_t)rig->count;
    retargeter r = {.rig = rig,
                    .motion = motion,
                    .order = calloc(bones, sizeof *r.order),
                    .rest = calloc(bodies, sizeof *r.rest),
                    .at = calloc(bodies, sizeof *r.at),
                    .alignment = calloc(bones, sizeof *r.alignment),
                    .world = calloc(bones, sizeof *r.world)};
    tr_status status = TR_OK;
    if (!tr_bone_motion_init(out, rig->count, motion->frame_count) || !r.order || !r.rest ||
        !r.at || !r.alignment || !r.world)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    else if (!prepare(&r))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "--rig: its bound pose does not stand: expected hips above the ankles");
    out->root = r.bone[PELVIS];
    for (int f = 0; !status && f < motion->frame_count; f++) {
        turn_bones(&r, f, out->rot + (size_t)f * bones);
        place_root(&r, f, out->pos[f]);
    }
    free(r.order);
    free(r.rest);
    free(r.at);
    free(r.alignment);
    free(r.world);
    return status;
}
