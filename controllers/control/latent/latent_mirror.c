/* Mirror images of latent spaces and policies: the points stay, poses and goals change sides. */
#include "control/latent/latent_policy.h"

#include <stdlib.h>
#include <string.h>

static tr_pose_reference mirror_reference(const tr_model *model, const tr_pose_reference *from) {
    tr_pose_reference to = *from;
    for (int i = 1; i < model->body_count; i++)
        to.joint[model->body[i].mirror] = tr_body_mirror_joint(&model->body[i], from->joint[i]);
    return to;
}

static void mirror_vector(const tr_model *model, const tr_pose_reference *from,
                          const tr_pose_reference *to, const double *vector, double *out) {
    tr_pose pose = tr_pose_vector_to(model, from, vector, &(tr_pose_place){0, 0, 0});
    pose = tr_pose_mirror(model, &pose);
    tr_pose_vector_from(model, to, &pose, out);
}

static void fill(const tr_latent_space_def *from, const tr_model *model, tr_latent_space_def *to) {
    to->reference = mirror_reference(model, &from->reference);
    for (int i = 0; i < from->support_count; i++) {
        to->support[i].body = model->body[from->support[i].body].mirror;
        to->support[i].point = tr_vec3_mirror(from->support[i].point);
    }
    for (int c = 0; c < from->clip_count; c++)
        to->clip[c].mirrored = !from->clip[c].mirrored;
    for (int i = 0; i < from->frame_count; i++)
        mirror_vector(model, &from->reference, &to->reference, from->pose + i * from->pose_size,
                      to->pose + i * from->pose_size);
    /* Turns and steps to the left change their signs. */
    for (int i = 0; i < from->frame_count - from->clip_count; i++)
        to->root[i] =
            (tr_root_step){-from->root[i].turn_rad, from->root[i].forward, -from->root[i].left};
}

tr_status tr_latent_space_mirror(const tr_latent_space *space, const tr_model *model,
                                 tr_latent_space **out) {
    const tr_latent_space_def *from = &space->learned;
    size_t frames = (size_t)from->frame_count;
    tr_error error = {0};
    tr_latent_space_def *to = malloc(sizeof *to);
    if (!to)
        return TR_RESOURCE_EXHAUSTED;
    *to = *from;
    to->pose = calloc(frames * (size_t)from->pose_size, sizeof *to->pose);
    to->root = calloc(frames, sizeof *to->root);
    tr_status status = to->pose && to->root ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        fill(from, model, to);
        status = tr_latent_space_create(model, to, out, &error);
    }
    free(to->pose);
    free(to->root);
    free(to);
    return status;
}

/* Fills in the values of the goals on the other side. */
static void mirror_values(const tr_latent_policy *from, double *out) {
    const tr_goal_grid *grid = &from->task.grid;
    for (int cell = 0; cell < from->cell_count; cell++) {
        tr_goal goal = tr_goal_grid_goal(grid, cell);
        goal.value[0] = -goal.value[0];
        tr_goal_corners corners = tr_goal_grid_corners(grid, &goal);
        for (int i = 0; i < from->sample_count; i++) {
            const double *row = from->value + (size_t)i * (size_t)from->cell_count;
            double sum = 0;
            for (int k = 0; k < TR_GOAL_CORNERS; k++)
                sum += corners.weight[k] * row[corners.cell[k]];
            out[(size_t)i * (size_t)from->cell_count + (size_t)cell] = sum;
        }
    }
}

tr_status tr_latent_policy_mirror(const tr_latent_policy *policy, const tr_model *model,
                                  tr_latent_policy **out) {
    const size_t width = 2 * (size_t)policy->dimension;
    double *rows = calloc((size_t)policy->sample_count * width, sizeof *rows);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < policy->sample_count; i++)
        for (size_t d = 0; d < width; d++)
            rows[(size_t)i * width + d] = policy->sample[d * (size_t)policy->stride + (size_t)i];
    /* Samples stay; the watched body and the values of the goals change sides. */
    tr_latent_task task = policy->task;
    task.body = model->body[task.body].mirror;
    tr_status status = tr_latent_policy_create(&policy->choice, &task, policy->dimension,
                                               policy->sample_count, rows, out);
    free(rows);
    if (!status)
        mirror_values(policy, (*out)->value);
    return status;
}
