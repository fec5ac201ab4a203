#include "server/match/bout_recordings.h"

#include "model/name.h"
#include "server/match/contest.h"
#include "server/match/match_decode.h"
#include "server/match/referee.h"
#include "server/recording/encode_recording.h"
#include "server/recording/recorder_part.h"
#include "server/world/task_pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURN_NS = 500000 };

/* One recording in the making. */
typedef struct work {
    tr_task task; /* first: the pool hands it back */
    tr_bout_recordings *all;
    tr_asker asker;
    char match[TR_NAME_MAX], recording[TR_NAME_MAX];
    int position;
    tr_contest *contest; /* the match, and what it holds of the library */
    tr_bout_row stored;
    tr_error error;

    tr_world_loop *loop; /* the turn's worker alone, while it is fought */
    bool fought;
    tr_bout_result result;
    tr_packet *bytes;

    atomic_bool is_done; /* the worker no longer uses it */
    struct work *next;
} work;

struct tr_bout_recordings {
    const tr_match_services *services;
    uv_async_t news;
    atomic_bool stopping;
    work *first;
    int count;
};

/* --- the end of one --- */

static void destroy(work *w) {
    tr_bout_recordings *all = w->all;
    work **at = &all->first;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    all->count--;
    tr_contest_destroy(w->contest);
    tr_world_loop_destroy(w->loop);
    tr_packet_release(w->bytes);
    free(w);
}

static void fail(work *w) {
    if (w->error.status)
        tr_clients_refuse(&w->all->services->clients, w->asker, &w->error);
    destroy(w);
}

static void answer(work *w) {
    const tr_match_services *services = w->all->services;
    const tr_recording_entry *entry = tr_recordings_find(services->recordings, w->recording);
    if (entry)
        tr_clients_show(&services->clients, w->asker, TROUPE__RESPONSE__RESULT_RECORDING,
                        &tr_recording_mapping, entry);
    destroy(w);
}

/* Checks that the recorded result equals the stored one, so that the recording shows that bout. */
static tr_status compare(const work *w, tr_error *error) {
    if (w->result.hash == w->stored.hash && w->result.ticks == w->stored.ticks &&
        (int)w->result.outcome == w->stored.outcome && w->result.winner == w->stored.winner)
        return TR_OK;
    return tr_fail(error, TR_DATA_LOSS,
                   "match '%s': bout %d ended with another result than the stored one", w->match,
                   w->position);
}

static void keep(work *w) {
    tr_status status = w->error.status;
    if (!status)
        status = compare(w, &w->error);
    if (!status)
        status = tr_recordings_add(w->all->services->recordings, w->recording, w->bytes, &w->error);
    if (status) {
        fail(w);
        return;
    }
    w->bytes = NULL;
    answer(w);
}

/* --- on a world thread --- */

static void on_ended(void *context, int64_t ticket, const tr_bout_result *result) {
    work *w = context;
    (void)ticket;
    w->fought = true;
    w->result = *result;
}

static tr_status begin(work *w, int64_t now_ns) {
    const tr_match_def *match = &w->contest->def;
    tr_referee_def referee = {.match = match, .ended = on_ended, .context = w};
    tr_world_loop_def *def = malloc(sizeof *def);
    if (!def)
        return tr_fail(&w->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    referee.seed = tr_match_bout_seed(match, w->position);
    *def = match->world;
    def->mode = TR_MODE_FAST;
    def->commands = w->all->services->commands;
    def->populate = tr_referee_populate;
    def->context = &referee;
    tr_status status = tr_world_loop_create(def, now_ns, &w->loop);
    free(def);
    if (status)
        return tr_fail_if(&w->error, status, "the bout");
    tr_recorder_part_def recorder = {.created_unix = (int64_t)time(NULL)};
    tr_name_set(recorder.world, w->match);
    return tr_recorder_part_start(w->loop, &recorder, &w->error);
}

/* The worker's last step: hands over the bytes, or the reason why they are missing. */
static int64_t finish(work *w) {
    if (!w->error.status && w->fought) {
        (void)!tr_recorder_part_stop(w->loop, TR_OK, w->result.reason, NULL);
        tr_recorded *recorded = tr_recorder_part_take(w->loop);
        if (recorded && recorded->bytes && !recorded->status)
            w->bytes = tr_packet_share(recorded->bytes);
        tr_recorded_destroy(recorded);
        if (!w->bytes)
            (void)tr_fail(&w->error, TR_RESOURCE_EXHAUSTED, "the recording is too long");
    }
    return TR_TASK_RETIRE;
}

static int64_t run(tr_task *task, int64_t now_ns) {
    work *w = (work *)task;
    if (atomic_load(&w->all->stopping) || (!w->loop && begin(w, now_ns)))
        return finish(w);
    for (int64_t end_ns = now_ns + TURN_NS; now_ns < end_ns && !w->fought;) {
        (void)tr_world_loop_advance(w->loop, now_ns);
        tr_event_list_clear(&w->loop->events);
        now_ns = tr_task_pool_now_ns();
        if (tr_task_pool_is_wanted(w->all->services->pool, now_ns))
            break;
    }
    return w->fought ? finish(w) : now_ns;
}

static void retired(tr_task *task) {
    work *w = (work *)task;
    tr_bout_recordings *all = w->all; /* the loop may free `w` once is_done is set */
    atomic_store(&w->is_done, true);
    uv_async_send(&all->news);
}

static void on_news(uv_async_t *handle) {
    tr_bout_recordings *all = handle->data;
    for (work *next, *w = all->first; w; w = next) {
        next = w->next;
        if (atomic_load(&w->is_done) && !atomic_load(&all->stopping))
            keep(w);
    }
}

/* --- from the request to the pool: catalogue, library --- */

typedef struct read_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    work *work;
} read_job;

static tr_status read_bout(work *w, tr_catalogue *catalogue, const tr_match_row *row) {
    int count = 1;
    tr_status status =
        tr_matches_bouts(catalogue, row->id, w->position, &w->stored, &count, &w->error);
    if (!status && (count == 0 || w->stored.position != w->position))
        return tr_fail(&w->error, TR_NOT_FOUND, "match '%s': no result of bout %d is stored",
                       w->match, w->position);
    return status;
}

static void read_match(tr_catalogue_job *base, tr_catalogue *catalogue) {
    work *w = ((read_job *)base)->work;
    tr_match_row row;
    tr_match_def *def = calloc(1, sizeof *def);
    void *definition = NULL;
    size_t size = 0;
    tr_status status =
        def ? tr_matches_find(catalogue, w->match, &row, &w->error) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = read_bout(w, catalogue, &row);
    if (!status)
        status = tr_matches_definition(catalogue, row.id, &definition, &size, &w->error);
    if (!status)
        status = tr_decode_match_bytes(definition, size, def, &w->error);
    if (!status && !(w->contest = tr_contest_create(&row, def)))
        status = TR_RESOURCE_EXHAUSTED;
    w->error.status = status;
    free(definition);
    if (def)
        tr_layout_release(def->world.layout);
    free(def);
}

static tr_status check(work *w) {
    tr_contest *contest = w->contest;
    tr_library *library = w->all->services->library;
    if (contest->def.mode == TR_MATCH_STEPPED)
        return tr_fail(&w->error, TR_FAILED_PRECONDITION,
                       "match '%s': clients commanded a team: it cannot be fought again", w->match);
    if (w->stored.ticks == 0)
        return tr_fail(&w->error, TR_FAILED_PRECONDITION, "match '%s': bout %d never began",
                       w->match, w->position);
    return tr_contest_bind(contest, library, &w->error);
}

static void on_names(void *context, const tr_error *error) {
    work *w = context;
    w->error = *error;
    tr_status status = !w->error.status ? check(w) : w->error.status;
    w->task.run = run;
    w->task.retired = retired;
    w->task.background = true;
    if (!status && atomic_load(&w->all->stopping))
        status = tr_fail(&w->error, TR_UNAVAILABLE, "the daemon is ending");
    if (!status && tr_task_pool_add(w->all->services->pool, &w->task))
        status = tr_fail(&w->error, TR_RESOURCE_EXHAUSTED, "too many worlds");
    if (status)
        fail(w);
}

static void read_done(tr_catalogue_job *base) {
    work *w = ((read_job *)base)->work;
    free(base);
    tr_status status = w->error.status;
    if (!status) {
        status = tr_contest_fetch(w->contest, w->all->services->library, on_names, w);
        if (status)
            (void)tr_fail(&w->error, status, "the catalogue is busy; try again");
    }
    if (status)
        fail(w);
}

static tr_status ask(tr_bout_recordings *all, const tr_bout_recording_order *order,
                     tr_error *error) {
    if (all->count == TR_BOUT_RECORDINGS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%d bouts are being recorded", all->count);
    if (order->position >= TR_MATCH_BOUTS_MAX || strlen(order->match) >= TR_NAME_MAX)
        return tr_fail(error, TR_NOT_FOUND, "match '%.47s': no bout %u", order->match,
                       order->position);
    if (strlen(order->recording) >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "recording: expected at most %d bytes",
                       TR_NAME_MAX - 1);
    if (tr_recordings_find(all->services->recordings, order->recording))
        return tr_fail(error, TR_ALREADY_EXISTS, "recording '%s': the name is taken",
                       order->recording);
    read_job *job = calloc(1, sizeof *job);
    work *w = calloc(1, sizeof *w);
    if (job && w) {
        *w = (work){.all = all, .asker = order->asker};
        w->position = (int)order->position;
        tr_name_set(w->match, order->match);
        tr_name_set(w->recording, order->recording);
        job->job.query = read_match;
        job->job.done = read_done;
        job->work = w;
        if (!tr_catalogue_thread_submit(all->services->catalogue, &job->job)) {
            w->next = all->first;
            all->first = w;
            all->count++;
            return TR_OK;
        }
    }
    free(w);
    free(job);
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
}

void tr_bout_recordings_make(tr_bout_recordings *recordings, const tr_bout_recording_order *order) {
    tr_error error = {0};
    if (ask(recordings, order, &error))
        tr_clients_refuse(&recordings->services->clients, order->asker, &error);
}

/* --- life --- */

tr_status tr_bout_recordings_create(const tr_match_services *services, tr_bout_recordings **out) {
    tr_bout_recordings *all = calloc(1, sizeof *all);
    if (!all)
        return TR_RESOURCE_EXHAUSTED;
    all->services = services;
    if (uv_async_init(services->loop, &all->news, on_news) != 0) {
        free(all);
        return TR_RESOURCE_EXHAUSTED;
    }
    all->news.data = all;
    *out = all;
    return TR_OK;
}

void tr_bout_recordings_stop(tr_bout_recordings *recordings) {
    if (recordings)
        atomic_store(&recordings->stopping, true);
}

static void on_closed(uv_handle_t *handle) {
    free(handle->data);
}

void tr_bout_recordings_destroy(tr_bout_recordings *recordings) {
    if (!recordings)
        return;
    for (work *next, *w = recordings->first; w; w = next) {
        next = w->next;
        destroy(w);
    }
    uv_close((uv_handle_t *)&recordings->news, on_closed);
}
