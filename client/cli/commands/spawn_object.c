#include "cli/cli.h"

#include <string.h>

typedef struct values {
    tr_cli_target target;
    const char *shape;
    tr_client_geom geom;
    tr_client_object_def def;
} values;

static const values defaults = {.geom = {.size = {0.15, 0.15, 0.15}, .friction = 0.8},
                                .def = {.geom_count = 1, .pos = {1, 0, 1}, .mass = 5}};

static bool parse_shape(const char *text, tr_client_geom_kind *out) {
    static const char *const names[] = {"", "sphere", "capsule", "box"};
    for (int i = 1; i <= 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (tr_client_geom_kind)i;
            return true;
        }
    return false;
}

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    const values *v = given;
    tr_client_object_def def = v->def;
    (void)entity;
    def.geoms = &v->geom;
    return tr_client_spawn_object(client, at, &def);
}

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    if (!parse_shape(v.shape, &v.geom.kind))
        return tr_cli_usage_error("spawn-object: shape '%s': expected sphere, capsule or box",
                                  v.shape);
    return tr_cli_act(cli, &v, send, "spawned");
}

const tr_cli_command tr_cli_command_spawn_object = {
    .name = "spawn-object",
    .summary = "add a ball, a capsule or a box to a world, at rest or thrown",
    .help = "--size is the radius of a sphere, radius and half length of a capsule, half extents "
            "of a box.\nContacts are found once a step, so an object may move by half its "
            "thickness in one: a ball of 0.15 m\n"
            "at 30 m/s in steps of 5 ms. One that falls faster than that passes through what is "
            "thin.\n\n"
            "  troupe spawn-object arena sphere --pos 2,0,1.2 --vel -6,0,0 --mass 3\n"
            "  troupe spawn-object arena box --size 0.3,0.3,0.1 --label step",
    .argument = {TR_CLI_WORLD,
                 {"SHAPE", TR_OPTION_TEXT, offsetof(values, shape), "sphere, capsule or box"},
                 {"--size X,Y,Z", TR_OPTION_VECTOR, offsetof(values, geom.size),
                  "m; default 0.15,0.15,0.15"},
                 {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, def.pos),
                  "of its centre, m; default 1,0,1"},
                 {"--vel X,Y,Z", TR_OPTION_VECTOR, offsetof(values, def.vel), "m/s; default none"},
                 {"--mass KG", TR_OPTION_NUMBER, offsetof(values, def.mass), "default 5", 1e-6,
                  1e6},
                 {"--friction MU", TR_OPTION_REAL, offsetof(values, geom.friction), "default 0.8"},
                 {"--kinematic", TR_OPTION_FLAG, offsetof(values, def.kinematic),
                  "a platform: it keeps its velocity, and nothing moves it"},
                 {"--label TEXT", TR_OPTION_TEXT, offsetof(values, def.name),
                  "a name for it, for later commands"},
                 TR_CLI_AT},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
