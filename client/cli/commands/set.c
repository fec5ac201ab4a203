#include "cli/cli.h"

#include <string.h>

enum { VALUE_MAX = 64, PARAMETER_MAX = 32 };

typedef struct values {
    tr_cli_target target;
    tr_words words;
    tr_client_parameter_values *parameter; /* [words.count], as they are read */
} values;

typedef struct assignment {
    char name[64];
    double value[VALUE_MAX];
    size_t count;
} assignment;

/* Parses "NAME=VALUE,VALUE"; no value after the sign means the initial value. */
static bool parse(const char *text, assignment *out) {
    const char *sign = strchr(text, '=');
    size_t length = sign ? (size_t)(sign - text) : 0;
    if (length < 1 || length >= sizeof out->name)
        return false;
    memcpy(out->name, text, length);
    out->name[length] = '\0';
    for (const char *at = sign + 1; *at;) {
        char number[64];
        size_t size = strcspn(at, ",");
        if (size >= sizeof number || out->count == VALUE_MAX)
            return false;
        memcpy(number, at, size);
        number[size] = '\0';
        if (!tr_option_real(number, &out->value[out->count++]))
            return false;
        at += size + (at[size] == ',');
    }
    return true;
}

/* All of them: out[words->count]. Returns an exit code. */
static int parse_all(const tr_words *words, assignment *out) {
    if (words->count > PARAMETER_MAX)
        return tr_cli_usage_error("set: %d parameters: expected at most %d", words->count,
                                  PARAMETER_MAX);
    for (int i = 0; i < words->count; i++)
        if (!parse(words->word[i], &out[i]))
            return tr_cli_usage_error("'%s': expected NAME=VALUE or NAME=VALUE,VALUE,...",
                                      words->word[i]);
    return TR_EXIT_OK;
}

TR_CLI_SEND(values,
            tr_client_set_parameters(client, at, entity, v->parameter, (size_t)v->words.count))

static int run(tr_cli *cli, const void *given) {
    assignment parsed[PARAMETER_MAX] = {{.count = 0}};
    tr_client_parameter_values parameter[PARAMETER_MAX];
    values v = *(const values *)given;
    v.parameter = parameter;
    int code = parse_all(&v.words, parsed);
    for (int i = 0; !code && i < v.words.count; i++)
        parameter[i] =
            (tr_client_parameter_values){parsed[i].name, parsed[i].value, parsed[i].count};
    return code ? code : tr_cli_act(cli, &v, send, "set");
}

const tr_cli_command tr_cli_command_set = {
    .name = "set",
    .summary = "set parameters of what drives a character",
    .help =
        "'troupe controllers NAME' lists the parameters with their units and bounds. Without a "
        "value after '=' the\n"
        "parameter returns to its initial value. A value lasts until the controller changes. All "
        "are set, or none.\n\n"
        "  troupe set arena guard speed=1.2\n"
        "  troupe set arena guard speed=1.2 turn=0.3\n"
        "  troupe set arena guard action_offset=",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"NAME=VALUE ...", TR_OPTION_TEXT, offsetof(values, words),
                  "parameters and their values; the values of an array are separated by commas"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
