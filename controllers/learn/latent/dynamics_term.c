/* Phi_D of eq. 2: the step to a latent point is a Gaussian process of the two points before it,
 *
 *   x_t - x_(t-1) ~ GP([x_(t-1), x_(t-2)]; gamma),     x_1, x_2 of each clip ~ N(0, 1)
 *
 * In the paper's letter the output is x_t itself. Steps fit the amplitude gamma_1 = 0.005 better,
 * and away from the clips the mean then stays where it is and does not jump to the origin. */
#include "learn/latent/gplvm_term.h"

#include <math.h>
#include <string.h>

static void fill_rows(const tr_gplvm_problem *problem, const double *x, tr_gp_room *room) {
    const int q = problem->settings.dimension;
    for (int s = 0; s < problem->third_count; s++) {
        const double *third = x + problem->third_frame[s] * q, *second = third - q;
        memcpy(room->input + 2 * s * q, second, (size_t)q * sizeof *second);
        memcpy(room->input + (2 * s + 1) * q, second - q, (size_t)q * sizeof *second);
        for (int d = 0; d < q; d++)
            room->target[s * q + d] = third[d] - second[d];
    }
}

static void spread(const tr_gplvm_problem *problem, const tr_gp_room *room, double *out) {
    const int q = problem->settings.dimension;
    for (int s = 0; s < problem->third_count; s++) {
        double *third = out + problem->third_frame[s] * q, *second = third - q, *first = second - q;
        for (int d = 0; d < q; d++) {
            /* The target is third - second, so that both receive its derivative. */
            double by_target = -room->solved[s * q + d];
            third[d] += by_target;
            second[d] += room->input_slope[2 * s * q + d] - by_target;
            first[d] += room->input_slope[(2 * s + 1) * q + d];
        }
    }
}

/* Returns ln p(x_1, x_2) of all clips, up to a constant. */
static double add_first_two(const tr_gplvm_problem *problem, const double *x, double *out) {
    const int q = problem->settings.dimension;
    double value = 0;
    for (int c = 0; c < problem->data.clip_count; c++)
        for (int i = problem->data.clip_first[c] * q, end = i + 2 * q; i < end; i++) {
            value -= 0.5 * x[i] * x[i];
            out[i] -= x[i];
        }
    return value;
}

double tr_gplvm_dynamics_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                              tr_gp_room *room, tr_gplvm_slope *slope) {
    const int n = problem->third_count, q = problem->settings.dimension;
    const size_t cells = (size_t)n * (size_t)n, diagonal = (size_t)n + 1;
    const double *gamma = problem->settings.dynamics;
    fill_rows(problem, point->x, room);
    tr_gp_distances(n, 2 * q, room->input, room->distance);
    /* The kernel of eq. 2; the noise gamma_3 joins its diagonal. */
    for (size_t i = 0; i < cells; i++)
        room->shape[i] = gamma[0] * exp(-0.5 * gamma[1] * room->distance[i]);
    memcpy(room->inverse, room->shape, cells * sizeof *room->inverse);
    for (size_t i = 0; i < cells; i += diagonal)
        room->inverse[i] += gamma[2];
    const tr_gp_likelihood likelihood = {.count = n, .outputs = q, .target = room->target};
    double value = tr_gp_likelihood_of(&likelihood, room);
    /* From dL/dK to dL/d|u_i - u_j|^2, then to the points. */
    for (size_t i = 0; i < cells; i++)
        room->slope[i] *= -0.5 * gamma[1] * room->shape[i];
    memset(room->input_slope, 0, 2 * (size_t)n * (size_t)q * sizeof *room->input_slope);
    tr_gp_pull(n, 2 * q, room->slope, room->input, room->input_slope);
    spread(problem, room, slope->x);
    return value + add_first_two(problem, point->x, slope->x);
}
