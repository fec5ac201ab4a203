/* What the simulation asks of the daemon's surroundings. */
#ifndef TROUPE_TESTS_SIM_SIMULATED_H
#define TROUPE_TESTS_SIM_SIMULATED_H

#include <stdbool.h>

/* Raises a signal in the daemon's loop; false: it does not wait for this one. */
bool simulated_signal(int number);

/* The daemon's messages reach standard error. */
void simulated_log(bool on);

/* Has the daemon closed every file? */
bool simulated_files_closed(void);

#endif
