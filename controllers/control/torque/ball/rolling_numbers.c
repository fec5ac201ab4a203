#include "control/torque/ball/rolling_numbers.h"

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_rolling_numbers, field, __VA_ARGS__)

static const tr_parameter row[] = {TR_ROLLING_LIST(NUMBER)};

const tr_parameter_table tr_rolling_number_table = {.row = row, .count = TR_ROLLING_NUMBERS};
