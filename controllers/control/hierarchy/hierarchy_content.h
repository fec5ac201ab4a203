/* Functions of the row (driver.h) that check, hash, mirror, store and load a hierarchy's content.
 * Internal to control/hierarchy. */
#ifndef TROUPE_CONTROL_HIERARCHY_CONTENT_H
#define TROUPE_CONTROL_HIERARCHY_CONTENT_H

#include "control/hierarchy/hierarchy.h"

/* Edges that a hierarchy adds, beside one out of each skill that rises. */
enum { TR_HIERARCHY_EDGES = 10 };

/* Names of the skills, by tr_hierarchy_entry. */
extern const char *const tr_hierarchy_skill[TR_HIERARCHY_ENTRIES];

tr_status tr_hierarchy_check(const void *content, const tr_driver_setting *setting,
                             tr_error *error);
uint64_t tr_hierarchy_hash(const void *content, const tr_driver_setting *setting);
tr_status tr_hierarchy_mirror(const void *content, const tr_driver_setting *setting, void **out);
tr_status tr_hierarchy_save(const void *content, tr_sections *out, tr_error *error);
tr_status tr_hierarchy_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                            tr_error *error);

#endif
