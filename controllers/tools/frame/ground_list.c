#include "tools/frame/ground_list.h"

#include <string.h>

tr_status tr_ground_list_take(void *context, const tr_option_value *value, tr_error *error) {
    tr_ground_list *list = context;
    const char *colon = strchr(value->text, ':');
    const size_t length = colon ? (size_t)(colon - value->text) : 0;
    list->kind = tr_trial_ground_find(value->text, length);
    if (colon && list->kind < TR_TRIAL_GROUND_KINDS && tr_force_list_read(colon + 1, &list->amount))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--ground '%s': expected a kind of ground and amounts, as bump:0.04,0.06 or "
                   "'kerb up:0.05'",
                   value->text);
}
