/* How hard a character presses on the ground. Pure functions of the world's last step. */
#ifndef TROUPE_LEARN_LOAD_H
#define TROUPE_LEARN_LOAD_H

#include "learn/rehearsal/ensemble.h"

/* The upward force of the static world's contacts on the character in the last step, body weights: about
 * 1 in standing, 3 to 5 at a hard heel strike, 0 in flight. */
double tr_load_of_step(const tr_rehearsal *rehearsal);

#endif
