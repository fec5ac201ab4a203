/* Settings as options, and options as a record keeps them. What a command takes stands in its rows
 * (proto/argument.h). */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"
#include "proto/option.h"

/* Splits NAME=VALUE; *out_value points into the text. TR_INVALID_ARGUMENT: the text is not a
 * pair. */
tr_status tr_option_pair(const tr_option_value *value, char out_name[static TR_NAME_MAX],
                         const char **out_value, tr_error *error) TR_NODISCARD;

/* The row of `--set NAME=VALUE`, which sets a parameter of a table, at `field` of the options. */
#define TR_OPTION_SETTING(type, field, table, help)                                                \
    {                                                                                              \
        "--set NAME=VALUE", TR_OPTION_CALL, offsetof(type, field), help,                           \
            .take = tr_option_take_setting, .of = &(table)                                         \
    }
tr_status tr_option_take_setting(void *values, const tr_option_value *value,
                                 tr_error *error) TR_NODISCARD;

/* For `--list`: prints the settings of a table with their defaults and meanings. */
tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) TR_NODISCARD;
