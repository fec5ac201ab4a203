#include "server/match/match_starts.h"

#include "server/match/match_answer.h"
#include "server/match/match_store.h"

#include <stdlib.h>

struct tr_match_coming {
    tr_match_starts *starts;
    tr_match_asker asker;
    const tr_contest *contest;
    tr_match_coming *next;
};

static void unlink_coming(const tr_match_coming *gone) {
    tr_match_coming **at = &gone->starts->first;
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    gone->starts->count--;
}

static void drop(const tr_match_starts *starts, tr_contest *contest) {
    tr_contest_release(contest, starts->services->library);
    tr_contest_destroy(contest);
}

static void on_put(void *context, tr_contest *contest, const tr_error *error) {
    tr_match_coming *coming = context;
    tr_match_starts *starts = coming->starts;
    unlink_coming(coming);
    if (error->status) {
        tr_match_refuse(starts->services, coming->asker, error);
        drop(starts, contest);
    } else if (starts->begin(starts->context, contest)) {
        tr_match_answer(starts->services, coming->asker, contest, tr_contest_state(contest));
    } else {
        drop(starts, contest);
    }
    free(coming);
}

static tr_status make_contest(const tr_match_starts *starts, const tr_match_start *start,
                              int64_t now_ns, tr_contest **out, tr_error *error) {
    const tr_match_def *def = start->def;
    tr_match_row row = tr_contest_row(def, now_ns);
    tr_contest *contest = tr_contest_create(&row, def);
    if (!contest)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    contest->maker = start->member->account;
    tr_status status = tr_contest_bind(contest, starts->services->library, error);
    if (status) {
        drop(starts, contest);
        return status;
    }
    *out = contest;
    return TR_OK;
}

void tr_match_starts_put(tr_match_starts *starts, const tr_match_start *start, int64_t now_ns) {
    tr_contest *contest = NULL;
    tr_error error = {0};
    tr_match_coming *coming = malloc(sizeof *coming);
    tr_status status = coming ? make_contest(starts, start, now_ns, &contest, &error)
                              : tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!status) {
        *coming = (tr_match_coming){starts, start->asker, contest, starts->first};
        status = tr_match_store_put(starts->services->catalogue, contest, start->definition, on_put,
                                    coming);
        if (!status) {
            starts->first = coming;
            starts->count++;
            return;
        }
        (void)tr_fail(&error, status, "the catalogue is busy; try again");
        drop(starts, contest);
    }
    free(coming);
    tr_match_refuse(starts->services, start->asker, &error);
}

int tr_match_starts_worlds(const tr_match_starts *starts, uint64_t maker) {
    int count = 0;
    for (const tr_match_coming *c = starts->first; c; c = c->next)
        count += tr_contest_needs_world(c->contest, maker);
    return count;
}
