#include "proto/bvh.h"

#include <math.h>
#include <string.h>

void tr_bvh_multiply(const double a[4], const double b[4], double out[4]) {
    const double product[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                               a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                               a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                               a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, product, sizeof product);
}

void tr_bvh_rotate(const double q[4], const double v[3], double out[3]) {
    const double vector[4] = {0, v[0], v[1], v[2]}, back[4] = {q[0], -q[1], -q[2], -q[3]};
    double turned[4];
    tr_bvh_multiply(q, vector, turned);
    tr_bvh_multiply(turned, back, turned);
    memcpy(out, turned + 1, 3 * sizeof *out);
}

/* x forward, y left, z up as the file has them: z, x, y. */
static void print_vector(FILE *out, const double v[3]) {
    fprintf(out, "%.6f %.6f %.6f", v[1], v[2], v[0]);
}

/* Angles (z, x, y), degrees, of R = Rz Rx Ry in the file's axes; y is 0 where only z + y or z - y is
 * determined. */
static void angles_zxy(const double q[4], double out[3]) {
    const double degree = 180 / 3.14159265358979323846;
    double w = q[0], x = q[2], y = q[3], z = q[1];
    double r01 = 2 * (x * y - w * z), r11 = 1 - 2 * (x * x + z * z);
    double r20 = 2 * (x * z - w * y), r21 = 2 * (y * z + w * x), r22 = 1 - 2 * (x * x + y * y);
    double sine = r21 > 1 ? 1 : r21 < -1 ? -1 : r21;
    out[1] = asin(sine) * degree;
    if (fabs(sine) > 1 - 1e-12) {
        double r00 = 1 - 2 * (y * y + z * z), r10 = 2 * (x * y + w * z);
        out[0] = atan2(r10, r00) * degree;
        out[2] = 0;
        return;
    }
    out[0] = atan2(0 - r01, r11) * degree;
    out[2] = atan2(0 - r20, r22) * degree;
}

static void print_joint(FILE *out, const tr_bvh_joint *joint, int count, int at, int depth) {
    static const double nowhere[3] = {0, 0, 0};
    const tr_bvh_joint *j = &joint[at];
    int indent = 2 * depth;
    if (j->is_end)
        fprintf(out, "%*sEnd Site\n", indent, "");
    else
        fprintf(out, "%*s%s %s\n", indent, "", j->parent < 0 ? "ROOT" : "JOINT", j->name);
    fprintf(out, "%*s{\n%*s  OFFSET ", indent, "", indent, "");
    print_vector(out, j->parent < 0 ? nowhere : j->offset);
    fputc('\n', out);
    if (!j->is_end)
        fprintf(out, "%*s  CHANNELS %sZrotation Xrotation Yrotation\n", indent, "",
                j->parent < 0 ? "6 Xposition Yposition Zposition " : "3 ");
    for (int i = at + 1; i < count; i++)
        if (joint[i].parent == at)
            print_joint(out, joint, count, i, depth + 1);
    fprintf(out, "%*s}\n", indent, "");
}

void tr_bvh_write_head(FILE *out, const tr_bvh_joint *joint, int count, int frame_count,
                       double frame_s) {
    fprintf(out, "HIERARCHY\n");
    print_joint(out, joint, count, 0, 0);
    fprintf(out, "MOTION\nFrames: %d\nFrame Time: %.9f\n", frame_count, frame_s);
}

/* The angles of a joint and, after it, of those below it: in the order of the hierarchy. */
static void print_angles(FILE *out, const tr_bvh_joint *joint, int count, const double (*turned)[4],
                         int at) {
    double local[4], angle[3];
    memcpy(local, turned[at], sizeof local);
    if (joint[at].parent >= 0) {
        const double *above = turned[joint[at].parent];
        const double back[4] = {above[0], -above[1], -above[2], -above[3]};
        tr_bvh_multiply(back, local, local);
    }
    angles_zxy(local, angle);
    fprintf(out, " %.6f %.6f %.6f", angle[0], angle[1], angle[2]);
    for (int i = at + 1; i < count; i++)
        if (joint[i].parent == at && !joint[i].is_end)
            print_angles(out, joint, count, turned, i);
}

void tr_bvh_write_frame(FILE *out, const tr_bvh_joint *joint, int count, const double pos[3],
                        const double (*turned)[4]) {
    print_vector(out, pos);
    print_angles(out, joint, count, turned, 0);
    fputc('\n', out);
}
