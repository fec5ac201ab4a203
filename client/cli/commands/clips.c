#include "cli/listing.h"

typedef struct values {
    const char *name, *prefix, *skeleton;
} values;

#define WORDS                                                                                      \
    "name frames=frame_count first=first_frame last=last_frame frames_per_s cyclic skeleton "      \
    "licence source file_digest"

static const tr_cli_listing listing = {
    .ask = tr_client_list_clips,
    .mapping = &tr_client_clip_mapping,
    .words = WORDS,
    .columns = "name frames first last frames_per_s cyclic skeleton licence source",
    .empty = "no clips; 'troupe-train import' imports them"};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (!v->name)
        return tr_cli_list(cli, &listing,
                           &(tr_client_query){.prefix = v->prefix, .skeleton = v->skeleton});
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_clip(cli->client, v->name), &reply);
    return code ? code
                : tr_output_object(cli, tr_view(&tr_client_clip_mapping, &reply->clip, WORDS));
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
