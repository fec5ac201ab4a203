#include "client/c/command.h"

enum { PARAMETER_MAX = 32 };

static const tr_mapping values_mapping =
    TR_MAPPING(tr_client_parameter_values, ParameterValues, parameter_values, TR_COPY(name),
               TR_COPY_ARRAY(count, values));

typedef struct all_values {
    uint32_t entity;
    size_t count;
    const tr_client_parameter_values *parameters;
} all_values;

static const tr_mapping all_mapping =
    TR_MAPPING(all_values, SetParameters, set_parameters, TR_COPY(entity),
               TR_COPY_LIST(count, parameters, values_mapping));

/* Sends one parameter too many as well, so that the daemon refuses it. */
uint64_t tr_client_set_parameters(tr_client *client, tr_client_at at, uint32_t entity,
                                  const tr_client_parameter_values *parameters, size_t count) {
    const all_values all = {entity, count <= PARAMETER_MAX ? count : PARAMETER_MAX + 1, parameters};
    return tr_command_send_struct(client, at, &all_mapping, &all);
}
