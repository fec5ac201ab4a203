#include "cli/bvh.h"

#include "proto/bvh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A body at rest, world. */
typedef struct body {
    char name[48];
    double anchor[3]; /* in the body's frame */
    double rot[4];
    double origin[3], centre[3]; /* of the body, and of its joint */
} body;

struct tr_bvh_writer {
    FILE *frames;
    int frame_count, body_count, joint_count;
    body *bodies;         /* [body_count] */
    tr_bvh_joint *joints; /* [joint_count]: the bodies, then the ends of those without children */
    double (*turned)[4];  /* [body_count], of the frame that is written */
};

/* --- rotations, (w, x, y, z) --- */

static void rotate(const double q[4], const double v[3], double out[3]) {
    const double vector[4] = {0, v[0], v[1], v[2]}, back[4] = {q[0], -q[1], -q[2], -q[3]};
    double turned[4];
    tr_bvh_multiply(q, vector, turned);
    tr_bvh_multiply(turned, back, turned);
    memcpy(out, turned + 1, 3 * sizeof *out);
}

/* --- the skeleton at rest --- */

static void set_body(tr_bvh_writer *writer, int i, const tr_client_body *from) {
    body *b = &writer->bodies[i];
    const body *parent = i > 0 ? &writer->bodies[from->parent] : NULL;
    double to_centre[3];
    snprintf(b->name, sizeof b->name, "%s", from->name);
    for (char *c = b->name; *c; c++)
        *c = *c == ' ' || (unsigned char)*c < 0x20 ? '_' : *c;
    memcpy(b->anchor, from->anchor, sizeof b->anchor);
    memcpy(b->rot, from->rot, sizeof b->rot);
    if (parent) {
        rotate(parent->rot, from->pos, b->origin);
        tr_bvh_multiply(parent->rot, from->rot, b->rot);
    }
    rotate(b->rot, from->anchor, to_centre);
    writer->joints[i] = (tr_bvh_joint){.name = b->name, .parent = from->parent};
    for (int k = 0; k < 3; k++) {
        b->origin[k] += parent ? parent->origin[k] : 0;
        b->centre[k] = b->origin[k] + to_centre[k];
        writer->joints[i].offset[k] = b->centre[k] - (parent ? parent->centre[k] : 0);
    }
}

/* A body without children ends as far beyond its centre of mass as that is from its joint. */
static void add_ends(tr_bvh_writer *writer, const tr_client_model_detail *model) {
    writer->joint_count = writer->body_count;
    for (int i = 0; i < writer->body_count; i++) {
        const tr_client_body *from = &model->bodies[i];
        bool is_leaf = true;
        double reach[3];
        for (int k = i + 1; k < writer->body_count; k++)
            is_leaf = is_leaf && model->bodies[k].parent != i;
        if (!is_leaf)
            continue;
        tr_bvh_joint *end = &writer->joints[writer->joint_count++];
        *end = (tr_bvh_joint){.name = "", .parent = i, .is_end = true};
        for (int k = 0; k < 3; k++)
            reach[k] = 2 * (from->com[k] - from->anchor[k]);
        rotate(writer->bodies[i].rot, reach, end->offset);
    }
}

tr_bvh_writer *tr_bvh_writer_create(const tr_client_model_detail *model) {
    size_t count = (size_t)model->body_count;
    tr_bvh_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->bodies = calloc(count + 1, sizeof *writer->bodies);
    writer->joints = calloc(2 * count + 1, sizeof *writer->joints);
    writer->turned = calloc(2 * count + 1, sizeof *writer->turned);
    writer->frames = tmpfile();
    bool sound = count > 0 && writer->bodies && writer->joints && writer->turned && writer->frames;
    for (int i = 0; sound && i < model->body_count; i++) {
        sound = model->bodies[i].parent < i && (i == 0) == (model->bodies[i].parent < 0);
        if (sound)
            set_body(writer, i, &model->bodies[i]);
    }
    if (!sound) {
        tr_bvh_writer_destroy(writer);
        return NULL;
    }
    writer->body_count = model->body_count;
    add_ends(writer, model);
    return writer;
}

void tr_bvh_writer_destroy(tr_bvh_writer *writer) {
    if (!writer)
        return;
    if (writer->frames)
        fclose(writer->frames);
    free(writer->turned);
    free(writer->joints);
    free(writer->bodies);
    free(writer);
}

/* --- frames --- */

static void turn(const float rot[4], double out[4]) {
    for (int k = 0; k < 4; k++)
        out[k] = (double)rot[k];
}

bool tr_bvh_writer_add(tr_bvh_writer *writer, const tr_client_character *character) {
    double root[4], place[3];
    if (character->body_count != writer->body_count || !character->body_rot || !character->body_pos)
        return false;
    turn(character->body_rot, root);
    rotate(root, writer->bodies[0].anchor, place);
    for (int k = 0; k < 3; k++)
        place[k] += (double)character->body_pos[k];
    for (int i = 0; i < writer->body_count; i++) {
        const double *rest = writer->bodies[i].rot;
        const double back[4] = {rest[0], -rest[1], -rest[2], -rest[3]};
        turn(character->body_rot + (size_t)4 * (size_t)i, writer->turned[i]);
        tr_bvh_multiply(writer->turned[i], back, writer->turned[i]);
    }
    tr_bvh_write_frame(writer->frames, writer->joints, writer->joint_count, place,
                       (const double(*)[4])writer->turned);
    writer->frame_count++;
    return !ferror(writer->frames);
}

/* --- the file --- */

void tr_bvh_writer_save(tr_bvh_writer *writer, FILE *out, double frame_s) {
    char block[8192];
    size_t size = 0;
    tr_bvh_write_head(out, writer->joints, writer->joint_count, writer->frame_count, frame_s);
    rewind(writer->frames);
    while ((size = fread(block, 1, sizeof block, writer->frames)) > 0)
        (void)fwrite(block, 1, size, out);
}
