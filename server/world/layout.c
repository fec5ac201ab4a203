#include "server/world/layout.h"

#include "client/command/decode_object.h"
#include "client/command/decode_scenery.h"
#include "proto/limits.h"

#include <stdatomic.h>
#include <stdlib.h>

struct tr_layout {
    atomic_int holders;
    int scenery_count, object_count;
    tr_scenery_def *scenery; /* [scenery_count]; surfaces are held */
    tr_object_start *object; /* [object_count] */
};

static tr_status check_room(const Troupe__Scene *message, tr_error *error) {
    size_t bytes = 0;
    for (size_t i = 0; i < message->n_scenery; i++)
        bytes += tr_scenery_message_bytes(message->scenery[i]);
    if (bytes <= TR_SURFACE_BYTES_MAX)
        return TR_OK;
    return tr_fail(
        error, TR_INVALID_ARGUMENT,
        "scene.scenery: height fields and meshes of %zu bytes: expected at most %d in all", bytes,
        TR_SURFACE_BYTES_MAX);
}

static tr_status fill(tr_layout *layout, const Troupe__Scene *message, tr_error *error) {
    tr_status status = TR_OK;
    for (size_t i = 0; i < message->n_scenery && !status; i++) {
        status = tr_scenery_decode(message->scenery[i], &layout->scenery[i]);
        layout->scenery_count += !status;
    }
    if (status == TR_INVALID_ARGUMENT)
        return tr_fail(error, status, "scene.scenery.mesh: expected a triangle with an area");
    if (status)
        return tr_fail(error, status, "scene.scenery: no memory for a surface");
    for (size_t i = 0; i < message->n_objects; i++)
        layout->object[layout->object_count++] = tr_object_decode(message->objects[i]);
    return TR_OK;
}

tr_status tr_layout_create(const Troupe__Scene *message, tr_layout **out, tr_error *error) {
    tr_status status = check_room(message, error);
    if (status)
        return status;
    tr_layout *layout = calloc(1, sizeof *layout);
    if (!layout)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    atomic_init(&layout->holders, 1);
    layout->scenery = calloc(message->n_scenery + 1, sizeof *layout->scenery);
    layout->object = calloc(message->n_objects + 1, sizeof *layout->object);
    status = layout->scenery && layout->object
                 ? fill(layout, message, error)
                 : tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    return TR_GIVE(status, layout, tr_layout_release, out);
}

tr_layout *tr_layout_hold(tr_layout *layout) {
    if (layout)
        atomic_fetch_add(&layout->holders, 1);
    return layout;
}

void tr_layout_release(tr_layout *layout) {
    if (!layout || atomic_fetch_sub(&layout->holders, 1) > 1)
        return;
    for (int i = 0; i < layout->scenery_count; i++)
        tr_surface_release(layout->scenery[i].surface);
    free(layout->scenery);
    free(layout->object);
    free(layout);
}

tr_status tr_layout_build(const tr_layout *layout, tr_world *world) {
    tr_status status = TR_OK;
    tr_entity_id id;
    for (int i = 0; layout && i < layout->scenery_count && !status; i++)
        status = tr_world_add_scenery(world, &layout->scenery[i], NULL);
    for (int i = 0; layout && i < layout->object_count && !status; i++)
        status = tr_object_begin(&layout->object[i], world, &id);
    return status;
}
