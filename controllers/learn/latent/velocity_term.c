/* L_V + ln p(beta) of eq. 4, over the steps of all clips (section 4.1):
 *
 *   k = beta_1 (v . v') exp(-beta_2/2 |v - v'|^2 - beta_3/2 |x - x'|^2) + beta_4 delta
 *
 * Velocities are not centred: a mean would move the character while x stands still. */
#include "learn/latent/gplvm_term.h"

#include <math.h>
#include <string.h>

/* The root's channels and the joints' have a weight each; or every channel has. */
static tr_gp_likelihood likelihood_of(const tr_gplvm_problem *problem, tr_gp_room *room) {
    const tr_gplvm_data *data = &problem->data;
    bool by_channel = problem->settings.channel_scales;
    int count = by_channel ? data->velocity_size : 2;
    for (int g = 0; g <= count; g++)
        room->groups[g] = by_channel ? g
                          : g == 0   ? 0
                          : g == 1   ? data->root_size
                                     : data->velocity_size;
    return (tr_gp_likelihood){.count = data->step_count,
                              .outputs = data->velocity_size,
                              .target = data->velocity,
                              .groups = room->groups,
                              .group_count = count};
}

/* Fills rows (x_t, v_t): the point that a step leads to, and the step. */
static void fill_rows(const tr_gplvm_problem *problem, const double *x, double *out_place,
                      double *out_step) {
    const int q = problem->settings.dimension;
    for (int s = 0; s < problem->data.step_count; s++) {
        const double *to = x + problem->step_frame[s] * q, *from = to - q;
        for (int d = 0; d < q; d++) {
            out_place[s * q + d] = to[d];
            out_step[s * q + d] = to[d] - from[d];
        }
    }
}

/* Derivatives by place and step become derivatives by the two points of a step. */
static void spread(const tr_gplvm_problem *problem, const double *by_place, const double *by_step,
                   double *out) {
    const int q = problem->settings.dimension;
    for (int s = 0; s < problem->data.step_count; s++) {
        double *to = out + problem->step_frame[s] * q, *from = to - q;
        for (int d = 0; d < q; d++) {
            to[d] += by_place[s * q + d] + by_step[s * q + d];
            from[d] -= by_step[s * q + d];
        }
    }
}

static double dot(int size, const double *a, const double *b) {
    double sum = 0;
    for (int d = 0; d < size; d++)
        sum += a[d] * b[d];
    return sum;
}

/* Fills shape with the kernel without noise, and inverse with the kernel. */
static void make_covariance(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                            const double *place, const double *step, tr_gp_room *room) {
    const int n = problem->data.step_count, q = problem->settings.dimension;
    tr_gp_distances(n, q, place, room->distance);
    tr_gp_distances(n, q, step, room->other_distance);
    size_t at = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++, at++) {
            double bell = exp(-0.5 * point->hyper.step_scale * room->other_distance[at] -
                              0.5 * point->hyper.place_scale * room->distance[at]);
            room->shape[at] =
                problem->velocity_amplitude * dot(q, step + i * q, step + j * q) * bell;
        }
    memcpy(room->inverse, room->shape, at * sizeof *room->inverse);
    for (int i = 0; i < n; i++)
        room->inverse[(size_t)i * ((size_t)n + 1)] += point->hyper.velocity_noise;
}

/* Adds the part of dL/dv that comes from v . v': 2 beta_1 sum_j G_ij bell_ij v_j. */
static void pull_by_product(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                            const double *step, const tr_gp_room *room, double *out) {
    const int n = problem->data.step_count, q = problem->settings.dimension;
    size_t at = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++, at++) {
            double bell = exp(-0.5 * point->hyper.step_scale * room->other_distance[at] -
                              0.5 * point->hyper.place_scale * room->distance[at]);
            for (int d = 0; d < q; d++)
                out[i * q + d] +=
                    2 * problem->velocity_amplitude * room->slope[at] * bell * step[j * q + d];
        }
}

double tr_gplvm_velocity_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                              tr_gp_room *room, tr_gplvm_slope *slope) {
    const int n = problem->data.step_count, q = problem->settings.dimension;
    const size_t cells = (size_t)n * (size_t)n, diagonal = (size_t)n + 1,
                 half = (size_t)n * (size_t)q;
    const tr_gplvm_hyper *hyper = &point->hyper;
    double *place = room->input, *step = place + half;
    double *by_place = room->input_slope, *by_step = by_place + half;
    fill_rows(problem, point->x, place, step);
    make_covariance(problem, point, place, step, room);
    tr_gp_likelihood likelihood = likelihood_of(problem, room);
    /* ln p(beta) = -ln beta_2 - ln beta_3 - ln beta_4. */
    double value = tr_gp_likelihood_of(&likelihood, room) - log(hyper->step_scale) -
                   log(hyper->place_scale) - log(hyper->velocity_noise);
    memset(by_place, 0, 2 * half * sizeof *by_place);
    pull_by_product(problem, point, step, room, by_step);
    double by_step_scale = 0, by_place_scale = 0, trace = 0;
    for (size_t i = 0; i < cells; i += diagonal)
        trace += room->slope[i];
    /* From dL/dK to the scales, to dL/d|v - v'|^2 and to dL/d|x - x'|^2. */
    for (size_t i = 0; i < cells; i++) {
        double pull = room->slope[i] * room->shape[i] * -0.5;
        by_step_scale += pull * room->other_distance[i];
        by_place_scale += pull * room->distance[i];
        room->slope[i] = pull * hyper->step_scale;
        room->shape[i] = pull * hyper->place_scale;
    }
    tr_gp_pull(n, q, room->slope, step, by_step);
    tr_gp_pull(n, q, room->shape, place, by_place);
    spread(problem, by_place, by_step, slope->x);
    slope->hyper.step_scale += by_step_scale - 1 / hyper->step_scale;
    slope->hyper.place_scale += by_place_scale - 1 / hyper->place_scale;
    slope->hyper.velocity_noise += trace - 1 / hyper->velocity_noise;
    return value;
}
