/* How much a walk looks like a clip (Shum et al., eq. 7): the mean angle between the segments of the
 * body and those of a walk from motion capture, at equal phases of the half cycle.
 *
 * A half cycle begins when a foot strikes; its phase runs over the duration of the half cycle
 * before. Where a clip's half cycle begins need not be known: the best of TR_GAIT_STYLE_PHASES
 * shifts counts. Angles are taken in the gait frame, so that pelvis and trunk count by their own
 * lean; of mirrored half cycles the mirror image is compared. */
#pragma once

#include "control/gait/gait_step.h"
#include "motion/poses/motion.h"

enum { TR_GAIT_STYLE_PHASES = 32, TR_GAIT_STYLE_SAMPLES = 8 };

/* The clip: rotations of all bodies, heading taken out, at even phases of a whole cycle. */
typedef struct tr_gait_style {
    int body_count;
    double speed_mps, half_s;
    tr_quat rot[TR_GAIT_STYLE_PHASES][TR_BODY_MAX];
} tr_gait_style;

/* TR_FAILED_PRECONDITION: the motion is not cyclic and symmetric. */
tr_status tr_gait_style_read(const tr_model *model, const tr_motion *motion, tr_gait_style *out,
                             tr_error *error) TR_NODISCARD;

/* A walk being compared. All zero to begin with. */
typedef struct tr_gait_comparison {
    double half_s;      /* time in the half cycle */
    double last_half_s; /* duration of the one before; 0: not known */
    int64_t strikes;
    int taken;                              /* samples of this half cycle */
    int count;                              /* samples in all */
    double error_rad[TR_GAIT_STYLE_PHASES]; /* sums, by shift */
} tr_gait_comparison;

/* After each step: bodies [body_count], world. */
void tr_gait_compare(tr_gait_comparison *comparison, const tr_gait_style *style,
                     const tr_model *model, const tr_gait_state *state, const tr_body_state *bodies,
                     double step_s);

/* Returns the mean angle between segments, rad; NAN before the first sample. */
double tr_gait_comparison_error(const tr_gait_comparison *comparison);
