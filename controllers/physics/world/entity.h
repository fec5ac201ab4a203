/* The entity table: ids with generations. Internal to physics/.
 *
 * id = generation << 12 | slot. Slot 0 is the static world, whose id is 0. A slot's generation
 * grows when it is freed, so an old id never names a new entity (until 2^20 reuses of one slot). */
#pragma once

#include "physics/scene/scene.h"

enum { TR_ENTITY_SLOT_BITS = 12, TR_ENTITY_GENERATION_MASK = (1 << 20) - 1 };

/* Takes the lowest free slot; 0: no slot is free. */
tr_entity_id tr_entity_take(tr_world *world);
void tr_entity_release(tr_world *world, tr_entity_id id);

/* The slot of an entity that exists, and one slot in turn. */
void tr_entity_must_hold(tr_world *world, tr_entity_id id);
void tr_entity_slots_must_hold(tr_world *world);

/* Ends pins and pushes that act on an entity which is about to go, and drops the last step's
 * contacts. */
void tr_scene_forget(tr_world *world, tr_entity_id id);

/* Makes or ends an entity's memory; the caller enters it in the world. */
tr_status tr_character_create(tr_world *world, const tr_model *model, const tr_state *state,
                              tr_character **out) TR_NODISCARD;
void tr_character_destroy(tr_world *world, tr_character *character);

/* Before and after a step: looks closely at one character, in turns. */
void tr_character_watch(tr_world *world);
void tr_character_must_hold(tr_world *world);
tr_status tr_object_create(tr_world *world, const tr_object_def *def, const tr_object_state *state,
                           tr_object **out) TR_NODISCARD;
void tr_object_destroy(tr_world *world, tr_object *object);
void tr_object_must_hold(tr_world *world, const tr_object *object);

/* Gives a character the gains of a set of its model, or of TR_SERVO_RAGDOLL. */
void tr_servo_use_set(const tr_world *world, tr_character *character, int gain_set);
