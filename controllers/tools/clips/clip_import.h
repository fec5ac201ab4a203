/* Imports a clip file, with the digest by which a catalogue knows it. */
#pragma once

#include "motion/retarget/import.h"

/* tr_import_run; also sets the digest of the file in the motion's source. */
tr_status tr_clip_import(const char *path, const tr_model *model, const tr_import *import,
                         tr_motion **out, tr_import_account *out_account,
                         tr_error *error) TR_NODISCARD;
