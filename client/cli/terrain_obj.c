/* Wavefront OBJ: vertices ("v x y z") and faces ("f 1 2 3", "f 1/1/1 ...", "f -3 -2 -1"), which are
 * split into triangles around one of their corners. What changes no surface, such as normals,
 * textures and names, is skipped; every other word is refused. */
#include "cli/terrain_file.h"

#include "proto/text.h"
#include "proto/text_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS_MAX = 1024, VALUES_MAX = 7 };

typedef struct reading {
    const tr_terrain_source *source;
    tr_terrain_file *out;
    tr_error *error;
    unsigned line;
} reading;

static tr_status fail(const reading *r, const char *what) {
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: %s", r->source->path, r->line, what);
}

static const char BLANKS[] = " \t\r\v\f";

static char *skip_blanks(char *text) {
    return text + strspn(text, BLANKS);
}

/* --- vertices --- */

/* "x y z", and perhaps a weight, or a colour of three or four numbers, which scenery does not have. */
static tr_status add_vertex(reading *r, char *text) {
    double v[VALUES_MAX];
    uint32_t at_vertex = r->out->mesh.vertex_count;
    int count = 0;
    for (const char *end; *(text = skip_blanks(text)); text += end - text, count++) {
        double value;
        end = tr_text_number(text, &value);
        if (!end || !strchr(BLANKS, *end) || fabs(value) > 1e4 || count == VALUES_MAX)
            return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: v: found '%.*s'; expected %s",
                           r->source->path, r->line, (int)strcspn(text, BLANKS), text,
                           count < 3 ? "three numbers of -10000 to 10000 m" : "no more");
        v[count] = value;
    }
    if (count < 3 || count == 5)
        return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: v: %d numbers; expected three",
                       r->source->path, r->line, count);
    if (count == 4 && v[3] != 1)
        return fail(r, "v: a weight other than 1: expected a mesh, not a rational surface");
    if (at_vertex == TR_TERRAIN_VERTICES_MAX)
        return fail(r, "too many vertices: expected at most 32768");
    bool turned = r->source->scale.y_up;
    float *at = r->out->number + 3 * (size_t)at_vertex;
    at[0] = (float)v[0];
    at[1] = (float)(turned ? -v[2] : v[1]);
    at[2] = (float)(turned ? v[1] : v[2]);
    r->out->mesh.vertex_count++;
    return TR_OK;
}

/* --- faces --- */

/* "7", "7/1", "7/1/4", "7//4": the vertex, from 1, or from the last one back. */
static tr_status take_corner(const reading *r, char **text, uint32_t *out) {
    char *end;
    errno = 0;
    long given = strtol(*text, &end, 10);
    long count = (long)r->out->mesh.vertex_count;
    long vertex = given < 0 ? count + given : given - 1;
    if (end == *text || errno || vertex < 0 || vertex >= count ||
        strspn(end, "/-0123456789") != strcspn(end, BLANKS))
        return tr_fail(r->error, TR_INVALID_ARGUMENT,
                       "%s:%u: f: found '%.*s'; expected the number of a vertex that stands before "
                       "it, 1 to %ld",
                       r->source->path, r->line, (int)strcspn(*text, BLANKS), *text, count);
    *text = end + strcspn(end, BLANKS);
    *out = (uint32_t)vertex;
    return TR_OK;
}

/* Twice the area vector of the triangle a, b, c. */
static void area_of(const float *number, const uint32_t corner[3], double out[3]) {
    double u[3], w[3];
    for (int k = 0; k < 3; k++) {
        double a = (double)number[3 * (size_t)corner[0] + (size_t)k];
        u[k] = (double)number[3 * (size_t)corner[1] + (size_t)k] - a;
        w[k] = (double)number[3 * (size_t)corner[2] + (size_t)k] - a;
    }
    for (int k = 0; k < 3; k++)
        out[k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
}

/* Do the triangles around the corner `first` cover the face without leaving it? They do if none is
 * turned against the face's normal, the sum of their areas. */
static bool covers(const float *number, const uint32_t *corner, int count, int first) {
    double area[CORNERS_MAX][3], normal[3] = {0, 0, 0};
    for (int i = 1; i + 1 < count; i++) {
        const uint32_t triangle[3] = {corner[first], corner[(first + i) % count],
                                      corner[(first + i + 1) % count]};
        area_of(number, triangle, area[i]);
        for (int k = 0; k < 3; k++)
            normal[k] += area[i][k];
    }
    double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    for (int i = 1; i + 1 < count; i++)
        if (area[i][0] * normal[0] + area[i][1] * normal[1] + area[i][2] * normal[2] <
            -1e-6 * square) /* vertices are of single precision */
            return false;
    return true;
}

static tr_status add_triangles(reading *r, const uint32_t *corner, int count) {
    int first = 0;
    while (first < count && !covers(r->out->number, corner, count, first))
        first++;
    if (first == count)
        return fail(r, "f: a face that bends in: no corner of it sees the others; split it into "
                       "triangles");
    for (int i = 1; i + 1 < count; i++) {
        uint32_t *at = r->out->index + 3 * (size_t)r->out->mesh.triangle_count;
        if (r->out->mesh.triangle_count == TR_TERRAIN_TRIANGLES_MAX)
            return fail(r, "too many triangles: expected at most 65536");
        at[0] = corner[first];
        at[1] = corner[(first + i) % count];
        at[2] = corner[(first + i + 1) % count];
        r->out->mesh.triangle_count++;
    }
    return TR_OK;
}

static tr_status add_face(reading *r, char *text) {
    uint32_t corner[CORNERS_MAX];
    int count = 0;
    for (; *(text = skip_blanks(text)); count++) {
        if (count == CORNERS_MAX)
            return fail(r, "f: expected at most 1024 corners");
        tr_status status = take_corner(r, &text, &corner[count]);
        if (status)
            return status;
        for (int i = 0; i < count; i++)
            if (corner[i] == corner[count])
                return tr_fail(r->error, TR_INVALID_ARGUMENT,
                               "%s:%u: f: vertex %u is a corner twice; expected each once, or no "
                               "such face",
                               r->source->path, r->line, corner[i] + 1);
    }
    return count < 3 ? fail(r, "f: expected three corners or more")
                     : add_triangles(r, corner, count);
}

/* --- lines --- */

/* A statement without `read` has no effect on the shape, or is refused. */
static const struct {
    const char *words;
    tr_status (*read)(reading *r, char *text);
    const char *refusal;
} statements[] = {
    {"v", add_vertex, NULL},
    {"f fo", add_face, NULL},
    {"vn vt vp g o s mg usemtl mtllib usemap maplib bevel c_interp d_interp lod shadow_obj "
     "trace_obj "
     "p l",
     NULL, NULL},
    {"cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con ctech stech bzp bsp cdc "
     "cdp "
     "res",
     NULL, "a curve or a surface: expected a mesh; export it as triangles"},
};

/* The statement's number; -1: none begins with this word. */
static int find_statement(const char *word, size_t length) {
    for (int i = 0; i < (int)(sizeof statements / sizeof *statements); i++)
        if (tr_text_lists(statements[i].words, word, length))
            return i;
    return -1;
}

static tr_status read_line(reading *r, char *line) {
    line = skip_blanks(line);
    size_t length = strcspn(line, BLANKS);
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    if (*line == '\0')
        return TR_OK;
    int found = find_statement(line, length);
    if (found >= 0 && statements[found].read)
        return statements[found].read(r, line + length);
    if (found >= 0)
        return statements[found].refusal ? fail(r, statements[found].refusal) : TR_OK;
    return tr_fail(r->error, TR_INVALID_ARGUMENT,
                   "%s:%u: '%.*s': expected v, f, or another word of OBJ meshes", r->source->path,
                   r->line, (int)(length < 40 ? length : 40), line);
}

/* Ends the line at *text, joined with those that follow a backslash at its end. Returns the next
 * line. */
static char *end_line(char *text, unsigned *out_lines) {
    for (char *at = text;; at++) {
        char *end = at + strcspn(at, "\n");
        char *last = end;
        while (last > at && strchr(BLANKS, last[-1]))
            last--;
        ++*out_lines;
        bool joined = *end && last > at && last[-1] == '\\';
        if (!joined) {
            char *next = *end ? end + 1 : end;
            *end = '\0';
            return next;
        }
        memset(last - 1, ' ', (size_t)(end - last) + 2);
        at = end;
    }
}

/* The daemon asks for one triangle with an area, but does not know the file. */
static bool has_area(const tr_terrain_file *file) {
    double area[3] = {0, 0, 0};
    for (size_t t = 0; t < file->mesh.triangle_count; t++) {
        area_of(file->number, file->index + 3 * t, area);
        if (hypot(hypot(area[0], area[1]), area[2]) > 1e-10)
            return true;
    }
    return false;
}

static tr_status read_lines(reading *r, char *text) {
    tr_status status = TR_OK;
    for (unsigned lines = 0; !status && *text; r->line += lines, lines = 0) {
        char *line = text;
        text = end_line(line, &lines);
        status = read_line(r, line);
    }
    return !status && !has_area(r->out) ? fail(r, "expected a face with an area in it") : status;
}

tr_status tr_terrain_read_obj(const tr_terrain_source *source, tr_terrain_file *out,
                              tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    reading r = {.source = source, .out = out, .error = error, .line = 1};
    tr_status status = tr_text_file_read(source->path, TR_TERRAIN_TEXT_MAX, &text, &size, error);
    if (status)
        return status;
    out->number = calloc(3 * (size_t)TR_TERRAIN_VERTICES_MAX, sizeof *out->number);
    out->index = calloc(3 * (size_t)TR_TERRAIN_TRIANGLES_MAX, sizeof *out->index);
    status = out->number && out->index
                 ? read_lines(&r, text)
                 : tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", source->path);
    free(text);
    out->mesh.vertices = out->number;
    out->mesh.indices = out->index;
    return status;
}
