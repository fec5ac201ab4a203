/* A learned balance, into a catalogue: the model, the controller and the run that made it. */
#ifndef TROUPE_TOOLS_BALANCE_STORE_H
#define TROUPE_TOOLS_BALANCE_STORE_H

#include "control/balance/balance.h"
#include "learn/balance/balance_learning.h"

/* Roles of the policy that the search began at, among the inputs of a run: its section, and that of
 * its steps if it treads. */
#define TR_BALANCE_FROM "from"
#define TR_BALANCE_FROM_STEPS "from-steps"

/* name: of the controller and its run; what they held before is replaced
 * from: the controller that the search began at; NULL: none */
typedef struct tr_balance_result {
    const char *name, *command, *model_path;
    const tr_model *model;
    const tr_balance_settings *settings;
    const tr_balance_learning *learning;
    const tr_controller *from;
    int threads;
    int64_t started_ns;
} tr_balance_result;

/* The catalogue is made when missing. */
tr_status tr_balance_store(const char *catalogue, const tr_balance_result *result,
                           tr_error *error) TR_NODISCARD;

#endif
