#include "learn/latent/latent_fit.h"

#include <stddef.h>

#define AT(field) offsetof(tr_latent_fit_parameters, field)

static const tr_parameter rows[] = {
    {"dimension", TR_COUNT, AT(dimension), 1, TR_LATENT_DIMENSION_MAX, "4",
     "dimension of the space: 4 for one gait, 5 for martial arts"},
    {"mirrored", TR_COUNT, AT(mirrored), 0, 1, "1", "1: use every clip and its mirror image"},
    {"frame_s", TR_REAL, AT(frame_s), 0.005, 0.2, "0.03333333333333333", "time between frames"},
    {"connectivity", TR_REAL, AT(connectivity), 0, 100, "0.1",
     "weight of the connectivity prior, at 500 frames; other numbers scale it"},
    {"diffusion_rate", TR_REAL, AT(diffusion_rate), 1, 1e6, "20",
     "length of the random walks of the prior, at 400 frames; other numbers scale it; walks of 100 "
     "and more reach everything alike, and the prior moves nothing"},
    {"exponent", TR_REAL, AT(exponent), 1, 16, "4", "preference of these walks for short steps"},
    {"channel_scales", TR_COUNT, AT(channel_scales), 0, 1, "0",
     "1: learn a scale for each channel, as in the paper; 0: channels in metres"},
    {"velocity_weight", TR_REAL, AT(velocity_weight), 1e-6, 1, "1",
     "by which velocities count for the points; 0.001: poses and dynamics alone, a GPDM"},
    {"dynamics_amplitude", TR_REAL, AT(dynamics_amplitude), 1e-6, 10, "0.005", "gamma 1"},
    {"dynamics_scale", TR_REAL, AT(dynamics_scale), 1e-3, 1e3, "0.5", "gamma 2"},
    {"dynamics_noise", TR_REAL, AT(dynamics_noise), 1e-8, 1, "1e-4", "gamma 3"},
    {"iterations", TR_COUNT, AT(iterations), 1, 100000, "300", "most iterations of L-BFGS"},
    {"loose_iterations", TR_COUNT, AT(loose_iterations), 0, 100000, "0",
     "first iterations, without the connectivity prior"},
    {"round_iterations", TR_COUNT, AT(round_iterations), 1, 100000, "100",
     "iterations between checkpoints, where L-BFGS forgets its steps"},
    {"memory", TR_COUNT, AT(memory), 3, 50, "20", "steps that L-BFGS remembers"},
    {"scale_start", TR_REAL, AT(scale_start), 1e-3, 1e3, "1", "kernels' inverse squared lengths"},
    {"noise_start", TR_REAL, AT(noise_start), 1e-6, 1, "0.01", "kernels' noises"},
    {"noise_min", TR_REAL, AT(noise_min), 1e-9, 1, "1e-6", "lower bound of the noises"},
    {"pose_noise_min", TR_REAL, AT(pose_noise_min), 0, 1, "0",
     "lower bound of the poses' noise, if above noise_min; 0.01 makes motions smoother"},
    {"noise_max", TR_REAL, AT(noise_max), 1e-6, 1, "0.05", "upper bound of the noises"},
    {"error_max_cm", TR_REAL, AT(error_max_cm), 1e-3, 100, "1",
     "largest root mean square error of the bodies at the frames"},
    {"restarts", TR_COUNT, AT(restarts), 0, 20, "2",
     "restarts with kernels of half the length, after a failure"},
    {"jitter", TR_REAL, AT(jitter), 0, 1, "0.01", "random displacement of the first points"},
    {"standing_speed_mps", TR_REAL, AT(standing_speed_mps), 0, 10, "0.4",
     "speed below which a low foot stands"},
    {"standing_height_m", TR_REAL, AT(standing_height_m), 0, 1, "0.04",
     "height below which a slow foot stands"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the random displacement"},
};

static const char retired[] = "inducing=0";

const tr_parameter_table tr_latent_fit_parameter_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
