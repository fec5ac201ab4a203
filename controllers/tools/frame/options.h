/* Settings, as `--list` shows them. What a command takes stands in its rows (proto/argument.h). */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"
#include "proto/option.h"

/* For `--list`: prints the settings of a table with their defaults and meanings. */
tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) TR_NODISCARD;
