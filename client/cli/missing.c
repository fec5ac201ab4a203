/* What the daemon does not have: the name that was meant, and the command that lists the others. */
#include "cli/failure.h"
#include "proto/suggest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* How a message of the daemon begins. list: asks for all of the kind; NULL: their names are not
 * suggested. size, name: of a struct of the list, and where its name is. */
typedef struct noun {
    const char *begin, *advice;
    uint64_t (*list)(tr_client *client, const tr_client_query *query);
    size_t size, name;
} noun;

#define LISTED(type) sizeof(type), offsetof(type, name)

static const noun nouns[] = {
    {"controller '", "'troupe controllers' lists them.", tr_client_list_controllers,
     LISTED(tr_client_controller)},
    {"model '", "'troupe models' lists them.", tr_client_list_models, LISTED(tr_client_model)},
    {"clip '", "'troupe clips' lists them.", tr_client_list_clips, LISTED(tr_client_clip)},
    {"run '", "'troupe runs' lists them.", tr_client_list_runs, LISTED(tr_client_training_run)},
    {"recording '", "'troupe recordings' lists them.", tr_client_list_recordings,
     LISTED(tr_client_recording)},
    {"world ", "'troupe worlds' lists them.", NULL, 0, 0},
    {"entity ", "'troupe state WORLD' lists them.", NULL, 0, 0},
    {"body '", "'troupe models NAME' lists the bodies of a model.", NULL, 0, 0},
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
    const char *row = (const char *)reply->models + kind->name; /* any list: all share this place */
    for (int i = 0; i < reply->count && i < PAGE_MAX; i++, row += kind->size)
        names[count++] = *(const char *const *)(const void *)row;
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
