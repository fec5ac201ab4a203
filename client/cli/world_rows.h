/* A world as a JSON object, for the commands that show worlds. */
#pragma once

#include "cli/output.h"

json_t *tr_cli_world_object(const tr_client_world *world);

/* Read "real-time", "stepped" or "fast", and "reset", "remove" or "freeze". False: another word. */
bool tr_cli_parse_mode(const char *text, tr_client_mode *out);
bool tr_cli_parse_fault_rule(const char *text, tr_client_fault_rule *out);
