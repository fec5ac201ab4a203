/* Files of latent spaces and policies, for what a catalogue does not hold yet: the sections of a
 * driver's content (control/fields/sections.h) behind a magic number, sealed (learn/method/whole_file.h).
 */
#ifndef TROUPE_LEARN_LATENT_FILE_H
#define TROUPE_LEARN_LATENT_FILE_H

#include "control/fields/sections.h"

/* Statuses as tr_whole_file_write; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_file_write(const char *path, const tr_sections *sections,
                               tr_error *error) TR_NODISCARD;

/* The caller deinitialises *out. Statuses as tr_whole_file_read; TR_DATA_LOSS: not such a file, or
 * a damaged one; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_file_read(const char *path, tr_sections *out, tr_error *error) TR_NODISCARD;

#endif
