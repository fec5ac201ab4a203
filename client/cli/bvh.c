#include "cli/recorded_motion.h"

#include "proto/bvh.h"

#include <stdlib.h>
#include <string.h>

/* A body at rest, world. */
typedef struct rest_body {
    char name[48];
    double rot[4];
    double origin[3], centre[3]; /* of the body, and of its joint */
} rest_body;

static void set_body(const tr_client_body *from, rest_body *rest, tr_bvh_joint *joint, int i) {
    rest_body *b = &rest[i];
    const rest_body *parent = i > 0 ? &rest[from->parent] : NULL;
    double to_centre[3];
    snprintf(b->name, sizeof b->name, "%s", from->name);
    for (char *c = b->name; *c; c++)
        *c = *c == ' ' || (unsigned char)*c < 0x20 ? '_' : *c;
    memcpy(b->rot, from->rot, sizeof b->rot);
    if (parent) {
        tr_bvh_rotate(parent->rot, from->pos, b->origin);
        tr_bvh_multiply(parent->rot, from->rot, b->rot);
    }
    tr_bvh_rotate(b->rot, from->anchor, to_centre);
    joint[i] = (tr_bvh_joint){.name = b->name, .parent = from->parent};
    for (int k = 0; k < 3; k++) {
        b->origin[k] += parent ? parent->origin[k] : 0;
        b->centre[k] = b->origin[k] + to_centre[k];
        joint[i].offset[k] = b->centre[k] - (parent ? parent->centre[k] : 0);
    }
}

/* The bodies, then the ends of those without children: a body ends as far beyond its centre of mass as
 * that is from its joint. Returns the number of joints. */
static int set_joints(const tr_recorded_motion *motion, rest_body *rest, tr_bvh_joint *joint) {
    int count = motion->body_count;
    for (int i = 0; i < motion->body_count; i++)
        set_body(&motion->body[i], rest, joint, i);
    for (int i = 0; i < motion->body_count; i++) {
        const tr_client_body *from = &motion->body[i];
        bool is_leaf = true;
        double reach[3];
        for (int k = i + 1; k < motion->body_count; k++)
            is_leaf = is_leaf && motion->body[k].parent != i;
        if (!is_leaf)
            continue;
        tr_bvh_joint *end = &joint[count++];
        *end = (tr_bvh_joint){.name = "", .parent = i, .is_end = true};
        for (int k = 0; k < 3; k++)
            reach[k] = 2 * (from->com[k] - from->anchor[k]);
        tr_bvh_rotate(rest[i].rot, reach, end->offset);
    }
    return count;
}

/* turned: [body_count], scratch */
static void write_frames(const tr_recorded_motion *motion, const rest_body *rest,
                         const tr_bvh_joint *joint, int count, double (*turned)[4], FILE *out) {
    for (int f = 0; f < motion->frame_count; f++) {
        double place[3];
        tr_recorded_motion_place(motion, f, place);
        for (int i = 0; i < motion->body_count; i++) {
            const double *q = rest[i].rot, back[4] = {q[0], -q[1], -q[2], -q[3]};
            tr_recorded_motion_turn(motion, f, i, turned[i]);
            tr_bvh_multiply(turned[i], back, turned[i]);
        }
        tr_bvh_write_frame(out, joint, count, place, (const double(*)[4])turned);
    }
}

bool tr_recorded_motion_write_bvh(const tr_recorded_motion *motion, FILE *out, double frame_s) {
    size_t bodies = (size_t)motion->body_count;
    rest_body *rest = calloc(bodies, sizeof *rest);
    tr_bvh_joint *joint = calloc(2 * bodies, sizeof *joint);
    double(*turned)[4] = calloc(2 * bodies, sizeof *turned);
    bool done = rest && joint && turned;
    if (done) {
        int count = set_joints(motion, rest, joint);
        tr_bvh_write_head(out, joint, count, motion->frame_count, frame_s);
        write_frames(motion, rest, joint, count, turned, out);
    }
    free(turned);
    free(joint);
    free(rest);
    return done;
}
