#include "client/c/command.h"

TR_COMMAND_OF(RemoveStepper, remove_stepper, (uint32_t, order))
