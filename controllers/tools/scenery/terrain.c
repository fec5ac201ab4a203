/* troupe-train terrain: hills, rubble or stairs from a seed, as a file that scenery takes. */
#include "physics/terrain.h"
#include "math/quat.h"
#include "proto/sink.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *out;
    double slope_deg;
    tr_terrain_def def;
} arguments;

static bool read_kind(const char *text, tr_terrain_def *out) {
    static const char *const names[] = {"hills", "rubble", "stairs"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = tr_terrain_def_default((tr_terrain_kind)i);
            return true;
        }
    fprintf(stderr, "troupe-train terrain: '%s': expected hills, rubble or stairs\n", text);
    return false;
}

/* The first pass finds the kind; the second reads the options over its defaults. */
static bool parse(int argc, char **argv, void *out) {
    arguments *a = out;
    *a = (arguments){.slope_deg = 5};
    const tr_option table[] = {
        {"seed", TR_OPTION_SEED, &a->def.seed, 0, 0},
        {"size", TR_OPTION_NUMBER, &a->def.size_m, 0.1, 1000},
        {"cell", TR_OPTION_NUMBER, &a->def.cell_m, 0.01, 100},
        {"slope", TR_OPTION_NUMBER, &a->slope_deg, 0, 45},
        {"height", TR_OPTION_NUMBER, &a->def.height_m, 0.001, 10},
        {"tread", TR_OPTION_NUMBER, &a->def.tread_m, 0.05, 10},
        {"steps", TR_OPTION_COUNT, &a->def.steps, 1, 100},
        {"level", TR_OPTION_NUMBER, &a->def.level_m, 0, 100},
        {"out", TR_OPTION_TEXT, &a->out, 0, 0},
    };
    for (int pass = 0; pass < 2; pass++) {
        int first = tr_options_take("terrain", argc, argv, table, sizeof table / sizeof *table);
        if (!first || first != argc - 1)
            return false;
        if (pass == 0 && !read_kind(argv[first], &a->def))
            return false;
    }
    a->def.slope_rad = a->slope_deg * TR_PI / 180;
    return a->out;
}

/* An Esri ASCII grid: rows from the largest y to the smallest. */
static void write_heights(const tr_heights_def *field, FILE *file) {
    double x = -0.5 * (field->columns - 1) * field->spacing_m;
    double y = -0.5 * (field->rows - 1) * field->spacing_m;
    fprintf(file, "ncols %d\nnrows %d\nxllcenter %.9g\nyllcenter %.9g\ncellsize %.9g\n",
            field->columns, field->rows, x, y, field->spacing_m);
    for (int j = field->rows - 1; j >= 0; j--)
        for (int i = 0; i < field->columns; i++)
            fprintf(file, "%.6g%c",
                    (double)field->height[(size_t)j * (size_t)field->columns + (size_t)i],
                    i + 1 < field->columns ? ' ' : '\n');
}

/* A Wavefront OBJ file, z up. */
static void write_mesh(const tr_mesh_def *mesh, FILE *file) {
    for (int i = 0; i < mesh->vertex_count; i++)
        fprintf(file, "v %.6g %.6g %.6g\n", (double)mesh->vertex[3 * i],
                (double)mesh->vertex[3 * i + 1], (double)mesh->vertex[3 * i + 2]);
    for (int i = 0; i < mesh->triangle_count; i++)
        fprintf(file, "f %u %u %u\n", mesh->index[3 * i] + 1, mesh->index[3 * i + 1] + 1,
                mesh->index[3 * i + 2] + 1);
}

/* Does the file's name say what it will hold? Devices and standard output have no ending. */
static tr_status check_ending(const arguments *a, tr_error *error) {
    const char *expected = a->def.kind == TR_TERRAIN_STAIRS ? ".obj" : ".asc";
    const char *ending = strrchr(a->out, '.');
    bool plain = strcmp(a->out, "-") != 0 && strncmp(a->out, "/dev/", 5) != 0;
    if (!plain || (ending && strcmp(ending, expected) == 0))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "-o %s: expected a name that ends in %s", a->out,
                   expected);
}

static tr_status run(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_surface *surface = NULL;
    tr_status status = check_ending(a, error);
    if (status)
        return status;
    status = tr_terrain_create(&a->def, &surface);
    if (status)
        return tr_fail(error, status,
                       "%s: too many samples for its size (--size, --cell), or no memory", a->out);
    tr_sink sink;
    status = tr_sink_open(&sink, a->out, error);
    if (!status) {
        tr_heights_def heights = tr_surface_heights(surface);
        tr_mesh_def mesh = tr_surface_mesh(surface);
        if (heights.columns > 0)
            write_heights(&heights, sink.file);
        else
            write_mesh(&mesh, sink.file);
        status = tr_sink_close(&sink, TR_OK, error);
    }
    tr_surface_release(surface);
    return status;
}

const tr_tool_command tr_tool_terrain = {
    .name = "terrain",
    .arguments = "hills|rubble|stairs [--seed N] -o FILE",
    .summary = "write hills, rubble or stairs from a seed, for scenery",
    .help = "Hills and rubble are height fields (.asc), stairs a mesh (.obj). The ground is level "
            "around\n"
            "the origin. 'troupe add-scenery' and the scenes of matches take the file.\n\n"
            "  --seed N      of hills and rubble (1)\n"
            "  --size M      side of hills and rubble (40), width of stairs (3)\n"
            "  --cell M      between samples (0.2)\n"
            "  --slope DEG   the steepest of hills (5)\n"
            "  --height M    of rubble (0.05), of each stair (0.15)\n"
            "  --tread M     of each stair (0.3)\n"
            "  --steps N     how many stairs (5)\n"
            "  --level M     radius of the level ground; stairs begin there (1)\n"
            "  -o FILE       where to write it\n\n"
            "  troupe-train terrain hills --slope 8 --seed 4 -o hills.asc\n"
            "  troupe-train terrain stairs --steps 3 -o stairs.obj\n",
    .options = sizeof(arguments),
    .parse = parse,
    .run = run,
};
