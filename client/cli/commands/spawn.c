#include "cli/output.h"

typedef struct values {
    const char *world, *controller, *model, *label;
    double pos[3], heading_deg;
    int64_t fragment, at;
} values;

static int run(tr_cli *cli, const void *given) {
    static const double rad_per_deg = 0.017453292519943295;
    const values *v = given;
    if (!v->controller && !v->model)
        return tr_cli_usage_error(
            "spawn: name a CONTROLLER, or a --model for a character that just stands");
    if (v->fragment > UINT32_MAX)
        return tr_cli_usage_error("spawn: --fragment: no controller has that many");
    tr_client_at at;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code)
        return code;
    tr_client_spawn_def spawn = {.model = v->model,
                                 .controller = v->controller,
                                 .pos = {v->pos[0], v->pos[1], v->pos[2]},
                                 .heading_rad = v->heading_deg * rad_per_deg,
                                 .fragment = (uint32_t)v->fragment,
                                 .label = v->label};
    const tr_client_reply *reply = NULL;
    code = tr_cli_ask(cli, tr_client_spawn_character(cli->client, at, &spawn), &reply);
    return code ? code : tr_output_applied(cli, "spawned", &reply->applied);
}

const tr_cli_command tr_cli_command_spawn = {
    .name = "spawn",
    .summary = "add a character to a world",
    .help = "Prints the new entity's id, which other commands use; a --label works as well.\n\n"
            "  troupe spawn arena run\n"
            "  troupe spawn arena walk --label guard --pos 0,2,0 --heading 90\n"
            "  troupe spawn arena --model humanoid",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "id or name"},
                 {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(values, controller),
                  "the controller that drives it; without one it stands"},
                 {"--model NAME", TR_OPTION_TEXT, offsetof(values, model),
                  "default: the controller's"},
                 {"--label TEXT", TR_OPTION_TEXT, offsetof(values, label),
                  "a name for it, for later commands"},
                 {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, pos),
                  "m; z is added to the spawn height"},
                 {"--heading DEG", TR_OPTION_REAL, offsetof(values, heading_deg),
                  "0 looks along x, 90 along y"},
                 {"--fragment N", TR_OPTION_INTEGER, offsetof(values, fragment),
                  "fragment of the controller to begin with"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible"}},
    .values_size = sizeof(values),
    .run = run,
};
