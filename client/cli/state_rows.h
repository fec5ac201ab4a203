/* States and events as JSON objects and as lines, for the commands that show them. */
#pragma once

#include "cli/output.h"

/* Prints one event as a line, or as a line of JSON. */
void tr_cli_print_event(tr_cli *cli, const tr_client_event *event);

/* Prints one line for each character and object, or the state as a line of JSON. */
void tr_cli_print_state(tr_cli *cli, const tr_client_state *state);
