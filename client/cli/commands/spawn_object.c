#include "cli/output.h"

#include <string.h>

typedef struct values {
    const char *world, *shape, *label;
    double size[3], pos[3], vel[3], mass, friction;
    bool kinematic;
    int64_t at;
} values;

static const values defaults = {
    .size = {0.15, 0.15, 0.15}, .pos = {1, 0, 1}, .mass = 5, .friction = 0.8};

static bool parse_shape(const char *text, tr_client_geom_kind *out) {
    static const char *const names[] = {"", "sphere", "capsule", "box"};
    for (int i = 1; i <= 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (tr_client_geom_kind)i;
            return true;
        }
    return false;
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_geom geom = {.size = {v->size[0], v->size[1], v->size[2]}, .friction = v->friction};
    if (!parse_shape(v->shape, &geom.kind))
        return tr_cli_usage_error("spawn-object: shape '%s': expected sphere, capsule or box",
                                  v->shape);
    tr_client_at at;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code)
        return code;
    tr_client_object_def object = {.name = v->label,
                                   .geom_count = 1,
                                   .geoms = &geom,
                                   .mass = v->mass,
                                   .pos = {v->pos[0], v->pos[1], v->pos[2]},
                                   .vel = {v->vel[0], v->vel[1], v->vel[2]},
                                   .kinematic = v->kinematic};
    const tr_client_reply *reply = NULL;
    code = tr_cli_ask(cli, tr_client_spawn_object(cli->client, at, &object), &reply);
    return code ? code : tr_output_applied(cli, "spawned", &reply->applied);
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
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"SHAPE", TR_OPTION_TEXT, offsetof(values, shape), "sphere, capsule or box"},
                 {"--size X,Y,Z", TR_OPTION_VECTOR, offsetof(values, size),
                  "m; default 0.15,0.15,0.15"},
                 {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, pos),
                  "of its centre, m; default 1,0,1"},
                 {"--vel X,Y,Z", TR_OPTION_VECTOR, offsetof(values, vel), "m/s; default none"},
                 {"--mass KG", TR_OPTION_NUMBER, offsetof(values, mass), "default 5", 1e-6, 1e6},
                 {"--friction MU", TR_OPTION_REAL, offsetof(values, friction), "default 0.8"},
                 {"--kinematic", TR_OPTION_FLAG, offsetof(values, kinematic),
                  "a platform: it keeps its velocity, and nothing moves it"},
                 {"--label TEXT", TR_OPTION_TEXT, offsetof(values, label),
                  "a name for it, for later commands"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
