#include "cli/listing.h"

typedef struct values {
    const char *name, *prefix, *skeleton;
} values;

static json_t *clip_object(const tr_client_clip *c) {
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:b, s:s, s:s, s:s, s:s}", "name", c->name,
                     "frames", (json_int_t)c->frame_count, "first", (json_int_t)c->first_frame,
                     "last", (json_int_t)c->last_frame, "frames_per_s", c->frames_per_s, "cyclic",
                     c->cyclic, "skeleton", c->skeleton, "licence", c->licence, "source", c->source,
                     "file_digest", c->file_digest);
}

static json_t *row(const tr_client_reply *reply, int index) {
    return clip_object(&reply->clips[index]);
}

static const tr_cli_listing listing = {
    .ask = tr_client_list_clips,
    .row = row,
    .columns = "name frames first last frames_per_s cyclic skeleton licence source",
    .empty = "no clips; 'troupe-train import' imports them"};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (!v->name)
        return tr_cli_list(cli, &listing,
                           &(tr_client_query){.prefix = v->prefix, .skeleton = v->skeleton});
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_clip(cli->client, v->name), &reply);
    return code ? code : tr_output_object(cli, clip_object(&reply->clip));
}

const tr_cli_command tr_cli_command_clips = {
    .name = "clips",
    .summary = "list the motion-capture clips that controllers were learned from, or show one",
    .help = "Shows which part of which file was used, its licence and its source.\n\n"
            "  troupe clips\n"
            "  troupe clips --skeleton cmu",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the clip to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix), "prefix of the names"},
                 {"--skeleton NAME", TR_OPTION_TEXT, offsetof(values, skeleton),
                  "clips of this skeleton"}},
    .values_size = sizeof(values),
    .run = run,
};
