/* Commands about scenery and about platforms, which are kinematic objects. */
#include "client/c/command.h"
#include "client/c/scene.h"

typedef struct added {
    const tr_client_scenery *scenery;
} added;

static const tr_mapping add_mapping =
    TR_MAPPING(added, AddScenery, add_scenery, TR_COPY_POINTER(scenery, tr_client_scenery_mapping));

uint64_t tr_client_add_scenery(tr_client *client, tr_client_at at,
                               const tr_client_scenery *scenery) {
    const added a = {scenery};
    return tr_command_send_struct(client, at, &add_mapping, &a);
}

TR_COMMAND_OF(RemoveScenery, remove_scenery, (uint32_t, scenery))

typedef struct carried {
    uint32_t entity;
    const tr_client_travel *travel;
} carried;

static const tr_mapping carry_mapping = TR_MAPPING(
    carried, Carry, carry, TR_COPY(entity), TR_COPY_POINTER(travel, tr_client_travel_mapping));

uint64_t tr_client_carry(tr_client *client, tr_client_at at, uint32_t entity,
                         const tr_client_travel *travel) {
    const carried c = {entity, travel};
    return tr_command_send_struct(client, at, &carry_mapping, &c);
}
