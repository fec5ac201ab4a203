/* The defaults of a table of parameters, as a value. */
#pragma once

#include "math/parameter_table.h"

#define DEFAULTS(type, table)                                                                      \
    __extension__({                                                                                \
        type defaults_ = {0};                                                                      \
        tr_parameter_reset(&(table), &defaults_);                                                  \
        defaults_;                                                                                 \
    })
