#include "cli/output.h"
#include "cli/view.h"

typedef struct values {
    const char *name;
    bool run;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_noun noun = v->run ? TR_CLIENT_NOUN_RUN : TR_CLIENT_NOUN_CONTROLLER;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_lineage(cli->client, noun, v->name), &reply);
    if (code)
        return code;
    json_t *rows = tr_view_rows(&tr_client_ancestor_mapping, reply->lineage, reply->count,
                                "back=depth what=kind name detail");
    return tr_output_list(cli, rows, "back what name detail", "nothing recorded");
}

const tr_cli_command tr_cli_command_lineage = {
    .name = "lineage",
    .summary = "show where a controller comes from: model, clip, training run and earlier runs",
    .help = "The column 'back' counts the steps from the controller or run.\n\n"
            "  troupe lineage run\n"
            "  troupe lineage --run run-2",
    .argument = {{"NAME", TR_OPTION_TEXT, offsetof(values, name), "of a controller"},
                 {"--run", TR_OPTION_FLAG, offsetof(values, run), "treat NAME as a training run"}},
    .values_size = sizeof(values),
    .run = run,
};
