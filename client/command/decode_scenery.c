#include "client/command/decode_scenery.h"

#include "proto/limits.h"

#include <math.h>

enum { PLACE_MAX_M = 10000, FRICTION_MAX = 100, SAMPLE_BYTES = 4, TRIPLE_BYTES = 12 };

/* --- checks --- */

static const tr_field height_fields[] = {TR_NUMBER(Troupe__HeightField, columns, 2, 65536),
                                         TR_NUMBER(Troupe__HeightField, rows, 2, 65536),
                                         TR_NUMBER(Troupe__HeightField, spacing_m, 0.001, 100),
                                         TR_FIELDS_END};

const tr_field tr_scenery_fields[] = {
    TR_VECTOR(Troupe__Scenery, size, PLACE_MAX_M),
    TR_VECTOR(Troupe__Scenery, pos, PLACE_MAX_M),
    TR_ROTATION(Troupe__Scenery, rot),
    TR_NUMBER(Troupe__Scenery, friction, 0, FRICTION_MAX),
    TR_CASE(Troupe__Scenery, surface_case, TROUPE__SCENERY__SURFACE_HEIGHT_FIELD,
            TR_FIELD(Troupe__Scenery, height_field, TR_FIELD_MESSAGE), .fields = height_fields),
    TR_FIELDS_END};

static tr_status check_lengths(const float *value, size_t count, const char *path, const char *name,
                               tr_error *error) {
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(value[i]) <= (float)PLACE_MAX_M))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s%s: %g: expected -%d to %d m", path, name,
                           (double)value[i], PLACE_MAX_M, PLACE_MAX_M);
    return TR_OK;
}

static tr_status check_heights(const Troupe__HeightField *m, const char *path, tr_error *error) {
    uint64_t samples = (uint64_t)m->columns * m->rows;
    if (samples > TR_HEIGHT_SAMPLES_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%sheight_field: %u columns x %u rows: expected at most %d samples", path,
                       m->columns, m->rows, TR_HEIGHT_SAMPLES_MAX);
    if (m->n_heights != samples)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%sheight_field.heights: %zu numbers: expected columns x rows, %u", path,
                       m->n_heights, (unsigned)samples);
    return check_lengths(m->heights, m->n_heights, path, "height_field.heights", error);
}

static tr_status check_triples(size_t count, int most, const char *path, const char *name,
                               tr_error *error) {
    if (count > 0 && count % 3 == 0 && count / 3 <= (size_t)most)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "%smesh.%s: %zu numbers: expected three for each, 1 to %d", path, name, count,
                   most);
}

static tr_status check_mesh(const Troupe__Mesh *m, const char *path, tr_error *error) {
    tr_status status = check_triples(m->n_vertices, TR_MESH_VERTICES_MAX, path, "vertices", error);
    if (!status)
        status = check_triples(m->n_indices, TR_MESH_TRIANGLES_MAX, path, "indices", error);
    for (size_t i = 0; i < m->n_indices && !status; i++)
        if (m->indices[i] >= m->n_vertices / 3)
            status = tr_fail(error, TR_INVALID_ARGUMENT,
                             "%smesh.indices: %u: expected the index of a vertex, 0 to %zu", path,
                             m->indices[i], m->n_vertices / 3 - 1);
    if (!status)
        status = check_lengths(m->vertices, m->n_vertices, path, "mesh.vertices", error);
    return status;
}

tr_status tr_scenery_check(const void *message, const char *path, tr_error *error) {
    const Troupe__Scenery *m = message;
    tr_vec3 size = tr_vec3_of(m->size);
    if (m->surface_case == TROUPE__SCENERY__SURFACE_HEIGHT_FIELD)
        return check_heights(m->height_field, path, error);
    if (m->surface_case == TROUPE__SCENERY__SURFACE_MESH)
        return check_mesh(m->mesh, path, error);
    if (size.x > 0 && size.y > 0 && (m->patch || size.z > 0))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "%ssize: expected positive half extents", path);
}

/* --- reading --- */

static tr_status create_heights(const Troupe__HeightField *m, tr_surface **out) {
    return tr_surface_create_heights(&(tr_heights_def){.columns = (int)m->columns,
                                                       .rows = (int)m->rows,
                                                       .spacing_m = m->spacing_m,
                                                       .height = m->heights},
                                     out);
}

static tr_status create_mesh(const Troupe__Mesh *m, tr_surface **out) {
    return tr_surface_create_mesh(&(tr_mesh_def){.vertex_count = (int)(m->n_vertices / 3),
                                                 .triangle_count = (int)(m->n_indices / 3),
                                                 .vertex = m->vertices,
                                                 .index = m->indices},
                                  out);
}

tr_status tr_scenery_decode(const Troupe__Scenery *m, tr_scenery_def *out) {
    tr_surface *surface = NULL;
    tr_status status = TR_OK;
    if (m->surface_case == TROUPE__SCENERY__SURFACE_HEIGHT_FIELD)
        status = create_heights(m->height_field, &surface);
    else if (m->surface_case == TROUPE__SCENERY__SURFACE_MESH)
        status = create_mesh(m->mesh, &surface);
    if (status)
        return status;
    *out = (tr_scenery_def){.kind = surface    ? TR_SCENERY_SURFACE
                                    : m->patch ? TR_SCENERY_PATCH
                                               : TR_SCENERY_BOX,
                            .size = tr_vec3_of(m->size),
                            .pos = tr_vec3_of(m->pos),
                            .rot = tr_quat_of(m->rot),
                            .friction = m->friction,
                            .surface = surface};
    return TR_OK;
}

/* --- how much memory --- */

size_t tr_scenery_message_bytes(const Troupe__Scenery *m) {
    if (m->surface_case == TROUPE__SCENERY__SURFACE_HEIGHT_FIELD)
        return SAMPLE_BYTES * m->height_field->n_heights;
    if (m->surface_case == TROUPE__SCENERY__SURFACE_MESH)
        return TRIPLE_BYTES * (m->mesh->n_vertices + m->mesh->n_indices) / 3;
    return 0;
}

size_t tr_scenery_bytes(const tr_scenery_def *def) {
    if (def->kind != TR_SCENERY_SURFACE)
        return 0;
    tr_heights_def heights = tr_surface_heights(def->surface);
    tr_mesh_def mesh = tr_surface_mesh(def->surface);
    return SAMPLE_BYTES * (size_t)heights.columns * (size_t)heights.rows +
           TRIPLE_BYTES * ((size_t)mesh.vertex_count + (size_t)mesh.triangle_count);
}
