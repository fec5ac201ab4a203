/* The defaults of a table of parameters, as a value. */
#ifndef TROUPE_TEST_DEFAULTS_H
#define TROUPE_TEST_DEFAULTS_H

#include "math/parameter_table.h"

#define DEFAULTS(type, table)                                                                      \
    __extension__({                                                                                \
        type defaults_ = {0};                                                                      \
        tr_parameter_reset(&(table), &defaults_);                                                  \
        defaults_;                                                                                 \
    })

#endif
