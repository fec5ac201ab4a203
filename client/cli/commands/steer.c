#include "cli/cli.h"

typedef struct values {
    tr_cli_target place;
    const char *heading, *target, *toward, *face;
    tr_client_steer_def def;
    bool stop;
} values;

static const double RAD_PER_DEG = 0.017453292519943295;

/* A character is either stopped or steered. */
static int check_stop(const values *v) {
    const bool places = v->face || v->def.radius > 0;
    const bool steers =
        v->heading || v->target || v->toward || v->def.skill || v->def.speed_mps > 0;
    if (v->stop && (steers || places))
        return tr_cli_usage_error("--stop: expected no other option than --at");
    if (places && !v->target && !v->toward)
        return tr_cli_usage_error("--face, --radius: expected --target or --toward too");
    return TR_EXIT_OK;
}

static int read_facing(const values *v, tr_client_steer_def *steer) {
    double facing_deg = 0;
    if (v->face && !tr_option_real(v->face, &facing_deg))
        return tr_cli_usage_error("--face: expected degrees, got '%s'", v->face);
    steer->faces = v->face != NULL;
    steer->facing_rad = facing_deg * RAD_PER_DEG;
    return TR_EXIT_OK;
}

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
    int code = check_stop(&v);
    if (code == TR_EXIT_OK)
        code = read_facing(&v, &v.def);
    if (code == TR_EXIT_OK)
        code = read_aim(&v, &v.def);
    if (code == TR_EXIT_OK && v.toward)
        code = tr_cli_find_world(cli, v.place.world, &world);
    if (code == TR_EXIT_OK && v.toward)
        code = tr_cli_find_entity(cli, world, v.toward, &v.def.toward);
    return code ? code : tr_cli_act(cli, &v, send, v.stop ? "stopped" : "steered");
}

const tr_cli_command tr_cli_command_steer = {
    .name = "steer",
    .summary = "set where a character goes, how fast, and by which skill",
    .help =
        "Takes effect at the end of the current control fragment, and lasts until the next\n"
        "steer. A heading or a place means go: at --speed, or as fast as the character goes\n"
        "now, at least at a walk. At a place it stops and stands; 'troupe watch' shows that it\n"
        "has arrived. In a world with look-ahead it stops before walls and edges. A controller\n"
        "turns and changes its speed as far as it has learned to; one that cannot stand continues\n"
        "at its own speed.\n\n"
        "  troupe steer arena guard --heading 90\n"
        "  troupe steer arena guard --target 5,-2,0 --speed 1.3\n"
        "  troupe steer arena guard --toward thief --radius 1\n"
        "  troupe steer arena guard --stop",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"--heading DEG", TR_OPTION_TEXT, offsetof(values, heading),
                  "in the world: 0 along x, 90 along y"},
                 {"--target X,Y,Z", TR_OPTION_TEXT, offsetof(values, target),
                  "a point of the ground, m; Z is ignored"},
                 {"--toward ENTITY", TR_OPTION_TEXT, offsetof(values, toward),
                  "after another character: id or label"},
                 {"--speed M/S", TR_OPTION_REAL, offsetof(values, def.speed_mps),
                  "default: as fast as now, at least at a walk"},
                 {"--skill NAME", TR_OPTION_TEXT, offsetof(values, def.skill),
                  "a skill of the control graph"},
                 {"--do WORD", TR_OPTION_TEXT, offsetof(values, def.skill),
                  "a skill by its name or a tag: kick, strike, dance"},
                 {"--radius M", TR_OPTION_REAL, offsetof(values, def.radius),
                  "how near to the place it stops; default: 0.3"},
                 {"--face DEG", TR_OPTION_TEXT, offsetof(values, face),
                  "the heading to stand in at the place, as far as it can turn there"},
                 {"--stop", TR_OPTION_FLAG, offsetof(values, stop),
                  "stop, and stand; so it does without options"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
