/* Row functions for kinds that wrap one driver and offer what that driver can do. The content of
 * such a kind begins with the driver that it holds (`tr_driver inner`); these functions read only
 * that. */
#pragma once

#include "control/driver/driver.h"

void tr_driver_holder_outline(const void *content, double step_s, tr_driver_outline *out);
void tr_driver_holder_entry(const void *content, int index, tr_driver_entry *out);
int tr_driver_holder_parameters(const void *content, tr_driver_parameter *out);
tr_status tr_driver_holder_describe(const void *content, tr_driver_sheet *sheet) TR_NODISCARD;
void tr_driver_holder_reach(const void *content, tr_driver_reach *out);
bool tr_driver_holder_performs(const void *content, const char *skill);
struct tr_bank *tr_driver_holder_bank(void *content);
void tr_driver_holder_destroy(void *content); /* a content that owns nothing else */
tr_driver tr_driver_holder_held(const void *content, int index);
