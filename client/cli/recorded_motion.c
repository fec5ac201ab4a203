#include "cli/recorded_motion.h"

#include <stdlib.h>
#include <string.h>

static tr_vec3 vector(const double v[3]) {
    return tr_vec3_make(v[0], v[1], v[2]);
}

static void find_rest(const tr_client_body *body, int count, tr_rest_body *rest) {
    for (int i = 0; i < count; i++) {
        const double *q = body[i].rot;
        const tr_vec3 anchor = vector(body[i].anchor);
        rest[i].rot = (tr_quat){q[0], q[1], q[2], q[3]};
        if (i > 0) {
            const tr_rest_body *parent = &rest[body[i].parent];
            rest[i].pos =
                tr_vec3_add(parent->pos, tr_quat_rotate(parent->rot, vector(body[i].pos)));
            rest[i].rot = tr_quat_mul(parent->rot, rest[i].rot);
        }
        rest[i].joint = tr_vec3_add(rest[i].pos, tr_quat_rotate(rest[i].rot, anchor));
        rest[i].reach = tr_vec3_sub(vector(body[i].com), anchor);
    }
}

bool tr_recorded_motion_begin(tr_recorded_motion *motion, const tr_client_body *body,
                              int body_count) {
    for (int i = 0; i < body_count; i++)
        if (body[i].parent >= i || (i == 0) != (body[i].parent < 0))
            return false;
    tr_rest_body *rest = body_count > 0 ? calloc((size_t)body_count, sizeof *rest) : NULL;
    if (!rest)
        return false;
    find_rest(body, body_count, rest);
    *motion = (tr_recorded_motion){.body = body, .rest = rest, .body_count = body_count};
    return true;
}

void tr_recorded_motion_deinit(tr_recorded_motion *motion) {
    free(motion->rest);
    free(motion->rot);
    free(motion->pos);
}

static bool grow(tr_recorded_motion *motion) {
    if (motion->frame_count < motion->room)
        return true;
    size_t room = motion->room ? 2 * (size_t)motion->room : 256;
    size_t row = (size_t)motion->body_count * 4 * sizeof *motion->rot;
    float *rot = room < (1 << 24) ? realloc(motion->rot, room * row) : NULL;
    motion->rot = rot ? rot : motion->rot;
    float *pos = rot ? realloc(motion->pos, room * 3 * sizeof *pos) : NULL;
    motion->pos = pos ? pos : motion->pos;
    motion->room = pos ? (int)room : motion->room;
    return pos != NULL;
}

bool tr_recorded_motion_add(tr_recorded_motion *motion, const tr_client_character *character) {
    if (character->body_count != motion->body_count || !character->body_rot ||
        !character->body_pos || !grow(motion))
        return false;
    size_t at = (size_t)motion->frame_count++, row = (size_t)motion->body_count * 4;
    memcpy(motion->rot + at * row, character->body_rot, row * sizeof *motion->rot);
    memcpy(motion->pos + at * 3, character->body_pos, 3 * sizeof *motion->pos);
    return true;
}

tr_quat tr_recorded_motion_turn(const tr_recorded_motion *motion, int frame, int body) {
    const float *q = motion->rot + ((size_t)frame * (size_t)motion->body_count + (size_t)body) * 4;
    return (tr_quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

tr_quat tr_recorded_motion_turned(const tr_recorded_motion *motion, int frame, int body) {
    return tr_quat_mul(tr_recorded_motion_turn(motion, frame, body),
                       tr_quat_conj(motion->rest[body].rot));
}

tr_vec3 tr_recorded_motion_place(const tr_recorded_motion *motion, int frame) {
    const float *p = motion->pos + (size_t)frame * 3;
    const tr_quat root = tr_recorded_motion_turn(motion, frame, 0);
    return tr_vec3_add((tr_vec3){(double)p[0], (double)p[1], (double)p[2]},
                       tr_quat_rotate(root, vector(motion->body[0].anchor)));
}
