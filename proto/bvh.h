/* Motion as BVH, the format that Blender and its kin read: one writer for clips and for what states
 * show.
 *
 * Arguments are in the axes of the house (x forward, y left, z up; metres; quaternions w, x, y, z); the
 * file has y up and z forward, rotations ZXY in degrees. Everyone may use it; no state is kept. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* parent: an earlier joint; -1 for the first alone. is_end: a place without a rotation. offset: from
 * the parent's centre at rest, world; the first joint's is not read. */
typedef struct tr_bvh_joint {
    const char *name;
    int parent;
    bool is_end;
    double offset[3];
} tr_bvh_joint;

/* What comes before the frames: joint [count]. */
void tr_bvh_write_head(FILE *out, const tr_bvh_joint *joint, int count, int frame_count,
                       double frame_s);

/* One frame. pos: of the first joint's centre, world; turned: [count], how far each joint has turned
 * from rest, world; those of ends are not read. */
void tr_bvh_write_frame(FILE *out, const tr_bvh_joint *joint, int count, const double pos[3],
                        const double (*turned)[4]);

/* The product a b of rotations; out may be one of them. */
void tr_bvh_multiply(const double a[4], const double b[4], double out[4]);

/* A vector turned by a rotation; out may be the vector. */
void tr_bvh_rotate(const double q[4], const double v[3], double out[3]);
