#include "physics/world/entity.h"
#include "physics/world/world.h"

tr_entity_id tr_entity_take(tr_world *world) {
    for (uint32_t i = 1; i < TR_ENTITY_SLOT_MAX; i++) {
        tr_entity_slot *slot = &world->slot[i];
        if (!slot->used) {
            slot->used = 1;
            return slot->generation << TR_ENTITY_SLOT_BITS | i;
        }
    }
    return 0;
}

void tr_entity_release(tr_world *world, tr_entity_id id) {
    tr_entity_slot *slot = &world->slot[id & ((1U << TR_ENTITY_SLOT_BITS) - 1)];
    slot->used = 0;
    slot->generation = (slot->generation + 1) & TR_ENTITY_GENERATION_MASK;
}

void tr_entity_must_hold(tr_world *world, tr_entity_id id) {
    uint32_t at = id & ((1U << TR_ENTITY_SLOT_BITS) - 1);
    TR_MUST(&world->invariant, at > 0 && at < TR_ENTITY_SLOT_MAX && world->slot[at].used == 1);
    TR_MUST_BE(&world->invariant, world->slot[at].generation, ==, id >> TR_ENTITY_SLOT_BITS);
}

void tr_entity_slots_must_hold(tr_world *world) {
    uint32_t at = 1 + (uint32_t)world->tick % (TR_ENTITY_SLOT_MAX - 1);
    const tr_entity_slot *slot = &world->slot[at];
    tr_entity_id id = slot->generation << TR_ENTITY_SLOT_BITS | at;
    TR_MUST(&world->invariant,
            !slot->used || tr_scene_mover(world, id) >= 0 || tr_scene_pin(world, id));
}

void tr_scene_forget(tr_world *world, tr_entity_id id) {
    for (int i = world->pin_count - 1; i >= 0; i--)
        if (world->pin[i]->def.entity[0] == id || world->pin[i]->def.entity[1] == id)
            (void)!tr_world_remove_pin(world, world->pin[i]->id);
    int kept = 0;
    for (int i = 0; i < world->push_count; i++)
        if (world->push[i].entity != id)
            world->push[kept++] = world->push[i];
    world->push_count = kept;
    world->contact_count = 0;
}
