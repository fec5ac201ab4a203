/* The fingerprint of the simulation: distinguishes builds whose results differ.
 *
 * It is the hash of the states of a small scene after a short simulation: bodies with joints of
 * every kind in contact with the ground and an object, servos, a push. Two daemons with the same
 * fingerprint give the same results in everything that the scene exercises. A recording contains the
 * fingerprint of its daemon, and a daemon with another one refuses it. Other differences show in the
 * recording's traces. Computed once; any thread. */
#pragma once

#include <stdint.h>

extern const char tr_fingerprint_figure[]; /* who stands in that scene, MJCF */

/* Requires tr_physics_init. 0: no memory. */
uint64_t tr_fingerprint(void);
