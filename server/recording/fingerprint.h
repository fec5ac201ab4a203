/* The fingerprint of the simulation: tells builds apart whose results differ.
 *
 * A small scene is simulated for a moment and hashed: bodies with hinges and ball joints in contact
 * with the ground and an object, servos, a push. Two daemons with one fingerprint simulate alike in
 * all that the scene exercises; recordings name the one they were made with, and another is refused.
 * What it does not show, the traces in a recording do. Computed once; any thread. */
#ifndef TROUPE_SERVER_FINGERPRINT_H
#define TROUPE_SERVER_FINGERPRINT_H

#include <stdint.h>

/* Needs tr_physics_init. 0 without memory. */
uint64_t tr_fingerprint(void);

#endif
