#include "physics/scene/scene.h"

/* -1: none. */
static int character_index(const tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->character_count; i++)
        if (world->character_id[i] == id)
            return i;
    return -1;
}

tr_character *tr_scene_character(const tr_world *world, tr_entity_id id) {
    int i = character_index(world, id);
    return i >= 0 ? world->character[i] : NULL;
}

void tr_scene_add_character(tr_world *world, tr_character *character) {
    world->character_id[world->character_count] = character->id;
    world->character[world->character_count++] = character;
}

void tr_scene_remove_character(tr_world *world, const tr_character *character) {
    int i = character_index(world, character->id);
    for (world->character_count--; i < world->character_count; i++) {
        world->character[i] = world->character[i + 1];
        world->character_id[i] = world->character_id[i + 1];
    }
}

tr_object *tr_scene_object(const tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->object_count; i++)
        if (world->object[i]->id == id)
            return world->object[i];
    return NULL;
}

tr_pin *tr_scene_pin(const tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->pin_count; i++)
        if (world->pin[i]->id == id)
            return world->pin[i];
    return NULL;
}

int tr_scene_mover(const tr_world *world, tr_entity_id id) {
    if (id == 0)
        return TR_STATIC_MOVER;
    int character = character_index(world, id);
    if (character >= 0)
        return character;
    for (int i = 0; i < world->object_count; i++)
        if (world->object[i]->id == id)
            return world->character_count + i;
    return TR_STATIC_MOVER - 1;
}
