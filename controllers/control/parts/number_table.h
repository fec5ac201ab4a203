/* The numbers of a controller that computes torques: a struct of doubles, and a table that names,
 * explains and bounds them. Plain data. */
#ifndef TROUPE_CONTROL_NUMBER_TABLE_H
#define TROUPE_CONTROL_NUMBER_TABLE_H

#include "control/sections.h"

#include <stddef.h>

/* One number, between low and high. meaning: with the unit, if the name has none; offset: in the
 * struct */
typedef struct tr_number_row {
    const char *name, *meaning;
    double low, high, initial;
    size_t offset;
} tr_number_row;

/* kind: of the driver, for messages; row: [count], in the order of the struct */
typedef struct tr_number_table {
    const char *kind;
    const tr_number_row *row;
    int count;
} tr_number_table;

/* The number of a row; it lives as long as `numbers`. */
double *tr_number_at(const tr_number_table *table, void *numbers, int row);
double tr_number_of(const tr_number_table *table, const void *numbers, int row);

/* Sets all numbers to their initial values. */
void tr_number_table_reset(const tr_number_table *table, void *numbers);

/* TR_INVALID_ARGUMENT: a number is out of its bounds; the message names it. */
tr_status tr_number_table_check(const tr_number_table *table, const void *numbers,
                                tr_error *error) TR_NODISCARD;

/* Their count, then the numbers in the order of the table. A stored table has at least `least` of
 * them; the others are set to their initial values. */
void tr_number_table_save(const tr_number_table *table, const void *numbers,
                          tr_section_writer *writer);
void tr_number_table_load(const tr_number_table *table, int least, tr_section_reader *reader,
                          void *numbers);

#endif
