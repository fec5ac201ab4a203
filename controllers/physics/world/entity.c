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
    TR_MUST(&world->invariant, slot->used == 1);
    TR_MUST(&world->invariant, slot->generation == id >> TR_ENTITY_SLOT_BITS);
    slot->used = 0;
    slot->generation = (slot->generation + 1) & TR_ENTITY_GENERATION_MASK;
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
