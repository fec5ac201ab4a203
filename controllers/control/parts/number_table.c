#include "control/parts/number_table.h"

double *tr_number_at(const tr_parameter_table *table, void *numbers, int row) {
    return (double *)(void *)((char *)numbers + table->row[row].offset);
}

static double tr_number_of(const tr_parameter_table *table, const void *numbers, int row) {
    return *(const double *)(const void *)((const char *)numbers + table->row[row].offset);
}

tr_status tr_number_table_check(const tr_parameter_table *table, const char *kind,
                                const void *numbers, tr_error *error) {
    for (int i = 0; i < (int)table->count; i++) {
        const tr_parameter *row = &table->row[i];
        const double value = tr_number_of(table, numbers, i);
        if (!(value >= row->low && value <= row->high))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %s %g; expected %g to %g", kind,
                           row->name, value, row->low, row->high);
    }
    return TR_OK;
}

void tr_number_table_save(const tr_parameter_table *table, const void *numbers,
                          tr_section_writer *writer) {
    tr_section_put_int(writer, (int64_t)table->count);
    for (int i = 0; i < (int)table->count; i++) {
        const double value = tr_number_of(table, numbers, i);
        tr_section_put_doubles(writer, &value, 1);
    }
}

void tr_number_table_load(const tr_parameter_table *table, int least, tr_section_reader *reader,
                          void *numbers) {
    const int count = (int)tr_section_get_int(reader, least, (int64_t)table->count);
    tr_parameter_reset(table, numbers);
    for (int i = 0; i < count; i++)
        *tr_number_at(table, numbers, i) = tr_section_get_double(reader);
}
