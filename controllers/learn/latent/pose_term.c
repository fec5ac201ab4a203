/* L_Y + ln p(alpha) of eq. 4: k(x, x') = exp(-alpha_2/2 |x - x'|^2) + alpha_3 delta. */
#include "learn/latent/gplvm_term.h"

#include <math.h>
#include <string.h>

double tr_gplvm_pose_term(const tr_gplvm_problem *problem, const tr_gplvm_point *point,
                          tr_gp_room *room, tr_gplvm_slope *slope) {
    const int n = problem->data.frame_count, q = problem->settings.dimension;
    const size_t cells = (size_t)n * (size_t)n, diagonal = (size_t)n + 1;
    const double scale = point->hyper.pose_scale, noise = point->hyper.pose_noise;
    tr_gp_distances(n, q, point->x, room->distance);
    for (size_t i = 0; i < cells; i++)
        room->shape[i] = exp(-0.5 * scale * room->distance[i]);
    memcpy(room->inverse, room->shape, cells * sizeof *room->inverse);
    for (size_t i = 0; i < cells; i += diagonal)
        room->inverse[i] += noise;
    /* Makes groups of one channel each, or one group of all. */
    int size = problem->data.pose_size, count = problem->settings.channel_scales ? size : 1;
    for (int g = 0; g <= count; g++)
        room->groups[g] = g * size / count;
    tr_gp_likelihood likelihood = (tr_gp_likelihood){.count = problem->data.frame_count,
                                                     .outputs = size,
                                                     .target = problem->data.pose,
                                                     .groups = room->groups,
                                                     .group_count = count};
    /* ln p(alpha) = -ln alpha_2 - ln alpha_3. */
    double value = tr_gp_likelihood_of(&likelihood, room) - log(scale) - log(noise);
    double by_scale = 0, trace = 0;
    for (size_t i = 0; i < cells; i += diagonal)
        trace += room->slope[i];
    /* From dL/dK to the scale, and to dL/d|x_i - x_j|^2. */
    for (size_t i = 0; i < cells; i++) {
        double pull = room->slope[i] * room->shape[i] * -0.5;
        by_scale += pull * room->distance[i];
        room->slope[i] = pull * scale;
    }
    slope->hyper.pose_scale += by_scale - 1 / scale;
    slope->hyper.pose_noise += trace - 1 / noise;
    tr_gp_pull(n, q, room->slope, point->x, slope->x);
    return value;
}
