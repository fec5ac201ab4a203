#include "cli/output.h"

typedef struct values {
    const char *world, *entity, *controller;
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    uint32_t entity = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, at.world, v->entity, &entity);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_set_controller(cli->client, at, entity, v->controller),
                          &reply);
    return code ? code : tr_output_applied(cli, "accepted", &reply->applied);
}

const tr_cli_command tr_cli_command_set_controller = {
    .name = "set-controller",
    .summary = "change the controller that drives a character",
    .help = "It begins at the end of the current control fragment, at its fragment that is\n"
            "nearest to the state; 'troupe events' shows when. Without CONTROLLER no controller\n"
            "drives the character, and its servos hold the last pose.\n\n"
            "  troupe set-controller arena guard run",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(values, controller),
                  "see 'troupe controllers'"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
