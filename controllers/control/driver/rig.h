/* Rigs: objects and pins that belong to a character: the board it stands on, the ball it balances,
 * a bat that is pinned to its hand.
 *
 * A rig is part of a controller (controller.h). Its objects and pins enter the world with a
 * character that is spawned with the controller, stay with that character whatever drives it later,
 * and leave with it; the driver sees the states of the objects (tr_sight in driver.h). A controller
 * with a rig drives only characters that have it.
 *
 * Places are those at spawn, in the frame of the controller's spawn state: heading 0, x = y = 0. A
 * rig is immutable once a controller holds it, and shared by threads. Deterministic. */
#pragma once

#include "control/fields/sections.h"
#include "control/fields/state_fields.h"
#include "physics/world/world.h"

enum { TR_RIG_OBJECT_MAX = 8, TR_RIG_PIN_MAX = 16 };

/* A member of a rig that a pin can hold: an object's index, or the character. */
enum { TR_RIG_CHARACTER = -1 };

typedef struct tr_rig_object {
    tr_object_def def;
    tr_object_state state; /* at spawn */
} tr_rig_object;

/* member: the two whose points are held together. The entities of `def` are not used; a body is 0
 * for objects. */
typedef struct tr_rig_pin {
    int member[2];
    tr_pin_def def;
} tr_rig_pin;

typedef struct tr_rig {
    int object_count, pin_count;
    tr_rig_object object[TR_RIG_OBJECT_MAX];
    tr_rig_pin pin[TR_RIG_PIN_MAX];
} tr_rig;

/* TR_INVALID_ARGUMENT: no object, more than the caps, or something that a world would refuse. The
 * message names the object or pin and the field. */
tr_status tr_rig_check(const tr_rig *rig, const tr_model *model, tr_error *error) TR_NODISCARD;

/* Covers everything that acts; not names. NULL: returns `hash`. */
uint64_t tr_rig_hash(const tr_rig *rig, uint64_t hash);

/* The mirror image: it has on the right what `rig` has on the left. */
tr_rig tr_rig_mirror(const tr_rig *rig, const tr_model *model);

/* A copy, which the caller frees. NULL of NULL is fine. TR_RESOURCE_EXHAUSTED. */
tr_status tr_rig_copy(const tr_rig *rig, tr_rig **out) TR_NODISCARD;

/* --- as a section (sections.h) --- */

#define TR_RIG_SECTION "rig"

tr_status tr_rig_save(const tr_rig *rig, tr_sections *out, tr_error *error) TR_NODISCARD;

/* out is NULL without such a section; the caller frees it. tr_rig_check checks the result
 * afterwards; it need only be safe to check and free. */
tr_status tr_rig_load(const tr_sections *in, tr_rig **out, tr_error *error) TR_NODISCARD;

/* --- in a world --- */

/* The objects of a rig in a world. Plain data; zeros: no rig.
 *   rig: hash of the rig (tr_rig_hash from TR_HASH_START) */
typedef struct tr_rig_pieces {
    uint64_t rig;
    int count;
    tr_entity_id object[TR_RIG_OBJECT_MAX];
} tr_rig_pieces;

extern const tr_state_field tr_rig_pieces_field[];
extern const int tr_rig_pieces_field_count;

/* The place of the rig's frame in the world. */
typedef struct tr_rig_place {
    double heading_rad;
    tr_vec3 pos;
} tr_rig_place;

/* The place for a character in this state: under its root, with its heading. */
tr_rig_place tr_rig_place_under(const tr_state *state);

/* Adds objects and pins. NULL: no rig. On failure the world does not change. Statuses as
 * tr_world_add_object and tr_world_add_pin. */
tr_status tr_rig_spawn(const tr_rig *rig, tr_world *world, tr_entity_id character,
                       const tr_rig_place *place, tr_rig_pieces *out) TR_NODISCARD;

/* Removes the objects, and with them their pins. */
void tr_rig_despawn(const tr_rig_pieces *pieces, tr_world *world);

/* Puts the objects where they are at spawn, when the character is. The pins stay; those that broke
 * are made again. Statuses as tr_world_set_object and tr_world_add_pin. */
tr_status tr_rig_put(const tr_rig *rig, const tr_rig_pieces *pieces, tr_world *world,
                     tr_entity_id character, const tr_rig_place *place) TR_NODISCARD;

/* out: [pieces->count]. TR_NOT_FOUND: an object is gone. */
tr_status tr_rig_look(const tr_rig_pieces *pieces, const tr_world *world,
                      tr_object_state *out) TR_NODISCARD;

/* Are these the pieces of that rig? Without a rig: always true. */
bool tr_rig_pieces_fit(const tr_rig_pieces *pieces, const tr_rig *rig);
