#include "motion/poses/state_log.h"

#include "motion/poses/poses.h"
#include "motion/scan/json_numbers.h"
#include "proto/option.h"
#include "proto/text_file.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Poses with the times at which they were sent. */
typedef struct sequence {
    const tr_state_log_def *def;
    const tr_model *model;
    tr_error *error;
    int line, count, capacity;
    double *time_s; /* [capacity] */
    tr_pose *poses; /* [capacity] */
    char wanted[TR_NAME_MAX];
} sequence;

static tr_status fail(const sequence *s, const char *what) {
    return tr_fail(s->error, TR_INVALID_ARGUMENT, "%s:%d: %s", s->def->path, s->line, what);
}

static bool read_quat(const json_t *array, tr_quat *out) {
    double v[4];
    if (!tr_json_numbers(array, v, 4))
        return false;
    *out = tr_quat_normalize((tr_quat){v[0], v[1], v[2], v[3]});
    return true;
}

static tr_status read_pose(const sequence *s, const json_t *character, tr_pose *out) {
    const json_t *joints = json_object_get(character, "joint_rot");
    double pos[3];
    if (!tr_json_numbers(json_object_get(character, "root_pos"), pos, 3))
        return fail(s, "root_pos: expected three numbers");
    if (!read_quat(json_object_get(character, "root_rot"), &out->root_rot))
        return fail(s, "root_rot: expected four numbers");
    if (!json_is_array(joints) || json_array_size(joints) != (size_t)s->model->body_count)
        return fail(s, "joint_rot: expected one row for each body of the model");
    out->root_pos = tr_vec3_make(pos[0], pos[1], pos[2]);
    for (int i = 0; i < s->model->body_count; i++)
        if (!read_quat(json_array_get(joints, (size_t)i), &out->joint[i]))
            return fail(s, "joint_rot: expected rows of four numbers");
    return TR_OK;
}

static uint32_t entity_of(const json_t *character) {
    return (uint32_t)json_integer_value(json_object_get(character, "entity"));
}

static bool is_wanted(const sequence *s, const json_t *character) {
    uint32_t entity = 0;
    const char *label = json_string_value(json_object_get(character, "label"));
    if (tr_option_id(s->wanted, &entity))
        return entity == entity_of(character);
    return label && strcmp(label, s->wanted) == 0;
}

/* The requested character, NULL when this state does not show it. */
static const json_t *find_character(sequence *s, const json_t *characters) {
    if (s->wanted[0] == '\0' && json_array_size(characters) > 0)
        snprintf(s->wanted, sizeof s->wanted, "#%u", entity_of(json_array_get(characters, 0)));
    for (size_t i = 0; i < json_array_size(characters); i++)
        if (is_wanted(s, json_array_get(characters, i)))
            return json_array_get(characters, i);
    return NULL;
}

static tr_status reserve(sequence *s) {
    if (s->time_s && s->poses && s->count < s->capacity)
        return TR_OK;
    if (s->count >= TR_MOTION_FRAME_MAX)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "%s:%d: more than %d states", s->def->path,
                       s->line, TR_MOTION_FRAME_MAX);
    int capacity = s->capacity ? 2 * s->capacity : 256;
    double *times = realloc(s->time_s, (size_t)capacity * sizeof *times);
    if (times)
        s->time_s = times;
    tr_pose *poses = realloc(s->poses, (size_t)capacity * sizeof *poses);
    if (poses)
        s->poses = poses;
    if (!times || !poses)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "%s: no memory", s->def->path);
    s->capacity = capacity;
    return TR_OK;
}

static tr_status read_state(sequence *s, const json_t *state) {
    const json_t *characters = json_object_get(state, "characters");
    if (!json_is_array(characters))
        return TR_OK; /* an event */
    const json_t *time = json_object_get(state, "time_s");
    const json_t *character = find_character(s, characters);
    if (!json_is_number(time))
        return fail(s, "time_s: expected a number");
    if (!character)
        return TR_OK;
    tr_status status = reserve(s);
    if (status)
        return status;
    assert(s->time_s && s->poses);
    s->time_s[s->count] = json_number_value(time);
    status = read_pose(s, character, &s->poses[s->count]);
    if (status)
        return status;
    if (s->count > 0 && s->time_s[s->count] < s->time_s[s->count - 1])
        return fail(s,
                    "time_s: the world went back in time (reset or restored); cut the file here");
    if (s->count == 0 || s->time_s[s->count] > s->time_s[s->count - 1])
        s->count++;
    return TR_OK;
}

static tr_status read_line(sequence *s, const char *line, size_t length) {
    if (length > TR_STATE_LOG_LINE_MAX)
        return fail(s, "the line is too long for a state");
    json_t *value = json_loadb(line, length, 0, NULL);
    tr_status status = json_is_object(value)
                           ? read_state(s, value)
                           : fail(s, "expected a JSON object, as 'troupe watch --json' prints");
    json_decref(value);
    return status;
}

/* Line by line through a buffer of fixed size, one byte more than a line may have, and the end. */
static tr_status read_lines(sequence *s, FILE *file) {
    enum { ROOM = TR_STATE_LOG_LINE_MAX + 2 };
    char *line = malloc(ROOM);
    if (!line)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "%s: no memory", s->def->path);
    tr_status status = TR_OK;
    while (!status && fgets(line, ROOM, file)) {
        size_t length = strlen(line);
        if (s->line++ == 0)
            status = tr_text_clean(line, &length, s->def->path, s->error);
        if (!status)
            status = read_line(s, line, length);
    }
    if (!status && ferror(file))
        status = tr_fail(s->error, TR_UNAVAILABLE, "%s: cannot be read", s->def->path);
    free(line);
    return status;
}

/* The sent poses, interpolated every dt_s. */
static tr_status fill_motion(const sequence *s, tr_motion **out) {
    double length = s->time_s[s->count - 1] - s->time_s[0], dt = s->def->dt_s;
    if (!(dt > 0) || length / dt >= TR_MOTION_FRAME_MAX)
        return tr_fail(s->error, TR_INVALID_ARGUMENT, "%s: %g s in steps of %g s is out of range",
                       s->def->path, length, dt);
    int count = (int)(length / dt + 1e-9) + 1, next = 1;
    tr_motion *motion;
    tr_status status = tr_motion_create(s->model, count, dt, &motion);
    if (status)
        return tr_fail(s->error, status, "%s: %s", s->def->path, tr_status_text(status));
    for (int i = 0; i < count; i++) {
        double time = s->time_s[0] + i * dt;
        while (next < s->count - 1 && s->time_s[next] < time)
            next++;
        int last = s->count > 1 ? next : 0, first = last > 0 ? last - 1 : 0;
        double span = s->time_s[last] - s->time_s[first];
        double t = span > 0 ? (time - s->time_s[first]) / span : 0;
        motion->poses[i] =
            tr_pose_between(&s->poses[first], &s->poses[last], s->model->body_count, t > 1 ? 1 : t);
    }
    snprintf(motion->name, sizeof motion->name, "%.*s", TR_MOTION_NAME_MAX - 1,
             s->wanted + (s->wanted[0] == '#'));
    *out = motion;
    return TR_OK;
}

tr_status tr_state_log_load(const tr_state_log_def *def, const tr_model *model, tr_motion **out,
                            tr_error *error) {
    sequence s = {.def = def, .model = model, .error = error};
    if (def->character)
        snprintf(s.wanted, sizeof s.wanted, "%s", def->character);
    FILE *file = fopen(def->path, "r");
    if (!file)
        return tr_fail(error, TR_NOT_FOUND, "%s: cannot be opened", def->path);
    tr_status status = read_lines(&s, file);
    fclose(file);
    if (!status && s.count == 0)
        status = tr_fail(error, TR_NOT_FOUND, "%s: no state shows %s%s", def->path,
                         s.wanted[0] ? "the character " : "a character", s.wanted);
    if (!status)
        status = fill_motion(&s, out);
    free(s.time_s);
    free(s.poses);
    return status;
}
