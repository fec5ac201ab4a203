/* Limbs of a rig point where the character's do; trunk, head and feet turn as its bodies. The hips are
 * placed by the lengths of the legs. */
#include "cli/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bodies whose places the rules below need. */
typedef enum place { PELVIS, LTHIGH, LSHANK, LFOOT, RTHIGH, RSHANK, RFOOT, PLACES } place;
static const char *const place_names[PLACES] = {"pelvis", "lthigh", "lshank", "lfoot",
                                                "rthigh", "rshank", "rfoot"};

/* body, bone: of each place. axes: from Troupe's to the rig's. scale: of lengths. hips: of the rig's pelvis
 * from the middle of its hip joints, as bound; joints: of that middle from the joint of the body's pelvis, in
 * its frame. alignment: [bone_count], what turns the bone, as bound, to where its body points at rest.
 * order: [bone_count], parents first */
typedef struct retargeter {
    const tr_bone_rig *rig;
    const tr_recorded_motion *motion;
    int body[PLACES], bone[PLACES], *order;
    tr_quat axes, *alignment, *world;
    tr_vec3 hips, joints;
    double scale;
} retargeter;

/* --- the rig and the model at rest --- */

/* Of a bone or a body. */
typedef tr_vec3 whereabouts(const retargeter *r, place p);

static tr_vec3 bound(const retargeter *r, place p) {
    return r->rig->bone[r->bone[p]].pos;
}

static tr_vec3 at_rest(const retargeter *r, place p) {
    return r->motion->rest[r->body[p]].pos;
}

static double leg(const retargeter *r, whereabouts *of) {
    return tr_vec3_distance(of(r, LTHIGH), of(r, LSHANK)) +
           tr_vec3_distance(of(r, LSHANK), of(r, LFOOT)) +
           tr_vec3_distance(of(r, RTHIGH), of(r, RSHANK)) +
           tr_vec3_distance(of(r, RSHANK), of(r, RFOOT));
}

static tr_vec3 middle(const retargeter *r, whereabouts *of, place left, place right) {
    return tr_vec3_lerp(of(r, left), of(r, right), 0.5);
}

/* The nearest axis, if it is within 12 degrees. */
static tr_vec3 snap(tr_vec3 v) {
    v = tr_vec3_normalize_or(v, v);
    const tr_vec3 axis = {round(v.x), round(v.y), round(v.z)};
    return tr_vec3_distance(v, axis) < 2 * sin(TR_PI / 30) ? axis : v;
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

static tr_quat align(const retargeter *r, int bone) {
    const char *name = r->motion->body[r->rig->bone[bone].body].name, *to = end_of(name);
    int from_body = -1, to_body = -1;
    if (!to)
        return tr_quat_identity();
    bool hand = strcmp(to, "hand") == 0;
    int from = bone_of(r, name[0], hand ? "larm" : name + 1, &from_body);
    int end = bone_of(r, name[0], to, &to_body);
    if (from < 0 || end < 0)
        return tr_quat_identity();
    tr_vec3 as_bound =
        tr_quat_rotate_inverse(r->axes, tr_vec3_sub(r->rig->bone[end].pos, r->rig->bone[from].pos));
    tr_vec3 rests = tr_vec3_sub(r->motion->rest[to_body].pos, r->motion->rest[from_body].pos);
    return tr_quat_between(tr_vec3_normalize_or(as_bound, as_bound),
                           tr_vec3_normalize_or(rests, rests));
}

/* Parents first: as often as there are levels, all whose parent is listed. */
static void order_bones(retargeter *r) {
    int listed = 0;
    for (int begun = -1; begun < listed;) {
        begun = listed;
        for (int b = 0; b < r->rig->count; b++) {
            int parent = r->rig->bone[b].parent;
            /* A world without length is one that is not listed yet. */
            if (r->world[b].w != 0 || (parent >= 0 && r->world[parent].w == 0))
                continue;
            r->world[b].w = 1;
            r->order[listed++] = b;
        }
    }
}

static bool prepare(retargeter *r) {
    for (int p = 0; p < PLACES; p++)
        for (int b = 0; b < r->rig->count; b++) {
            int body = r->rig->bone[b].body;
            if (body < 0 || strcmp(r->motion->body[body].name, place_names[p]) != 0)
                continue;
            r->body[p] = body;
            r->bone[p] = b;
        }
    /* Left from hip to hip, up from the ankles to the hips, along axes where they nearly are. */
    tr_vec3 up = tr_vec3_sub(middle(r, bound, LTHIGH, RTHIGH), middle(r, bound, LFOOT, RFOOT));
    tr_vec3 left = snap(tr_vec3_sub(bound(r, LTHIGH), bound(r, RTHIGH)));
    const double height = tr_vec3_length(up);
    up = snap(up);
    left = tr_vec3_add_scaled(left, -tr_vec3_dot(left, up), up);
    left = tr_vec3_normalize_or(left, left);
    const tr_mat3 axes = tr_mat3_from_columns(tr_vec3_cross(left, up), left, up);
    r->axes = tr_quat_from_mat3(&axes);
    const tr_rest_body *pelvis = &r->motion->rest[r->body[PELVIS]];
    r->scale = leg(r, bound) / leg(r, at_rest);
    r->hips = tr_vec3_sub(bound(r, PELVIS), middle(r, bound, LTHIGH, RTHIGH));
    r->joints = tr_quat_rotate_inverse(
        pelvis->rot, tr_vec3_sub(middle(r, at_rest, LTHIGH, RTHIGH), pelvis->joint));
    for (int b = 0; b < r->rig->count; b++)
        if (r->rig->bone[b].body >= 0)
            r->alignment[b] = align(r, b);
    order_bones(r);
    /* Of a pose that does not stand, nothing says where up is. */
    return height > 0.4 * leg(r, bound);
}

/* --- a frame --- */

/* How far a body has turned from rest, in the rig's axes; then: what comes first, in Troupe's axes. */
static tr_quat turn_of(const retargeter *r, int frame, int body, tr_quat then) {
    const tr_quat turned = tr_quat_mul(tr_recorded_motion_turned(r->motion, frame, body), then);
    return tr_quat_mul(tr_quat_mul(r->axes, turned), tr_quat_conj(r->axes));
}

static void turn_bones(const retargeter *r, int frame, tr_quat *out) {
    for (int i = 0; i < r->rig->count; i++) {
        const int b = r->order[i];
        const tr_rig_bone *bone = &r->rig->bone[b];
        tr_quat parent = tr_quat_identity(), as_bound = parent, turned = bone->rot;
        if (bone->parent >= 0) {
            parent = r->world[bone->parent];
            as_bound = r->rig->bone[bone->parent].rot;
        }
        if (bone->body >= 0) {
            turned = tr_quat_mul(turn_of(r, frame, bone->body, r->alignment[b]), bone->rot);
            as_bound = parent;
        }
        out[b] = tr_quat_mul(tr_quat_conj(as_bound), turned);
        r->world[b] = tr_quat_mul(parent, out[b]);
    }
}

/* The pelvis of the rig, in its parent, which stays as it is bound. */
static tr_vec3 place_root(const retargeter *r, int frame) {
    const int body = r->body[PELVIS];
    const tr_rig_bone *bone = &r->rig->bone[r->bone[PELVIS]];
    const tr_quat own = tr_recorded_motion_turn(r->motion, frame, body);
    const tr_vec3 joints =
        tr_vec3_add(tr_quat_rotate(own, r->joints), tr_recorded_motion_place(r->motion, frame));
    const tr_quat turned = turn_of(r, frame, body, tr_quat_identity());
    const tr_vec3 hips = tr_vec3_add_scaled(tr_quat_rotate(turned, r->hips), r->scale,
                                            tr_quat_rotate(r->axes, joints));
    if (bone->parent < 0)
        return hips;
    const tr_rig_bone *parent = &r->rig->bone[bone->parent];
    return tr_vec3_scale(tr_quat_rotate_inverse(parent->rot, tr_vec3_sub(hips, parent->pos)),
                         1 / parent->scale);
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
    const size_t bones = (size_t)rig->count;
    retargeter r = {.rig = rig,
                    .motion = motion,
                    .order = calloc(bones, sizeof *r.order),
                    .alignment = calloc(bones, sizeof *r.alignment),
                    .world = calloc(bones, sizeof *r.world)};
    tr_status status = TR_OK;
    if (!tr_bone_motion_init(out, rig->count, motion->frame_count) || !r.order || !r.alignment ||
        !r.world)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    else if (!prepare(&r))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "--rig: its bound pose does not stand: expected hips above the ankles");
    out->root = r.bone[PELVIS];
    for (int f = 0; !status && f < motion->frame_count; f++) {
        turn_bones(&r, f, out->rot + (size_t)f * bones);
        out->pos[f] = place_root(&r, f);
    }
    free(r.order);
    free(r.alignment);
    free(r.world);
    return status;
}
