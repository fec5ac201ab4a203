/* Functions of the content for the row of the kind "policy"; driver.h says what each does. Internal
 * to control/policy. */
#pragma once

#include "control/policy/agent.h"

tr_status tr_agent_check(const void *content, const tr_driver_setting *setting, tr_error *error);
uint64_t tr_agent_hash(const void *content, const tr_driver_setting *setting);
tr_status tr_agent_mirror(const void *content, const tr_driver_setting *setting, void **out);
tr_status tr_agent_save(const void *content, tr_sections *out, tr_error *error);
tr_status tr_agent_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                        tr_error *error);
