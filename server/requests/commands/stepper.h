/* What join, step and advance share: a session that may become a stepper must leave the world one
 * day, whatever memory there is then. */
#ifndef TROUPE_SERVER_STEPPER_H
#define TROUPE_SERVER_STEPPER_H

#include "server/requests/dispatch.h"

/* tr_command_kind.prepare. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_stepper_prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                             tr_error *error) TR_NODISCARD;

#endif
