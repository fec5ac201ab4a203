/* Hashes of what acts in latent spaces and policies. */
#include "control/latent/latent_policy.h"
#include "math/hash.h"

static uint64_t add_doubles(uint64_t hash, const double *values, size_t count) {
    return tr_hash_add(hash, values, count * sizeof *values);
}

static uint64_t add_ints(uint64_t hash, const int *values, size_t count) {
    return tr_hash_add(hash, values, count * sizeof *values);
}

uint64_t tr_latent_space_hash(const tr_latent_space *space, uint64_t hash) {
    const tr_latent_space_def *def = &space->learned;
    size_t frames = (size_t)def->frame_count, clips = (size_t)def->clip_count;
    const int sizes[] = {def->dimension, def->frame_count, def->clip_count, def->pose_size,
                         def->support_count};
    hash = add_ints(hash, sizes, sizeof sizes / sizeof *sizes);
    hash = add_doubles(hash, &def->dt_s, 1);
    for (size_t c = 0; c < clips; c++)
        hash = add_ints(hash, &def->clip[c].count, 1);
    for (int i = 0; i < def->support_count; i++) {
        hash = add_ints(hash, (const int[]){def->support[i].body, def->support[i].foot}, 2);
        hash = add_doubles(hash, &def->support[i].point.x, 3);
    }
    hash = add_doubles(hash, &def->reference.joint[0].w, (size_t)4 * TR_POSE_BODY_MAX);
    hash = tr_hash_add(hash, &def->kernels, sizeof def->kernels);
    hash = add_doubles(hash, def->point, frames * (size_t)def->dimension);
    hash = add_doubles(hash, def->pose, frames * (size_t)def->pose_size);
    hash = add_doubles(hash, &def->root->turn_rad, 3 * (frames - clips));
    return tr_hash_add(hash, def->standing, frames);
}

uint64_t tr_latent_policy_hash(const tr_latent_policy *policy, uint64_t hash) {
    const tr_latent_choice *c = &policy->choice;
    const tr_latent_task *t = &policy->task;
    const double numbers[] = {
        c->discount,    c->ring,      c->dynamics_weight, c->variance_weight, c->slip_weight,
        c->step_weight, t->sharpness, t->speed_width_mps, t->speed_mps,       t->height_m};
    const int whole[] = {
        c->ring_count,      c->neighbour_count, c->ring_variance,     (int)t->kind,      t->body,
        t->grid.axis_count, policy->dimension,  policy->sample_count, policy->cell_count};
    hash = add_doubles(hash, numbers, sizeof numbers / sizeof *numbers);
    hash = add_ints(hash, whole, sizeof whole / sizeof *whole);
    for (int a = 0; a < t->grid.axis_count; a++) {
        const tr_goal_axis *axis = &t->grid.axis[a];
        hash = add_doubles(hash, (const double[]){axis->low, axis->high}, 2);
        hash = add_ints(hash, (const int[]){axis->cells, axis->periodic}, 2);
    }
    hash =
        add_doubles(hash, policy->sample, 2 * (size_t)policy->dimension * (size_t)policy->stride);
    return add_doubles(hash, policy->value,
                       (size_t)policy->sample_count * (size_t)policy->cell_count);
}
