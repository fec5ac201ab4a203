#include "learn/balance/number_parameters.h"

int tr_number_parameters(const tr_number_table *table, size_t offset, tr_parameter *out) {
    for (int i = 0; i < table->count; i++) {
        const tr_number_row *number = &table->row[i];
        out[i] = (tr_parameter){number->name, TR_REAL, offset + number->offset, number->low,
                                number->high, NULL,    number->meaning};
    }
    return table->count;
}
