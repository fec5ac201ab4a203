/* A controller that was made from settings, without learning, into a catalogue, with the run that
 * makes it again. */
#ifndef TROUPE_TOOLS_MADE_STORE_H
#define TROUPE_TOOLS_MADE_STORE_H

#include "control/controller.h"
#include "db/store/catalogue.h"
#include "math/parameter_table.h"

/* name: of the controller and its run; what they held before is replaced. settings: of the table */
typedef struct tr_made {
    const char *name, *method, *command;
    tr_controller *controller;
    tr_row_id model_id;
    const tr_parameter_table *table;
    const void *settings;
} tr_made;

/* Inside a change of the catalogue. */
tr_status tr_made_store(tr_catalogue *catalogue, const tr_made *made, tr_error *error) TR_NODISCARD;

#endif
