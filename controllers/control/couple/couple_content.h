/* Functions of the row (driver.h) that check, hash, mirror, store and load a couple's content.
 * Internal to control/couple. */
#ifndef TROUPE_CONTROL_COUPLE_CONTENT_H
#define TROUPE_CONTROL_COUPLE_CONTENT_H

#include "control/couple/couple.h"

/* By tr_couple_rule. */
extern const char *const tr_couple_name[TR_COUPLE_RULES];

/* The driver by index 0 or 1; past them none. */
tr_driver tr_couple_held(const void *content, int index);

tr_status tr_couple_check(const void *content, const tr_driver_setting *setting, tr_error *error);
uint64_t tr_couple_hash(const void *content, const tr_driver_setting *setting);
void tr_couple_destroy(void *content);
tr_status tr_couple_mirror(const void *content, const tr_driver_setting *setting, void **out);
tr_status tr_couple_save(const void *content, tr_sections *out, tr_error *error);
tr_status tr_couple_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                         tr_error *error);

#endif
