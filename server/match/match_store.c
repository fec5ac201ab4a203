#include "server/match/match_store.h"

#include "server/match/match_decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a new match --- */

typedef struct put_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    tr_contest *contest;
    tr_packet *definition; /* shared */
    tr_row_id id;
    tr_match_stored stored;
    void *context;
    tr_error error;
} put_job;

static void put(tr_catalogue_job *base, tr_catalogue *catalogue) {
    put_job *job = (put_job *)base;
    tr_status status = tr_matches_put(catalogue, &job->contest->row, job->definition->bytes,
                                      job->definition->size, &job->id, &job->error);
    job->error.status = status;
}

static void put_done(tr_catalogue_job *base) {
    put_job *job = (put_job *)base;
    if (!job->error.status)
        job->contest->row.id = job->id;
    job->stored(job->context, job->contest, &job->error);
    tr_packet_release(job->definition);
    free(job);
}

tr_status tr_match_store_put(tr_catalogue_thread *thread, tr_contest *contest,
                             tr_packet *definition, tr_match_stored stored, void *context) {
    put_job *job = calloc(1, sizeof *job);
    if (!job)
        return TR_RESOURCE_EXHAUSTED;
    job->job.query = put;
    job->job.done = put_done;
    job->contest = contest;
    job->stored = stored;
    job->context = context;
    job->definition = tr_packet_share(definition);
    tr_status status = tr_catalogue_thread_submit(thread, &job->job);
    if (status) {
        tr_packet_release(job->definition);
        free(job);
    }
    return status;
}

/* --- results --- */

typedef struct save_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    tr_match_save save;
    char reason[TR_SHORT_TEXT_MAX];
    tr_row_id id;
    int count;
    tr_bout_row bout[TR_CONTEST_UNSAVED_MAX];
    tr_error error;
} save_job;

static tr_status save_all(save_job *job, tr_catalogue *catalogue) {
    tr_error *error = &job->error;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    if (job->count > 0)
        status = tr_matches_add_bouts(catalogue, job->id, job->bout, job->count, error);
    if (!status && job->save.state != TR_MATCH_RUNNING)
        status = tr_matches_end(catalogue, job->id, job->save.state, job->reason, job->save.now_ns,
                                error);
    return tr_catalogue_end(catalogue, status, error);
}

static void save(tr_catalogue_job *base, tr_catalogue *catalogue) {
    save_job *job = (save_job *)base;
    job->error.status = save_all(job, catalogue);
}

static void save_done(tr_catalogue_job *base) {
    save_job *job = (save_job *)base;
    if (!job->error.status)
        tr_contest_saved(job->save.contest, job->count);
    job->save.stored(job->save.context, job->save.contest, &job->error);
    free(job);
}

tr_status tr_match_store_save(tr_catalogue_thread *thread, const tr_match_save *what) {
    save_job *job = calloc(1, sizeof *job);
    if (!job)
        return TR_RESOURCE_EXHAUSTED;
    const tr_contest *contest = what->contest;
    job->job.query = save;
    job->job.done = save_done;
    job->save = *what;
    job->id = contest->row.id;
    snprintf(job->reason, sizeof job->reason, "%s", what->reason);
    job->count = contest->unsaved_count;
    memcpy(job->bout, contest->unsaved, (size_t)job->count * sizeof *job->bout);
    tr_status status = tr_catalogue_thread_submit(thread, &job->job);
    if (status)
        free(job);
    return status;
}

/* --- what was interrupted --- */

typedef struct found_match {
    tr_contest *contest;
    tr_error error;
    struct found_match *next;
} found_match;

typedef struct recall_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    tr_match_recall recall;
    found_match *first, **end;
    tr_error error;
} recall_job;

static tr_status recall_bouts(tr_catalogue *catalogue, tr_contest *contest, tr_error *error) {
    enum { ROOM = 64 };
    tr_bout_row bout[ROOM];
    tr_status status = TR_OK;
    int count = ROOM;
    for (int first = 0; !status && count == ROOM;) {
        status = tr_matches_bouts(catalogue, contest->row.id, first, bout, &count, error);
        for (int i = 0; i < count && !status; i++)
            tr_contest_recall(contest, &bout[i]);
        first = count > 0 ? bout[count - 1].position + 1 : first;
    }
    return status;
}

/* A definition that this build does not understand fails that match only. If memory runs out, the
 * match is left unchanged, because nothing is known about it. */
static tr_status decode(tr_catalogue *catalogue, const tr_match_row *row, tr_match_def *def,
                        tr_error *why_not, tr_error *error) {
    void *definition = NULL;
    size_t size = 0;
    tr_status status = tr_matches_definition(catalogue, row->id, &definition, &size, error);
    if (status)
        return status;
    why_not->status = tr_decode_match_bytes(definition, size, def, why_not);
    free(definition);
    if (why_not->status == TR_RESOURCE_EXHAUSTED)
        return TR_RESOURCE_EXHAUSTED;
    if (why_not->status)
        *def = (tr_match_def){.bout_count = row->bout_count, .team_count = row->team_count};
    return TR_OK;
}

static tr_status recall_match(recall_job *job, tr_catalogue *catalogue, const tr_match_row *row) {
    found_match *found = calloc(1, sizeof *found);
    tr_match_def *def = calloc(1, sizeof *def);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (found && def)
        status = decode(catalogue, row, def, &found->error, &job->error);
    if (!status) {
        found->contest = tr_contest_create(row, def);
        status = found->contest ? recall_bouts(catalogue, found->contest, &job->error)
                                : TR_RESOURCE_EXHAUSTED;
    }
    if (def)
        tr_layout_release(def->world.layout);
    free(def);
    if (!status) {
        *job->end = found;
        job->end = &found->next;
        return TR_OK;
    }
    if (found)
        tr_contest_destroy(found->contest);
    free(found);
    return status;
}

static void recall(tr_catalogue_job *base, tr_catalogue *catalogue) {
    recall_job *job = (recall_job *)base;
    tr_match_row *rows = calloc(TR_PAGE_MAX, sizeof *rows);
    tr_match_filter filter = {.running = true};
    tr_status status = rows ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int count = TR_PAGE_MAX; !status && count == TR_PAGE_MAX;) {
        status = tr_matches_list(catalogue, &filter, rows, &count, &job->error);
        for (int i = 0; i < count && !status; i++)
            status = recall_match(job, catalogue, &rows[i]);
        filter.after = count > 0 ? rows[count - 1].id : 0;
    }
    if (status == TR_RESOURCE_EXHAUSTED && job->error.message[0] == '\0')
        (void)tr_fail(&job->error, status, "out of memory");
    job->error.status = status;
    free(rows);
}

static void recall_done(tr_catalogue_job *base) {
    recall_job *job = (recall_job *)base;
    for (found_match *next, *found = job->first; found; found = next) {
        next = found->next;
        job->recall.found(job->recall.context, found->contest, &found->error);
        free(found);
    }
    job->recall.ended(job->recall.context, &job->error);
    free(job);
}

tr_status tr_match_store_recall(tr_catalogue_thread *thread, const tr_match_recall *what) {
    recall_job *job = calloc(1, sizeof *job);
    if (!job)
        return TR_RESOURCE_EXHAUSTED;
    job->job.query = recall;
    job->job.done = recall_done;
    job->recall = *what;
    job->end = &job->first;
    tr_status status = tr_catalogue_thread_submit(thread, &job->job);
    if (status)
        free(job);
    return status;
}
