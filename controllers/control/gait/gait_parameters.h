/* The parameters of a gait: what a state-machine walk is made of, as one vector of numbers (Shum et
 * al., section 3.1, after Yin et al. 2007, "SIMBICON").
 *
 * A gait has four keyframes: in 0 and 1 the left leg stands and the right leg swings, 2 and 3 are
 * their mirror image. The vector holds the parameters of keyframe 0, those of keyframe 1, and those
 * that all share. Gains are kept as logarithms, so that they stay positive and a difference is a
 * ratio. Each parameter has a scale, the size of a small change: the unit of searches and of
 * distances between gaits.
 *
 * Signs: hips flex forwards, knees flex, ankles lift the toes, lean and bend are forwards. "Out" is
 * away from the other leg. Angles of hips, pelvis and trunk are those of the segment in
 * the gait frame (z up, x along the heading that the gait keeps); the others are joint angles. */
#pragma once

#include <stdbool.h>

enum { TR_GAIT_KEYFRAMES = 2 }; /* that are stored */

/* Parameters of one keyframe. */
enum {
    TR_GAIT_SWING_HIP,
    TR_GAIT_SWING_HIP_OUT,
    TR_GAIT_SWING_KNEE,
    TR_GAIT_SWING_ANKLE,
    TR_GAIT_STANCE_KNEE,
    TR_GAIT_STANCE_ANKLE,
    TR_GAIT_LEAN, /* of the pelvis */
    TR_GAIT_BEND, /* of the trunk beyond the pelvis */
    TR_GAIT_LOG_KP_SWING_HIP,
    TR_GAIT_LOG_KP_SWING_KNEE,
    TR_GAIT_LOG_KP_SWING_ANKLE,
    TR_GAIT_LOG_KP_STANCE_HIP,
    TR_GAIT_LOG_KP_STANCE_KNEE,
    TR_GAIT_LOG_KP_STANCE_ANKLE,
    TR_GAIT_LOG_KP_WAIST,
    TR_GAIT_KEY_SIZE
};

/* Parameters of all keyframes. Balance feedback (SIMBICON): an angle grows by `pos` times the
 * distance from the stance ankle to the centroid, and by `vel` times the centroid's velocity;
 * forwards for hip and ankle pitch, sideways for their roll. The trunk with the pelvis leans
 * forwards by LEAN_VEL times the speed that is missing. Side: an angle grows by this for each 100 N
 * of sideways force felt. */
enum {
    TR_GAIT_HIP_POS = TR_GAIT_KEYFRAMES * TR_GAIT_KEY_SIZE,
    TR_GAIT_HIP_VEL,
    TR_GAIT_HIP_SIDE_POS,
    TR_GAIT_HIP_SIDE_VEL,
    TR_GAIT_ANKLE_POS,
    TR_GAIT_ANKLE_VEL,
    TR_GAIT_ANKLE_SIDE_POS,
    TR_GAIT_ANKLE_SIDE_VEL,
    TR_GAIT_DURATION, /* of each keyframe, in their order, s */
    TR_GAIT_COMPENSATION = TR_GAIT_DURATION + TR_GAIT_KEYFRAMES, /* share, 0 to 1 */
    TR_GAIT_PELVIS_OUT,
    TR_GAIT_LEAN_VEL,
    TR_GAIT_SIDE_TRUNK,
    TR_GAIT_SIDE_PELVIS,
    TR_GAIT_SIDE_HIP,
    TR_GAIT_SIDE_ANKLE,
    TR_GAIT_ARM, /* shoulders, forwards */
    TR_GAIT_ARM_OUT,
    TR_GAIT_ARM_SWING, /* shoulder per hip angle of the other side's leg */
    TR_GAIT_ELBOW,     /* flexes */
    TR_GAIT_LOG_KP_ARM,
    TR_GAIT_SIZE
};

typedef struct tr_gait_parameter {
    const char *name; /* of its keyframe's kind: both keyframes have "swing_hip" */
    const char *unit;
    double scale, low, high;
    const char *meaning;
} tr_gait_parameter;

/* Row of parameter `index`, 0 to TR_GAIT_SIZE - 1. */
const tr_gait_parameter *tr_gait_parameter_row(int index);

/* Keyframe that the parameter belongs to; -1: all. */
int tr_gait_parameter_keyframe(int index);

/* "swing_hip.1", "hip_pos". */
enum { TR_GAIT_NAME_SIZE = 32 };
void tr_gait_parameter_name(int index, char out[static TR_GAIT_NAME_SIZE]);

/* Moves each of value [TR_GAIT_SIZE] into its bounds. */
void tr_gait_parameters_clamp(double *value);

/* The first parameter that is outside its bounds, or -1. */
int tr_gait_parameters_check(const double *value);

/* The walk that was published: Yin et al. 2007 in three dimensions, with the numbers of Simbody's
 * example. Walks at about 0.4 m/s without changes. value: [TR_GAIT_SIZE]. */
void tr_gait_parameters_published(double *value);
