/* Functions of the row (driver.h) that check, hash, mirror, store and load a scheduler's content.
 * Internal to control/scheduler. */
#pragma once

#include "control/scheduler/scheduler.h"

tr_status tr_scheduler_check(const void *content, const tr_driver_setting *setting,
                             tr_error *error);
uint64_t tr_scheduler_hash(const void *content, const tr_driver_setting *setting);
tr_status tr_scheduler_mirror(const void *content, const tr_driver_setting *setting, void **out);
void tr_scheduler_destroy(void *content);
tr_status tr_scheduler_save(const void *content, tr_sections *out, tr_error *error);
tr_status tr_scheduler_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                            tr_error *error);
