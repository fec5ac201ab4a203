#include "server/match/match_answer.h"

#include "model/name.h"
#include "server/match/match_encode.h"

#include <stdlib.h>
#include <string.h>

void tr_match_answer(const tr_match_services *services, tr_asker to, const tr_contest *contest,
                     tr_match_state state) {
    const tr_match_info info = tr_match_info_of(contest, state);
    tr_clients_show(&services->clients, to, TROUPE__RESPONSE__RESULT_MATCH, &tr_match_info_mapping,
                    &info);
}

void tr_match_refuse(const tr_match_services *services, tr_asker to, const tr_error *error) {
    tr_clients_refuse(&services->clients, to, error);
}

/* --- a match that does not run --- */

typedef struct absent_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    const tr_match_services *services;
    tr_asker to;
    char name[TR_NAME_MAX];
    tr_error error;
} absent_job;

static void look_up(tr_catalogue_job *base, tr_catalogue *catalogue) {
    absent_job *job = (absent_job *)base;
    tr_match_row row;
    tr_status status = tr_matches_find(catalogue, job->name, &row, &job->error);
    if (!status && row.state == TR_MATCH_RUNNING)
        (void)tr_fail(&job->error, TR_UNAVAILABLE,
                      "match '%s': it is being started, or resumed after a restart; try again",
                      job->name);
    else if (!status)
        (void)tr_fail(&job->error, TR_FAILED_PRECONDITION, "match '%s': it has ended", job->name);
}

static void looked_up(tr_catalogue_job *base) {
    absent_job *job = (absent_job *)base;
    tr_match_refuse(job->services, job->to, &job->error);
    free(job);
}

void tr_match_refuse_absent(const tr_match_services *services, tr_asker to, const char *name) {
    tr_error error;
    absent_job *job = strlen(name) < TR_NAME_MAX ? calloc(1, sizeof *job) : NULL;
    if (job) {
        job->job = (tr_catalogue_job){.query = look_up, .done = looked_up};
        job->services = services;
        job->to = to;
        tr_name_set(job->name, name);
        if (!tr_catalogue_thread_submit(services->catalogue, &job->job))
            return;
        free(job);
    }
    if (strlen(name) >= TR_NAME_MAX)
        (void)tr_fail(&error, TR_NOT_FOUND, "match '%.47s...': a name has at most 47 bytes", name);
    else
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
    tr_match_refuse(services, to, &error);
}
