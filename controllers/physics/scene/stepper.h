/* The seam between the world and what moves it.
 *
 * A stepper is a table of functions over a tr_world (scene.h). The world finds the contacts, calls
 * `step`, and afterwards counts pushes and ticks; a stepper reads states, targets, pushes, contacts
 * and pins, and writes states, frames, servo torques and contact impulses. Worlds use
 * tr_stepper_articulated (articulated.c); the tests compare it with ODE's own, tests/oracle.
 *
 * What a stepper keeps per entity hangs at `stepper_data` of that entity and belongs to the stepper
 * alone. Every attach_ is answered by one detach_ before the entity's memory goes. */
#pragma once

#include "physics/scene/scene.h"

struct tr_tree_lanes;

typedef struct tr_stepper {
    const char *name;

    /* May set world->stepper_data. TR_RESOURCE_EXHAUSTED: no memory. destroy comes after the last
     * detach. */
    tr_status (*create)(tr_world *world);
    void (*destroy)(tr_world *world);

    /* Called with model, state, targets and servo set; must fill character->frame. On failure
     * nothing is attached. */
    tr_status (*attach_character)(tr_world *world, tr_character *character);
    void (*detach_character)(tr_world *world, tr_character *character);
    /* character->state was overwritten from outside: refresh frames and whatever is derived from
     * it. Never allocates. */
    void (*character_moved)(tr_world *world, tr_character *character);

    tr_status (*attach_object)(tr_world *world, tr_object *object);
    void (*detach_object)(tr_world *world, tr_object *object);
    void (*object_moved)(tr_world *world, tr_object *object); /* object->state was overwritten */

    /* An entity became kinematic or free. NULL: the stepper looks at each step. */
    void (*kinematic_changed)(tr_world *world);

    tr_status (*attach_pin)(tr_world *world, tr_pin *pin); /* NULL, both: as above */
    void (*detach_pin)(tr_world *world, tr_pin *pin);

    /* One step of h. In: everything in the world, contacts found at the present frames. Out:
     * states, frames (rot and com of every body), servo torques, contact[i].impulse, and `faulted`
     * of what stopped being finite. Bodies marked faulted before the step do not move. Kinematic
     * entities stay where they are and meet the others as surfaces that move with `sweep`; the
     * world moves them afterwards (kinematic.h). */
    void (*step)(tr_world *world);

    /* After a step without faults: what must hold. NULL: nothing. */
    void (*check)(tr_world *world);

    /* The same for each of `count` worlds, to the bit, in less time where they are alike. NULL: the
     * stepper has no such function. */
    void (*step_together)(tr_world *const *world, int count, struct tr_tree_lanes *lanes);

    /* Data beside the states that determines the future: bytes for one character, so that a restored
     * world continues to the bit. *out_size follows from the model, also before the character is
     * attached. Both are NULL if the states are enough. Loading refuses numbers that are not finite
     * with TR_INVALID_ARGUMENT; the world is then destroyed. */
    const void *(*extra)(const tr_world *world, const tr_character *character, size_t *out_size);
    tr_status (*extra_load)(tr_world *world, tr_character *character, const void *in);
} tr_stepper;

extern const tr_stepper tr_stepper_articulated;
