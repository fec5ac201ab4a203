/* Sections of controllers in the catalogue (control/fields/sections.h): the content of a kind besides
 * fragments. Used by tr_controllers_put and tr_controllers_load; for files of db/. */
#pragma once

#include "control/fields/sections.h"
#include "db/store/catalogue.h"

/* Stores sections of a controller that has none of these names. */
tr_status tr_controller_sections_put(tr_catalogue *catalogue, tr_row_id controller,
                                     const tr_sections *sections, tr_error *error) TR_NODISCARD;

/* Removes those that are replaceable. */
tr_status tr_controller_sections_forget(tr_catalogue *catalogue, tr_row_id controller,
                                        tr_error *error) TR_NODISCARD;

/* Adds the sections to `out`, in order of their names; does not change its bank. TR_DATA_LOSS: a
 * row is damaged, or together they are longer than TR_SECTION_SIZE_MAX. */
tr_status tr_controller_sections_get(tr_catalogue *catalogue, tr_row_id controller,
                                     tr_sections *out, tr_error *error) TR_NODISCARD;

/* Adds the sections that are not replaceable to the digest of their controller, in order of their
 * names; sorts them for that. */
void tr_controller_sections_digest(tr_sections *sections, tr_digest_writer *writer);
