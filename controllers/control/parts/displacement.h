/* Displacements, one after the other. */
#pragma once

#include "control/driver/driver_sheet.h"

tr_displacement tr_displacement_join(tr_displacement first, tr_displacement then);
