/* What the commands 'troupe-train latent' share. */
#pragma once

#include "control/latent/latent_space.h"
#include "tools/frame/tool.h"

/* A space of a file, with its model. */
typedef struct tr_latent_subject {
    tr_model *model;
    tr_sections sections;
    tr_latent_space *space;
} tr_latent_subject;

/* Fills a subject of zeros; whatever the status, it is to be deinitialised.
 * Statuses as tr_mjcf_load, tr_latent_file_read and tr_latent_space_load. */
tr_status tr_latent_subject_load(const char *model_path, const char *path, tr_latent_subject *out,
                                 tr_error *error) TR_NODISCARD;
void tr_latent_subject_deinit(tr_latent_subject *subject); /* of zeros is fine */
