#include "learn/latent/task_training.h"

#include <stddef.h>

#define AT(field) offsetof(tr_task_parameters, field)

static const tr_parameter rows[] = {
    {"task", TR_NAME, AT(task), 0, 0, "heading", "heading or target"},
    {"bearing_cells", TR_COUNT, AT(bearing_cells), 1, 360, "24", "directions of the grid"},
    {"speed_low_mps", TR_REAL, AT(speed_low_mps), 0, 20, "0",
     "heading: least speed; 0: that of the clips"},
    {"speed_high_mps", TR_REAL, AT(speed_high_mps), 0, 20, "0",
     "heading: largest speed; 0: that of the clips"},
    {"speed_cells", TR_COUNT, AT(speed_cells), 1, 64, "1", "heading: speeds of the grid"},
    {"speed_width_mps", TR_REAL, AT(speed_width_mps), 0, 20, "0.5",
     "heading: width of the reward of speed; 0: only the direction counts"},
    {"body", TR_NAME, AT(body), 0, 0, "rhand", "target: the body that must hit"},
    {"body_speed_mps", TR_REAL, AT(body_speed_mps), 0, 50, "1", "target: least speed of the body"},
    {"height_m", TR_REAL, AT(height_m), -10, 10, "1.2", "target: height of the point"},
    {"discount", TR_REAL, AT(discount), 0, 0.9999, "0.98", "gamma"},
    {"ring", TR_REAL, AT(ring), 1e-6, 1, "0.75", "rho: the smaller, the wider the ring of actions"},
    {"ring_variance", TR_COUNT, AT(ring_variance), 0, 1, "0",
     "1: the ring follows the variance, as in the paper; 0: the standard deviation"},
    {"dynamics_weight", TR_REAL, AT(dynamics_weight), 0, 1e3, "0.04", "c_x"},
    {"slip_weight", TR_REAL, AT(slip_weight), 0, 1e3, "0.3", "cost of feet that slide, 1/(m/s)"},
    {"refinements", TR_COUNT, AT(refinements), 0, 20, "4", "refinements by Bellman error"},
    {"sweeps", TR_COUNT, AT(sweeps), 1, 100000, "1000", "most sweeps of value iteration"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the refinements"},
    {"skill", TR_NAME, AT(skill), 0, 0, "walk", "what the controller does"},
};

/* Constants now (task_training.c). */
static const char retired[] = "neighbours=8 distance_cells=9 trajectories=50 trajectory_steps=200 "
                              "centre_share=0.5 ring_count=16 variance_weight=0.04 step_weight=1 "
                              "distance_low_m=0.4 distance_high_m=1.2 goal_steps=50 tolerance=1e-3 "
                              "sharpness=3";

const tr_parameter_table tr_task_parameter_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
