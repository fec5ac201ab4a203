/* Writing a model as MJCF, as tr_mjcf_parse reads it back. */
#pragma once

#include "model/model.h"

#include <stddef.h>

/* comment: said at the top, without "--"; NULL: none. *out_text is the caller's to free.
 * TR_RESOURCE_EXHAUSTED: no memory. Deterministic. */
tr_status tr_mjcf_print(const tr_model *model, const char *comment, char **out_text,
                        size_t *out_size) TR_NODISCARD;
