#include "cli/bvh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct joint {
    char name[48];
    int parent;
    bool is_leaf;
    double anchor[3];   /* in the body's frame */
    double rest_rot[4]; /* body to world, at rest */
    double centre[3];   /* of the joint at rest, world */
    double end[3];      /* of a leaf: from its centre to its end at rest, world */
} joint;

struct tr_bvh_writer {
    FILE *frames;
    int frame_count, body_count;
    joint joints[];
};

/* --- rotations, (w, x, y, z) --- */

static void multiply(const double a[4], const double b[4], double out[4]) {
    const double product[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                               a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                               a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                               a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, product, sizeof product);
}

/* conj(a) b */
static void divide(const double a[4], const double b[4], double out[4]) {
    const double inverse[4] = {a[0], -a[1], -a[2], -a[3]};
    multiply(inverse, b, out);
}

static void rotate(const double q[4], const double v[3], double out[3]) {
    const double vector[4] = {0, v[0], v[1], v[2]}, back[4] = {q[0], -q[1], -q[2], -q[3]};
    double turned[4];
    multiply(q, vector, turned);
    multiply(turned, back, turned);
    memcpy(out, turned + 1, 3 * sizeof *out);
}

/* x forward, y left, z up as the file has them: z, x, y. */
static void to_file(const double v[3], double out[3]) {
    out[0] = v[1], out[1] = v[2], out[2] = v[0];
}

/* Angles of R = Rz Rx Ry, degrees, in the file's axes; y is 0 where only z + y or z - y is known. */
static void angles_zxy(const double q[4], double out[3]) {
    const double degree = 180 / 3.14159265358979323846;
    double w = q[0], x = q[2], y = q[3], z = q[1]; /* the file's axes */
    double r01 = 2 * (x * y - w * z), r11 = 1 - 2 * (x * x + z * z);
    double r20 = 2 * (x * z - w * y), r21 = 2 * (y * z + w * x), r22 = 1 - 2 * (x * x + y * y);
    double sine = r21 > 1 ? 1 : r21 < -1 ? -1 : r21;
    out[1] = asin(sine) * degree;
    if (fabs(sine) > 1 - 1e-9) {
        double r00 = 1 - 2 * (y * y + z * z), r10 = 2 * (x * y + w * z);
        out[0] = atan2(r10, r00) * degree;
        out[2] = 0;
        return;
    }
    out[0] = atan2(-r01, r11) * degree;
    out[2] = atan2(-r20, r22) * degree;
}

/* --- the skeleton at rest --- */

static void set_joint(tr_bvh_writer *writer, double (*origin)[3], int i,
                      const tr_client_body *body) {
    joint *j = &writer->joints[i];
    double to_centre[3], half[3], offset[3] = {0, 0, 0};
    snprintf(j->name, sizeof j->name, "%s", body->name);
    for (char *c = j->name; *c; ++c)
        *c = *c == ' ' || (unsigned char)*c < 0x20 ? '_' : *c;
    j->parent = body->parent;
    j->is_leaf = true;
    memcpy(j->anchor, body->anchor, sizeof j->anchor);
    memcpy(j->rest_rot, body->rot, sizeof j->rest_rot);
    if (j->parent >= 0) {
        joint *parent = &writer->joints[j->parent];
        parent->is_leaf = false;
        rotate(parent->rest_rot, body->pos, offset);
        multiply(parent->rest_rot, body->rot, j->rest_rot);
    }
    rotate(j->rest_rot, body->anchor, to_centre);
    for (int k = 0; k < 3; ++k) {
        origin[i][k] = (j->parent >= 0 ? origin[j->parent][k] : 0) + offset[k];
        j->centre[k] = origin[i][k] + to_centre[k];
        half[k] = 2 * (body->com[k] - body->anchor[k]);
    }
    rotate(j->rest_rot, half, j->end);
}

tr_bvh_writer *tr_bvh_writer_create(const tr_client_model_detail *model) {
    size_t count = (size_t)model->body_count;
    double(*origin)[3] = calloc(count + 1, sizeof *origin);
    tr_bvh_writer *writer = calloc(1, sizeof *writer + count * sizeof(joint));
    bool sound = count > 0 && origin && writer && (writer->frames = tmpfile()) != NULL;
    for (int i = 0; sound && i < model->body_count; ++i) {
        sound = model->bodies[i].parent < i && (i == 0) == (model->bodies[i].parent < 0);
        if (sound)
            set_joint(writer, origin, i, &model->bodies[i]);
    }
    free(origin);
    if (!sound) {
        tr_bvh_writer_destroy(writer);
        return NULL;
    }
    writer->body_count = model->body_count;
    return writer;
}

void tr_bvh_writer_destroy(tr_bvh_writer *writer) {
    if (writer && writer->frames)
        fclose(writer->frames);
    free(writer);
}

/* --- frames --- */

/* The rotation of a body from rest, world. */
static void turned_from_rest(const tr_bvh_writer *writer, const tr_client_character *character,
                             int body, double out[4]) {
    const float *rot = character->body_rot + 4 * body;
    const double now[4] = {(double)rot[0], (double)rot[1], (double)rot[2], (double)rot[3]};
    const double *rest = writer->joints[body].rest_rot;
    const double back[4] = {rest[0], -rest[1], -rest[2], -rest[3]};
    multiply(now, back, out);
}

static void print_root(tr_bvh_writer *writer, const tr_client_character *character) {
    const float *rot = character->body_rot, *pos = character->body_pos;
    const double now[4] = {(double)rot[0], (double)rot[1], (double)rot[2], (double)rot[3]};
    double centre[3], place[3];
    rotate(now, writer->joints[0].anchor, centre);
    for (int k = 0; k < 3; ++k)
        centre[k] += (double)pos[k];
    to_file(centre, place);
    fprintf(writer->frames, "%.6f %.6f %.6f", place[0], place[1], place[2]);
}

/* Prints the angles of a joint and then of those below it, in the order of the hierarchy. */
static void print_angles(tr_bvh_writer *writer, const tr_client_character *character, int body) {
    double turned[4], local[4], above[4], angle[3];
    turned_from_rest(writer, character, body, turned);
    memcpy(local, turned, sizeof local);
    if (writer->joints[body].parent >= 0) {
        turned_from_rest(writer, character, writer->joints[body].parent, above);
        divide(above, turned, local);
    }
    angles_zxy(local, angle);
    fprintf(writer->frames, " %.6f %.6f %.6f", angle[0], angle[1], angle[2]);
    for (int i = body + 1; i < writer->body_count; ++i)
        if (writer->joints[i].parent == body)
            print_angles(writer, character, i);
}

bool tr_bvh_writer_add(tr_bvh_writer *writer, const tr_client_character *character) {
    if (character->body_count != writer->body_count || !character->body_rot || !character->body_pos)
        return false;
    print_root(writer, character);
    print_angles(writer, character, 0);
    writer->frame_count++;
    return fputc('\n', writer->frames) != EOF;
}

/* --- the file --- */

static void print_joint(FILE *out, const tr_bvh_writer *writer, int body, int depth) {
    const joint *j = &writer->joints[body];
    const double *above = j->parent >= 0 ? writer->joints[j->parent].centre : j->centre;
    const double from[3] = {j->centre[0] - above[0], j->centre[1] - above[1],
                            j->centre[2] - above[2]};
    double offset[3];
    int indent = 2 * depth;
    to_file(from, offset);
    fprintf(out, "%*s%s %s\n%*s{\n%*s  OFFSET %.6f %.6f %.6f\n", indent, "",
            j->parent < 0 ? "ROOT" : "JOINT", j->name, indent, "", indent, "", offset[0], offset[1],
            offset[2]);
    fprintf(out, "%*s  CHANNELS %sZrotation Xrotation Yrotation\n", indent, "",
            j->parent < 0 ? "6 Xposition Yposition Zposition " : "3 ");
    for (int i = body + 1; i < writer->body_count; ++i)
        if (writer->joints[i].parent == body)
            print_joint(out, writer, i, depth + 1);
    if (j->is_leaf) {
        to_file(j->end, offset);
        fprintf(out, "%*s  End Site\n%*s  {\n%*s    OFFSET %.6f %.6f %.6f\n%*s  }\n", indent, "",
                indent, "", indent, "", offset[0], offset[1], offset[2], indent, "");
    }
    fprintf(out, "%*s}\n", indent, "");
}

static bool copy_frames(FILE *out, FILE *frames) {
    char block[8192];
    size_t size = 0;
    rewind(frames);
    while ((size = fread(block, 1, sizeof block, frames)) > 0)
        if (fwrite(block, 1, size, out) != size)
            return false;
    return !ferror(frames);
}

bool tr_bvh_writer_save(tr_bvh_writer *writer, const char *path, double frame_s) {
    FILE *out = fopen(path, "we");
    if (!out)
        return false;
    fprintf(out, "HIERARCHY\n");
    print_joint(out, writer, 0, 0);
    fprintf(out, "MOTION\nFrames: %d\nFrame Time: %.9f\n", writer->frame_count, frame_s);
    bool saved = copy_frames(out, writer->frames) && !ferror(out);
    if (fclose(out) != 0)
        saved = false;
    if (!saved)
        remove(path);
    return saved;
}
