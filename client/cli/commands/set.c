#include "cli/output.h"

#include <string.h>

enum { VALUE_MAX = 64 };

typedef struct values {
    const char *world, *entity, *assignment;
    int64_t at;
} values;

typedef struct assignment {
    char name[64];
    double value[VALUE_MAX];
    size_t count;
} assignment;

/* "NAME=VALUE,VALUE"; no value after the sign: back to the initial one. */
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

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    assignment a = {.count = 0};
    tr_client_at at;
    uint32_t entity = 0;
    const tr_client_reply *reply = NULL;
    if (!parse(v->assignment, &a))
        return tr_cli_usage_error("'%s': expected NAME=VALUE or NAME=VALUE,VALUE,...",
                                  v->assignment);
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_find_entity(cli, at.world, v->entity, &entity);
    tr_client_parameter_values parameter = {a.name, a.value, a.count};
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_set_parameters(cli->client, at, entity, &parameter, 1),
                          &reply);
    return code ? code : tr_output_applied(cli, "set", &reply->applied);
}

const tr_cli_command tr_cli_command_set = {
    .name = "set",
    .summary = "set a parameter of what drives a character",
    .help =
        "'troupe controllers NAME' lists the parameters with their units and bounds. Without a "
        "value after '=' the\n"
        "parameter returns to its initial value. A value lasts until the controller changes.\n\n"
        "  troupe set arena guard speed=1.2\n"
        "  troupe set arena guard action_offset=",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "id or name"},
                 {"ENTITY", TR_OPTION_TEXT, offsetof(values, entity), "id or label"},
                 {"NAME=VALUE", TR_OPTION_TEXT, offsetof(values, assignment),
                  "the parameter and its value; several values of an array by commas"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible"}},
    .values_size = sizeof(values),
    .run = run,
};
