/* Free and kinematic objects from the wire, and how they begin in a world. */
#pragma once

#include "client/command/fields.h"
#include "physics/world/world.h"

typedef struct tr_object_start {
    tr_object_def def;
    tr_object_state state;
    bool kinematic;
    double travel_s; /* 0: it is not carried */
    tr_vec3 travel_to;
    bool shuttle;
} tr_object_start;

/* What may stand in a SpawnObject and in a Travel, and what their fields cannot say. */
extern const tr_field tr_object_fields[];
extern const tr_field tr_travel_fields[];
tr_status tr_object_check(const void *message, const char *path, tr_error *error) TR_NODISCARD;

/* Of a message that has passed both checks. */
tr_object_start tr_object_decode(const Troupe__SpawnObject *message);

/* Contacts are found once a step: an object that moves by more than half its thickness in one would
 * pass through what is thin. TR_OUT_OF_RANGE: it begins faster than that. A kinematic one is a
 * platform, and may have any velocity. */
tr_status tr_object_check_start(const tr_world *world, const tr_object_start *start,
                                tr_error *error) TR_NODISCARD;

/* Puts it into the world. Statuses as tr_world_add_object. */
tr_status tr_object_begin(const tr_object_start *start, tr_world *world,
                          tr_entity_id *out) TR_NODISCARD;

/* Carries a kinematic object there. Statuses as tr_world_carry_object. */
tr_status tr_object_carry(tr_world *world, tr_entity_id id,
                          const Troupe__Travel *travel) TR_NODISCARD;

/* Gives an object a velocity, and perhaps another place. TR_NOT_FOUND: no such object;
 * TR_OUT_OF_RANGE: too fast, as above. */
tr_status tr_object_throw(tr_world *world, const Troupe__Throw *message,
                          tr_error *error) TR_NODISCARD;

/* A body of a character takes an object that is near it, or lets it go. TR_NOT_FOUND: no such
 * character, body or object, or nothing to let go; TR_FAILED_PRECONDITION: the object is too far
 * away; TR_RESOURCE_EXHAUSTED: the world has no room for another pin. */
extern const tr_field tr_hold_fields[];
tr_status tr_object_hold(tr_world *world, const Troupe__Hold *message,
                         tr_error *error) TR_NODISCARD;
