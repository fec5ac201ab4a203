/* The numbers of a controller that computes torques: a struct of doubles, and a table that names,
 * explains and bounds them, all of whose rows are TR_REAL. Plain data. */
#pragma once

#include "control/fields/sections.h"
#include "math/parameter_table.h"

/* The number of a row; it lives as long as `numbers`. */
double *tr_number_at(const tr_parameter_table *table, void *numbers, int row);
/* TR_INVALID_ARGUMENT: a number is out of its bounds; the message begins with the kind and names
 * it. */
tr_status tr_number_table_check(const tr_parameter_table *table, const char *kind,
                                const void *numbers, tr_error *error) TR_NODISCARD;

/* Their count, then the numbers in the order of the table. A stored table has at least `least` of
 * them; the others are set to their defaults. */
void tr_number_table_save(const tr_parameter_table *table, const void *numbers,
                          tr_section_writer *writer);
void tr_number_table_load(const tr_parameter_table *table, int least, tr_section_reader *reader,
                          void *numbers);
