#include "cli/cli.h"

#include <limits.h>
#include <math.h>

typedef struct values {
    tr_cli_target target;
    double heading_deg;
    int fragment;
    tr_client_spawn_def def;
} values;

static const values defaults = {.def.pos = {NAN, NAN, NAN}}; /* not given */

static bool is_near(const float pos[3], double x, double y) {
    static const double APART_M = 1;
    return hypot((double)pos[0] - x, (double)pos[1] - y) <= APART_M;
}

static bool is_free(const tr_client_state *state, double x, double y) {
    bool taken = false;
    for (int i = 0; i < state->character_count; i++)
        taken |= is_near(state->characters[i].root_pos, x, y);
    for (int i = 0; i < state->object_count; i++)
        taken |= is_near(state->objects[i].pos, x, y);
    return !taken;
}

/* A place without characters and objects within a metre: on a spiral outward from the origin, as in
 * the viewer. */
static int find_free_place(tr_cli *cli, uint32_t world, double out_pos[3]) {
    static const double SPACING_M = 0.75, GOLDEN_ANGLE_RAD = 2.399963;
    enum { PLACES = 400 };
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_state(cli->client, world, TR_CLIENT_OBJECTS), &reply);
    if (code)
        return code;
    for (int i = 0; i < PLACES; i++) {
        out_pos[0] = SPACING_M * sqrt(i) * cos(GOLDEN_ANGLE_RAD * i);
        out_pos[1] = SPACING_M * sqrt(i) * sin(GOLDEN_ANGLE_RAD * i);
        if (is_free(&reply->state, out_pos[0], out_pos[1]))
            break;
    }
    out_pos[2] = 0;
    return TR_EXIT_OK;
}

TR_CLI_SEND(values, tr_client_spawn_character(client, at, &v->def))

static int run(tr_cli *cli, const void *given) {
    static const double rad_per_deg = 0.017453292519943295;
    values v = *(const values *)given;
    uint32_t world = 0;
    const bool somewhere = isnan(v.def.pos[0]);
    if (!v.def.controller && !v.def.model)
        return tr_cli_usage_error(
            "spawn: name a CONTROLLER, or a --model for a character that just stands");
    v.def.heading_rad = v.heading_deg * rad_per_deg;
    v.def.fragment = (uint32_t)v.fragment;
    int code = somewhere ? tr_cli_find_world(cli, v.target.world, &world) : TR_EXIT_OK;
    if (code == TR_EXIT_OK && somewhere)
        code = find_free_place(cli, world, v.def.pos);
    return code ? code : tr_cli_act(cli, &v, send, "spawned");
}

const tr_cli_command tr_cli_command_spawn = {
    .name = "spawn",
    .summary = "add a character to a world",
    .help = "Prints the new entity's id, which other commands use; a --label works as well.\n\n"
            "  troupe spawn arena run\n"
            "  troupe spawn arena walk --label guard --pos 0,2,0 --heading 90\n"
            "  troupe spawn arena --model humanoid",
    .argument = {TR_CLI_WORLD,
                 {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(values, def.controller),
                  "the controller that drives it; without one it stands"},
                 {"--model NAME", TR_OPTION_TEXT, offsetof(values, def.model),
                  "default: the controller's"},
                 {"--label TEXT", TR_OPTION_TEXT, offsetof(values, def.label),
                  "a name for it, for later commands"},
                 {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, def.pos),
                  "m; z is added to the spawn height; default: a free place"},
                 {"--heading DEG", TR_OPTION_REAL, offsetof(values, heading_deg),
                  "0 looks along x, 90 along y"},
                 {"--fragment N", TR_OPTION_COUNT, offsetof(values, fragment),
                  "fragment of the controller to begin with", 0, INT_MAX},
                 TR_CLI_AT},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
