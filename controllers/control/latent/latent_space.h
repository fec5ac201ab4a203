/* A latent space: a few clips as points of a low-dimensional space, in which every point is a pose
 * and every step moves the root (levine2012, section 4).
 *
 *   pose(x)         g_y: pose vector of a point, and its variance
 *   root step(x, v) g_v: turn and travel of the root by the step v that led to x; none for v = 0
 *   dynamics(x, v)  f: the point that follows x in the clips after the step v, and its variance
 *
 * A space keeps what was learned: the points, the clips' pose vectors and root steps at them, and
 * the kernels' parameters. The three Gaussian maps are made from these when it is created, by loops
 * of fixed order, so that a space has the same bits everywhere. It never changes afterwards and may
 * be shared by any number of threads. */
#pragma once

#include "control/fields/sections.h"
#include "control/latent/gaussian_map.h"
#include "control/latent/pose_vector.h"
#include "control/latent/support.h"

enum {
    TR_LATENT_DIMENSION_MAX = 8,
    TR_LATENT_FRAME_MAX = TR_GAUSSIAN_CENTRE_MAX,
    TR_LATENT_CLIP_MAX = 64,
    TR_LATENT_TEXT_MAX = 256
};

/* Frames of one clip, or of its mirror image, and where they come from. */
typedef struct tr_latent_clip {
    char name[TR_LATENT_TEXT_MAX];
    char licence[TR_LATENT_TEXT_MAX], origin[TR_LATENT_TEXT_MAX];
    char digest[TR_LATENT_TEXT_MAX]; /* SHA-256 of the clip's file, or empty */
    int first, count;                /* frames of the space */
    bool mirrored;
} tr_latent_clip;

/* Parameters of the kernels; the letters are the paper's.
 *   pose_spread_m   1 / W: standard deviation of a pose under the prior, in metres of movement
 *   dynamics        gamma: amplitude, inverse squared length, noise */
typedef struct tr_latent_kernels {
    double pose_scale, pose_noise;                                      /* alpha_2, alpha_3 */
    double velocity_amplitude, step_scale, place_scale, velocity_noise; /* beta_1 to beta_4 */
    double dynamics[3];
    double pose_spread_m;
} tr_latent_kernels;

/* What a space is created from. The steps of all clips follow each other in one array; a clip has one
 * step less than frames; step s of a clip leads from its frame s to its frame s + 1.
 *   support   points that can stand on the ground
 *   point     [frame_count][dimension]
 *   pose      [frame_count][pose_size]
 *   root      [frame_count - clip_count]
 *   standing  [frame_count]: bit i: support i stands on the ground in this frame */
typedef struct tr_latent_space_def {
    double dt_s; /* between frames */
    int dimension, frame_count, clip_count, pose_size, support_count;
    tr_support support[TR_SUPPORT_MAX];
    tr_latent_clip clip[TR_LATENT_CLIP_MAX];
    tr_pose_reference reference;
    tr_latent_kernels kernels;
    double *point, *pose;
    tr_root_step *root;
    unsigned char *standing;
} tr_latent_space_def;

/*   velocity, dynamics  their inputs are (x, v) and (x, x - v)
 *   standing            [centres of the pose map][support_count]: how surely each support stands
 *   mean_variance       mu_sigma: mean of the pose's variance at the points
 *   step_length         median |v| of the clips */
typedef struct tr_latent_space {
    tr_latent_space_def learned; /* its arrays are owned */
    tr_gaussian_map pose, velocity, dynamics;
    double *standing;
    double mean_variance, step_length;
} tr_latent_space;

/* Copies what it keeps of `def`. TR_INVALID_ARGUMENT: a size, a clip or a number is out of range,
 * or the poses are not the model's; TR_FAILED_PRECONDITION: a kernel matrix is not positive
 * definite; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_space_create(const tr_model *model, const tr_latent_space_def *def,
                                 tr_latent_space **out, tr_error *error) TR_NODISCARD;
void tr_latent_space_destroy(tr_latent_space *space); /* NULL is fine */

/* Is it one of this model? */
bool tr_latent_space_fits(const tr_latent_space *space, const tr_model *model);

/* Adds everything that acts, and no names. */
uint64_t tr_latent_space_hash(const tr_latent_space *space, uint64_t hash);

/* The space of the mirrored clips, with the same points. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_space_mirror(const tr_latent_space *space, const tr_model *model,
                                 tr_latent_space **out) TR_NODISCARD;

/* Frees the arrays of a definition. */
void tr_latent_space_def_deinit(tr_latent_space_def *def);

/* A point and the step that led to it. */
typedef struct tr_latent_state {
    double x[TR_LATENT_DIMENSION_MAX], v[TR_LATENT_DIMENSION_MAX];
} tr_latent_state;

/* g_y(x). out: [TR_POSE_VECTOR_MAX]. */
void tr_latent_space_pose(const tr_latent_space *space, const double *x, double *out);

/* Variance of the pose at x, as a part of its variance under the prior: from about pose_noise at
 * the clips to 1 far away. */
double tr_latent_space_variance(const tr_latent_space *space, const double *x);

tr_root_step tr_latent_space_root_step(const tr_latent_space *space, const tr_latent_state *state);

/* f(x, v) and its variance, the same for all dimensions. out_next: [dimension]. */
void tr_latent_space_dynamics(const tr_latent_space *space, const tr_latent_state *state,
                              double *out_next, double *out_variance);

/* The pose at x, and how surely each support stands there, 0 to 1: the share of the clips' frames
 * near x in which it does, weighted by the pose kernel. out_standing: [support_count]. */
void tr_latent_space_show(const tr_latent_space *space, const double *x, double *out_pose,
                          double *out_standing);

/* A mixture of a few states.
 *   pose_share  of the poses at their points
 *   step_share  of the root steps that led to them */
enum { TR_LATENT_MIXED_MAX = 6 };
typedef struct tr_latent_mixture {
    int count;
    tr_latent_state state[TR_LATENT_MIXED_MAX];
    double pose_share[TR_LATENT_MIXED_MAX], step_share[TR_LATENT_MIXED_MAX];
} tr_latent_mixture;

/* The same for a mixture. It costs little more than a point, because means are linear in the kernel's
 * rows. */
void tr_latent_space_show_mixture(const tr_latent_space *space, const tr_latent_mixture *mixture,
                                  double *out_pose, double *out_standing);
tr_root_step tr_latent_space_mixed_step(const tr_latent_space *space,
                                        const tr_latent_mixture *mixture);

/* The state of frame `frame` of the space, the step being the one that leads to it; of a clip's
 * first frame the one that leads on from it. */
tr_latent_state tr_latent_space_state(const tr_latent_space *space, int frame);

static inline double tr_latent_square_distance(int size, const double *a, const double *b) {
    double sum = 0;
    for (int d = 0; d < size; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

/* Writes and reads the section "space" (control/fields/sections.h). Loading makes the checks of
 * tr_latent_space_create. */
tr_status tr_latent_space_save(const tr_latent_space *space, tr_sections *out,
                               tr_error *error) TR_NODISCARD;
tr_status tr_latent_space_load(const tr_sections *in, const tr_model *model, tr_latent_space **out,
                               tr_error *error) TR_NODISCARD;
