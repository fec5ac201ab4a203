#include "server/training/trainings.h"

#include "proto/message.h"
#include "proto/text.h"
#include "server/catalogue/name.h"
#include "server/config/log.h"
#include "server/net/frame_out.h"
#include "server/training/training_encode.h"
#include "server/training/training_process.h"
#include "server/training/training_store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    KEPT_MAX = 32, /* of those that have ended */
    LISTED_MAX = KEPT_MAX + 64,
    CLIPS_FRESH_MS = 2000
};

typedef struct training {
    tr_trainings *all;
    tr_training_info info;
    char folder[TR_TRAINING_PATH_MAX];
    char complaint[256];          /* its last line of errors */
    tr_training_process *process; /* NULL: none yet, or no more */
    tr_training_asker asker;      /* of the start */
    bool was_stopped, was_killed, ended_well;
    struct training *next; /* the newest first */
} training;

struct tr_trainings {
    tr_trainings_def def;
    char folder[TR_TRAINING_PATH_MAX];
    training *first;
    bool stopping;
    uint64_t clips_ms; /* when the list was read; 0: never */
    int clip_count;
    char clips[TR_TRAINING_CLIPS_LISTED][TR_TRAINING_CLIP_MAX];
};

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool runs(const training *t) {
    return t->info.state == TR_TRAINING_RUNNING;
}

int tr_trainings_count(const tr_trainings *trainings) {
    int count = 0;
    for (const training *t = trainings->first; t; t = t->next)
        count += runs(t);
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

static void refuse(const tr_trainings *all, tr_training_asker to, const tr_error *error) {
    all->def.clients.refuse(all->def.clients.context, to.session, to.request, error);
}

static void respond(const tr_trainings *all, tr_training_asker to,
                    Troupe__Response__ResultCase result, void *message, tr_mapping_memory *memory) {
    Troupe__Response response = tr_response_of(to.request, result, message);
    if (message && !memory->failed)
        all->def.clients.respond(all->def.clients.context, to.session, &response);
    else
        refuse(all, to, &(tr_error){.status = TR_RESOURCE_EXHAUSTED, .message = "out of memory"});
    tr_mapping_free(memory);
}

static void show(const training *t, tr_training_asker to) {
    tr_mapping_memory memory = {0};
    respond(t->all, to, TROUPE__RESPONSE__RESULT_TRAINING, tr_encode_training(&t->info, &memory),
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
        if (runs(t))
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

/* Its folder stays where something is lost without it. */
static void conclude(training *t, tr_training_state state, bool keeps_folder) {
    t->info.state = state;
    t->info.ended_ns = now_ns();
    tr_log_line(TR_LOG_INFO, "training.ended", "name=%s state=%s controller=%s", t->info.name,
                state == TR_TRAINING_DONE      ? "done"
                : state == TR_TRAINING_STOPPED ? "stopped"
                                               : "failed",
                t->info.controller);
    if (!keeps_folder)
        tr_training_place_remove(t->folder);
    forget_old(t->all);
}

/* Of one that learned nothing: by a request that is no failure. One that did not end by itself may
 * continue from its checkpoint. */
static void conclude_without(training *t, const char *why) {
    if (!t->was_stopped)
        set_detail(t, t->complaint[0] ? t->complaint : why);
    else
        set_detail(t, "stopped before a round was better than the start: nothing is stored");
    conclude(t, t->was_stopped ? TR_TRAINING_STOPPED : TR_TRAINING_FAILED,
             t->was_killed && !t->was_stopped);
}

/* What it learned waits in its folder for the same request. */
static void conclude_unstored(training *t, const char *why) {
    char detail[256];
    snprintf(detail, sizeof detail, "not stored: %.180s; start it again to store it", why);
    set_detail(t, detail);
    conclude(t, TR_TRAINING_FAILED, true);
}

static void on_imported(void *context, const char *controller, const tr_error *error) {
    training *t = context;
    if (t->all->stopping) { /* what could not be stored is there for the next start */
        if (!error->status)
            tr_training_place_remove(t->folder);
        return;
    }
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
    conclude(t,
             t->was_stopped  ? TR_TRAINING_STOPPED
             : t->ended_well ? TR_TRAINING_DONE
                             : TR_TRAINING_FAILED,
             false);
}

/* What it stored is good even if it ended badly afterwards. */
static void on_ended(void *context, int64_t exit_status, int signal) {
    training *t = context;
    t->process = NULL;
    t->ended_well = exit_status == 0 && signal == 0;
    t->was_killed = signal != 0;
    if (tr_training_store_import(t->all->def.catalogue, t->folder, t->info.name, on_imported, t))
        conclude_unstored(t, "the catalogue is busy");
}

static void on_line(void *context, const char *text, bool of_errors) {
    training *t = context;
    if (of_errors) {
        snprintf(t->complaint, sizeof t->complaint, "%.*s", (int)sizeof t->complaint - 1, text);
        return;
    }
    (void)tr_training_curves_add(&t->info.curves, text);
    set_detail(t, text);
}

/* --- the start of one --- */

static tr_status claim_folder(const training *t, tr_error *error) {
    char request[TR_TRAINING_REQUEST_MAX];
    snprintf(request, sizeof request, "clip '%s', effort '%s', seed %llu", t->info.clip,
             t->info.effort, (unsigned long long)t->info.seed);
    return tr_training_place_claim(t->folder, t->info.name, request, error);
}

static tr_status spawn(training *t, tr_error *error) {
    const tr_trainings_def *def = &t->all->def;
    char clip[TR_TRAINING_CLIP_MAX + 8], seed[24], threads[16];
    snprintf(clip, sizeof clip, "clips/%s", t->info.clip);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)t->info.seed);
    snprintf(threads, sizeof threads, "%d", def->threads > 0 ? def->threads : 1);
    /* A motion that 'import' wrote takes no effort. */
    char *effort = t->info.effort[0] ? "--effort" : NULL;
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
                               t->info.effort,
                               NULL};
    const tr_training_process_def process = {.loop = def->loop,
                                             .program = def->program,
                                             .folder = t->folder,
                                             .arguments = arguments,
                                             .line = on_line,
                                             .ended = on_ended,
                                             .context = t};
    tr_status status =
        tr_training_place_make(t->all->folder, t->info.name, def->clips, t->folder, error);
    if (!status)
        status = claim_folder(t, error);
    return status ? status : tr_training_process_start(&process, &t->process, error);
}

static void on_checked(void *context, const char *controller, const tr_error *error) {
    training *t = context;
    tr_error why = *error;
    (void)controller;
    if (!why.status && t->all->stopping)
        (void)tr_fail(&why, TR_UNAVAILABLE, "the daemon is ending");
    if (!why.status && !spawn(t, &why)) {
        tr_log_line(TR_LOG_INFO, "training.started", "name=%s clip=\"%s\"", t->info.name,
                    t->info.clip);
        show(t, t->asker);
        return;
    }
    refuse(t->all, t->asker, &why);
    forget(t);
}

static tr_status check_clip(const tr_trainings *all, const Troupe__StartTraining *what,
                            tr_error *error) {
    static const char *const efforts[] = {"", "quick", "normal", "thorough"};
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++)
        if (strcmp(what->effort, efforts[i]) == 0)
            return tr_training_clip_check(all->def.clips, what->clip, error);
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
    if (tr_trainings_count(all) >= all->def.limit)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "%d of at most %d trainings run: stop one, or wait for its end",
                       tr_trainings_count(all), all->def.limit);
    return check_clip(all, what, error);
}

void tr_trainings_start(tr_trainings *trainings, const Troupe__StartTraining *what,
                        tr_training_asker asker) {
    tr_error error = {0};
    tr_status status = check(trainings, what, &error);
    training *t = status ? NULL : calloc(1, sizeof *t);
    if (!status && !t)
        status = tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (t) {
        *t = (training){.all = trainings, .asker = asker, .next = trainings->first};
        t->info.seed = what->seed > 0 ? what->seed : 1;
        t->info.started_ns = now_ns();
        tr_name_set(t->info.name, what->name);
        snprintf(t->info.clip, sizeof t->info.clip, "%s", what->clip);
        snprintf(t->info.effort, sizeof t->info.effort, "%s", what->effort);
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

void tr_trainings_end_one(tr_trainings *trainings, const char *name, tr_training_asker asker) {
    training *t = find(trainings, name);
    tr_error error = {0};
    if (!t)
        (void)tr_fail(&error, TR_NOT_FOUND, "training '%.47s': not found", name);
    else if (!runs(t) || !t->process)
        (void)tr_fail(&error, TR_FAILED_PRECONDITION, "training '%.47s': it %s", name,
                      runs(t) ? "is only beginning, or is being stored" : "has ended");
    if (error.status || !t) {
        refuse(trainings, asker, &error);
        return;
    }
    t->was_stopped = true;
    tr_training_process_interrupt(t->process);
    show(t, asker);
}

static void read_clips(tr_trainings *all) {
    uint64_t now_ms = uv_now(all->def.loop);
    if (all->def.clips[0] == '\0' || (all->clips_ms && now_ms - all->clips_ms < CLIPS_FRESH_MS))
        return;
    all->clip_count = tr_training_clips_list(all->def.clips, all->clips);
    all->clips_ms = now_ms;
}

void tr_trainings_list(tr_trainings *trainings, tr_training_asker asker) {
    tr_mapping_memory memory = {0};
    const tr_training_info *infos[LISTED_MAX];
    tr_training_list list = {.infos = infos, .clips = trainings->clips};
    read_clips(trainings);
    for (const training *t = trainings->first; t && list.count < LISTED_MAX; t = t->next)
        infos[list.count++] = &t->info;
    list.clip_count = trainings->clip_count;
    list.limit = trainings->def.clips[0] != '\0' ? trainings->def.limit : 0;
    respond(trainings, asker, TROUPE__RESPONSE__RESULT_TRAINING_LIST,
            tr_encode_training_list(&list, &memory), &memory);
}

/* --- life --- */

tr_status tr_trainings_create(const tr_trainings_def *def, tr_trainings **out) {
    tr_trainings *all = calloc(1, sizeof *all);
    if (!all)
        return TR_RESOURCE_EXHAUSTED;
    all->def = *def;
    snprintf(all->folder, sizeof all->folder, "%s", def->folder);
    *out = all;
    return TR_OK;
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
    free(trainings);
}
