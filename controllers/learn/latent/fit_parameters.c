#include "learn/latent/latent_fit.h"

#include <stddef.h>

#define AT(field) offsetof(tr_latent_fit_parameters, field)

static const tr_parameter rows[] = {
    {"dimension", TR_COUNT, AT(dimension), 1, TR_LATENT_DIMENSION_MAX, "4",
     "dimension of the space: 4 for one gait, 5 for martial arts"},
    {"connectivity", TR_REAL, AT(connectivity), 0, 100, "0.1",
     "weight of the connectivity prior, at 500 frames; other numbers scale it"},
    {"channel_scales", TR_COUNT, AT(channel_scales), 0, 1, "0",
     "1: learn a scale for each channel, as in the paper; 0: channels in metres"},
    {"velocity_weight", TR_REAL, AT(velocity_weight), 1e-6, 1, "1",
     "by which velocities count for the points; 0.001: poses and dynamics alone, a GPDM"},
    {"iterations", TR_COUNT, AT(iterations), 1, 100000, "300", "most iterations of L-BFGS"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the random displacement"},
};

/* Constants now (latent_fit.c, examples.c). */
static const char retired[] =
    "inducing=0 frame_s=0.03333333333333333 exponent=4 dynamics_amplitude=0.005 "
    "dynamics_scale=0.5 dynamics_noise=1e-4 loose_iterations=0 memory=20 scale_start=1 "
    "noise_start=0.01 noise_min=1e-6 pose_noise_min=0 noise_max=0.05 jitter=0.01 "
    "standing_speed_mps=0.4 standing_height_m=0.04 mirrored=1 "
    "round_iterations=100 error_max_cm=1 restarts=2 diffusion_rate=20";

const tr_parameter_table tr_latent_fit_parameter_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
