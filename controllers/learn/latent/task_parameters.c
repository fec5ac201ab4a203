#include "learn/latent/task_training.h"

#include <stddef.h>

#define AT(field) offsetof(tr_task_parameters, field)

static const tr_parameter rows[] = {
    {"task", TR_NAME, AT(task), 0, 0, "heading or target"},
    {"sharpness", TR_REAL, AT(sharpness), 0, 1e3, "of the reward, 1/rad or 1/m"},
    {"bearing_cells", TR_COUNT, AT(bearing_cells), 1, 360, "directions of the grid"},
    {"speed_low_mps", TR_REAL, AT(speed_low_mps), 0, 20,
     "heading: least speed asked for; 0: the clips'"},
    {"speed_high_mps", TR_REAL, AT(speed_high_mps), 0, 20, "heading: largest; 0: the clips'"},
    {"speed_cells", TR_COUNT, AT(speed_cells), 1, 64, "heading: speeds of the grid"},
    {"speed_width_mps", TR_REAL, AT(speed_width_mps), 0, 20,
     "heading: width of the reward of speed; 0: the direction alone counts"},
    {"body", TR_NAME, AT(body), 0, 0, "target: that is to hit"},
    {"body_speed_mps", TR_REAL, AT(body_speed_mps), 0, 50, "target: its least speed"},
    {"height_m", TR_REAL, AT(height_m), -10, 10, "target: height of the point"},
    {"distance_low_m", TR_REAL, AT(distance_low_m), 0, 100, "target: nearest"},
    {"distance_high_m", TR_REAL, AT(distance_high_m), 0, 100, "target: farthest"},
    {"distance_cells", TR_COUNT, AT(distance_cells), 1, 64, "target: distances of the grid"},
    {"discount", TR_REAL, AT(discount), 0, 0.9999, "gamma"},
    {"ring", TR_REAL, AT(ring), 1e-6, 1, "rho: the smaller, the wider the ring of actions"},
    {"ring_variance", TR_COUNT, AT(ring_variance), 0, 1,
     "1: the ring is read against the variance, as in the paper; 0: the standard deviation"},
    {"ring_count", TR_COUNT, AT(ring_count), 0, TR_LATENT_RING_MAX, "actions on the ring"},
    {"dynamics_weight", TR_REAL, AT(dynamics_weight), 0, 1e3, "c_x"},
    {"variance_weight", TR_REAL, AT(variance_weight), 0, 1e3, "c_y"},
    {"neighbours", TR_COUNT, AT(neighbours), 1, TR_LATENT_NEIGHBOUR_MAX,
     "samples that a value is taken from"},
    {"step_weight", TR_REAL, AT(step_weight), 0, 100, "of v against x in distances"},
    {"refinements", TR_COUNT, AT(refinements), 0, 20, "by Bellman error"},
    {"trajectories", TR_COUNT, AT(trajectories), 1, 10000, "of a refinement"},
    {"trajectory_steps", TR_COUNT, AT(trajectory_steps), 1, 10000, "of each"},
    {"goal_steps", TR_COUNT, AT(goal_steps), 1, 10000, "until it draws another goal"},
    {"centre_share", TR_REAL, AT(centre_share), 0.01, 4,
     "samples that a refinement adds, as a share of the frames"},
    {"tolerance", TR_REAL, AT(tolerance), 1e-9, 1, "change of a value that counts as none"},
    {"sweeps", TR_COUNT, AT(sweeps), 1, 100000, "of value iteration, at most"},
    {"seed", TR_SEED, AT(seed), 0, 0, "of the refinements"},
};

const tr_parameter_table tr_task_parameter_table = {rows, sizeof rows / sizeof *rows};

tr_task_parameters tr_task_parameters_default(void) {
    return (tr_task_parameters){.task = "heading",
                                .body = "rhand",
                                .sharpness = 3,
                                .speed_width_mps = 0.5,
                                .body_speed_mps = 1,
                                .height_m = 1.2,
                                .distance_low_m = 0.4,
                                .distance_high_m = 1.2,
                                .bearing_cells = 24,
                                .speed_cells = 1,
                                .distance_cells = 9,
                                .discount = 0.98,
                                .ring = 0.75,
                                .ring_count = TR_LATENT_RING_MAX,
                                .dynamics_weight = 0.04,
                                .variance_weight = 0.04,
                                .neighbours = 8,
                                .step_weight = 1,
                                .refinements = 4,
                                .trajectories = 50,
                                .trajectory_steps = 200,
                                .goal_steps = 50,
                                .centre_share = 0.5,
                                .tolerance = 1e-3,
                                .sweeps = 1000,
                                .seed = 1};
}
