#include "client/c/scene.h"

enum { SCENERY_MAX = 256, SCENE_OBJECT_MAX = 64 };

/* --- scenery --- */

const tr_mapping tr_client_scenery_mapping =
    TR_MAPPING(tr_client_scenery, Scenery, scenery, TR_COPY(patch, size, pos, rot, friction, id));

static Troupe__HeightField *heights_message(const tr_client_heights *def,
                                            tr_mapping_memory *memory) {
    Troupe__HeightField *m = tr_mapping_take(memory, 1, sizeof *m);
    if (m)
        *m = (Troupe__HeightField){TR_MESSAGE_BASE(height_field),
                                   .columns = def->columns,
                                   .rows = def->rows,
                                   .spacing_m = def->spacing_m,
                                   .n_heights = (size_t)def->columns * def->rows,
                                   .heights = tr_request_array(def->heights)};
    return m;
}

static Troupe__Mesh *mesh_message(const tr_client_mesh *def, tr_mapping_memory *memory) {
    Troupe__Mesh *m = tr_mapping_take(memory, 1, sizeof *m);
    if (m)
        *m = (Troupe__Mesh){TR_MESSAGE_BASE(mesh), .n_vertices = 3 * (size_t)def->vertex_count,
                            .vertices = tr_request_array(def->vertices),
                            .n_indices = 3 * (size_t)def->triangle_count,
                            .indices = tr_request_array(def->indices)};
    return m;
}

Troupe__Scenery *tr_scenery_message(const tr_client_scenery *def, tr_mapping_memory *memory) {
    Troupe__Scenery *m = tr_mapping_write(&tr_client_scenery_mapping, def, memory);
    if (m && def->height_field) {
        m->surface_case = TROUPE__SCENERY__SURFACE_HEIGHT_FIELD;
        m->height_field = heights_message(def->height_field, memory);
    } else if (m && def->mesh) {
        m->surface_case = TROUPE__SCENERY__SURFACE_MESH;
        m->mesh = mesh_message(def->mesh, memory);
    }
    return memory->failed ? NULL : m;
}

/* False: counts that do not add up. */
static bool read_surface(const Troupe__Scenery *from, tr_mapping_memory *memory,
                         tr_client_scenery *out) {
    if (from->surface_case == TROUPE__SCENERY__SURFACE_HEIGHT_FIELD) {
        const Troupe__HeightField *m = from->height_field;
        tr_client_heights *heights = tr_mapping_take(memory, 1, sizeof *heights);
        if (m->n_heights > 0 && m->n_heights != (uint64_t)m->columns * m->rows)
            return false;
        if (heights)
            *heights = (tr_client_heights){m->columns, m->rows, m->spacing_m, m->heights};
        out->height_field = heights;
    } else if (from->surface_case == TROUPE__SCENERY__SURFACE_MESH) {
        const Troupe__Mesh *m = from->mesh;
        tr_client_mesh *mesh = tr_mapping_take(memory, 1, sizeof *mesh);
        if (m->n_vertices % 3 != 0 || m->n_indices % 3 != 0)
            return false;
        if (mesh)
            *mesh = (tr_client_mesh){(uint32_t)(m->n_vertices / 3), (uint32_t)(m->n_indices / 3),
                                     m->vertices, m->indices};
        out->mesh = mesh;
    }
    return true;
}

bool tr_reply_scenery(tr_mapping_memory *memory, const Troupe__WorldState *from,
                      tr_client_state *out) {
    bool sound = true;
    for (int i = 0; sound && i < out->scenery_count; i++)
        sound = read_surface(from->scenery[i], memory, &((tr_client_scenery *)out->scenery)[i]);
    return sound;
}

/* --- objects --- */

static const tr_mapping geom_mapping =
    TR_MAPPING(tr_client_geom, Geom, geom, TR_COPY(kind, size, pos, rot, friction));

static const tr_mapping object_mapping = TR_MAPPING(
    tr_client_object_def, SpawnObject, spawn_object, TR_COPY(name),
    TR_COPY_LIST(geom_count, geoms, geom_mapping),
    TR_COPY(density, mass, pos, rot, vel, omega, linear_damping, angular_damping, kinematic));

static const tr_mapping travel_mapping =
    TR_MAPPING(tr_client_travel, Travel, travel, TR_COPY(pos, duration_s, shuttle));

Troupe__Travel *tr_travel_message(const tr_client_travel *def, tr_mapping_memory *memory) {
    return tr_mapping_write(&travel_mapping, def, memory);
}

Troupe__SpawnObject *tr_object_message(const tr_client_object_def *def, tr_mapping_memory *memory) {
    Troupe__SpawnObject *m = tr_mapping_write(&object_mapping, def, memory);
    if (m && def->travel.duration_s > 0)
        m->travel = tr_travel_message(&def->travel, memory);
    return memory->failed ? NULL : m;
}

/* --- scenes --- */

typedef struct ground {
    double friction;
} ground;

static const tr_mapping ground_mapping = TR_MAPPING(ground, Ground, ground, TR_COPY(friction));

static const tr_mapping scene_mapping =
    TR_MAPPING(tr_client_world_def, Scene, scene, TR_COPY(gravity, no_ground, no_self_collision),
               TR_COPY_ONE_AS(ground_friction, ground, ground_mapping));

static void add_lists(Troupe__Scene *scene, const tr_client_world_def *def,
                      tr_mapping_memory *memory) {
    scene->scenery = tr_mapping_take(memory, (size_t)def->scenery_count, sizeof(Troupe__Scenery *));
    for (int i = 0; scene->scenery && i < def->scenery_count; i++)
        scene->scenery[scene->n_scenery++] = tr_scenery_message(&def->scenery[i], memory);
    scene->objects =
        tr_mapping_take(memory, (size_t)def->object_count, sizeof(Troupe__SpawnObject *));
    for (int i = 0; scene->objects && i < def->object_count; i++)
        scene->objects[scene->n_objects++] = tr_object_message(&def->objects[i], memory);
}

static Troupe__Scene *refuse(tr_error *refused, tr_status status, const char *why) {
    (void)tr_fail(refused, status, "%s", why);
    return NULL;
}

Troupe__Scene *tr_scene_message(const tr_client_world_def *def, tr_mapping_memory *memory,
                                tr_error *refused) {
    if (def->scenery_count < 0 || def->scenery_count > SCENERY_MAX)
        return refuse(refused, TR_INVALID_ARGUMENT, "scenery_count: expected 0 to 256");
    if (def->object_count < 0 || def->object_count > SCENE_OBJECT_MAX)
        return refuse(refused, TR_INVALID_ARGUMENT, "object_count: expected 0 to 64");
    Troupe__Scene *scene = tr_mapping_write(&scene_mapping, def, memory);
    if (scene)
        add_lists(scene, def, memory);
    return memory->failed ? refuse(refused, TR_RESOURCE_EXHAUSTED, "no memory for the scenery")
                          : scene;
}
