#include "tools/balance/momentum_settings.h"

#include "learn/balance/number_parameters.h"

tr_momentum_settings tr_momentum_settings_default(void) {
    return (tr_momentum_settings){tr_momentum_numbers_default(), "b"};
}

tr_parameter_table tr_momentum_settings_table(tr_parameter row[TR_MOMENTUM_SETTINGS]) {
    row[TR_MOMENTUM_NUMBERS] =
        (tr_parameter){"gain_set", TR_NAME, offsetof(tr_momentum_settings, gain_set),          0,
                       0,          "b",     "gain set of toes, and of the stance after a fall"};
    tr_number_parameters(&tr_momentum_number_table, offsetof(tr_momentum_settings, numbers), row);
    return (tr_parameter_table){row, TR_MOMENTUM_SETTINGS};
}

tr_status tr_momentum_settings_make(const tr_momentum_settings *settings,
                                    const tr_controller *stance, const tr_model *model,
                                    tr_controller **out, tr_error *error) {
    const tr_torque_def def = {.support = &tr_torque_ground,
                               .stance = &stance->spawn,
                               .gain_set = settings->gain_set,
                               .step_s = stance->step_s,
                               .numbers = {&settings->numbers}};
    return tr_torque_controller_create(model, &def, out, error);
}
