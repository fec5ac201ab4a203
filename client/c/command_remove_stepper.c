#include "client/c/command.h"

uint64_t tr_client_remove_stepper(tr_client *client, tr_client_at at, uint32_t order) {
    Troupe__RemoveStepper remove = TROUPE__REMOVE_STEPPER__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_REMOVE_STEPPER);
    remove.order = order;
    command.remove_stepper = &remove;
    return tr_command_send(client, &command);
}
