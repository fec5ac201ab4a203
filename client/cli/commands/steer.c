#include "cli/cli.h"

typedef struct values {
    tr_cli_target place;
    const char *heading, *target, *toward;
    tr_client_steer_def def;
} values;

static const double RAD_PER_DEG = 0.017453292519943295;

/* At most one aim. */
static int read_aim(const values *v, tr_client_steer_def *steer) {
    double heading_deg = 0;
    if ((v->heading != NULL) + (v->target != NULL) + (v->toward != NULL) > 1)
        return tr_cli_usage_error("expected one of --heading, --target, --toward");
    if (v->heading) {
        if (!tr_option_real(v->heading, &heading_deg))
            return tr_cli_usage_error("--heading: expected degrees, got '%s'", v->heading);
        steer->aim = TR_CLIENT_AIM_HEADING;
        steer->heading_rad = heading_deg * RAD_PER_DEG;
    } else if (v->target) {
        if (!tr_option_vector(v->target, steer->target))
            return tr_cli_usage_error("--target: expected three numbers like 5,-2,0, got "
                                      "'%s'",
                                      v->target);
        steer->aim = TR_CLIENT_AIM_TARGET;
    } else if (v->toward) {
        steer->aim = TR_CLIENT_AIM_CHARACTER;
    }
    return TR_EXIT_OK;
}

static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) {
    const values *v = given;
    tr_client_steer_def def = v->def;
    def.entity = entity;
    return tr_client_steer(client, at, &def);
}

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    uint32_t world = 0;
    int code = read_aim(&v, &v.def);
    if (code == TR_EXIT_OK && v.toward)
        code = tr_cli_find_world(cli, v.place.world, &world);
    if (code == TR_EXIT_OK && v.toward)
        code = tr_cli_find_entity(cli, world, v.toward, &v.def.toward);
    return code ? code : tr_cli_act(cli, &v, send, "steered");
}

const tr_cli_command tr_cli_command_steer = {
    .name = "steer",
    .summary = "set where a character goes, how fast, and by which skill",
    .help = "Takes effect at the end of the current control fragment, and lasts until the next\n"
            "steer. Without options the character has no steering target. A controller turns and\n"
            "changes its speed as far as it has learned to.\n\n"
            "  troupe steer arena guard --heading 90\n"
            "  troupe steer arena guard --target 5,-2,0 --speed 1.3\n"
            "  troupe steer arena guard --toward thief",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"--heading DEG", TR_OPTION_TEXT, offsetof(values, heading),
                  "in the world: 0 along x, 90 along y"},
                 {"--target X,Y,Z", TR_OPTION_TEXT, offsetof(values, target),
                  "a point of the ground, m; Z is ignored"},
                 {"--toward ENTITY", TR_OPTION_TEXT, offsetof(values, toward),
                  "after another character: id or label"},
                 {"--speed M/S", TR_OPTION_REAL, offsetof(values, def.speed_mps),
                  "default: the controller's own"},
                 {"--skill NAME", TR_OPTION_TEXT, offsetof(values, def.skill),
                  "a skill of the control graph"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
