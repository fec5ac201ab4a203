/* The numbers of a controller that computes torques, as settings of the tool that makes it. */
#ifndef TROUPE_LEARN_NUMBER_PARAMETERS_H
#define TROUPE_LEARN_NUMBER_PARAMETERS_H

#include "control/parts/number_table.h"
#include "math/parameter_table.h"

/* Writes a row for each number. offset: of the numbers in the struct of the settings; out: [count of the
 * table]. Returns the count. */
int tr_number_parameters(const tr_number_table *table, size_t offset, tr_parameter *out);

#endif
