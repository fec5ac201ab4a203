/* The owner of a world, and whether the world ends with its owner.
 *
 *     OWNED ---- the owner's session ends, keep -------------------> no owner
 *       | ^
 *       | +----- a session claims it -----------+
 *       v                                       |
 *     the owner's session ends, destroy ---> LEASED ---- lease_s ---> destroyed
 *
 * A world that arrives (move.h) is LEASED from its creation.
 *
 * Plain data of the event loop; worlds.h makes the transitions. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_ownership {
    uint64_t session; /* the owner's session; 0: no owner */
    bool destroy; /* destroy it when the owner's session has ended, after the lease; else keep it */
    double lease_s;
    uint64_t ends_ms; /* LEASED: by the loop's clock; else 0 */
} tr_ownership;
