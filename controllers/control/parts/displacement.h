/* Displacements, one after the other. */
#ifndef TROUPE_CONTROL_DISPLACEMENT_H
#define TROUPE_CONTROL_DISPLACEMENT_H

#include "control/driver/driver_sheet.h"

tr_displacement tr_displacement_join(tr_displacement first, tr_displacement then);

#endif
