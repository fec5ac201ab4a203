/* What the daemon does not have: the name that was meant, and the command that lists the others. */
#include "cli/failure.h"
#include "proto/suggest.h"

#include <stdio.h>
#include <string.h>

static const char *controller_name(const tr_client_reply *reply, int i) {
    return reply->controllers[i].name;
}
static const char *model_name(const tr_client_reply *reply, int i) {
    return reply->models[i].name;
}
static const char *clip_name(const tr_client_reply *reply, int i) {
    return reply->clips[i].name;
}
static const char *run_name(const tr_client_reply *reply, int i) {
    return reply->runs[i].name;
}
static const char *recording_name(const tr_client_reply *reply, int i) {
    return reply->recordings[i].name;
}

/* How a message of the daemon begins. list: asks for all of the kind; NULL: their names are not
 * suggested. */
typedef struct noun {
    const char *begin;
    uint64_t (*list)(tr_client *client, const tr_client_query *query);
    const char *(*name)(const tr_client_reply *reply, int i);
    const char *advice;
} noun;

static const noun nouns[] = {
    {"controller '", tr_client_list_controllers, controller_name,
     "'troupe controllers' lists them."},
    {"model '", tr_client_list_models, model_name, "'troupe models' lists them."},
    {"clip '", tr_client_list_clips, clip_name, "'troupe clips' lists them."},
    {"run '", tr_client_list_runs, run_name, "'troupe runs' lists them."},
    {"recording '", tr_client_list_recordings, recording_name, "'troupe recordings' lists them."},
    {"world ", NULL, NULL, "'troupe worlds' lists them."},
    {"entity ", NULL, NULL, "'troupe state WORLD' lists them."},
    {"body '", NULL, NULL, "'troupe models NAME' lists the bodies of a model."},
};

static const noun *noun_of(const char *message) {
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (strncmp(message, nouns[i].begin, strlen(nouns[i].begin)) == 0)
            return &nouns[i];
    return NULL;
}

/* The nearest name of a page, or `best` of the pages before. */
static void take_page(const noun *kind, const tr_client_reply *reply, const char *word,
                      char best[static 64]) {
    enum { PAGE_MAX = 1024 };
    const char *names[PAGE_MAX + 1];
    int count = 0;
    if (best[0])
        names[count++] = best;
    for (int i = 0; i < reply->count && i < PAGE_MAX; i++)
        names[count++] = kind->name(reply, i);
    const char *nearest = tr_suggest_nearest(word, names, count);
    char text[64];
    snprintf(text, sizeof text, "%s", nearest ? nearest : "");
    memcpy(best, text, sizeof text);
}

/* Nothing is suggested if the list cannot be had: what is missing is the failure. */
static void suggest(tr_cli *cli, const noun *kind, const char *word, char best[static 64]) {
    char token[256] = "";
    best[0] = '\0';
    do {
        const tr_client_query query = {.page_token = token};
        const tr_client_reply *reply = NULL;
        tr_error error;
        if (tr_client_await(cli->client, kind->list(cli->client, &query), cli->timeout_ms, &reply,
                            &error))
            return;
        take_page(kind, reply, word, best);
        snprintf(token, sizeof token, "%s", reply->next_page_token);
    } while (token[0]);
}

int tr_cli_fail_missing(tr_cli *cli, const char *message) {
    char given[TR_ERROR_MESSAGE_MAX], word[64], best[64], meant[80];
    const noun *kind = noun_of(message);
    if (!kind)
        return tr_cli_fail(TR_NOT_FOUND, message, NULL);
    snprintf(given, sizeof given, "%s", message); /* the next reply takes its memory */
    if (!kind->list)
        return tr_cli_fail(TR_NOT_FOUND, given, kind->advice);
    const char *begin = given + strlen(kind->begin);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(begin, "'"), begin);
    suggest(cli, kind, word, best);
    char all[TR_ERROR_MESSAGE_MAX + sizeof meant];
    snprintf(all, sizeof all, "%s%s", given, tr_suggest_text(best[0] ? best : NULL, meant));
    return tr_cli_fail(TR_NOT_FOUND, all, kind->advice);
}
