/* What the simulation asks of the daemon's surroundings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Raises a signal in a loop of this process; false: none waits for this one. */
bool simulated_signal(int process, int number);

/* The daemon's messages reach standard error. */
void simulated_log(bool on);

/* Has the daemon closed every file? */
bool simulated_files_closed(void);

/* SQLite's allocations are the daemon's too; before its first use. */
void simulated_memory_install(void);
/* The `countdown`-th allocation from now on fails, and so many in all; length 0: none. */
void simulated_memory_refuse(int countdown, int length);
/* A daemon that has ended must have freed everything. */
void simulated_memory_check(void);
