/* Catalogues and files that the lead writes for all ranks of a job (learn/ranks/ranks.h). A process
 * that runs alone is its own lead. All return when the file is written. */
#pragma once

#include "db/store/catalogue.h"
#include "draw/strip.h"
#include "motion/poses/motion.h"

/* The lead opens the catalogue at that path, lets `change` work on it, and closes it. Statuses as of
 * tr_catalogue_open and of the change. */
typedef tr_status (*tr_lead_change)(tr_catalogue *catalogue, const void *context, tr_error *error);
tr_status tr_lead_change_catalogue(const char *path, tr_catalogue_mode mode, tr_lead_change change,
                                   const void *context, tr_error *error) TR_NODISCARD;

/* Statuses as of tr_motion_save and tr_strip_save. */
tr_status tr_lead_save_motion(const tr_motion *motion, const char *path,
                              tr_error *error) TR_NODISCARD;
tr_status tr_lead_save_strip(const tr_strip *strip, const char *path, tr_error *error) TR_NODISCARD;

/* Removes a file, if it is there. */
void tr_lead_remove(const char *path);
