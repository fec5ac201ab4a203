/* Finding the joint map of a clip. */
#pragma once

#include "motion/clips/skeleton.h"

/* Replaces the map's names by the clip's names with the same meaning (joint_name.h), drops head and
 * toes that the clip lacks, uses the end of a foot as its toe, and fills `fit`. */
void tr_skeleton_resolve(tr_skeleton *skeleton, const tr_clip *clip);

/* Whether the clip has the skeleton that the calibration of a resolved map belongs to: its bones
 * are the offsets that the map states, to 0.1 % and in whatever unit. The clip must be unchanged
 * since loading. */
bool tr_skeleton_has_bones_of(const tr_skeleton *skeleton, const tr_clip *clip);

/* The map of `dir` that fits: it finds the joints of all needed parts and of most others; of equal
 * ones the map with the clip's exact names, then the first by name. If no map fits, a draft from
 * the words of the names (skeleton_draft.h), provided that it has the shape of a person.
 * TR_NOT_FOUND: neither; the message lists what the closest maps lack, and the remedy. */
tr_status tr_skeleton_detect(const char *dir, const tr_clip *clip, tr_skeleton *out,
                             tr_error *error) TR_NODISCARD;

/* The map `stated`, by name or path, or (NULL) one of TR_SKELETON_DIR that fits, or a draft by names and then
 * by shape, which may lack parts. Resolved. */
tr_status tr_skeleton_find(const char *stated, const tr_clip *clip, tr_skeleton *out,
                           tr_error *error) TR_NODISCARD;
