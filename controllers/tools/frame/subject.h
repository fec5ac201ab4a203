/* The subject of a command: a controller of a catalogue, found by its name, with its model and
 * worlds to run it in. */
#pragma once

#include "db/tables/controllers.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_subject {
    tr_controller_row row;
    tr_model *model;
    tr_controller *controller;
    tr_ensemble *ensemble; /* NULL: no worlds yet */
} tr_subject;

/* Fills a subject of zeros; whatever the status, it is to be deinitialised. TR_NOT_FOUND: the
 * catalogue has no such controller. */
tr_status tr_subject_load(tr_catalogue *catalogue, const char *name, tr_subject *out,
                          tr_error *error) TR_NODISCARD;

/* Like tr_subject_load; opens the file of a catalogue and closes it again. */
tr_status tr_subject_read(const char *path, const char *name, tr_subject *out,
                          tr_error *error) TR_NODISCARD;

/* Makes its worlds. */
tr_status tr_subject_make_worlds(tr_subject *subject, int threads, tr_error *error) TR_NODISCARD;

/* Which controller, and the threads of its worlds. */
typedef struct tr_subject_use {
    const char *catalogue, *name;
    int threads;
} tr_subject_use;

/* Reads the controller, makes its worlds, and measures it there. */
typedef tr_status (*tr_subject_work)(const void *context, const tr_subject *subject,
                                     tr_error *error);
tr_status tr_subject_measure(const tr_subject_use *use, tr_subject_work measure,
                             const void *context, tr_error *error) TR_NODISCARD;

void tr_subject_deinit(tr_subject *subject); /* of zeros is fine */
