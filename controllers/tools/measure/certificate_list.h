/* Turns measured certificates (learn/measure/certify.h) into the catalogue's quantities by name
 * (db/tables/certificates.h).
 *
 * Quantities of method 1, by item:
 *   held_trials, hold_trials, hold_s            trials that held, all trials, their duration
 *   held_share_low, held_share_high             Wilson interval, 95 %
 *   undisturbed_h                               hours simulated without a push
 *   resist_trials                               of each growth
 *   resisting_s, resisting_half_s   "1 N/s"     mean, half the width of its 95 % interval
 *   resisting_trial_s    "1 N/s 017"            of each trial
 *   push_s, push_directions, push_phases, push_starts    the pushes' definition
 *   push95_n, push95_sure_n, push50_n  "045.0"  the largest push by direction in degrees to the
 *                                               left, and "all": survived by 95 % of the trials,
 *                                               by 95 % with the interval's lower end, by half
 *   joint_error_rad, effector_error_m  "lshank" means at the fragments' ends, by body
 *   root_error_m, root_error_rad, velocity_error_mps, nsr
 *   speed_mps, reference_speed_mps, root_mean_m, root_low_m, root_high_m
 *   foot_slip_mps, penetration_m, penetration_max_m
 *   falls, falls_steady, falls_at_once          pushed over; up again for 2 s on end; those that did
 *                                               not fall again within 2 s
 *   falls_share_low, falls_share_high           Wilson interval of those up again, 95 %
 *   falls_steady_s, falls_head_ns               median from the fall; mean of the hardest blows to the
 *                                               head, N s
 *   clip_speed_mps, clip_root_mean_m            of the imported motion
 *   skill                "run"                  1: the trials began in this skill of a graph; "*": the
 *                                               certificate is of random walks, and has only these:
 *   walks, walk_s, walks_upright                all walks, their duration, those without a fall
 *   walks_share_low, walks_share_high           Wilson interval, 95 %
 *   walk_minutes, walk_falls_ph                 simulated in all, falls in an hour of them
 *   walk_edges, walk_way_s                      edges taken, the longest way to a steering target
 *   walk_visits, walk_falls  "run"              by skill */
#pragma once

#include "db/tables/certificates.h"
#include "learn/measure/certify.h"
#include "motion/poses/motion.h"

/* What was certified. skill: NULL: none was asked for; motion: NULL: not given */
typedef struct tr_certificate_subject {
    const tr_model *model;
    const tr_controller *controller;
    const char *skill;
    const tr_motion *motion;
} tr_certificate_subject;

/* The lists are the caller's, to be freed by tr_certificate_content_deinit. */
tr_status tr_certificate_list(const tr_certificate *certificate, const tr_certificate_subject *of,
                              tr_certificate_content *out, tr_error *error) TR_NODISCARD;

/* The value of a quantity; NAN if the certificate has no such quantity. */
double tr_certificate_value(const tr_certificate_content *content, const char *quantity,
                            const char *item);

/* The same of a quantity that has no items. */
double tr_certificate_single(const tr_certificate_content *content, const char *quantity);
