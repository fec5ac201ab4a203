#include "cli/output.h"
#include "cli/recording_source.h"
#include "cli/view.h"

typedef struct values {
    const char *source;
} values;

static json_t *object_of(const tr_client_replay_info *info) {
    json_t *object = tr_view(&tr_client_replay_info_mapping, info, "verified whole steps=length");
    json_object_set_new(object, "events", json_integer(info->event_count));
    if (info->divergence.found)
        tr_view_add(object, &tr_client_divergence_mapping, &info->divergence,
                    "differs_at_step=position tick same_at_step=same_at entity label "
                    "body=body_name body_at_step=body_at what");
    return object;
}

/* Verifies without a time limit, and then shows the result as fields, also after a failure. */
static int verify(tr_cli *cli, uint32_t world) {
    const tr_client_reply *reply = NULL;
    int patience_ms = cli->timeout_ms;
    cli->timeout_ms = -1;
    int code = tr_cli_ask(cli, tr_client_verify(cli->client, world), NULL);
    cli->timeout_ms = patience_ms;
    if (code != TR_EXIT_OK && code != TR_EXIT_REFUSED)
        return code;
    int shown = tr_cli_ask(cli, tr_client_get_replay(cli->client, world), &reply);
    if (shown == TR_EXIT_OK)
        shown = tr_output_object(cli, object_of(&reply->replay));
    return code ? code : shown;
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t world = 0;
    tr_cli_replay_def def = {.source = v->source, .rate = 1, .paused = true};
    int code = tr_cli_open_replay(cli, &def, &world);
    if (code)
        return code;
    code = verify(cli, world);
    int closed = tr_cli_close_replay(cli, world);
    return code ? code : closed;
}

const tr_cli_command tr_cli_command_verify = {
    .name = "verify",
    .summary = "simulate a recording again and compare every step",
    .help = "FILE is a file here or the name of a recording of the daemon. Exit code 0: every step "
            "is the same, up\nto where the file is cut off. 1: prints the first step that differs; "
            "the next "
            "check in the file shows\nwhich character or object, and which body.\n\n"
            "  troupe verify monday.trec",
    .argument = {{"FILE", TR_OPTION_TEXT, offsetof(values, source), "file, or name on the daemon"}},
    .values_size = sizeof(values),
    .run = run,
};
