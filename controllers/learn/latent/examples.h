/* Example clips as the numbers that a latent space is learned from (levine2012, section 4.1).
 *
 * Motions are sampled at one rate, each plain and, when asked for, mirrored. Poses become
 * pose vectors (control/latent/pose_vector.h) about the mean rotation of each joint. */
#pragma once

#include "control/latent/latent_space.h"
#include "motion/poses/motion.h"

/*   dt_s            between frames
 *   motion          [motion_count]; frames of motion i are sampled from its begin to its end
 *   mirrored        each motion is followed by its mirror image
 *   support         points that can stand on the ground, [support_count] */
typedef struct tr_examples_def {
    double dt_s;
    const tr_motion *const *motion;
    int motion_count;
    bool mirrored;
    const tr_support *support;
    int support_count;
} tr_examples_def;

/* Fills all of a space's definition but the points and the kernels (dimension is 0). The caller
 * owns it. TR_INVALID_ARGUMENT: no motion, too many, too short, or too many frames;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_examples_create(const tr_model *model, const tr_examples_def *def,
                             tr_latent_space_def *out, tr_error *error) TR_NODISCARD;

/* Places the bodies' centres of mass in a pose, the root's heading and travel taken out. */
void tr_examples_place(const tr_model *model, const tr_latent_space_def *examples,
                       const double *vector, tr_vec3 out[static TR_BODY_MAX]);

/* Measures how far a unit of each channel moves the body: root mean square of the movement of the
 * bodies' centres of mass at the mean pose, m. out: [pose_size]. */
void tr_examples_scales(const tr_model *model, const tr_latent_space_def *examples, double *out);
