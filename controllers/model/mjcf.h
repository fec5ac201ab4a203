/* MJCF reader: the subset of MuJoCo's XML that describes one character, and keys under <custom> for
 * gains, torque limits and marks. MODELS.md lists all of it.
 *
 * Anything else in a file is an error and never ignored: the message names the
 * file, the line, the element and what was expected. Nothing outside the text is read: no network,
 * no entities, no includes. Thread-safe. */
#pragma once

#include "model/model.h"

#include <stddef.h>

/* Reads `path`. TR_NOT_FOUND: cannot be opened; TR_DATA_LOSS: cannot be read; TR_INVALID_ARGUMENT:
 * broken, unsupported or above 1 MiB; TR_RESOURCE_EXHAUSTED: no memory. *out is then untouched. On
 * success *out is heap-allocated; destroy it with tr_model_destroy. */
tr_status tr_mjcf_load(const char *path, tr_model **out, tr_error *error) TR_NODISCARD;

/* Reads `size` bytes of XML; `name` stands for the file in messages. */
tr_status tr_mjcf_parse(const char *text, size_t size, const char *name, tr_model **out,
                        tr_error *error) TR_NODISCARD;

void tr_model_destroy(tr_model *model); /* NULL is fine */
