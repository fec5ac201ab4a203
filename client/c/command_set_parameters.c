#include "client/c/command.h"

enum { PARAMETER_MAX = 32 };

static Troupe__ParameterValues message_of(const tr_client_parameter_values *from) {
    union {
        const double *given;
        double *wanted; /* by the type of protobuf-c, which does not change it */
    } values = {.given = from->values};
    return (Troupe__ParameterValues){TR_MESSAGE(parameter_values),
                                     .name = tr_request_text(from->name), .n_values = from->count,
                                     .values = values.wanted};
}

/* Sends one parameter too many as well, so that the daemon refuses it. */
uint64_t tr_client_set_parameters(tr_client *client, tr_client_at at, uint32_t entity,
                                  const tr_client_parameter_values *parameters, size_t count) {
    Troupe__ParameterValues message[PARAMETER_MAX + 1], *pointer[PARAMETER_MAX + 1];
    size_t sent = count <= PARAMETER_MAX ? count : PARAMETER_MAX + 1;
    for (size_t i = 0; i < sent; i++) {
        message[i] = message_of(&parameters[i]);
        pointer[i] = &message[i];
    }
    return TR_COMMAND(client, at, SetParameters, set_parameters, .entity = entity,
                      .n_parameters = sent, .parameters = pointer);
}
