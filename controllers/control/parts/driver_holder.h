/* Row functions for kinds that wrap one driver and offer what that driver can do. The content of
 * such a kind begins with the driver that it holds (`tr_driver inner`); these functions read only
 * that. */
#pragma once

#include "control/driver/driver.h"

void tr_driver_holder_outline(const void *content, double step_s, tr_driver_outline *out);
void tr_driver_holder_entry(const void *content, int index, tr_driver_entry *out);
int tr_driver_holder_parameters(const void *content, tr_driver_parameter *out);
tr_status tr_driver_holder_describe(const void *content, tr_driver_sheet *sheet) TR_NODISCARD;
void tr_driver_holder_nearest(const void *content, const tr_model *model, const tr_state *state,
                              int *out_entry, bool *out_mirrored);
/* For kinds that foresee and pass on trips; for those that do not. */
void tr_driver_holder_reach_all(const void *content, tr_driver_reach *out);
void tr_driver_holder_reach(const void *content, tr_driver_reach *out);
int tr_driver_holder_trips(const void *content, const tr_driver_trip **out);
bool tr_driver_holder_performs(const void *content, const char *skill);
struct tr_bank *tr_driver_holder_bank(void *content);
void tr_driver_holder_destroy(void *content); /* a content that owns nothing else */
tr_driver tr_driver_holder_held(const void *content, int index);

/* The fields of a row that such kinds fill in alike. */
#define TR_DRIVER_HOLDER_ROW                                                                       \
    .entry = tr_driver_holder_entry, .parameters = tr_driver_holder_parameters,                    \
    .describe = tr_driver_holder_describe, .bank = tr_driver_holder_bank,                          \
    .held = tr_driver_holder_held, .nearest = tr_driver_holder_nearest

/* Besides these, those of a kind that does all that its driver does. */
#define TR_DRIVER_HOLDER_WHOLE_ROW                                                                 \
    TR_DRIVER_HOLDER_ROW, .outline = tr_driver_holder_outline,                                     \
                          .reach = tr_driver_holder_reach_all,                                     \
                          .performs = tr_driver_holder_performs, .trips = tr_driver_holder_trips
