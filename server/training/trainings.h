/* The trainings that clients start: processes of `troupe-train learn` (training_process.h) in
 * folders of their own (training_place.h), whose results are copied into the catalogue
 * (training_store.h).
 *
 *   start   name checked -> free in the catalogue -> clip and folder -> process -> answer
 *   run     its rows become curves (training_curves.h)
 *   end     by itself or by a request -> result copied into the catalogue -> folder removed
 *
 * A daemon that ends kills them: their folders stay, the next daemon lists them as interrupted, and
 * the same request continues from the last round. A drain does not wait for them. Folders are used
 * on threads of libuv's pool; everything else is for the loop's thread only. */
#pragma once

#include "model/model.h"
#include "server/catalogue/library.h"
#include "server/net/clients.h"
#include "server/training/training_clips.h"
#include "server/training/training_curves.h"

typedef struct tr_trainings tr_trainings;

typedef enum tr_training_state {
    TR_TRAINING_RUNNING,
    TR_TRAINING_DONE,
    TR_TRAINING_STOPPED,
    TR_TRAINING_FAILED,
    TR_TRAINING_INTERRUPTED, /* its folder has what it reached: it can be started again or stopped */
    TR_TRAINING_STATE_COUNT
} tr_training_state;

const char *tr_training_state_name(tr_training_state state);

/* What clients are shown of one. */
typedef struct tr_training_info {
    char name[TR_NAME_MAX];
    tr_training_request request;
    tr_training_state state;
    char detail[320];             /* printed last; of a failure the reason */
    int64_t started_ns, ended_ns; /* since 1970; ended 0: it runs */
    char controller[TR_NAME_MAX]; /* in the catalogue; "": not there */
    tr_training_curves curves;
} tr_training_info;

typedef struct tr_trainings_def {
    uv_loop_t *loop;
    tr_catalogue_thread *catalogue;
    tr_library *library;
    tr_clients clients;
    const char *clips, *program; /* clips "": none are made */
    const char *folder;          /* of the folders of trainings */
    int limit, threads;
} tr_trainings_def;

/* Looks through the folder. Texts of `def` must outlive the trainings, except `folder`. */
tr_status tr_trainings_create(const tr_trainings_def *def, tr_trainings **out) TR_NODISCARD;

/* Kills all processes; their folders stay. May be called again. NULL is allowed. */
void tr_trainings_stop(tr_trainings *trainings);

/* Call after the loop has closed all handles and the catalogue's thread has stopped. NULL is
 * allowed. */
void tr_trainings_destroy(tr_trainings *trainings);

/* Those that are listed in a state. */
int tr_trainings_count(const tr_trainings *trainings, tr_training_state state);

/* Each answers with a Training, a TrainingList, or a failure; training.proto has the statuses. */
void tr_trainings_start(tr_trainings *trainings, const Troupe__StartTraining *what, tr_asker asker);
void tr_trainings_end_one(tr_trainings *trainings, const char *name, tr_asker asker);
void tr_trainings_list(tr_trainings *trainings, tr_asker asker);

void tr_trainings_must_hold(const tr_trainings *trainings, tr_invariant *broken);
