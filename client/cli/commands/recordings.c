#include "cli/listing.h"
#include "cli/recording_source.h"

typedef struct values {
    const char *name, *prefix, *download, *upload;
    bool remove;
} values;

static const char *state_name(tr_client_recording_state state) {
    return state == TR_CLIENT_RECORDING_WHOLE     ? "whole"
           : state == TR_CLIENT_RECORDING_RUNNING ? "running"
                                                  : "cut";
}

static json_t *object_of(const void *from) {
    const tr_client_recording *r = from;
    json_t *object = tr_view(&tr_client_recording_mapping, r,
                             "name state world created=created_unix_s bytes=size_bytes "
                             "steps=length duration_s=step_s daemon=daemon_version ended=code "
                             "message");
    json_object_set_new(object, "state", json_string(state_name(r->state)));
    json_object_set_new(object, "duration_s", json_real((double)r->length * r->step_s));
    if (r->state == TR_CLIENT_RECORDING_RUNNING)
        json_object_set_new(object, "ended", json_string(""));
    return object;
}

static const tr_cli_listing listing = {.ask = tr_client_list_recordings,
                                       .mapping = &tr_client_recording_mapping,
                                       .row = object_of,
                                       .columns = "name state world created bytes duration_s ended",
                                       .empty = "no recordings; 'troupe record' makes one"};

static int show(tr_cli *cli, const values *v) {
    const tr_client_reply *reply = NULL;
    int code = TR_EXIT_OK;
    if (v->upload)
        code = tr_cli_upload(cli, v->upload, v->name, tr_client_upload_recording, NULL);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_get_recording(cli->client, v->name), &reply);
    json_t *object = code == TR_EXIT_OK ? object_of(&reply->recording) : NULL;
    if (code == TR_EXIT_OK && v->download)
        code = tr_cli_download_recording(cli, v->name, v->download);
    if (code == TR_EXIT_OK && v->remove)
        code = tr_cli_ask(cli, tr_client_delete_recording(cli->client, v->name), NULL);
    if (code == TR_EXIT_OK)
        return tr_output_object(cli, object);
    json_decref(object);
    return code;
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (v->name)
        return show(cli, v);
    if (v->download || v->upload || v->remove)
        return tr_cli_usage_error("--download, --upload and --delete need a NAME");
    return tr_cli_list(cli, &listing, &(tr_client_query){.prefix = v->prefix});
}

const tr_cli_command tr_cli_command_recordings = {
    .name = "recordings",
    .summary = "list, download, upload or delete recordings",
    .help = "A recording that was cut off (the daemon was killed, or its disk was full) replays\n"
            "up to that point.\n\n"
            "  troupe recordings\n"
            "  troupe recordings monday --download monday.trec\n"
            "  troupe recordings tuesday --upload monday.trec\n"
            "  troupe recordings monday --delete",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the recording to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix), "prefix of the names"},
                 {"--download FILE", TR_OPTION_TEXT, offsetof(values, download),
                  "write it to FILE"},
                 {"--upload FILE", TR_OPTION_TEXT, offsetof(values, upload), "upload FILE as NAME"},
                 {"--delete", TR_OPTION_FLAG, offsetof(values, remove),
                  "delete it, after the other actions"}},
    .values_size = sizeof(values),
    .run = run,
};
