/* What commands do with clips: import one with the digest by which a catalogue knows it, and draw one. */
#pragma once

#include "draw/strip.h"
#include "motion/retarget/import.h"

/* tr_import_run; also sets the digest of the file in the motion's source. */
tr_status tr_clip_import(const char *path, const tr_model *model, const tr_import *import,
                         tr_motion **out, tr_import_account *out_account,
                         tr_error *error) TR_NODISCARD;

/* A row of a strip: a side view, on the ground of the clip. frames: [count], of the clip; borrowed, as
 * is all else. */
tr_strip_row tr_clip_figures(const tr_clip *clip, const char *label, const int *frames, int count);
