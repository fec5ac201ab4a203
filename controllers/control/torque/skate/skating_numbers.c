#include "control/torque/skate/skating_numbers.h"

#define NUMBER(field, ...) TR_NUMBER_ROW(tr_skating_numbers, field, __VA_ARGS__)

static const tr_parameter row[] = {TR_SKATING_LIST(NUMBER)};

const tr_parameter_table tr_skating_number_table = {.row = row, .count = TR_SKATING_NUMBERS};
