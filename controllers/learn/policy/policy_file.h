/* Files of policies that were trained elsewhere: NPZ (motion/scan/npz.h) or ONNX (onnx_network.h), with a
 * description in JSON. guide/policies.md describes both. */
#pragma once

#include "control/policy/agent.h"

/* The contents of a file. skill, step_s: as the description has them */
typedef struct tr_policy_import {
    tr_agent *agent;
    char skill[TR_NAME_MAX];
    double step_s;
} tr_policy_import;

/* The bytes of a file; description: JSON that stands beside it, or NULL: the file has it. */
typedef struct tr_policy_bytes {
    const char *name; /* for messages */
    const void *data;
    size_t size;
    const char *description;
} tr_policy_bytes;

/* The agent fits the model and passes the kind's check; the caller destroys it. TR_INVALID_ARGUMENT:
 * the message names file, field or array, what was found and what was expected. */
tr_status tr_policy_import_parse(const tr_policy_bytes *bytes, const tr_model *model,
                                 tr_policy_import *out, tr_error *error) TR_NODISCARD;
