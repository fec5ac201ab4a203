#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    const char *controller;
} values;

TR_CLI_SEND(values, tr_client_set_controller(client, at, entity, v->controller))

const tr_cli_command tr_cli_command_set_controller = {
    .name = "set-controller",
    .summary = "change the controller that drives a character",
    .help = "It begins at the end of the current control fragment, at its fragment that is\n"
            "nearest to the state; 'troupe events' shows when. Without CONTROLLER no controller\n"
            "drives the character, and its servos hold the last pose.\n\n"
            "  troupe set-controller arena guard run",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(values, controller),
                  "see 'troupe controllers'"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .send = send,
    .done = "accepted",
};
