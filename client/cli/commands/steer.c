#include "cli/output.h"

#include <string.h>

typedef struct values {
    const char *world, *entity, *heading, *target, *toward, *skill;
    double speed_mps;
    int64_t at;
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

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    tr_client_steer_def steer = {.speed_mps = v->speed_mps, .skill = v->skill};
    const tr_client_reply *reply = NULL;
    int code = read_aim(v, &steer);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, at.world, v->entity, &steer.entity);
    if (code == TR_EXIT_OK && v->toward)
        code = tr_cli_find_entity(cli, at.world, v->toward, &steer.toward);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_steer(cli->client, at, &steer), &reply);
    return code ? code : tr_output_applied(cli, "steered", &reply->applied);
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
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"--heading DEG", TR_OPTION_TEXT, offsetof(values, heading),
                  "in the world: 0 along x, 90 along y"},
                 {"--target X,Y,Z", TR_OPTION_TEXT, offsetof(values, target),
                  "a point of the ground, m; Z is ignored"},
                 {"--toward ENTITY", TR_OPTION_TEXT, offsetof(values, toward),
                  "after another character: id or label"},
                 {"--speed M/S", TR_OPTION_REAL, offsetof(values, speed_mps),
                  "default: the controller's own"},
                 {"--skill NAME", TR_OPTION_TEXT, offsetof(values, skill),
                  "a skill of the control graph"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
