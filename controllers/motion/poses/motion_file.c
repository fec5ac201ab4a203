/* Motions as JSON text. */
#include "motion/poses/motion.h"

#include "motion/scan/scan.h"
#include "proto/json_text.h"
#include "proto/sink.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_VERSION = 1 };

static json_t *vec3_json(tr_vec3 v) {
    return json_pack("[f,f,f]", v.x, v.y, v.z);
}

static void append_quat(json_t *row, tr_quat q) {
    json_array_append_new(row, json_real(q.w));
    json_array_append_new(row, json_real(q.x));
    json_array_append_new(row, json_real(q.y));
    json_array_append_new(row, json_real(q.z));
}

/* Root position, root rotation, then the joints of bodies 1, 2, ... */
static json_t *pose_json(const tr_pose *pose, int body_count) {
    json_t *row = vec3_json(pose->root_pos);
    append_quat(row, pose->root_rot);
    for (int i = 1; i < body_count; i++)
        append_quat(row, pose->joint[i]);
    return row;
}

static json_t *hash_json(uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

static json_t *source_json(const tr_motion_source *s) {
    json_t *source = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:i}", "clip", s->clip,
                               "skeleton", s->skeleton, "licence", s->licence, "origin", s->origin,
                               "options", s->options, "hash", hash_json(s->hash), "first_frame",
                               s->first_frame, "last_frame", s->last_frame);
    if (s->digest[0])
        json_object_set_new(source, "sha256", json_string(s->digest));
    return source;
}

static json_t *motion_json(const tr_motion *m) {
    json_t *poses = json_array();
    for (int i = 0; i < m->frame_count; i++)
        json_array_append_new(poses, pose_json(&m->poses[i], m->body_count));
    return json_pack("{s:i, s:s, s:s, s:o, s:i, s:f, s:b, s:b, s:o, s:f, s:o, s:o}",
                     "troupe_motion", FORMAT_VERSION, "name", m->name, "model", m->model,
                     "model_hash", hash_json(m->model_hash), "body_count", m->body_count, "dt_s",
                     m->dt_s, "cyclic", m->cyclic, "symmetric", m->symmetric, "cycle_shift",
                     vec3_json(m->cycle_shift), "cycle_turn_rad", m->cycle_turn_rad, "source",
                     source_json(&m->source), "poses", poses);
}

/* JSON holds texts in UTF-8 only. */
static bool is_utf8(const char *text) {
    json_t *value = json_string(text);
    json_decref(value);
    return value != NULL;
}

tr_status tr_motion_print(const tr_motion *motion, char **out_text, size_t *out_size) {
    const tr_motion_source *s = &motion->source;
    if (!is_utf8(motion->name) || !is_utf8(s->clip) || !is_utf8(s->licence) || !is_utf8(s->origin))
        return TR_INVALID_ARGUMENT;
    json_t *root = motion_json(motion);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(root);
    if (!text)
        return TR_RESOURCE_EXHAUSTED;
    *out_text = text;
    *out_size = strlen(text);
    return TR_OK;
}

tr_status tr_motion_save(const tr_motion *motion, const char *path, tr_error *error) {
    char *text;
    size_t size;
    tr_status status = tr_motion_print(motion, &text, &size);
    if (status == TR_INVALID_ARGUMENT)
        return tr_fail(error, status, "%.200s: name, clip, licence, origin: expected text in UTF-8",
                       path);
    if (status)
        return tr_fail_if(error, status, "%.200s", path);
    status = tr_sink_write(path, text, size, error);
    free(text);
    return status;
}

/* ---- Reading ---- */

typedef struct reader {
    const char *name;
    const tr_model *model;
    tr_error *error;
} reader;

static tr_status fail(const reader *r, const char *field, const char *expected) {
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%.200s: %s: expected %s", r->name, field,
                   expected);
}

static bool read_numbers(json_t *array, double *out, size_t count) {
    if (!tr_json_numbers(array, out, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (fabs(out[i]) > 1e6)
            return false;
    return true;
}

static bool read_unit_quat(const double *v, tr_quat *out) {
    tr_quat q = {v[0], v[1], v[2], v[3]};
    double square = tr_quat_dot(q, q);
    *out = tr_quat_normalize(q);
    return square > 0.98 && square < 1.02;
}

static tr_status read_pose(const reader *r, json_t *row, int frame, tr_pose *out) {
    double v[3 + 4 * TR_BODY_MAX] = {0};
    int bodies = r->model->body_count;
    char field[32];
    snprintf(field, sizeof field, "poses[%d]", frame);
    if (!read_numbers(row, v, 3 + 4 * (size_t)bodies))
        return fail(r, field, "3 + 4 numbers per body");
    out->root_pos = tr_vec3_make(v[0], v[1], v[2]);
    for (int i = 0; i < bodies; i++)
        if (!read_unit_quat(v + 3 + (ptrdiff_t)4 * i, i == 0 ? &out->root_rot : &out->joint[i]))
            return fail(r, field, "unit quaternions");
    return TR_OK;
}

static bool read_text(json_t *root, const char *key, char *out, size_t size) {
    const char *text = json_string_value(json_object_get(root, key));
    return text && (size_t)snprintf(out, size, "%s", text) < size;
}

static bool read_hash(json_t *root, const char *key, uint64_t *out) {
    const char *text = json_string_value(json_object_get(root, key));
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *out = strtoull(text, NULL, 16);
    return true;
}

/* Files of earlier versions lack it. */
static bool read_digest(json_t *root, tr_motion_source *s) {
    if (!json_object_get(root, "sha256"))
        return true;
    return read_text(root, "sha256", s->digest, sizeof s->digest) &&
           strspn(s->digest, "0123456789abcdef") == sizeof s->digest - 1;
}

static bool read_source(json_t *root, tr_motion_source *s) {
    return read_text(root, "clip", s->clip, sizeof s->clip) &&
           read_text(root, "skeleton", s->skeleton, sizeof s->skeleton) &&
           read_text(root, "licence", s->licence, sizeof s->licence) &&
           read_text(root, "origin", s->origin, sizeof s->origin) &&
           read_text(root, "options", s->options, sizeof s->options) &&
           read_hash(root, "hash", &s->hash) && read_digest(root, s) &&
           json_unpack(root, "{s:i, s:i}", "first_frame", &s->first_frame, "last_frame",
                       &s->last_frame) == 0;
}

static tr_status check_keys(const reader *r, const json_t *root) {
    tr_status status = tr_json_only(root,
                                    "troupe_motion name model model_hash body_count dt_s cyclic "
                                    "symmetric cycle_shift cycle_turn_rad source poses",
                                    r->name, "", r->error);
    return status ? status
                  : tr_json_only(json_object_get(root, "source"),
                                 "clip skeleton licence origin options hash first_frame "
                                 "last_frame sha256",
                                 r->name, "source", r->error);
}

static tr_status read_properties(const reader *r, json_t *root, tr_motion *m) {
    int version = 0, cyclic, symmetric, bodies;
    json_t *shift;
    double v[3];
    if (json_unpack(root, "{s:i}", "troupe_motion", &version) || version != FORMAT_VERSION)
        return fail(r, "troupe_motion", "format version 1");
    tr_status status = check_keys(r, root);
    if (status)
        return status;
    if (json_unpack(root, "{s:i, s:F, s:b, s:b, s:o, s:F}", "body_count", &bodies, "dt_s", &m->dt_s,
                    "cyclic", &cyclic, "symmetric", &symmetric, "cycle_shift", &shift,
                    "cycle_turn_rad", &m->cycle_turn_rad))
        return fail(r, "motion",
                    "body_count, dt_s, cyclic, symmetric, cycle_shift, cycle_turn_rad");
    if (!(m->dt_s >= 1e-5 && m->dt_s <= 1))
        return fail(r, "dt_s", "0.00001 to 1 s");
    if (!read_numbers(shift, v, 3) || !(fabs(m->cycle_turn_rad) <= 4))
        return fail(r, "cycle_shift, cycle_turn_rad", "metres and an angle within +-pi");
    if (!read_text(root, "name", m->name, sizeof m->name) ||
        !read_text(root, "model", m->model, sizeof m->model) ||
        !read_hash(root, "model_hash", &m->model_hash))
        return fail(r, "name, model, model_hash", "texts, and 16 hexadecimal digits");
    if (!read_source(json_object_get(root, "source"), &m->source))
        return fail(r, "source",
                    "clip, skeleton, licence, origin, options, hash, sha256 if any, first_frame, "
                    "last_frame");
    if (bodies != r->model->body_count || strcmp(m->model, r->model->name) != 0)
        return tr_fail(r->error, TR_FAILED_PRECONDITION,
                       "%.200s: made for model '%s' of %d bodies, not for '%s' of %d", r->name,
                       m->model, bodies, r->model->name, r->model->body_count);
    m->cyclic = cyclic;
    m->symmetric = symmetric;
    m->body_count = bodies;
    m->cycle_shift = tr_vec3_make(v[0], v[1], v[2]);
    return TR_OK;
}

static tr_status read_motion(const reader *r, json_t *root, tr_motion **out) {
    tr_motion properties = {0};
    tr_status status = read_properties(r, root, &properties);
    if (status)
        return status;
    json_t *poses = json_object_get(root, "poses");
    size_t count = json_array_size(poses);
    if (count < 1 || count > TR_MOTION_FRAME_MAX)
        return fail(r, "poses", "an array of 1 to 200000 rows");
    tr_motion *motion;
    status = tr_motion_create(r->model, (int)count, properties.dt_s, &motion);
    if (status)
        return tr_fail_if(r->error, status, "%.200s", r->name);
    if (properties.symmetric &&
        (!properties.cyclic || count % 2 || properties.cycle_turn_rad != 0)) {
        tr_motion_destroy(motion);
        return fail(r, "symmetric",
                    "only with a cycle that goes straight, of an even number of poses");
    }
    for (int i = 0; !status && i < (int)count; i++)
        status = read_pose(r, json_array_get(poses, (size_t)i), i, &motion->poses[i]);
    if (status) {
        tr_motion_destroy(motion);
        return status;
    }
    properties.poses = motion->poses;
    properties.frame_count = motion->frame_count;
    *motion = properties;
    *out = motion;
    return TR_OK;
}

tr_status tr_motion_parse(const char *text, size_t size, const char *name, const tr_model *model,
                          tr_motion **out, tr_error *error) {
    reader r = {name, model, error};
    if (size > TR_MOTION_FILE_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: larger than %d bytes", name,
                       TR_MOTION_FILE_MAX);
    json_t *root = NULL;
    tr_status status = tr_json_parse(text, size, name, &root, error);
    if (!status)
        status = read_motion(&r, root, out);
    json_decref(root);
    return status;
}

tr_status tr_motion_load(const char *path, const tr_model *model, tr_motion **out,
                         tr_error *error) {
    tr_scan scan;
    tr_status status = tr_scan_open(&scan, path, TR_MOTION_FILE_MAX, error);
    if (!status)
        status = tr_motion_parse(scan.text, scan.size, path, model, out, error);
    tr_scan_close(&scan);
    return status;
}
