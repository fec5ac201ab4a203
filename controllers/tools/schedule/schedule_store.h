/* A learned scheduler, into the catalogue that holds the controller it was made of: the controller
 * and the run that made it. */
#ifndef TROUPE_TOOLS_SCHEDULE_STORE_H
#define TROUPE_TOOLS_SCHEDULE_STORE_H

#include "db/tables/controllers.h"
#include "learn/schedule/schedule_training.h"

/* source: row of the controller that was scheduled
 * name:   of the new controller and its run; what they held before is replaced */
typedef struct tr_schedule_result {
    const tr_controller_row *source;
    const char *name, *command;
    const tr_schedule_settings *settings;
    const tr_controller *controller;
    const tr_schedule_row *row; /* [row_count] */
    int row_count, threads;
    int64_t started_ns;
} tr_schedule_result;

tr_status tr_schedule_store(const char *catalogue, const tr_schedule_result *result,
                            tr_error *error) TR_NODISCARD;

#endif
