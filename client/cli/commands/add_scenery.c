#include "cli/failure.h"
#include "cli/terrain_file.h"

#include <math.h>
#include <string.h>

typedef struct values {
    tr_cli_target target;
    const char *what;
    double heading_deg, slope_deg;
    tr_terrain_scale scale;
    tr_client_scenery scenery;
} values;

static const values defaults = {.scenery = {.size = {1, 1, 0.1}, .friction = 1},
                                .scale = {.cell_m = 0.1, .height_m = 1}};

/* Turned by the heading about z, then tilted so that its own x rises. */
static void rotation_of(const values *v, double rot[4]) {
    const double half = 3.14159265358979323846 / 360;
    double ch = cos(half * v->heading_deg), sh = sin(half * v->heading_deg);
    double cs = cos(-half * v->slope_deg), ss = sin(-half * v->slope_deg);
    rot[0] = ch * cs, rot[1] = -sh * ss, rot[2] = ch * ss, rot[3] = sh * cs;
}

TR_CLI_SEND(values, tr_client_add_scenery(client, at, &v->scenery))

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    tr_terrain_file file = {0};
    tr_error error = {0};
    v.scenery.patch = strcmp(v.what, "patch") == 0;
    rotation_of(&v, v.scenery.rot);
    bool from_file = !v.scenery.patch && strcmp(v.what, "box") != 0;
    if (from_file && tr_terrain_file_load(v.what, &v.scale, &file, &error))
        return tr_cli_fail_in_file(&error);
    tr_terrain_file_place(&file, &v.scenery);
    int code = tr_cli_act(cli, &v, send, "added");
    tr_terrain_file_deinit(&file);
    return code;
}

const tr_cli_command tr_cli_command_add_scenery = {
    .name = "add-scenery",
    .summary = "add a box, a ramp, a patch of ground or terrain from a file to a world",
    .help =
        "WHAT is box, patch (ground with another friction) or a file: a height field from an Esri "
        "ASCII grid (.asc)\nor a grey image (.png), a mesh from a Wavefront file (.obj). "
        "'troupe-train terrain' makes such files.\n\n"
        "  troupe add-scenery arena box --size 2,1,0.1 --pos 4,0,0.1\n"
        "  troupe add-scenery arena box --size 5,2,0.1 --slope 5\n"
        "  troupe add-scenery arena hills.asc --pos 0,0,-0.2\n"
        "  troupe add-scenery arena map.png --cell 0.25 --height 3",
    .argument = {TR_CLI_WORLD,
                 {"WHAT", TR_OPTION_TEXT, offsetof(values, what), "box, patch or FILE"},
                 {"--size X,Y,Z", TR_OPTION_VECTOR, offsetof(values, scenery.size),
                  "half extents of a box or patch, m; default 1,1,0.1"},
                 {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, scenery.pos),
                  "of its centre, m; default 0,0,0"},
                 {"--heading DEG", TR_OPTION_REAL, offsetof(values, heading_deg),
                  "about z; default 0"},
                 {"--slope DEG", TR_OPTION_REAL, offsetof(values, slope_deg),
                  "rises along its heading: a box becomes a ramp"},
                 {"--friction MU", TR_OPTION_REAL, offsetof(values, scenery.friction), "default 1"},
                 {"--cell M", TR_OPTION_REAL, offsetof(values, scale.cell_m),
                  "between pixels; default 0.1"},
                 {"--height M", TR_OPTION_REAL, offsetof(values, scale.height_m),
                  "of white pixels; default 1"},
                 {"--y-up", TR_OPTION_FLAG, offsetof(values, scale.y_up), "the mesh has y up"},
                 TR_CLI_AT},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
