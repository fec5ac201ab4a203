#include "motion/made/key_poses.h"

#include "math/hash.h"
#include "motion/made/key_track.h"
#include "motion/made/limb.h"
#include "motion/scan/scan.h"
#include "proto/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, OBJECT_MAX = 8, LIMB_MAX = 4, WORLD = -1, FIELD_MAX = 128 };

static const double DEGREE = TR_PI / 180, BEND_RAD = 0.5, MISS_MAX_M = 0.005;
static const double NUMBER_MAX = 1e4, DURATION_MAX_S = 600, FRAME_MIN_S = 1e-3, FRAME_MAX_S = 0.1;

/* Where something is and how it is turned (a rotation vector, rad). A track without keys counts as
 * zeros. */
typedef struct course {
    tr_key_track pos, turn;
} course;

typedef struct held_limb {
    tr_limb limb;
    int object; /* or WORLD */
    tr_vec3 point;
    course place;
} held_limb;

typedef struct key_poses {
    char name[TR_MOTION_NAME_MAX], licence[TR_MOTION_TEXT_MAX];
    double duration_s, frame_s;
    bool cyclic;
    tr_vec3 shift;
    course root;
    tr_key_track joint[TR_BODY_MAX];
    char object_name[OBJECT_MAX][TR_NAME_MAX];
    course object[OBJECT_MAX];
    int objects;
    held_limb limb[LIMB_MAX];
    int limbs;
} key_poses;

/* --- reading --- */

typedef struct reader {
    const char *path;
    const tr_model *model;
    key_poses *out;
    tr_error *error;
} reader;

TR_PRINTF(2, 3) static tr_status fail(const reader *r, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%.200s: %s", r->path, text);
}

static tr_status check_keys(const reader *r, const json_t *object, const char *field,
                            const char *keys) {
    return tr_json_only(object, keys, r->path, field, r->error);
}

static bool read_vector(json_t *value, tr_vec3 *out) {
    double v[3];
    if (!tr_json_numbers(value, v, 3))
        return false;
    *out = (tr_vec3){v[0], v[1], v[2]};
    return fabs(v[0]) < NUMBER_MAX && fabs(v[1]) < NUMBER_MAX && fabs(v[2]) < NUMBER_MAX;
}

/* Adds one vector of a key to a track, if the key has it. */
static tr_status read_value(const reader *r, json_t *key, const char *name, double scale,
                            const char *field, tr_key_track *track) {
    json_t *value = json_object_get(key, name);
    double t_s = json_number_value(json_object_get(key, "t_s"));
    tr_vec3 v;
    if (!value)
        return TR_OK;
    if (!read_vector(value, &v))
        return fail(r, "%s: %s: expected three numbers", field, name);
    if (track->count == TR_KEY_MAX)
        return fail(r, "%s: expected at most %d keys", field, TR_KEY_MAX);
    if (track->count > 0 && !(t_s > track->key[track->count - 1].t_s))
        return fail(r, "%s: t_s %g: expected more than in the key before", field, t_s);
    track->key[track->count++] = (tr_track_key){t_s, tr_vec3_scale(v, scale)};
    return TR_OK;
}

static tr_status check_time(const reader *r, json_t *key, const char *field) {
    const key_poses *k = r->out;
    json_t *time = json_object_get(key, "t_s");
    double t_s = json_number_value(time);
    bool inside = t_s >= 0 && (k->cyclic ? t_s < k->duration_s : t_s <= k->duration_s);
    if (!json_is_number(time) || !inside)
        return fail(r, "%s: t_s: expected a number from 0 to %g%s", field, k->duration_s,
                    k->cyclic ? ", without that" : "");
    return TR_OK;
}

/* place: may be NULL, of joints, which are not anywhere. */
static tr_status read_track(const reader *r, json_t *keys, const char *field, tr_key_track *place,
                            tr_key_track *turn) {
    tr_status status = TR_OK;
    if (!json_is_array(keys))
        return fail(r, "%s: expected an array of keys", field);
    for (size_t i = 0; !status && i < json_array_size(keys); i++) {
        json_t *key = json_array_get(keys, i);
        char at[FIELD_MAX];
        snprintf(at, sizeof at, "%.80s[%zu]", field, i);
        status = check_keys(r, key, at, "t_s turn_deg pos_m");
        if (!status)
            status = check_time(r, key, at);
        if (!status && !place && json_object_get(key, "pos_m"))
            status = fail(r, "%s: pos_m: expected only turn_deg", at);
        if (!status && place)
            status = read_value(r, key, "pos_m", 1, at, place);
        if (!status)
            status = read_value(r, key, "turn_deg", DEGREE, at, turn);
    }
    for (int i = 0; i < 2; i++) {
        tr_key_track *track = i ? turn : place;
        if (track)
            track->period_s = r->out->cyclic ? r->out->duration_s : 0;
    }
    return status;
}

/* Places in the world move with each cycle. */
static tr_status read_course(const reader *r, json_t *keys, const char *field, bool in_world,
                             course *out) {
    tr_status status = read_track(r, keys, field, &out->pos, &out->turn);
    if (in_world)
        out->pos.shift = r->out->shift;
    return status;
}

static tr_status read_objects(const reader *r, json_t *objects) {
    key_poses *k = r->out;
    const char *name;
    json_t *keys;
    tr_status status = TR_OK;
    json_object_foreach(objects, name, keys) {
        char field[FIELD_MAX];
        snprintf(field, sizeof field, "objects.%.60s", name);
        if (k->objects == OBJECT_MAX || strlen(name) >= TR_NAME_MAX || strcmp(name, "world") == 0)
            return fail(r,
                        "%s: expected at most %d objects, with names under %d bytes that are not "
                        "'world'",
                        field, OBJECT_MAX, TR_NAME_MAX);
        status = read_course(r, keys, field, true, &k->object[k->objects]);
        if (!status && k->object[k->objects].pos.count == 0)
            status = fail(r, "%s: expected a key with pos_m", field);
        if (status)
            return status;
        snprintf(k->object_name[k->objects++], TR_NAME_MAX, "%s", name);
    }
    return TR_OK;
}

static tr_status read_joints(const reader *r, json_t *joints) {
    const char *name;
    json_t *keys;
    json_object_foreach(joints, name, keys) {
        char field[FIELD_MAX];
        int body = tr_model_find_body(r->model, name);
        snprintf(field, sizeof field, "joints.%.60s", name);
        if (body < 1)
            return fail(r, "%s: expected a body of model '%s' with a joint", field, r->model->name);
        tr_status status = read_track(r, keys, field, NULL, &r->out->joint[body]);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status find_object(const reader *r, const char *name, const char *field, int *out) {
    *out = WORLD;
    if (strcmp(name, "world") == 0)
        return TR_OK;
    for (int i = 0; i < r->out->objects; i++)
        if (strcmp(name, r->out->object_name[i]) == 0) {
            *out = i;
            return TR_OK;
        }
    return fail(r, "%s: on '%.60s': expected 'world' or one of the objects", field, name);
}

static tr_status read_limb(const reader *r, json_t *limb, const char *field, held_limb *out) {
    const char *name = "", *on = "world";
    json_t *point = NULL, *keys = NULL;
    tr_status status = check_keys(r, limb, field, "body on point_m keys");
    if (status)
        return status;
    if (json_unpack(limb, "{s:s, s?s, s?o, s:o}", "body", &name, "on", &on, "point_m", &point,
                    "keys", &keys))
        return fail(r, "%s: expected body, keys, and perhaps on and point_m", field);
    int body = tr_model_find_body(r->model, name);
    if (body < 0 || tr_limb_find(r->model, body, &out->limb))
        return fail(r, "%s: body '%.60s': expected the third joint of a limb, such as a foot",
                    field, name);
    if (point && !read_vector(point, &out->point))
        return fail(r, "%s: point_m: expected three numbers", field);
    char at[FIELD_MAX];
    snprintf(at, sizeof at, "%.80s.keys", field);
    status = find_object(r, on, field, &out->object);
    if (!status)
        status = read_course(r, keys, at, out->object == WORLD, &out->place);
    if (!status && out->place.pos.count == 0)
        status = fail(r, "%s: expected a key with pos_m", at);
    return status;
}

static tr_status read_limbs(const reader *r, json_t *limbs) {
    key_poses *k = r->out;
    tr_status status = TR_OK;
    if (json_array_size(limbs) > LIMB_MAX)
        return fail(r, "limbs: expected at most %d", LIMB_MAX);
    for (size_t i = 0; !status && i < json_array_size(limbs); i++) {
        char field[FIELD_MAX];
        snprintf(field, sizeof field, "limbs[%zu]", i);
        status = read_limb(r, json_array_get(limbs, i), field, &k->limb[k->limbs++]);
    }
    return status;
}

static tr_status read_frame(const reader *r, json_t *root) {
    key_poses *k = r->out;
    const char *name = NULL, *licence = "the project's";
    int cyclic = 0;
    json_t *shift = NULL;
    k->frame_s = 0.005;
    if (json_unpack(root, "{s:s, s?s, s:F, s?F, s?b, s?o}", "name", &name, "licence", &licence,
                    "duration_s", &k->duration_s, "frame_s", &k->frame_s, "cyclic", &cyclic,
                    "shift_m", &shift) ||
        strlen(name) >= sizeof k->name || strlen(licence) >= sizeof k->licence)
        return fail(r, "expected name, duration_s, and perhaps licence, frame_s, cyclic, shift_m");
    snprintf(k->name, sizeof k->name, "%s", name);
    snprintf(k->licence, sizeof k->licence, "%s", licence);
    k->cyclic = cyclic;
    if (!(k->frame_s >= FRAME_MIN_S && k->frame_s <= FRAME_MAX_S))
        return fail(r, "frame_s %g: expected %g to %g", k->frame_s, FRAME_MIN_S, FRAME_MAX_S);
    if (!(k->duration_s >= 2 * k->frame_s && k->duration_s <= DURATION_MAX_S))
        return fail(r, "duration_s %g: expected two frames to %g s", k->duration_s, DURATION_MAX_S);
    if (shift && (!cyclic || !read_vector(shift, &k->shift) || k->shift.z != 0))
        return fail(r, "shift_m: expected three numbers, the last of them 0, of a cyclic motion");
    return TR_OK;
}

static tr_status read_parts(const reader *r, json_t *root) {
    json_t *keys = json_object_get(root, "root");
    tr_status status = check_keys(
        r, root, "", "name licence duration_s frame_s cyclic shift_m objects root joints limbs");
    if (!status)
        status = read_frame(r, root);
    if (!status && keys)
        status = read_course(r, keys, "root", true, &r->out->root);
    if (!status)
        status = read_objects(r, json_object_get(root, "objects"));
    if (!status)
        status = read_joints(r, json_object_get(root, "joints"));
    return status ? status : read_limbs(r, json_object_get(root, "limbs"));
}

/* --- making --- */

static tr_vec3 value_at(const tr_key_track *track, double t_s, tr_vec3 otherwise) {
    return track->count ? tr_key_track_at(track, t_s) : otherwise;
}

static tr_quat turn_at(const course *c, double t_s) {
    return tr_quat_exp(value_at(&c->turn, t_s, (tr_vec3){0, 0, 0}));
}

static tr_limb_goal goal_of(const key_poses *k, const held_limb *l, double t_s) {
    tr_limb_goal goal = {.point = l->point,
                         .pos = tr_key_track_at(&l->place.pos, t_s),
                         .turned = l->place.turn.count > 0,
                         .rot = turn_at(&l->place, t_s)};
    if (l->object == WORLD)
        return goal;
    const course *object = &k->object[l->object];
    tr_quat rot = turn_at(object, t_s);
    goal.pos = tr_vec3_add(tr_key_track_at(&object->pos, t_s), tr_quat_rotate(rot, goal.pos));
    goal.rot = tr_quat_mul(rot, goal.rot);
    return goal;
}

static double share_of_range(const tr_body *body, tr_quat joint) {
    tr_vec3 turn = tr_quat_log(joint);
    if (!body->limited)
        return 0;
    if (!tr_body_has_axis(body))
        return tr_vec3_length(turn) / body->range[1];
    double angle = tr_vec3_dot(turn, body->axis);
    return angle / (angle < 0 ? body->range[0] : body->range[1]);
}

static void note_bends(const tr_model *model, const tr_pose *pose, double t_s,
                       tr_key_poses_report *report) {
    for (int b = 1; b < model->body_count; b++) {
        double share = share_of_range(&model->body[b], pose->joint[b]);
        if (share > report->bend_share) {
            report->bend_share = share;
            report->bend_s = t_s;
            report->bent = b;
        }
    }
}

/* Every frame begins with the same bends, so that a cycle closes. */
static tr_status make_frame(const reader *r, double t_s, tr_pose *pose,
                            tr_key_poses_report *report) {
    const key_poses *k = r->out;
    *pose = tr_pose_rest(r->model);
    pose->root_pos = value_at(&k->root.pos, t_s, pose->root_pos);
    pose->root_rot = turn_at(&k->root, t_s);
    for (int b = 1; b < r->model->body_count; b++)
        if (k->joint[b].count)
            pose->joint[b] = tr_quat_exp(tr_key_track_at(&k->joint[b], t_s));
    for (int i = 0; i < k->limbs; i++) {
        const held_limb *l = &k->limb[i];
        double angles[TR_LIMB_ANGLES_MAX];
        tr_limb_goal goal = goal_of(k, l, t_s);
        tr_limb_bend(r->model, &l->limb, BEND_RAD, angles);
        double miss = tr_limb_reach(r->model, &l->limb, &goal, pose, angles);
        if (!(miss <= MISS_MAX_M))
            return fail(
                r,
                "limbs[%d]: at t_s %.3f '%s' misses its place by %.3f m (a radian counts as "
                "0.3 m); move the root or the place",
                i, t_s, r->model->body[l->limb.body[TR_LIMB_JOINTS - 1]].name, miss);
        report->miss_m = fmax(report->miss_m, miss);
    }
    note_bends(r->model, pose, t_s, report);
    return TR_OK;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void describe(const reader *r, const tr_scan *scan, tr_motion *motion) {
    const key_poses *k = r->out;
    tr_motion_source *s = &motion->source;
    snprintf(motion->name, sizeof motion->name, "%s", k->name);
    motion->cyclic = k->cyclic;
    motion->cycle_shift = k->shift;
    tr_text_copy(s->clip, sizeof s->clip, name_of(r->path));
    snprintf(s->licence, sizeof s->licence, "%s", k->licence);
    snprintf(s->origin, sizeof s->origin, "made");
    s->hash = tr_hash_add(TR_HASH_START, scan->text, scan->size);
    s->last_frame = motion->frame_count - 1;
}

static void count_keys(const key_poses *k, tr_key_poses_report *out) {
    out->limbs = k->limbs;
    out->keys = k->root.pos.count + k->root.turn.count;
    for (int b = 0; b < TR_BODY_MAX; b++)
        out->keys += k->joint[b].count;
    for (int i = 0; i < k->objects; i++)
        out->keys += k->object[i].pos.count + k->object[i].turn.count;
    for (int i = 0; i < k->limbs; i++)
        out->keys += k->limb[i].place.pos.count + k->limb[i].place.turn.count;
}

static tr_status make(const reader *r, const tr_scan *scan, tr_motion **out,
                      tr_key_poses_report *report) {
    const key_poses *k = r->out;
    int frames = (int)llround(k->duration_s / k->frame_s) + !k->cyclic;
    tr_motion *motion = NULL;
    tr_status status = tr_motion_create(r->model, frames, k->frame_s, &motion);
    if (status)
        return tr_fail_if(r->error, status, "%.200s", r->path);
    count_keys(k, report);
    for (int i = 0; !status && i < frames; i++)
        status = make_frame(r, i * k->frame_s, &motion->poses[i], report);
    if (status) {
        tr_motion_destroy(motion);
        return status;
    }
    describe(r, scan, motion);
    *out = motion;
    return TR_OK;
}

/* --- the whole --- */

static tr_status read_and_make(const reader *r, const tr_scan *scan, tr_motion **out,
                               tr_key_poses_report *report) {
    json_t *root = NULL;
    tr_status status = tr_json_parse(scan->text, scan->size, r->path, &root, r->error);
    if (!status)
        status = read_parts(r, root);
    json_decref(root);
    return status ? status : make(r, scan, out, report);
}

tr_status tr_key_poses_make(const char *path, const tr_model *model, tr_motion **out,
                            tr_key_poses_report *out_report, tr_error *error) {
    tr_scan scan;
    key_poses *poses = calloc(1, sizeof *poses);
    if (!poses)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: no memory", path);
    const reader r = {path, model, poses, error};
    tr_status status = tr_scan_open(&scan, path, FILE_MAX, error);
    *out_report = (tr_key_poses_report){0};
    if (!status)
        status = read_and_make(&r, &scan, out, out_report);
    tr_scan_close(&scan);
    free(poses);
    return status;
}
