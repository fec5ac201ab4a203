/* Frames of a clip as a row of a strip: seen from its side, on the ground of the clip. */
#pragma once

#include "draw/strip.h"

/* A side view. frames: [count], of the clip; borrowed, as is all else. */
tr_strip_row tr_clip_row(const tr_clip *clip, const char *label, const int *frames, int count);
