/* troupe-train terrain: hills, rubble or stairs from a seed, as a file that scenery takes. */
#include "physics/terrain/terrain.h"
#include "math/quat.h"
#include "proto/sink.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *kind, *out;
    double slope_deg;
    tr_terrain_def def;
} arguments;

/* Size and height depend on the kind; zero: not given. */
static void preset(void *out) {
    arguments *a = out;
    a->slope_deg = 5;
    a->def = tr_terrain_def_default(TR_TERRAIN_HILLS);
    a->def.size_m = a->def.height_m = 0;
}

static const tr_argument words[] = {
    {"KIND", TR_OPTION_TEXT, offsetof(arguments, kind), "hills, rubble or stairs"},
    {"--out FILE", TR_OPTION_TEXT, offsetof(arguments, out), "where to write it", .needed = true},
    {"--seed N", TR_OPTION_SEED, offsetof(arguments, def.seed), "of hills and rubble (1)"},
    {"--size M", TR_OPTION_NUMBER, offsetof(arguments, def.size_m),
     "side of hills and rubble (40), width of stairs (3)", 0.1, 1000},
    {"--cell M", TR_OPTION_NUMBER, offsetof(arguments, def.cell_m), "between samples (0.2)", 0.01,
     100},
    {"--slope DEG", TR_OPTION_NUMBER, offsetof(arguments, slope_deg), "the steepest of hills (5)",
     0, 45},
    {"--height M", TR_OPTION_NUMBER, offsetof(arguments, def.height_m),
     "of rubble (0.05), of each stair (0.15)", 0.001, 10},
    {"--tread M", TR_OPTION_NUMBER, offsetof(arguments, def.tread_m), "of each stair (0.3)", 0.05,
     10},
    {"--steps N", TR_OPTION_COUNT, offsetof(arguments, def.steps), "how many stairs (5)", 1, 100},
    {"--level M", TR_OPTION_NUMBER, offsetof(arguments, def.level_m),
     "radius of the level ground; stairs begin there (1)", 0, 100},
    {0}};

static tr_status check(void *given, tr_error *error) {
    static const char *const names[] = {"hills", "rubble", "stairs"};
    arguments *a = given;
    int kind = 0;
    while (kind < 3 && strcmp(a->kind, names[kind]) != 0)
        kind++;
    if (kind == 3)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected hills, rubble or stairs",
                       a->kind);
    const tr_terrain_def of_kind = tr_terrain_def_default((tr_terrain_kind)kind);
    a->def.kind = of_kind.kind;
    a->def.slope_rad = a->slope_deg * TR_PI / 180;
    if (a->def.size_m == 0)
        a->def.size_m = of_kind.size_m;
    if (a->def.height_m == 0)
        a->def.height_m = of_kind.height_m;
    return TR_OK;
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
    .summary = "write hills, rubble or stairs from a seed, for scenery",
    .help = "Hills and rubble are height fields (.asc), stairs a mesh (.obj). The ground is level "
            "around\n"
            "the origin. 'troupe add-scenery' and the scenes of matches take the file.\n",
    .example = "  troupe-train terrain hills --slope 8 --seed 4 -o hills.asc\n"
               "  troupe-train terrain stairs --steps 3 -o stairs.obj\n",
    .options = sizeof(arguments),
    .argument = words,
    .preset = preset,
    .check = check,
    .run = run,
};
