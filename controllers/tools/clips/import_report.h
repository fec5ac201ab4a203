/* What an import says of a clip and of what it made of it. */
#ifndef TROUPE_TOOLS_IMPORT_REPORT_H
#define TROUPE_TOOLS_IMPORT_REPORT_H

#include "motion/retarget/import.h"

/* Prints what was found in the clip: format, joint map and its score, units, axes, rate,
 * calibration. */
void tr_import_report_clip(const tr_import_account *account);

/* Prints what was made: length, travel, contacts, what lies below the ground, and the findings of
 * the checks with their remedies. */
void tr_import_report_motion(const tr_import_account *account, const tr_model *model,
                             const tr_motion *motion, const tr_motion_report *report);

#endif
