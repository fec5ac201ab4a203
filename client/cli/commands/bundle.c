#include "cli/output.h"
#include "cli/recording_source.h"
#include "cli/view.h"

#include <string.h>

typedef struct values {
    const char *action, *file;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    const tr_client_reply *reply = NULL;
    if (strcmp(v->action, "add") != 0)
        return tr_cli_usage_error("bundle: expected 'add FILE'");
    int code = tr_cli_upload(cli, v->file, NULL, tr_client_add_bundle, &reply);
    if (code)
        return code;
    json_t *rows = json_array();
    for (int i = 0; i < reply->count; i++)
        json_array_append_new(rows, tr_view(&tr_client_controller_mapping, &reply->controllers[i],
                                            "name kind skill model"));
    return tr_output_list(cli, rows, "name kind skill model", "it has no controllers");
}

const tr_cli_command tr_cli_command_bundle = {
    .name = "bundle",
    .summary = "add a bundle of controllers to the catalogue",
    .help = "The daemon takes it without a restart, and no world changes. It prints the bundle's\n"
            "controllers by their names there: one that has the name of another gets a free one.\n"
            "'troupe-train bundle export' and 'troupe-train character' make bundles.\n\n"
            "  troupe bundle add ada.troupe\n"
            "  troupe spawn arena ada",
    .argument = {{"ACTION", TR_OPTION_TEXT, offsetof(values, action), "add", .needed = true},
                 {"FILE", TR_OPTION_TEXT, offsetof(values, file), "the bundle", .needed = true}},
    .values_size = sizeof(values),
    .run = run,
};
