#include "client/c/scene.h"

enum { SCENERY_MAX = 256, SCENE_OBJECT_MAX = 64 };

/* --- scenery --- */

static const tr_mapping heights_mapping =
    TR_MAPPING(tr_client_heights, HeightField, height_field, TR_COPY(columns, rows, spacing_m),
               TR_COPY_GRID(columns, rows, heights));

static const tr_mapping mesh_mapping =
    TR_MAPPING(tr_client_mesh, Mesh, mesh, TR_COPY_TRIPLES(vertex_count, vertices),
               TR_COPY_TRIPLES(triangle_count, indices));

const tr_mapping tr_client_scenery_mapping =
    TR_MAPPING(tr_client_scenery, Scenery, scenery, TR_COPY(patch, size, pos, rot, friction, id),
               TR_COPY_CASE_POINTER(mesh, mesh_mapping, surface, TROUPE__SCENERY__SURFACE_MESH),
               TR_COPY_CASE_POINTER(height_field, heights_mapping, surface,
                                    TROUPE__SCENERY__SURFACE_HEIGHT_FIELD)); /* of both, this one */

/* --- objects --- */

static const tr_mapping geom_mapping =
    TR_MAPPING(tr_client_geom, Geom, geom, TR_COPY(kind, size, pos, rot, friction));

static const tr_mapping object_mapping = TR_MAPPING(
    tr_client_object_def, SpawnObject, spawn_object, TR_COPY(name),
    TR_COPY_LIST(geom_count, geoms, geom_mapping),
    TR_COPY(density, mass, pos, rot, vel, omega, linear_damping, angular_damping, kinematic));

const tr_mapping tr_client_travel_mapping =
    TR_MAPPING(tr_client_travel, Travel, travel, TR_COPY(pos, duration_s, shuttle));

Troupe__SpawnObject *tr_object_message(const tr_client_object_def *def, tr_mapping_memory *memory) {
    Troupe__SpawnObject *m = tr_mapping_write(&object_mapping, def, memory);
    if (m) {
        m->has_density_case = def->density != 0 ? TROUPE__SPAWN_OBJECT__HAS_DENSITY_DENSITY : 0;
        m->has_mass_case = def->mass != 0 ? TROUPE__SPAWN_OBJECT__HAS_MASS_MASS : 0;
    }
    if (m && def->travel.duration_s > 0)
        m->travel = tr_mapping_write(&tr_client_travel_mapping, &def->travel, memory);
    return memory->failed ? NULL : m;
}

/* --- scenes --- */

typedef struct ground {
    double friction;
} ground;

static const tr_mapping ground_mapping = TR_MAPPING(ground, Ground, ground, TR_COPY(friction));

static const tr_mapping scene_mapping =
    TR_MAPPING(tr_client_world_def, Scene, scene, TR_COPY(gravity, no_ground, no_self_collision),
               TR_COPY_ONE_AS(ground_friction, ground, ground_mapping),
               TR_COPY_LIST(scenery_count, scenery, tr_client_scenery_mapping));

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
    if (scene) {
        scene->objects =
            tr_mapping_take(memory, (size_t)def->object_count, sizeof(Troupe__SpawnObject *));
        for (int i = 0; scene->objects && i < def->object_count; i++)
            scene->objects[scene->n_objects++] = tr_object_message(&def->objects[i], memory);
    }
    return memory->failed ? refuse(refused, TR_RESOURCE_EXHAUSTED, "no memory for the scenery")
                          : scene;
}
