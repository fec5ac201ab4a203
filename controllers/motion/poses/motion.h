/* Motions: a motion is a sequence of poses of one character model, from which controllers are
 * learned.
 *
 * A motion is sampled at a fixed rate. A cyclic motion continues forever: with period T =
 * frame_count * dt_s and the cycle's displacement D(p) = Rz(cycle_turn) p + cycle_shift, pose(t +
 * T) = D(pose(t)), so that after n cycles the character is D^n away from where it began. A
 * symmetric motion is cyclic and its second half is the mirror image (plane y = 0) of the first, up
 * to travel along x: pose(t + T/2) = mirror(pose(t)) + cycle_shift / 2. Imported motions begin at
 * the world origin and head along x.
 *
 * All functions are deterministic and keep no state; a motion that is not being changed may be read
 * by many threads. */
#pragma once

#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TR_MOTION_NAME_MAX = 64,
    TR_MOTION_TEXT_MAX = 256,
    TR_MOTION_DIGEST_MAX = 65,
    TR_MOTION_FRAME_MAX = 200000,
    TR_MOTION_FILE_MAX = 64 * 1024 * 1024 /* bytes */
};

/* The origin of a motion, stored in its file and in the catalogue. */
typedef struct tr_motion_source {
    char clip[TR_MOTION_NAME_MAX];     /* file name of the clip */
    char skeleton[TR_MOTION_NAME_MAX]; /* joint map */
    char licence[TR_MOTION_TEXT_MAX];
    char origin[TR_MOTION_TEXT_MAX];   /* project or archive the clip is from */
    char options[TR_MOTION_TEXT_MAX];  /* of the import, as text */
    uint64_t hash;                     /* of the clip file, tr_hash_add */
    char digest[TR_MOTION_DIGEST_MAX]; /* SHA-256 of it, hexadecimal; empty: not known */
    int first_frame, last_frame;       /* of the clip, both included */
} tr_motion_source;

typedef struct tr_motion {
    char name[TR_MOTION_NAME_MAX];
    char model[TR_NAME_MAX]; /* name of the model */
    uint64_t model_hash;
    int body_count;
    double dt_s;
    int frame_count;
    tr_pose *poses; /* [frame_count], owned */
    bool cyclic;
    bool symmetric;
    tr_vec3 cycle_shift; /* m; z is 0 */
    /* Change of heading per cycle, in (-pi, pi]; whole turns within a cycle do not count. */
    double cycle_turn_rad;
    tr_motion_source source;
} tr_motion;

/* A motion of `frame_count` rest poses, to be filled by the caller. */
tr_status tr_motion_create(const tr_model *model, int frame_count, double dt_s,
                           tr_motion **out) TR_NODISCARD;
tr_status tr_motion_copy(const tr_motion *motion, tr_motion **out) TR_NODISCARD;
void tr_motion_destroy(tr_motion *motion); /* NULL is fine */

/* Length in time: the period when cyclic, else from the first frame to the last, s. */
double tr_motion_duration(const tr_motion *motion);

/* Hash of all that learning uses: rate, poses, cycle. Equal hashes: the same to the bit. */
uint64_t tr_motion_hash(const tr_motion *motion);

/* Pose at any time: interpolated between frames; before 0 and after the end a cyclic motion
 * continues, another one stays at its first or last pose. */
tr_pose tr_motion_pose(const tr_motion *motion, double time_s);

/* Pose and its rates (central difference over one frame to either side). */
tr_state tr_motion_state(const tr_model *model, const tr_motion *motion, double time_s);

/* The displacement D^n as a turn about the vertical through the world origin and a shift after it
 * (see tr_state_place); n may be negative. Identity when the motion is not cyclic. */
void tr_motion_cycle(const tr_motion *motion, int n, double *out_turn_rad, tr_vec3 *out_shift);

/* ---- Editing: each function makes a new motion in *out; the input does not change ---- */

/* Frames first to last, both included. The result is not cyclic. */
tr_status tr_motion_cut(const tr_motion *motion, int first, int last, tr_motion **out) TR_NODISCARD;

/* Resampled by cubic splines to `frame_count` frames `dt_s` apart; its duration is stretched or
 * squeezed to fit (choose frame_count = duration / dt_s to keep the speed). */
tr_status tr_motion_resample(const tr_motion *motion, double dt_s, int frame_count,
                             tr_motion **out) TR_NODISCARD;

/* How the ends of a motion are joined.
 *   return_s  > 0: append a blended way back to the first pose; 0: spread the gap over the motion
 *   turn_rad  change of heading per cycle; NAN: what the motion shows, taken as none when below
 *             straight_rad (a gait)
 *   blend_s   > 0 and return_s == 0: spread the gap over the last blend_s only */
typedef struct tr_motion_closing {
    double return_s, turn_rad, straight_rad, blend_s;
} tr_motion_closing;

/* A cycle that turns by less is straight. */
#define TR_MOTION_STRAIGHT_RAD (12 * TR_PI / 180)

/* The gap between the ends of a motion that is to be closed.
 *   angle_rad  largest turn of a joint, or of the root without its heading
 *   body       whose joint that is; 0: the root
 *   height_m   by which the root rises from the last pose to the first */
typedef struct tr_motion_gap {
    double angle_rad;
    int body;
    double height_m;
} tr_motion_gap;

tr_motion_gap tr_motion_measure_gap(const tr_motion *motion, const tr_motion_closing *closing);

/* Makes a motion cyclic: its last frame is taken to be the first of the next cycle. */
tr_status tr_motion_close(const tr_motion *motion, const tr_motion_closing *closing,
                          tr_motion **out) TR_NODISCARD;

/* Two cycles of a cyclic motion as one. TR_FAILED_PRECONDITION: not cyclic. */
tr_status tr_motion_twice(const tr_motion *motion, tr_motion **out) TR_NODISCARD;

/* The symmetric gait midway between a cyclic motion and its mirror image half a period later.
 * TR_FAILED_PRECONDITION: not cyclic, an odd number of frames, or turning. */
tr_status tr_motion_symmetrise(const tr_model *model, const tr_motion *motion,
                               tr_motion **out) TR_NODISCARD;

/* How far a cyclic motion is from its mirror image `shift` frames later: the mean over frames of
 * the largest angle between a joint and its mirror image, rad. */
double tr_motion_asymmetry(const tr_model *model, const tr_motion *motion, int shift);

/* The motion with the model's rest pose at its ends: it begins in the rest pose and takes from_s to
 * the first pose; after the last pose it takes to_s to the rest pose, and stays there for as long
 * again. 0: that end does not change. Both at most 10 s. TR_INVALID_ARGUMENT: out of range, or the
 * motion is cyclic. */
tr_status tr_motion_join_rest(const tr_model *model, const tr_motion *motion, double from_s,
                              double to_s, tr_motion **out) TR_NODISCARD;

/* The motion with a new beginning: lying flat, arms and legs spread, on the front or the back like
 * its first pose; it takes from_s, at most 10 s, to that pose. Statuses as tr_motion_join_rest. */
tr_status tr_motion_join_lying(const tr_model *model, const tr_motion *motion, double from_s,
                               tr_motion **out) TR_NODISCARD;

/* ---- In place ---- */

/* Gaussian smoothing with standard deviation sigma_s, across the seam when cyclic. */
tr_status tr_motion_smooth(tr_motion *motion, double sigma_s) TR_NODISCARD;

/* Turns and shifts the motion so that it begins above the origin. Its travel is turned to lie along
 * x when it travels 0.3 m or more, does not turn from cycle to cycle, and always looks where it
 * goes (to within 60 deg); otherwise it looks along x in its first frame. A cyclic motion that does
 * not turn is shifted to a mean y of 0. */
void tr_motion_place(tr_motion *motion);

/* ---- Ground and report ---- */

/* Shifts the motion up or down so that the given percentile (0 to 100) of the lowest foot point
 * over time is at 0. */
tr_status tr_motion_ground(const tr_model *model, tr_motion *motion,
                           double percentile) TR_NODISCARD;

/* Puts the standing feet on the ground and no body below it, by a smooth change of the root's
 * height over time (see motion_ground.c). Hands and forearms are ignored. */
tr_status tr_motion_fit_ground(const tr_model *model, tr_motion *motion) TR_NODISCARD;

/* Takes out a drift of the ground: the level of stances that changes little by little. *out_m: by how
 * much it changed; 0: by too little, or it leaps as on stairs, and nothing is changed. */
tr_status tr_motion_level_drift(const tr_model *model, tr_motion *motion,
                                double *out_m) TR_NODISCARD;

/* Lays feet flat that both stand pitched throughout, by one turn of each in all frames. out_rad: the
 * pitch of the left and the right foot, upwards; 0: not changed. */
tr_status tr_motion_lay_feet(const tr_model *model, tr_motion *motion,
                             double out_rad[2]) TR_NODISCARD;

/* Bends the toes of feet that are near the ground z = 0 with a raised heel, so that the toes lie
 * flat. */
void tr_motion_bend_toes(const tr_model *model, tr_motion *motion);

/* Bends the wrists of hands that would go through the ground z = 0, so that the hands lie on it. */
void tr_motion_bend_wrists(const tr_model *model, tr_motion *motion);

/* Moves each foot that stands (low and slow) onto the ground z = 0 by bending its leg, at most 4
 * cm; the orientation of the foot stays. One height of the root cannot put two feet on the
 * ground. */
tr_status tr_motion_plant_feet(const tr_model *model, tr_motion *motion) TR_NODISCARD;

/* The figures that people read first.
 *   path_m            length of the path over ground, without sway of less than 0.1 s
 *   way_m             straight distance from begin to end
 *   speed_mps         mean over ground along that line
 *   turn_rad          sum of all turns about the vertical: whole turns count, flips do not
 *   low_m             by body: its lowest point of the whole motion; negative is sinking
 *   low_s             time of that point
 *   foot_low_m        the lowest of both feet and toes
 *   foot_float_m      mean height of the lowest body over a stance (a foot in contact for 50 ms or
 *                     more), of the worst stance
 *   foot_slip_mps     mean horizontal speed of a foot's lowest point while in contact
 *   near_fraction     part of the time with a foot below 5 cm, in contact or not
 *   near_slip_mps     mean horizontal speed of the lower foot's lowest point during it
 *   contact_fraction  left, right: part of the time on the ground
 *   flight_fraction   part of the time with both feet off the ground
 *   rate_max_rad_s    of the fastest joint */
typedef struct tr_motion_report {
    double duration_s, path_m, way_m, speed_mps, turn_rad;
    double root_low_m, root_high_m, root_mean_m;
    double low_m[TR_BODY_MAX], low_s[TR_BODY_MAX];
    double foot_low_m, foot_float_m, foot_slip_mps;
    double near_fraction, near_slip_mps;
    double contact_fraction[2], flight_fraction;
    double rate_max_rad_s;
} tr_motion_report;

/* Contact: the lowest point of foot and toe is below 5 cm and its horizontal speed below 0.5
 * m/s. */
tr_status tr_motion_describe(const tr_model *model, const tr_motion *motion,
                             tr_motion_report *out) TR_NODISCARD;

/* ---- Files: JSON, one object, poses as rows of numbers (MOTIONS.md) ---- */

tr_status tr_motion_save(const tr_motion *motion, const char *path, tr_error *error) TR_NODISCARD;

/* Loads a motion for `model`: TR_FAILED_PRECONDITION when it was made for another number of bodies
 * or another model name. */
tr_status tr_motion_load(const char *path, const tr_model *model, tr_motion **out,
                         tr_error *error) TR_NODISCARD;

/* The same, in memory. *out_text: to be freed by the caller; TR_INVALID_ARGUMENT: a text of the
 * motion is not UTF-8. Messages use `name` instead of a file. */
tr_status tr_motion_print(const tr_motion *motion, char **out_text, size_t *out_size) TR_NODISCARD;
tr_status tr_motion_parse(const char *text, size_t size, const char *name, const tr_model *model,
                          tr_motion **out, tr_error *error) TR_NODISCARD;
