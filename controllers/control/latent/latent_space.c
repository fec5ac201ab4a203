#include "control/latent/latent_space.h"

#include "math/quantile.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT_CHANNELS = 3 };
_Static_assert(sizeof(tr_root_step) == ROOT_CHANNELS * sizeof(double), "root steps are rows");

/* --- checking --- */

static tr_status refuse(tr_error *error, const char *field, const char *expected) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "latent space: %s: expected %s", field, expected);
}

static tr_status check_clips(const tr_latent_space_def *def, tr_error *error) {
    int frames = 0;
    for (int c = 0; c < def->clip_count; c++) {
        const tr_latent_clip *clip = &def->clip[c];
        if (clip->first != frames || clip->count < 3 || clip->count > def->frame_count - frames)
            return refuse(error, "clips", "three or more frames each, one clip after the other");
        frames += clip->count;
    }
    return frames == def->frame_count ? TR_OK
                                      : refuse(error, "clips", "as many frames as the space has");
}

static tr_status check_sizes(const tr_latent_space_def *def, const tr_model *model,
                             tr_error *error) {
    if (def->dimension < 1 || def->dimension > TR_LATENT_DIMENSION_MAX)
        return refuse(error, "dimension", "1 to 8");
    if (def->frame_count < 1 || def->frame_count > TR_LATENT_FRAME_MAX)
        return refuse(error, "frames", "1 to 1024");
    if (def->clip_count < 1 || def->clip_count > TR_LATENT_CLIP_MAX)
        return refuse(error, "clips", "1 to 64");
    if (!(def->dt_s >= 1e-3 && def->dt_s <= 1))
        return refuse(error, "dt_s", "0.001 to 1 s");
    if (model->body_count > TR_POSE_BODY_MAX)
        return refuse(error, "model", "at most 32 bodies");
    if (def->pose_size != tr_pose_vector_size(model))
        return refuse(error, "pose channels", "as many as the model has");
    if (def->support_count < 0 || def->support_count > TR_SUPPORT_MAX)
        return refuse(error, "supports", "0 to 8 points");
    for (int i = 0; i < def->support_count; i++)
        if (def->support[i].body < 0 || def->support[i].body >= model->body_count ||
            def->support[i].foot < 0 || def->support[i].foot >= TR_SUPPORT_MAX ||
            !(tr_vec3_length(def->support[i].point) < 10))
            return refuse(error, "supports", "points of the model's bodies");
    return check_clips(def, error);
}

static bool all_within(const double *values, size_t count, double size) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= size))
            return false;
    return true;
}

static tr_status check_numbers(const tr_latent_space_def *def, tr_error *error) {
    const tr_latent_kernels *k = &def->kernels;
    const double positive[] = {
        k->pose_scale,     k->pose_noise,  k->velocity_amplitude, k->step_scale,  k->place_scale,
        k->velocity_noise, k->dynamics[0], k->dynamics[1],        k->dynamics[2], k->pose_spread_m};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i] > 0 && positive[i] < 1e12))
            return refuse(error, "kernels", "numbers above 0");
    for (int i = 1; i < TR_POSE_BODY_MAX; i++) {
        double square = tr_quat_dot(def->reference.joint[i], def->reference.joint[i]);
        if (!(fabs(square - 1) < 1e-6))
            return refuse(error, "reference", "unit quaternions");
    }
    size_t frames = (size_t)def->frame_count, steps = frames - (size_t)def->clip_count;
    if (!all_within(def->point, frames * (size_t)def->dimension, 1e6) ||
        !all_within(def->pose, frames * (size_t)def->pose_size, 1e3) ||
        !all_within(&def->root->turn_rad, steps * ROOT_CHANNELS, 1e3))
        return refuse(error, "points, poses, root steps", "finite numbers");
    return TR_OK;
}

/* --- making --- */

/* Computes the mean of the pose vectors, the bias b of levine2012, section 4.4. */
static void mean_pose(const tr_latent_space_def *def, double *out) {
    memset(out, 0, (size_t)def->pose_size * sizeof *out);
    for (int i = 0; i < def->frame_count; i++)
        for (int k = 0; k < def->pose_size; k++)
            out[k] += def->pose[i * def->pose_size + k] / def->frame_count;
}

static tr_status make_pose_map(tr_latent_space *space) {
    const tr_latent_space_def *def = &space->learned;
    double bias[TR_POSE_VECTOR_MAX];
    mean_pose(def, bias);
    /* g_y, with alpha_1 = 1. */
    const tr_gaussian_map_def map = {.kernel = {.amplitude = 1,
                                                .head_scale = def->kernels.pose_scale,
                                                .noise = def->kernels.pose_noise,
                                                .head_size = def->dimension},
                                     .input_size = def->dimension,
                                     .output_size = def->pose_size,
                                     .count = def->frame_count,
                                     .centre = def->point,
                                     .target = def->pose,
                                     .bias = bias,
                                     .with_variance = true};
    return tr_gaussian_map_init(&space->pose, &map);
}

/* Makes the map from (x_t, x_t - x_(t-1)) to the root step that led to x_t. */
static tr_status make_velocity_map(tr_latent_space *space, double *centre) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension;
    double *row = centre;
    for (int c = 0; c < def->clip_count; c++)
        for (int i = 1; i < def->clip[c].count; i++, row += 2 * q) {
            const double *x = def->point + (def->clip[c].first + i) * q;
            for (int d = 0; d < q; d++) {
                row[d] = x[d];
                row[q + d] = x[d] - x[d - q];
            }
        }
    /* The kernel vanishes with the step, so a point that stands still does not move the root. */
    const tr_gaussian_map_def map = {.kernel = {.amplitude = def->kernels.velocity_amplitude,
                                                .head_scale = def->kernels.place_scale,
                                                .tail_scale = def->kernels.step_scale,
                                                .noise = def->kernels.velocity_noise,
                                                .head_size = q,
                                                .vanishes = true},
                                     .input_size = 2 * q,
                                     .output_size = ROOT_CHANNELS,
                                     .count = def->frame_count - def->clip_count,
                                     .centre = centre,
                                     .target = &def->root->turn_rad};
    return tr_gaussian_map_init(&space->velocity, &map);
}

/* Makes f_x, the map from (x_(t-1), x_(t-2)) to x_t - x_(t-1) (levine2012, eq. 2). */
static tr_status make_dynamics_map(tr_latent_space *space, double *centre, double *target) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension;
    int count = 0;
    for (int c = 0; c < def->clip_count; c++)
        for (int i = 2; i < def->clip[c].count; i++, count++) {
            const double *x = def->point + (def->clip[c].first + i) * q;
            /* A row of eq. 2: the two points before, and the step from them. */
            memcpy(centre + 2 * count * q, x - q, (size_t)q * sizeof *x);
            memcpy(centre + (2 * count + 1) * q, x - 2 * q, (size_t)q * sizeof *x);
            for (int d = 0; d < q; d++)
                target[count * q + d] = x[d] - x[d - q];
        }
    const tr_gaussian_map_def map = {.kernel = {.amplitude = def->kernels.dynamics[0],
                                                .head_scale = def->kernels.dynamics[1],
                                                .noise = def->kernels.dynamics[2],
                                                .head_size = 2 * q},
                                     .input_size = 2 * q,
                                     .output_size = q,
                                     .count = count,
                                     .centre = centre,
                                     .target = target,
                                     .with_variance = true};
    return tr_gaussian_map_init(&space->dynamics, &map);
}

static tr_status make_standing(tr_latent_space *space) {
    const tr_latent_space_def *def = &space->learned;
    const int supports = def->support_count;
    space->standing = calloc((size_t)def->frame_count * TR_SUPPORT_MAX, sizeof *space->standing);
    for (int i = 0; space->standing && i < def->frame_count; i++)
        for (int k = 0; k < supports; k++)
            space->standing[i * supports + k] = def->standing[i] >> k & 1;
    return space->standing ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* Measures the mean variance at the frames, mu_s of levine2012, section 5.2, and the median step of
 * the clips. work: [steps]. */
static void measure(tr_latent_space *space, double *work) {
    const tr_latent_space_def *def = &space->learned;
    int steps = 0;
    space->mean_variance = 0;
    for (int i = 0; i < def->frame_count; i++)
        space->mean_variance +=
            tr_latent_space_variance(space, def->point + i * def->dimension) / def->frame_count;
    for (int c = 0; c < def->clip_count; c++)
        for (int i = 1; i < def->clip[c].count; i++, steps++) {
            const double *x = def->point + (def->clip[c].first + i) * def->dimension;
            work[steps] = sqrt(tr_latent_square_distance(def->dimension, x, x - def->dimension));
        }
    /* The median, which single jumps do not move. */
    space->step_length = tr_quantile(work, steps, 0.5);
}

static tr_status make_maps(tr_latent_space *space, tr_error *error) {
    const tr_latent_space_def *def = &space->learned;
    size_t rows = (size_t)def->frame_count * (size_t)def->dimension;
    double *work = malloc(3 * rows * sizeof *work);
    tr_status status = work ? make_pose_map(space) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = make_velocity_map(space, work);
    if (!status)
        status = make_dynamics_map(space, work, work + 2 * rows);
    if (!status)
        status = make_standing(space);
    if (!status)
        measure(space, work);
    free(work);
    return tr_fail_if(error, status, "latent space: kernels");
}

static void *copy_of(const void *data, size_t size) {
    void *copy = malloc(size);
    if (copy)
        memcpy(copy, data, size);
    return copy;
}

static tr_status copy_learned(const tr_latent_space_def *def, tr_latent_space_def *out) {
    size_t frames = (size_t)def->frame_count, steps = frames - (size_t)def->clip_count;
    *out = *def;
    out->point = copy_of(def->point, frames * (size_t)def->dimension * sizeof *def->point);
    out->pose = copy_of(def->pose, frames * (size_t)def->pose_size * sizeof *def->pose);
    out->root = copy_of(def->root, steps * sizeof *def->root);
    out->standing = copy_of(def->standing, frames);
    return out->point && out->pose && out->root && out->standing ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

tr_status tr_latent_space_create(const tr_model *model, const tr_latent_space_def *def,
                                 tr_latent_space **out, tr_error *error) {
    tr_status status = check_sizes(def, model, error);
    if (!status)
        status = check_numbers(def, error);
    if (status)
        return status;
    tr_latent_space *space = calloc(1, sizeof *space);
    if (!space || copy_learned(def, &space->learned))
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "latent space: no memory");
    if (!status)
        status = make_maps(space, error);
    return TR_GIVE(status, space, tr_latent_space_destroy, out);
}

void tr_latent_space_destroy(tr_latent_space *space) {
    if (!space)
        return;
    tr_gaussian_map_deinit(&space->pose);
    tr_gaussian_map_deinit(&space->velocity);
    tr_gaussian_map_deinit(&space->dynamics);
    tr_latent_space_def_deinit(&space->learned);
    free(space->standing);
    free(space);
}

void tr_latent_space_def_deinit(tr_latent_space_def *def) {
    free(def->point);
    free(def->pose);
    free(def->root);
    free(def->standing);
    def->point = def->pose = NULL;
    def->root = NULL;
    def->standing = NULL;
}

bool tr_latent_space_fits(const tr_latent_space *space, const tr_model *model) {
    tr_error ignored = {0};
    return !check_sizes(&space->learned, model, &ignored);
}

/* --- evaluation --- */

void tr_latent_space_pose(const tr_latent_space *space, const double *x, double *out) {
    tr_gaussian_row row;
    tr_gaussian_map_covariances(&space->pose, x, &row);
    tr_gaussian_map_mean(&space->pose, &row, out);
}

double tr_latent_space_variance(const tr_latent_space *space, const double *x) {
    tr_gaussian_row row;
    tr_gaussian_map_covariances(&space->pose, x, &row);
    return tr_gaussian_map_variance(&space->pose, x, &row);
}

/* Puts the velocity map's input. */
static void put_state(const tr_latent_space *space, const tr_latent_state *state, double *out) {
    const size_t q = (size_t)space->learned.dimension;
    memcpy(out, state->x, q * sizeof *out);
    memcpy(out + q, state->v, q * sizeof *out);
}

tr_root_step tr_latent_space_root_step(const tr_latent_space *space, const tr_latent_state *state) {
    double u[2 * TR_LATENT_DIMENSION_MAX], out[TR_GAUSSIAN_OUTPUT_MAX];
    tr_gaussian_row row;
    put_state(space, state, u);
    tr_gaussian_map_covariances(&space->velocity, u, &row);
    tr_gaussian_map_mean(&space->velocity, &row, out);
    return (tr_root_step){out[0], out[1], out[2]};
}

void tr_latent_space_dynamics(const tr_latent_space *space, const tr_latent_state *state,
                              double *out_next, double *out_variance) {
    const int q = space->learned.dimension;
    /* The map takes (x_t, x_(t-1)), and predicts x_(t+1) - x_t. */
    double u[2 * TR_LATENT_DIMENSION_MAX] = {0}, step[TR_GAUSSIAN_OUTPUT_MAX];
    tr_gaussian_row row;
    for (int d = 0; d < q; d++) {
        u[d] = state->x[d];
        u[q + d] = state->x[d] - state->v[d];
    }
    tr_gaussian_map_covariances(&space->dynamics, u, &row);
    tr_gaussian_map_mean(&space->dynamics, &row, step);
    for (int d = 0; d < q; d++)
        out_next[d] = state->x[d] + step[d];
    *out_variance = tr_gaussian_map_variance(&space->dynamics, u, &row);
}

static void find_standing(const tr_latent_space *space, const tr_gaussian_row *row, double *out) {
    const int supports = space->learned.support_count;
    const double *sure = space->standing;
    double total = 0;
    memset(out, 0, (size_t)supports * sizeof *out);
    for (int i = 0; i < space->pose.count; i++) {
        total += row->k[i];
        for (int s = 0; s < supports; s++)
            out[s] += row->k[i] * *sure++;
    }
    for (int s = 0; s < supports; s++)
        /* So far from all frames that every covariance is 0, nothing stands. */
        out[s] = total > 1e-300 ? out[s] / total : 0;
}

void tr_latent_space_show(const tr_latent_space *space, const double *x, double *out_pose,
                          double *out_standing) {
    tr_gaussian_row row;
    tr_gaussian_map_covariances(&space->pose, x, &row);
    tr_gaussian_map_mean(&space->pose, &row, out_pose);
    find_standing(space, &row, out_standing);
}

/* Adds the share of a row of `map` to `sum`. */
static void add_row(const tr_gaussian_map *map, const double *u, double share,
                    tr_gaussian_row *sum) {
    tr_gaussian_row row;
    tr_gaussian_map_covariances(map, u, &row);
    for (int i = 0; i < map->stride; i++)
        sum->k[i] += share * row.k[i];
}

void tr_latent_space_show_mixture(const tr_latent_space *space, const tr_latent_mixture *mixture,
                                  double *out_pose, double *out_standing) {
    tr_gaussian_row sum;
    memset(sum.k, 0, (size_t)space->pose.stride * sizeof *sum.k);
    for (int i = 0; i < mixture->count; i++)
        if (mixture->pose_share[i] != 0)
            add_row(&space->pose, mixture->state[i].x, mixture->pose_share[i], &sum);
    tr_gaussian_map_mean(&space->pose, &sum, out_pose);
    find_standing(space, &sum, out_standing);
}

tr_root_step tr_latent_space_mixed_step(const tr_latent_space *space,
                                        const tr_latent_mixture *mixture) {
    double u[2 * TR_LATENT_DIMENSION_MAX], out[TR_GAUSSIAN_OUTPUT_MAX];
    tr_gaussian_row sum;
    memset(sum.k, 0, (size_t)space->velocity.stride * sizeof *sum.k);
    for (int i = 0; i < mixture->count; i++)
        if (mixture->step_share[i] != 0) {
            put_state(space, &mixture->state[i], u);
            add_row(&space->velocity, u, mixture->step_share[i], &sum);
        }
    tr_gaussian_map_mean(&space->velocity, &sum, out);
    return (tr_root_step){out[0], out[1], out[2]};
}

tr_latent_state tr_latent_space_state(const tr_latent_space *space, int frame) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension;
    tr_latent_state state = {0};
    int from = frame - 1;
    for (int c = 0; c < def->clip_count; c++)
        if (frame == def->clip[c].first)
            from = frame;
    for (int d = 0; d < q; d++) {
        state.x[d] = def->point[frame * q + d];
        state.v[d] = def->point[(from + 1) * q + d] - def->point[from * q + d];
    }
    return state;
}
