/* Reading a snapshot into a new world. Internal to physics/. */
#ifndef TROUPE_PHYSICS_SNAPSHOT_READ_H
#define TROUPE_PHYSICS_SNAPSHOT_READ_H

#include "physics/scene.h"

typedef struct tr_world_payload {
    const unsigned char *payload; /* behind the header; its checksum is right */
    size_t size;
    uint32_t version;
    const tr_model *const *models; /* [model_count] */
    int model_count;
    const tr_world *known; /* to be replaced: its models and surfaces may be used */
} tr_world_payload;

/* The caller destroys the world. Statuses as tr_world_restore. */
tr_status tr_world_read_payload(const tr_world_payload *source, tr_world **out) TR_NODISCARD;

#endif
