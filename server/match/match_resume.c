#include "server/match/match_resume.h"

#include "server/config/log.h"

#include <stdlib.h>

/* All interrupted matches, until the catalogue has been read and their names are fetched. */
typedef struct resumption {
    const tr_match_services *services;
    tr_match_recall told;
    int waits_for; /* the catalogue, and matches whose names are being fetched */
    tr_error error;
} resumption;

/* A match whose models and controllers are being fetched. */
typedef struct returning {
    resumption *all;
    tr_contest *contest;
} returning;

static void come_closer(resumption *all) {
    if (--all->waits_for > 0)
        return;
    all->told.ended(all->told.context, &all->error);
    free(all);
}

static void on_names(void *context, const tr_error *found) {
    returning match = *(returning *)context;
    tr_error error = *found;
    free(context);
    if (!error.status)
        error.status = tr_contest_bind(match.contest, match.all->services->library, &error);
    match.all->told.found(match.all->told.context, match.contest, &error);
    come_closer(match.all);
}

/* Begins to fetch the models and controllers of its match. */
static tr_status fetch(resumption *all, tr_contest *contest) {
    returning *match = malloc(sizeof *match);
    if (!match)
        return TR_RESOURCE_EXHAUSTED;
    *match = (returning){all, contest};
    all->waits_for++;
    tr_status status = tr_contest_fetch(contest, all->services->library, on_names, match);
    if (!status)
        return TR_OK;
    all->waits_for--;
    free(match);
    return status;
}

static void on_found(void *context, tr_contest *contest, const tr_error *found) {
    resumption *all = context;
    tr_error error = *found;
    if (!error.status)
        error.status = fetch(all, contest);
    if (!error.status)
        return;
    if (error.status == TR_UNAVAILABLE) { /* the daemon ends: leave it unchanged */
        tr_contest_destroy(contest);
        return;
    }
    if (!found->status)
        (void)tr_fail(&error, error.status, "its models and controllers cannot be fetched: %s",
                      tr_status_text(error.status));
    all->told.found(all->told.context, contest, &error);
}

static void on_all_found(void *context, const tr_error *error) {
    resumption *all = context;
    all->error = *error;
    if (error->status)
        tr_log_line(TR_LOG_ERROR, "match.none_resumed", "why=\"%s\"", error->message);
    come_closer(all);
}

void tr_match_resume_all(const tr_match_services *services, const tr_match_recall *what) {
    resumption *all = malloc(sizeof *all);
    tr_match_recall recall = {.found = on_found, .ended = on_all_found, .context = all};
    tr_error error = {.status = TR_RESOURCE_EXHAUSTED, .message = "out of memory"};
    if (!all) {
        tr_log_line(TR_LOG_ERROR, "match.none_resumed", "why=\"%s\"", error.message);
        what->ended(what->context, &error);
        return;
    }
    *all = (resumption){.services = services, .told = *what, .waits_for = 1};
    error.status = tr_match_store_recall(services->catalogue, &recall);
    if (error.status)
        on_all_found(all, &error);
}
