/* Wavefront OBJ: vertices ("v x y z") and faces ("f 1 2 3", "f 1/1/1 ...", "f -3 -2 -1"), which are
 * split into triangles around their first corner. Everything else in the file is skipped. */
#include "cli/terrain_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

typedef struct reading {
    const tr_terrain_source *source;
    tr_terrain_file *out;
    tr_error *error;
    unsigned line;
} reading;

static tr_status fail(const reading *r, const char *what) {
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: %s", r->source->path, r->line, what);
}

static tr_status add_vertex(reading *r, const char *text) {
    double v[3];
    uint32_t count = r->out->mesh.vertex_count;
    for (int k = 0; k < 3; k++) {
        char *end;
        v[k] = strtod(text, &end);
        if (end == text)
            return fail(r, "v: expected three numbers");
        text = end;
    }
    if (count == TR_TERRAIN_VERTICES_MAX)
        return fail(r, "too many vertices: expected at most 32768");
    bool turned = r->source->scale.y_up;
    float *at = r->out->number + 3 * (size_t)count;
    at[0] = (float)v[0];
    at[1] = (float)(turned ? -v[2] : v[1]);
    at[2] = (float)(turned ? v[1] : v[2]);
    r->out->mesh.vertex_count++;
    return TR_OK;
}

static tr_status add_triangle(reading *r, const uint32_t corner[3]) {
    uint32_t count = r->out->mesh.triangle_count;
    if (count == TR_TERRAIN_TRIANGLES_MAX)
        return fail(r, "too many triangles: expected at most 65536");
    memcpy(r->out->index + 3 * (size_t)count, corner, 3 * sizeof *corner);
    r->out->mesh.triangle_count++;
    return TR_OK;
}

/* "7", "7/1", "7/1/4", "7//4": the vertex, from 1, or from the last one back. */
static tr_status take_corner(const reading *r, char **text, uint32_t *out) {
    char *end;
    errno = 0;
    long given = strtol(*text, &end, 10);
    long count = (long)r->out->mesh.vertex_count;
    long vertex = given < 0 ? count + given : given - 1;
    if (end == *text || errno || vertex < 0 || vertex >= count)
        return fail(r, "f: expected numbers of vertices that stand before it");
    *text = end + strcspn(end, " \t\r\n");
    *out = (uint32_t)vertex;
    return TR_OK;
}

static tr_status add_face(reading *r, char *text) {
    uint32_t corner[3] = {0, 0, 0};
    tr_status status = TR_OK;
    int count = 0;
    for (text += strspn(text, " \t\r\n"); *text && !status; text += strspn(text, " \t\r\n")) {
        corner[1] = corner[2];
        status = take_corner(r, &text, &corner[count == 0 ? 0 : 2]);
        count++;
        if (!status && count >= 3)
            status = add_triangle(r, corner);
    }
    return !status && count < 3 ? fail(r, "f: expected three corners or more") : status;
}

tr_status tr_terrain_read_obj(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) {
    char line[LINE_MAX_BYTES];
    reading r = {.source = source, .out = out, .error = error};
    out->number = malloc(3 * (size_t)TR_TERRAIN_VERTICES_MAX * sizeof *out->number);
    out->index = malloc(3 * (size_t)TR_TERRAIN_TRIANGLES_MAX * sizeof *out->index);
    tr_status status = out->number && out->index
                           ? TR_OK
                           : tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", source->path);
    while (!status && fgets(line, sizeof line, source->file)) {
        r.line++;
        if (strlen(line) == sizeof line - 1)
            status = fail(&r, "expected lines of at most 4094 bytes");
        else if (strncmp(line, "v ", 2) == 0)
            status = add_vertex(&r, line + 2);
        else if (strncmp(line, "f ", 2) == 0)
            status = add_face(&r, line + 2);
    }
    if (!status && out->mesh.triangle_count == 0)
        status = fail(&r, "expected a face in it");
    out->mesh.vertices = out->number;
    out->mesh.indices = out->index;
    return status;
}
