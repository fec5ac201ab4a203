#include "tools/frame/step_list.h"

tr_status tr_step_list_take(void *context, const tr_option_value *value, tr_error *error) {
    return tr_steps_read(value->text, context)
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "--steps '%s': expected at most %d edges X:HEIGHT in m, x rising, as "
                         "0.3:0.15,0.6:0.3",
                         value->text, TR_STEPS_MAX);
}
