/* The fingerprint of the simulation: distinguishes builds whose results differ.
 *
 * It is the hash of the states of a small scene after a short simulation: bodies with hinges and
 * ball joints in contact with the ground and an object, servos, a push. Two daemons with the same
 * fingerprint give the same results in everything that the scene exercises. A recording contains the
 * fingerprint of its daemon, and a daemon with another one refuses it. Other differences show in the
 * recording's traces. Computed once; any thread. */
#pragma once

#include <stdint.h>

/* Requires tr_physics_init. 0: no memory. */
uint64_t tr_fingerprint(void);
