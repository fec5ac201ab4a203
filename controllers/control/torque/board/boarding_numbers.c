#include "control/torque/board/boarding_numbers.h"

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_boarding_numbers, field, __VA_ARGS__)

static const tr_parameter row[] = {TR_BOARDING_LIST(NUMBER)};

const tr_parameter_table tr_boarding_number_table = {.row = row, .count = TR_BOARDING_NUMBERS};
