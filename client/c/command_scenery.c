/* Commands about scenery and about platforms, which are kinematic objects. */
#include "client/c/command.h"
#include "client/c/scene.h"

uint64_t tr_client_add_scenery(tr_client *client, tr_client_at at,
                               const tr_client_scenery *scenery) {
    tr_mapping_memory memory = {0};
    Troupe__Scenery *message = tr_scenery_message(scenery, &memory);
    uint64_t request = message ? TR_COMMAND(client, at, AddScenery, add_scenery, .scenery = message)
                               : tr_command_send(client, at, NULL);
    tr_mapping_free(&memory);
    return request;
}

uint64_t tr_client_remove_scenery(tr_client *client, tr_client_at at, uint32_t scenery) {
    return TR_COMMAND(client, at, RemoveScenery, remove_scenery, .scenery = scenery);
}

uint64_t tr_client_carry(tr_client *client, tr_client_at at, uint32_t entity,
                         const tr_client_travel *travel) {
    tr_mapping_memory memory = {0};
    Troupe__Travel *message = tr_travel_message(travel, &memory);
    uint64_t request =
        message ? TR_COMMAND(client, at, Carry, carry, .entity = entity, .travel = message)
                : tr_command_send(client, at, NULL);
    tr_mapping_free(&memory);
    return request;
}
