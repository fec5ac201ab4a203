#include "server/match_resume.h"

#include "server/log.h"
#include "server/match_decode.h"

#include <stdlib.h>

/* All of them: until the catalogue has been read. */
typedef struct resumption {
    tr_server *server;
    tr_match_found found;
    void *context;
} resumption;

/* One whose names are being fetched. */
typedef struct returning {
    resumption all;
    tr_contest *contest;
} returning;

static void on_names(void *context, const tr_error *found) {
    returning match = *(returning *)context;
    tr_error error = *found;
    free(context);
    if (error.status == TR_OK)
        error.status = tr_contest_bind(match.contest, match.all.server->library, &error);
    match.all.found(match.all.context, match.contest, &error);
}

static void on_found(void *context, tr_contest *contest, const tr_error *error) {
    const resumption *all = context;
    if (error->status != TR_OK) {
        all->found(all->context, contest, error);
        return;
    }
    tr_library_wish *wish = calloc(1, sizeof *wish);
    returning *match = malloc(sizeof *match);
    tr_status status =
        wish != NULL && match != NULL ? tr_match_wish(&contest->def, wish) : TR_RESOURCE_EXHAUSTED;
    if (status == TR_OK) {
        *match = (returning){*all, contest};
        status = tr_library_fetch(all->server->library, wish, on_names, match);
    }
    free(wish);
    if (status == TR_OK)
        return;
    free(match);
    tr_log_line(TR_LOG_ERROR, "match.not_resumed", "match=%lld", (long long)contest->row.id);
    tr_contest_destroy(contest);
}

static void on_all_found(void *context, const tr_error *error) {
    if (error->status != TR_OK)
        tr_log_line(TR_LOG_ERROR, "match.none_resumed", "why=\"%s\"", error->message);
    free(context);
}

void tr_match_resume_all(tr_server *server, tr_match_found found, void *context) {
    tr_error error = {.status = TR_RESOURCE_EXHAUSTED};
    resumption *all = malloc(sizeof *all);
    tr_match_recall recall = {.found = on_found, .ended = on_all_found, .context = all};
    if (all != NULL) {
        *all = (resumption){server, found, context};
        error.status = tr_match_store_recall(server->catalogue, &recall);
    }
    if (error.status != TR_OK)
        on_all_found(all, &error);
}
