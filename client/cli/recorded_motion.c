#include "cli/recorded_motion.h"

#include "proto/bvh.h"

#include <stdlib.h>
#include <string.h>

bool tr_recorded_motion_begin(tr_recorded_motion *motion, const tr_client_body *body,
                              int body_count) {
    bool is_tree = body_count > 0;
    for (int i = 0; is_tree && i < body_count; i++)
        is_tree = body[i].parent < i && (i == 0) == (body[i].parent < 0);
    if (is_tree)
        *motion = (tr_recorded_motion){.body = body, .body_count = body_count};
    return is_tree;
}

void tr_recorded_motion_deinit(tr_recorded_motion *motion) {
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

void tr_recorded_motion_turn(const tr_recorded_motion *motion, int frame, int body, double out[4]) {
    const float *rot =
        motion->rot + ((size_t)frame * (size_t)motion->body_count + (size_t)body) * 4;
    for (int k = 0; k < 4; k++)
        out[k] = (double)rot[k];
}

void tr_recorded_motion_place(const tr_recorded_motion *motion, int frame, double out[3]) {
    double root[4];
    tr_recorded_motion_turn(motion, frame, 0, root);
    tr_bvh_rotate(root, motion->body[0].anchor, out);
    for (int k = 0; k < 3; k++)
        out[k] += (double)motion->pos[(size_t)frame * 3 + (size_t)k];
}
