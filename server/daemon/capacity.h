/* Capacity: how many connections and threads the daemon has, by its options, the file descriptors and
 * the processors of the machine. */
#pragma once

#include "server/config/options.h"

/* TR_RESOURCE_EXHAUSTED: the limit of descriptors leaves none for connections. */
tr_status tr_capacity_check(tr_error *error) TR_NODISCARD;

/* Connections of the web port: at most a quarter of the descriptors. */
int tr_capacity_web(const tr_options *options);

/* Clients. Follows from the descriptors: at their limit nothing could open a file. */
int tr_capacity_clients(const tr_options *options);

/* Threads of batches and fast worlds, which take all the time there is: the loop needs a processor. */
int tr_capacity_background(const tr_options *options);

/* Threads that run worlds. Of two processors worlds in real time use both: they rest between ticks, and
 * the loop needs little. */
int tr_capacity_threads(const tr_options *options);
