/* Sections in the catalogue (control/fields/sections.h): the content of a controller's kind besides fragments, and
 * the input files of runs. For files of db/. */
#pragma once

#include "control/fields/sections.h"
#include "db/store/catalogue.h"

/* A table of sections, whose owners are controllers or runs. */
typedef struct tr_section_table {
    const char *noun; /* of the owner, for messages */
    const char *insert, *select;
    bool sealed; /* blob.h; and each may be replaceable */
} tr_section_table;

extern const tr_section_table tr_controller_sections, tr_run_inputs;

/* Stores sections of an owner that has none of these names. */
tr_status tr_sections_put(tr_catalogue *catalogue, const tr_section_table *table, tr_row_id owner,
                          const tr_sections *sections, tr_error *error) TR_NODISCARD;

/* Removes those of a controller that are replaceable. */
tr_status tr_sections_forget(tr_catalogue *catalogue, tr_row_id controller,
                             tr_error *error) TR_NODISCARD;

/* Adds the sections to `out`, in order of their names, each with a zero behind it; does not change its bank.
 * TR_DATA_LOSS: a row is damaged, or together they are longer than TR_SECTION_SIZE_MAX. */
tr_status tr_sections_get(tr_catalogue *catalogue, const tr_section_table *table, tr_row_id owner,
                          tr_sections *out, tr_error *error) TR_NODISCARD;

/* In order of their names. */
void tr_sections_sort(tr_sections *sections);

/* Adds the sections that are not replaceable to the digest of their owner, in their order. */
void tr_sections_digest(const tr_sections *sections, tr_digest_writer *writer);
