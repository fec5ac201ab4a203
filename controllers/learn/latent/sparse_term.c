/* The terms of eq. 4 with inducing points: as pose_term.c, velocity_term.c and dynamics_term.c, with
 * the covariance of sparse_likelihood.h. */
#include "learn/latent/sparse_likelihood.h"

#include <math.h>
#include <string.h>

/* room->input holds the rows; room->input_slope receives their derivatives. */
static double evaluate(const tr_gp_likelihood *l, const tr_gaussian_kernel *kernel,
                       const tr_gplvm_point *point, tr_gp_room *room, tr_gplvm_slope *slope,
                       tr_sparse_slope *out) {
    const size_t rows = (size_t)l->count * (size_t)room->sparse->inputs;
    memset(room->input_slope, 0, rows * sizeof *room->input_slope);
    *out = (tr_sparse_slope){.inputs = room->input_slope, .inducing = slope->inducing};
    return tr_sparse_likelihood(l, kernel, point->inducing, room, out);
}

double tr_gplvm_sparse_pose_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                                 tr_gp_room *room, tr_gplvm_slope *slope) {
    const tr_gplvm_hyper *h = &point->hyper;
    const int q = problem->settings.dimension, coordinates = problem->data.frame_count * q;
    const tr_gaussian_kernel kernel = {
        .amplitude = 1, .head_scale = h->pose_scale, .noise = h->pose_noise, .head_size = q};
    tr_gp_likelihood likelihood = tr_gplvm_pose_likelihood(problem, room);
    tr_sparse_slope by;
    memcpy(room->input, point->x, (size_t)coordinates * sizeof *point->x);
    double value = evaluate(&likelihood, &kernel, point, room, slope, &by);
    for (int i = 0; i < coordinates; i++)
        slope->x[i] += room->input_slope[i];
    slope->hyper.pose_scale += by.head_scale - 1 / h->pose_scale;
    slope->hyper.pose_noise += by.noise - 1 / h->pose_noise;
    return value - log(h->pose_scale) - log(h->pose_noise);
}

double tr_gplvm_sparse_velocity_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                                     tr_gp_room *room, tr_gplvm_slope *slope) {
    const tr_gplvm_hyper *h = &point->hyper;
    const int q = problem->settings.dimension;
    const tr_gaussian_kernel kernel = {.amplitude = problem->velocity_amplitude,
                                       .head_scale = h->place_scale,
                                       .tail_scale = h->step_scale,
                                       .noise = h->velocity_noise,
                                       .head_size = q,
                                       .vanishes = true};
    tr_gp_likelihood likelihood = tr_gplvm_velocity_likelihood(problem, room);
    tr_sparse_slope by;
    tr_gplvm_velocity_rows(problem, point->x, 2 * q, room->input, room->input + q);
    double value = evaluate(&likelihood, &kernel, point, room, slope, &by);
    tr_gplvm_velocity_spread(problem, 2 * q, room->input_slope, room->input_slope + q, slope->x);
    slope->hyper.place_scale += by.head_scale - 1 / h->place_scale;
    slope->hyper.step_scale += by.tail_scale - 1 / h->step_scale;
    slope->hyper.velocity_noise += by.noise - 1 / h->velocity_noise;
    return value - log(h->step_scale) - log(h->place_scale) - log(h->velocity_noise);
}

double tr_gplvm_sparse_dynamics_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                                     tr_gp_room *room, tr_gplvm_slope *slope) {
    const int q = problem->settings.dimension;
    const double *gamma = problem->settings.dynamics;
    const tr_gaussian_kernel kernel = {
        .amplitude = gamma[0], .head_scale = gamma[1], .noise = gamma[2], .head_size = 2 * q};
    const tr_gp_likelihood likelihood = {
        .count = problem->third_count, .outputs = q, .target = room->target};
    tr_sparse_slope by;
    tr_gplvm_dynamics_rows(problem, point->x, room);
    double value = evaluate(&likelihood, &kernel, point, room, slope, &by);
    tr_gplvm_dynamics_spread(problem, room, slope->x);
    return value + tr_gplvm_first_two(problem, point->x, slope->x);
}
