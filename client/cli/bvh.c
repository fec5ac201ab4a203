#include "cli/recorded_motion.h"

#include "proto/bvh.h"

#include <stdlib.h>

/* From one place to another. */
static void set_offset(tr_vec3 from, tr_vec3 to, tr_bvh_joint *joint) {
    joint->offset[0] = to.x - from.x;
    joint->offset[1] = to.y - from.y;
    joint->offset[2] = to.z - from.z;
}

static void set_body(const tr_recorded_motion *motion, int i, char name[48], tr_bvh_joint *joint) {
    const tr_client_body *from = &motion->body[i];
    snprintf(name, 48, "%s", from->name);
    for (char *c = name; *c; c++)
        *c = *c == ' ' || (unsigned char)*c < 0x20 ? '_' : *c;
    joint[i] = (tr_bvh_joint){.name = name, .parent = from->parent};
    if (i > 0)
        set_offset(motion->rest[from->parent].joint, motion->rest[i].joint, &joint[i]);
}

/* The bodies, then the ends of those without children: a body ends as far beyond its centre of mass as
 * that is from its joint. Returns the number of joints. */
static int set_joints(const tr_recorded_motion *motion, char (*name)[48], tr_bvh_joint *joint) {
    int count = motion->body_count;
    for (int i = 0; i < motion->body_count; i++)
        set_body(motion, i, name[i], joint);
    for (int i = 0; i < motion->body_count; i++) {
        const tr_rest_body *rest = &motion->rest[i];
        bool is_leaf = true;
        for (int k = i + 1; k < motion->body_count; k++)
            is_leaf = is_leaf && motion->body[k].parent != i;
        if (!is_leaf)
            continue;
        joint[count] = (tr_bvh_joint){.name = "", .parent = i, .is_end = true};
        set_offset(tr_vec3_make(0, 0, 0), tr_quat_rotate(rest->rot, tr_vec3_scale(rest->reach, 2)),
                   &joint[count++]);
    }
    return count;
}

bool tr_recorded_motion_write_bvh(const tr_recorded_motion *motion, FILE *out, double frame_s) {
    size_t bodies = (size_t)motion->body_count;
    char(*name)[48] = calloc(bodies, sizeof *name);
    tr_bvh_joint *joint = calloc(2 * bodies, sizeof *joint);
    tr_quat *turned = calloc(bodies, sizeof *turned);
    bool done = name && joint && turned;
    if (done) {
        int count = set_joints(motion, name, joint);
        tr_bvh_write_head(out, joint, count, motion->frame_count, frame_s);
        for (int f = 0; f < motion->frame_count; f++) {
            const tr_vec3 place = tr_recorded_motion_place(motion, f);
            for (int i = 0; i < motion->body_count; i++)
                turned[i] = tr_recorded_motion_turned(motion, f, i);
            tr_bvh_write_frame(out, joint, count, (double[]){place.x, place.y, place.z},
                               (const double(*)[4])turned);
        }
    }
    free(turned);
    free(joint);
    free(name);
    return done;
}
