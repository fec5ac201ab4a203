/* Files of latent spaces, which a catalogue holds only within controllers: the sections of a
 * driver's content (control/fields/sections.h) behind a magic number, sealed (learn/method/whole_file.h).
 */
#pragma once

#include "control/fields/sections.h"

/* Statuses as tr_whole_file_write; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_file_write(const char *path, const tr_sections *sections,
                               tr_error *error) TR_NODISCARD;

/* The sections of a file in memory; `name` stands for it in messages. The caller deinitialises *out.
 * TR_DATA_LOSS: not such a file, or a damaged one. */
tr_status tr_latent_file_parse(const char *content, size_t size, const char *name, tr_sections *out,
                               tr_error *error) TR_NODISCARD;
