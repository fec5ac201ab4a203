/* Shared by join, step and advance: reserves the memory with which a session that becomes a stepper
 * can leave the world later. */
#pragma once

#include "server/requests/dispatch.h"

/* tr_command_kind.prepare. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_stepper_prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                             tr_error *error) TR_NODISCARD;
