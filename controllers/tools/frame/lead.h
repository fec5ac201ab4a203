/* Files that the lead writes for all ranks of a job (learn/ranks/ranks.h). A process that is alone is
 * its lead. All return when the file is there. */
#ifndef TROUPE_TOOLS_LEAD_H
#define TROUPE_TOOLS_LEAD_H

#include "motion/motion.h"
#include "motion/strip.h"

/* Statuses as of tr_motion_save and tr_strip_save. */
tr_status tr_lead_save_motion(const tr_motion *motion, const char *path,
                              tr_error *error) TR_NODISCARD;
tr_status tr_lead_save_strip(const tr_strip *strip, const char *path, tr_error *error) TR_NODISCARD;

/* Removes a file, if it is there. */
void tr_lead_remove(const char *path);

#endif
