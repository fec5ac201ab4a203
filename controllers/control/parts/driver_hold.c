#include "control/parts/driver_hold.h"

#include "control/fields/reference_state.h"

#include <stdio.h>

tr_driver_outline tr_driver_hold_outline(int hold, double step_s, const char *gain_set) {
    const double entry_s = hold * step_s;
    return (tr_driver_outline){.entry_count = 1,
                               .first_count = 1,
                               .cyclic = true,
                               .duration_s = entry_s,
                               .cycle_s = entry_s,
                               .gain_set = gain_set};
}

void tr_driver_hold_nearest(const void *content, const tr_model *model, const tr_state *state,
                            int *out_entry, bool *out_mirrored) {
    (void)content, (void)model, (void)state;
    *out_entry = 0;
    *out_mirrored = false;
}

tr_status tr_driver_hold_check(const tr_driver_hold *hold, const tr_model *model, tr_error *error) {
    if (tr_model_find_gain_set(model, hold->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: gain set '%s': not of model '%s'",
                       hold->kind, hold->gain_set, model->name);
    if (!tr_reference_is_sound(model, hold->stance))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: stance: expected finite numbers and unit quaternions", hold->kind);
    if (hold->hold < 1 || hold->hold > hold->most)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: hold of %d steps; expected 1 to %d",
                       hold->kind, hold->hold, hold->most);
    return TR_OK;
}

tr_status tr_driver_hold_controller(const tr_model *model, tr_driver driver,
                                    const tr_driver_hold_setting *setting, tr_controller **out,
                                    tr_error *error) {
    tr_controller *controller = NULL;
    tr_status status =
        tr_controller_create_for(driver, model, setting->step_s, setting->spawn, &controller);
    if (status) {
        driver.kind->destroy(driver.content);
        return status;
    }
    snprintf(controller->name, sizeof controller->name, "%s", tr_driver_kind_name(driver));
    snprintf(controller->skill, sizeof controller->skill, "%s", setting->skill);
    status = tr_controller_set_rig(controller, setting->rig);
    if (!status)
        status = tr_controller_check(controller, model, error);
    return TR_GIVE(status, controller, tr_controller_destroy, out);
}
