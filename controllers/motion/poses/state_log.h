/* State logs: the JSON lines that `troupe watch WORLD --json` prints, as motions.
 *
 * A line is a state ({"time_s": ..., "epoch": ..., "characters": [{"label", "entity", "root_pos",
 * "root_rot", "joint_rot"}, ...]}) or an event, which is skipped. States may be missing (a slow
 * reader gets the newest only), so the poses are interpolated at an even spacing. */
#ifndef TROUPE_MOTION_STATE_LOG_H
#define TROUPE_MOTION_STATE_LOG_H

#include "motion/poses/motion.h"

enum { TR_STATE_LOG_LINE_MAX = 4 * 1024 * 1024 /* bytes */ };

/* What to read.
 *   character  label, or '#' and entity number; NULL: the first character of the first state
 *   dt_s       spacing of the motion's frames */
typedef struct tr_state_log_def {
    const char *path;
    const char *character;
    double dt_s;
} tr_state_log_def;

/* The motion of one character, from the first to the last state that shows it. TR_NOT_FOUND: no
 * such file, or no state shows the character. TR_INVALID_ARGUMENT: a broken line, poses of another
 * number of bodies, or a world that went back in time (reset); the message names file and line.
 * *out is to be destroyed with tr_motion_destroy. */
tr_status tr_state_log_load(const tr_state_log_def *def, const tr_model *model, tr_motion **out,
                            tr_error *error) TR_NODISCARD;

#endif
