#include "cli/failure.h"

#include <stdio.h>
#include <string.h>

static void print_usage(FILE *out, const tr_cli_command *command) {
    char name[64];
    snprintf(name, sizeof name, "troupe %s", command->name);
    tr_argument_print_usage(command->argument, name, out);
}

bool tr_cli_parse(const tr_cli_command *command, int count, char **words, void *values) {
    tr_error error = {0};
    if (command->defaults)
        memcpy(values, command->defaults, command->values_size);
    if (!tr_argument_take(command->argument, count, words, values, &error))
        return true;
    (void)tr_cli_usage_error("%s: %s", command->name, error.message);
    if (!tr_cli_fails_in_json()) {
        print_usage(stderr, command);
        fprintf(stderr, "'troupe help %s' explains the command.\n", command->name);
    }
    return false;
}

void tr_cli_print_help(const tr_cli_command *command) {
    printf("troupe %s: %s\n\n", command->name, command->summary);
    print_usage(stdout, command);
    if (command->argument[0].usage)
        fputc('\n', stdout);
    tr_argument_print_help(command->argument, stdout);
    printf("\n%s\n", command->help);
}
