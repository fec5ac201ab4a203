/* A learned balance, into a catalogue: the model, the controller and the run that made it. */
#ifndef TROUPE_TOOLS_BALANCE_STORE_H
#define TROUPE_TOOLS_BALANCE_STORE_H

#include "learn/balance/balance_learning.h"

/* name: of the controller and its run; what they held before is replaced */
typedef struct tr_balance_result {
    const char *name, *command, *model_path;
    const tr_model *model;
    const tr_balance_settings *settings;
    const tr_balance_learning *learning;
    int threads;
    int64_t started_ns;
} tr_balance_result;

/* The catalogue is made when missing. */
tr_status tr_balance_store(const char *catalogue, const tr_balance_result *result,
                           tr_error *error) TR_NODISCARD;

#endif
