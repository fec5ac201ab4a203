#include "server/requests/commands/stepper.h"

tr_status tr_stepper_prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                             tr_error *error) {
    (void)command;
    if (tr_hosted_mode(hosted) != TR_MODE_STEPPED)
        return TR_OK;
    tr_status status = tr_session_will_part(request->session, tr_hosted_id(hosted));
    return status ? tr_fail(error, status, "out of memory") : TR_OK;
}
