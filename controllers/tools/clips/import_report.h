/* The report of an import on a clip and on the motion made from it. */
#pragma once

#include "motion/retarget/import.h"

/* Prints the findings in the clip: format, joint map and its score, units, axes, rate,
 * calibration. */
void tr_import_report_clip(const tr_import_account *account);

/* Prints the result: length, travel, contacts, bodies below the ground, and the findings of the
 * checks with their remedies. */
void tr_import_report_motion(const tr_import_account *account, const tr_model *model,
                             const tr_motion *motion, const tr_motion_report *report);
