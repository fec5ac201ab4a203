#include "client/c/command.h"

enum { PARAMETER_MAX = 32 };

static const tr_mapping values_mapping =
    TR_MAPPING(tr_client_parameter_values, ParameterValues, parameter_values, TR_COPY(name),
               TR_COPY_ARRAY(count, values));

/* Sends one parameter too many as well, so that the daemon refuses it. */
uint64_t tr_client_set_parameters(tr_client *client, tr_client_at at, uint32_t entity,
                                  const tr_client_parameter_values *parameters, size_t count) {
    size_t sent = count <= PARAMETER_MAX ? count : PARAMETER_MAX + 1;
    tr_mapping_memory memory = {0};
    void **messages = tr_mapping_write_all(&values_mapping, parameters, sent, &memory);
    uint64_t request =
        memory.failed
            ? tr_command_send(client, at, NULL)
            : TR_COMMAND(client, at, SetParameters, set_parameters, .entity = entity,
                         .n_parameters = sent, .parameters = (Troupe__ParameterValues **)messages);
    tr_mapping_free(&memory);
    return request;
}
