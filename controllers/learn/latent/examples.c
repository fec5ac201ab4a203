#include "learn/latent/examples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A support stands while it is lower and slower. */
static const double STANDING_M = 0.04, STANDING_MPS = 0.4;

/* A clip or its mirror image being sampled. */
typedef struct source {
    const tr_model *model;
    const tr_motion *motion;
    double dt_s;
    bool mirrored;
} source;

static tr_pose sample(const source *s, int frame) {
    tr_pose pose = tr_motion_pose(s->motion, frame * s->dt_s);
    return s->mirrored ? tr_pose_mirror(s->model, &pose) : pose;
}

static source source_of(const tr_model *model, const tr_examples_def *def, int clip) {
    int images = def->mirrored ? 2 : 1;
    return (source){.model = model,
                    .motion = def->motion[clip / images],
                    .dt_s = def->dt_s,
                    .mirrored = clip % images == 1};
}

/* --- sizes --- */

static tr_status describe_clip(const source *s, tr_latent_clip *clip, int first, tr_error *error) {
    const tr_motion_source *from = &s->motion->source;
    int count = (int)floor(tr_motion_duration(s->motion) / s->dt_s + 1e-6) + 1;
    /* The dynamics lead from two frames to a third. */
    if (count < 3)
        return tr_fail(error, TR_INVALID_ARGUMENT, "motion '%s': %d frames: expected 3 or more",
                       s->motion->name, count);
    if (count > TR_LATENT_FRAME_MAX - first)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "motion '%s': more than %d frames in all: take fewer or shorter motions",
                       s->motion->name, TR_LATENT_FRAME_MAX);
    snprintf(clip->name, sizeof clip->name, "%s %d-%d", from->clip, from->first_frame,
             from->last_frame);
    snprintf(clip->licence, sizeof clip->licence, "%s", from->licence);
    snprintf(clip->origin, sizeof clip->origin, "%s", from->origin);
    snprintf(clip->digest, sizeof clip->digest, "%s", from->digest);
    clip->first = first;
    clip->count = count;
    clip->mirrored = s->mirrored;
    return TR_OK;
}

static tr_status describe(const tr_model *model, const tr_examples_def *def,
                          tr_latent_space_def *out, tr_error *error) {
    out->clip_count = def->motion_count * (def->mirrored ? 2 : 1);
    if (def->motion_count < 1 || out->clip_count > TR_LATENT_CLIP_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "motions: %d: expected 1 to %d, mirror images counted", out->clip_count,
                       TR_LATENT_CLIP_MAX);
    for (int c = 0; c < out->clip_count; c++) {
        source s = source_of(model, def, c);
        tr_status status = describe_clip(&s, &out->clip[c], out->frame_count, error);
        if (status)
            return status;
        out->frame_count += out->clip[c].count;
    }
    return TR_OK;
}

/* --- frames --- */

/* Adds q to the sum on the sum's side of the sphere: q and -q are one rotation. */
static tr_quat add_rotation(tr_quat sum, tr_quat q) {
    double sign = tr_quat_dot(sum, q) < 0 ? -1 : 1;
    return (tr_quat){sum.w + sign * q.w, sum.x + sign * q.x, sum.y + sign * q.y,
                     sum.z + sign * q.z};
}

static void make_reference(const tr_model *model, const tr_examples_def *def,
                           tr_latent_space_def *out) {
    for (int i = 0; i < TR_POSE_BODY_MAX; i++)
        out->reference.joint[i] = tr_quat_identity();
    for (int c = 0; c < out->clip_count; c++) {
        source s = source_of(model, def, c);
        for (int f = 0; f < out->clip[c].count; f++) {
            tr_pose pose = sample(&s, f);
            for (int i = 1; i < model->body_count; i++)
                out->reference.joint[i] = add_rotation(out->reference.joint[i], pose.joint[i]);
        }
    }
    /* The normalised sum is the mean rotation. */
    for (int i = 1; i < model->body_count; i++)
        out->reference.joint[i] = tr_quat_normalize(out->reference.joint[i]);
}

/* Returns which supports stand, by central differences. */
static unsigned char find_standing(const source *s, const tr_examples_def *def, int frame,
                                   int last) {
    /* At the ends of a clip the difference is one-sided. */
    int before = frame > 0 ? frame - 1 : 0, after = frame < last ? frame + 1 : last;
    tr_pose poses[3] = {sample(s, before), sample(s, frame), sample(s, after)};
    tr_state state = tr_state_from_poses(s->model, &poses[0], &poses[1], &poses[2],
                                         0.5 * (after - before) * s->dt_s);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(s->model, &state, bodies);
    unsigned char standing = 0;
    for (int i = 0; i < def->support_count; i++) {
        tr_vec3 at = tr_support_position(s->model, &def->support[i], bodies);
        tr_vec3 vel = tr_support_velocity(s->model, &def->support[i], bodies);
        if (at.z < STANDING_M && tr_vec3_length(vel) < STANDING_MPS)
            standing |= (unsigned char)(1u << i);
    }
    return standing;
}

static void fill_clip(const source *s, const tr_examples_def *def, int clip,
                      tr_latent_space_def *out) {
    const tr_latent_clip *c = &out->clip[clip];
    /* Each clip before has one step fewer than frames. */
    tr_root_step *step = out->root + c->first - clip;
    tr_pose_place last = {0};
    for (int f = 0; f < c->count; f++) {
        tr_pose pose = sample(s, f);
        tr_pose_place place = tr_pose_place_of(&pose);
        tr_pose_vector_from(s->model, &out->reference, &pose,
                            out->pose + (c->first + f) * out->pose_size);
        out->standing[c->first + f] = find_standing(s, def, f, c->count - 1);
        if (f > 0)
            *step++ = tr_root_step_between(&last, &place);
        last = place;
    }
}

tr_status tr_examples_create(const tr_model *model, const tr_examples_def *def,
                             tr_latent_space_def *out, tr_error *error) {
    *out = (tr_latent_space_def){.dt_s = def->dt_s,
                                 .pose_size = tr_pose_vector_size(model),
                                 .support_count = def->support_count};
    for (int i = 0; i < def->support_count; i++)
        out->support[i] = def->support[i];
    if (model->body_count > TR_POSE_BODY_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "model '%s': %d bodies: a latent space has at most %d; use a simpler model",
                       model->name, model->body_count, TR_POSE_BODY_MAX);
    tr_status status = describe(model, def, out, error);
    if (status)
        return status;
    size_t frames = (size_t)out->frame_count;
    out->pose = calloc(frames * (size_t)out->pose_size, sizeof *out->pose);
    out->root = calloc(frames, sizeof *out->root);
    out->standing = calloc(frames, 1);
    if (!out->pose || !out->root || !out->standing) {
        tr_latent_space_def_deinit(out);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "examples: no memory for %zu frames", frames);
    }
    /* Channels are metres of movement at the mean pose, which needs all clips. */
    make_reference(model, def, out);
    for (int c = 0; c < out->clip_count; c++) {
        source s = source_of(model, def, c);
        fill_clip(&s, def, c, out);
    }
    return TR_OK;
}

/* --- scales --- */

void tr_examples_place(const tr_model *model, const tr_latent_space_def *examples,
                       const double *vector, tr_vec3 out[static TR_BODY_MAX]) {
    tr_pose pose =
        tr_pose_vector_to(model, &examples->reference, vector, &(tr_pose_place){0, 0, 0});
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    for (int i = 0; i < model->body_count; i++)
        out[i] = bodies[i].com_pos;
}

void tr_examples_scales(const tr_model *model, const tr_latent_space_def *examples, double *out) {
    static const double SHIFT = 1e-4;
    double mean[TR_POSE_VECTOR_MAX] = {0};
    for (int i = 0; i < examples->frame_count; i++)
        for (int k = 0; k < examples->pose_size; k++)
            mean[k] += examples->pose[i * examples->pose_size + k] / examples->frame_count;
    tr_vec3 low[TR_BODY_MAX], high[TR_BODY_MAX];
    for (int k = 0; k < examples->pose_size; k++) {
        /* Shift one channel to either side, and see how far the bodies move. */
        double at = mean[k], sum = 0;
        mean[k] = at - SHIFT;
        tr_examples_place(model, examples, mean, low);
        mean[k] = at + SHIFT;
        tr_examples_place(model, examples, mean, high);
        mean[k] = at;
        for (int i = 0; i < model->body_count; i++) {
            tr_vec3 moved = tr_vec3_sub(high[i], low[i]);
            sum += tr_vec3_dot(moved, moved);
        }
        out[k] = sqrt(sum / model->body_count) / (2 * SHIFT);
    }
}
