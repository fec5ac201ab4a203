#include "motion/scan/json_numbers.h"

#include <math.h>

bool tr_json_numbers(const json_t *array, double *out, size_t count) {
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i]))
            return false;
    }
    return true;
}
