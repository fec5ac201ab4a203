#include "client/c/command.h"

uint64_t tr_client_remove_stepper(tr_client *client, tr_client_at at, uint32_t order) {
    return TR_COMMAND(client, at, RemoveStepper, remove_stepper, .order = order);
}
