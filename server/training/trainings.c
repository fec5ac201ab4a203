#include "server/training/trainings.h"

#include "model/name.h"
#include "proto/clock.h"
#include "proto/message.h"
#include "proto/progress.h"
#include "proto/text.h"
#include "server/config/log.h"
#include "server/training/training_encode.h"
#include "server/training/training_process.h"
#include "server/training/training_store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_MAX = 32, /* of those that have ended */
    LISTED_MAX = KEPT_MAX + TR_TRAINING_PLACES_LISTED + 64
};

typedef struct training {
    tr_trainings *all;
    tr_training_info info;
    char folder[TR_TRAINING_PATH_MAX];
    char complaint[256];          /* its last line of errors */
    tr_training_process *process; /* NULL: none yet, or no more */
    tr_asker asker;               /* of the start */
    bool was_stopped, ended_well;
    tr_training_state ends_as; /* when its folder is removed */
    uv_work_t work; /* on its folder; then only the pool's thread uses folder and error */
    tr_error error;
    struct training *next; /* the newest first */
} training;

struct tr_trainings {
    tr_trainings_def def;
    char folder[TR_TRAINING_PATH_MAX];
    training *first;
    bool stopping;
    tr_training_clips clips;
};

const char *tr_training_state_name(tr_training_state state) {
    static const char *const names[] = {[TR_TRAINING_RUNNING] = "running",
                                        [TR_TRAINING_DONE] = "done",
                                        [TR_TRAINING_STOPPED] = "stopped",
                                        [TR_TRAINING_FAILED] = "failed",
                                        [TR_TRAINING_INTERRUPTED] = "interrupted"};
    return names[state];
}

static bool runs(const training *t) {
    return t->info.state == TR_TRAINING_RUNNING;
}

int tr_trainings_count(const tr_trainings *trainings, tr_training_state state) {
    int count = 0;
    for (const training *t = trainings->first; t; t = t->next)
        count += t->info.state == state;
    return count;
}

/* The newest of this name; NULL: none. */
static training *find(const tr_trainings *all, const char *name) {
    training *t = all->first;
    while (t && strcmp(t->info.name, name) != 0)
        t = t->next;
    return t;
}

/* --- answers --- */

static void refuse(const tr_trainings *all, tr_asker to, const tr_error *error) {
    tr_clients_refuse(&all->def.clients, to, error);
}

static void show(const training *t, tr_asker to) {
    tr_mapping_memory memory = {0};
    Troupe__Training *message = tr_encode_training(&t->info, &memory);
    tr_clients_respond(&t->all->def.clients, to, TROUPE__RESPONSE__RESULT_TRAINING, message,
                       &memory);
}

/* --- the end of one --- */

static void forget(training *t) {
    training **at = &t->all->first;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    free(t);
}

/* Forgets the one that ended first, of more than are kept. */
static void forget_old(tr_trainings *all) {
    int kept = 0;
    training *first = NULL;
    for (training *t = all->first; t; t = t->next) {
        if (runs(t) || t->info.state == TR_TRAINING_INTERRUPTED)
            continue;
        kept++;
        if (!first || t->info.ended_ns < first->info.ended_ns)
            first = t;
    }
    if (kept > KEPT_MAX)
        forget(first);
}

static void set_detail(training *t, const char *text) {
    snprintf(t->info.detail, sizeof t->info.detail, "%.*s", (int)sizeof t->info.detail - 1, text);
    tr_text_mend(t->info.detail);
}

/* The same request finds the checkpoint. */
static void show_how_to_continue(training *t, const char *why) {
    const tr_training_request *request = &t->info.request;
    char detail[sizeof t->info.detail];
    snprintf(detail, sizeof detail,
             "%sto continue: troupe train start '%s' --name %s --seed %llu%s%s", why, request->clip,
             t->info.name, (unsigned long long)request->seed,
             request->effort[0] ? " --effort " : "", request->effort);
    set_detail(t, detail);
}

static void use_folder(training *t, uv_work_cb use, uv_after_work_cb done) {
    t->work.data = t;
    (void)uv_queue_work(t->all->def.loop, &t->work, use, done); /* refuses no function */
}

static void finish(training *t, tr_training_state state) {
    t->info.state = state;
    t->info.ended_ns = tr_clock_ns(CLOCK_REALTIME);
    tr_log_line(TR_LOG_INFO, "training.ended", "name=%s state=%s controller=%s", t->info.name,
                tr_training_state_name(state), t->info.controller);
    forget_old(t->all);
}

static void remove_folder(uv_work_t *work) {
    tr_training_place_remove(((const training *)work->data)->folder);
}

static void on_removed(uv_work_t *work, int status) {
    training *t = work->data;
    (void)status;
    finish(t, t->ends_as);
}

/* Until its folder is gone it runs, so that it cannot be started again in it. */
static void conclude(training *t, tr_training_state state) {
    t->ends_as = state;
    use_folder(t, remove_folder, on_removed);
}

/* Of one that learned nothing: after a request to stop, this is not a failure. */
static void conclude_without(training *t, const char *why) {
    if (t->was_stopped) {
        set_detail(t, "stopped before a round was better than the start: nothing is stored");
        conclude(t, TR_TRAINING_STOPPED);
    } else {
        set_detail(t, t->complaint[0] ? t->complaint : why);
        conclude(t, TR_TRAINING_FAILED);
    }
}

/* What it learned waits in its folder for the same request. */
static void conclude_unstored(training *t, const char *why) {
    char detail[256];
    snprintf(detail, sizeof detail, "not stored: %.180s; start or stop it again to store it", why);
    set_detail(t, detail);
    finish(t, TR_TRAINING_INTERRUPTED);
}

/* The preview has changed, or is gone: worlds do not get the old one any more. */
static void forget_preview(const training *t) {
    char name[TR_NAME_MAX];
    tr_training_preview_name(t->info.name, name);
    tr_library_forget(t->all->def.library, name);
}

static void on_imported(void *context, const char *controller, const tr_error *error) {
    training *t = context;
    forget_preview(t);
    if (error->status == TR_NOT_FOUND) {
        conclude_without(t, error->message);
        return;
    }
    if (error->status) {
        conclude_unstored(t, error->message);
        return;
    }
    tr_name_set(t->info.controller, controller);
    if (!t->was_stopped && !t->ended_well && t->complaint[0])
        set_detail(t, t->complaint);
    conclude(t, t->was_stopped  ? TR_TRAINING_STOPPED
                : t->ended_well ? TR_TRAINING_DONE
                                : TR_TRAINING_FAILED);
}

static tr_status store(training *t) {
    const tr_training_result result = {t->folder, t->info.name, false};
    return tr_training_store_import(t->all->def.catalogue, &result, on_imported, t);
}

/* The catalogue's thread is done with it before the training's end is stored. */
static void on_previewed(void *context, const char *controller, const tr_error *error) {
    training *t = context;
    forget_preview(t);
    if (!error->status)
        tr_name_set(t->info.controller, controller);
    else
        tr_log_line(TR_LOG_WARN, "training.no_preview", "name=%s %s", t->info.name, error->message);
}

static void store_preview(training *t) {
    const tr_training_result result = {t->folder, t->info.name, true};
    /* If the catalogue is busy, there is no preview. */
    (void)!tr_training_store_import(t->all->def.catalogue, &result, on_previewed, t);
}

/* Stored results are valid even if the process failed afterwards. A killed training keeps its
 * folder, and continues from its checkpoint. */
static void on_ended(void *context, int64_t exit_status, int signal) {
    training *t = context;
    t->process = NULL;
    t->ended_well = exit_status == 0 && signal == 0;
    if (signal != 0 && !t->was_stopped) {
        show_how_to_continue(t, "killed; ");
        finish(t, TR_TRAINING_INTERRUPTED);
    } else if (store(t))
        conclude_unstored(t, "the catalogue is busy");
}

static void on_line(void *context, const char *text, bool of_errors) {
    training *t = context;
    if (of_errors) {
        snprintf(t->complaint, sizeof t->complaint, "%.*s", (int)sizeof t->complaint - 1, text);
        return;
    }
    if (strcmp(text, TR_PROGRESS_PREVIEW) == 0)
        store_preview(t);
    (void)tr_training_curves_add(&t->info.curves, text);
    set_detail(t, text);
}

/* --- the start of one --- */

static tr_status spawn(training *t, tr_error *error) {
    const tr_trainings_def *def = &t->all->def;
    char clip[TR_TRAINING_CLIP_MAX + 8], seed[24], threads[16];
    snprintf(clip, sizeof clip, "clips/%s", t->info.request.clip);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)t->info.request.seed);
    snprintf(threads, sizeof threads, "%d", def->threads > 0 ? def->threads : 1);
    /* --effort does not apply to a motion that 'import' wrote. */
    char *effort = t->info.request.effort[0] ? "--effort" : NULL;
    char *const arguments[] = {"troupe-train",
                               "learn",
                               clip,
                               "--name",
                               t->info.name,
                               "--catalogue",
                               TR_TRAINING_CATALOGUE,
                               "--checkpoint",
                               TR_TRAINING_CHECKPOINT,
                               "--resume",
                               "--seed",
                               seed,
                               "--threads",
                               threads,
                               effort,
                               t->info.request.effort,
                               NULL};
    const tr_training_process_def process = {.loop = def->loop,
                                             .program = def->program,
                                             .folder = t->folder,
                                             .arguments = arguments,
                                             .line = on_line,
                                             .ended = on_ended,
                                             .context = t};
    return tr_training_process_start(&process, &t->process, error);
}

static void make_folder(uv_work_t *work) {
    training *t = work->data;
    const char *clips = t->all->def.clips;
    tr_status status = tr_training_clip_check(clips, t->info.request.clip, &t->error);
    if (!status)
        status = tr_training_place_make(t->all->folder, t->info.name, clips, t->folder, &t->error);
    if (!status)
        status = tr_training_place_claim(t->folder, t->info.name, &t->info.request, &t->error);
    t->error.status = status;
}

static void tidy_folder(uv_work_t *work) {
    const training *t = work->data;
    if (t->folder[0] != '\0')
        tr_training_place_tidy(t->folder);
}

static void on_tidied(uv_work_t *work, int status) {
    training *t = work->data;
    (void)status;
    refuse(t->all, t->asker, &t->error);
    forget(t);
}

/* The one that was interrupted continues in a newer one. */
static void forget_interrupted(const training *newer) {
    training *t = newer->next;
    while (t && !(t->info.state == TR_TRAINING_INTERRUPTED &&
                  strcmp(t->info.name, newer->info.name) == 0))
        t = t->next;
    if (t)
        forget(t);
}

static void on_folder_made(uv_work_t *work, int status) {
    training *t = work->data;
    (void)status;
    if (!t->error.status && t->all->stopping)
        (void)tr_fail(&t->error, TR_UNAVAILABLE, "the daemon is ending");
    if (!t->error.status && !spawn(t, &t->error)) {
        tr_log_line(TR_LOG_INFO, "training.started", "name=%s clip=\"%s\"", t->info.name,
                    t->info.request.clip);
        forget_interrupted(t);
        show(t, t->asker);
        return;
    }
    use_folder(t, tidy_folder, on_tidied);
}

static void on_checked(void *context, const char *controller, const tr_error *error) {
    training *t = context;
    (void)controller;
    if (!error->status) {
        use_folder(t, make_folder, on_folder_made);
        return;
    }
    refuse(t->all, t->asker, error);
    forget(t);
}

static tr_status check_effort(const Troupe__StartTraining *what, tr_error *error) {
    static const char *const efforts[] = {"", "quick", "normal", "thorough"};
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++)
        if (strcmp(what->effort, efforts[i]) == 0)
            return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "effort '%.47s': expected quick, normal or thorough",
                   what->effort);
}

static tr_status check(const tr_trainings *all, const Troupe__StartTraining *what,
                       tr_error *error) {
    const training *known = find(all, what->name);
    if (all->def.clips[0] == '\0' || all->def.limit == 0)
        return tr_fail(
            error, TR_FAILED_PRECONDITION,
            "this daemon makes no trainings; set training.clips, and training.limit to at "
            "least 1, in its configuration");
    if (!tr_training_name_is_valid(what->name))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "name '%.47s': expected 1 to 47 of a-z, 0-9, '-' and '_', the first a letter or "
            "digit",
            what->name);
    if (known && runs(known))
        return tr_fail(error, TR_ALREADY_EXISTS, "training '%s': it runs already", what->name);
    int running = tr_trainings_count(all, TR_TRAINING_RUNNING);
    if (running >= all->def.limit)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "%d of at most %d trainings run: stop one, or wait for its end", running,
                       all->def.limit);
    return check_effort(what, error);
}

void tr_trainings_start(tr_trainings *trainings, const Troupe__StartTraining *what,
                        tr_asker asker) {
    tr_error error = {0};
    tr_status status = check(trainings, what, &error);
    training *t = status ? NULL : calloc(1, sizeof *t);
    if (!status && !t)
        status = tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (t) {
        *t = (training){.all = trainings, .asker = asker, .next = trainings->first};
        t->info.request.seed = what->seed > 0 ? what->seed : 1;
        t->info.started_ns = tr_clock_ns(CLOCK_REALTIME);
        tr_name_set(t->info.name, what->name);
        snprintf(t->info.request.clip, sizeof t->info.request.clip, "%s", what->clip);
        snprintf(t->info.request.effort, sizeof t->info.request.effort, "%s", what->effort);
        trainings->first = t;
        status = tr_training_store_check(trainings->def.catalogue, t->info.name, on_checked, t);
    }
    if (status && t) {
        (void)tr_fail(&error, status, "the catalogue is busy; try again");
        forget(t);
    }
    if (status)
        refuse(trainings, asker, &error);
}

/* --- the other requests --- */

/* Stores what an interrupted one has learned, and ends it. */
static tr_status end_interrupted(training *t, tr_error *error) {
    t->was_stopped = true;
    if (store(t))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
    t->info.state = TR_TRAINING_RUNNING;
    t->info.ended_ns = 0;
    return TR_OK;
}

static tr_status end_running(training *t, tr_error *error) {
    if (!runs(t) || !t->process)
        return tr_fail(error, TR_FAILED_PRECONDITION, "training '%.47s': it %s", t->info.name,
                       runs(t) ? "is only beginning, or is being stored" : "has ended");
    t->was_stopped = true;
    tr_training_process_interrupt(t->process);
    return TR_OK;
}

void tr_trainings_end_one(tr_trainings *trainings, const char *name, tr_asker asker) {
    training *t = find(trainings, name);
    tr_error error = {0};
    if (!t)
        (void)tr_fail(&error, TR_NOT_FOUND, "training '%.47s': not found", name);
    else if (!(t->info.state == TR_TRAINING_INTERRUPTED ? end_interrupted : end_running)(t, &error))
        show(t, asker);
    if (error.status)
        refuse(trainings, asker, &error);
}

static void answer_list(void *context, tr_asker asker) {
    tr_trainings *all = context;
    tr_mapping_memory memory = {0};
    const tr_training_info *infos[LISTED_MAX];
    tr_training_list list = {.infos = infos,
                             .clips = all->clips.name,
                             .clip_count = all->clips.count,
                             .limit = all->def.clips[0] != '\0' ? all->def.limit : 0};
    for (const training *t = all->first; t && list.count < LISTED_MAX; t = t->next)
        infos[list.count++] = &t->info;
    Troupe__TrainingList *message = tr_encode_training_list(&list, &memory);
    tr_clients_respond(&all->def.clients, asker, TROUPE__RESPONSE__RESULT_TRAINING_LIST, message,
                       &memory);
}

void tr_trainings_list(tr_trainings *trainings, tr_asker asker) {
    tr_error error = {0};
    if (tr_training_clips_ask(&trainings->clips, asker)) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "too many requests wait for the list");
        refuse(trainings, asker, &error);
    }
}

/* --- those that an earlier daemon left --- */

/* The one that began last comes first. */
static training **place_of(tr_trainings *all, int64_t began_ns) {
    training **at = &all->first;
    while (*at && (*at)->info.started_ns > began_ns)
        at = &(*at)->next;
    return at;
}

static tr_status adopt(tr_trainings *all, const tr_training_place *place) {
    training *t = calloc(1, sizeof *t), **at = place_of(all, place->began_ns);
    if (!t)
        return TR_RESOURCE_EXHAUSTED;
    *t = (training){.all = all, .next = *at};
    *at = t;
    tr_name_set(t->info.name, place->name);
    t->info.request = place->request;
    t->info.state = TR_TRAINING_INTERRUPTED;
    t->info.started_ns = place->began_ns;
    t->info.ended_ns = place->last_ns;
    snprintf(t->folder, sizeof t->folder, "%.*s/%s",
             (int)(sizeof t->folder - sizeof place->name - 1), all->folder, place->name);
    show_how_to_continue(t, "");
    return TR_OK;
}

static tr_status adopt_all(tr_trainings *all) {
    tr_training_place *places = calloc(TR_TRAINING_PLACES_LISTED, sizeof *places);
    int count = places ? tr_training_places_list(all->folder, places) : 0;
    tr_status status = places ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; !status && i < count; i++)
        status = adopt(all, &places[i]);
    free(places);
    return status;
}

/* --- life --- */

tr_status tr_trainings_create(const tr_trainings_def *def, tr_trainings **out) {
    tr_trainings *all = calloc(1, sizeof *all);
    if (!all)
        return TR_RESOURCE_EXHAUSTED;
    all->def = *def;
    all->clips = (tr_training_clips){
        .loop = def->loop, .folder = def->clips, .answer = answer_list, .context = all};
    snprintf(all->folder, sizeof all->folder, "%s", def->folder);
    tr_status status = adopt_all(all);
    return TR_GIVE(status, all, tr_trainings_destroy, out);
}

void tr_trainings_stop(tr_trainings *trainings) {
    if (!trainings)
        return;
    trainings->stopping = true;
    for (training *t = trainings->first; t; t = t->next) {
        tr_training_process_kill(t->process);
        t->process = NULL;
    }
}

void tr_trainings_destroy(tr_trainings *trainings) {
    if (!trainings)
        return;
    for (training *next, *t = trainings->first; t; t = next) {
        next = t->next;
        free(t);
    }
    free(trainings->clips.waiting);
    free(trainings);
}

void tr_trainings_must_hold(const tr_trainings *trainings, tr_invariant *broken) {
    for (const training *t = trainings->first; t; t = t->next)
        TR_MUST(broken, t->all == trainings && (runs(t) || !t->process));
}
