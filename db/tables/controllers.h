/* Controllers of every kind in the catalogue, down to their control fragments.
 *
 * Fragments are rows shared by the controllers that hold the same fragment. Other content of a kind
 * is stored as the sections that it saves (control/driver/driver.h). Loaded numbers equal the stored ones to
 * the bit. See catalogue.h for threading, statuses and errors. */
#pragma once

#include "control/driver/controller.h"
#include "db/store/catalogue.h"
#include "db/tables/guides.h"

typedef struct tr_controller_row {
    tr_row_id id;
    char name[TR_NAME_MAX];
    char skill[TR_NAME_MAX];
    char kind[TR_NAME_MAX]; /* of its driver; of the inner driver if it recovers */
    char gain_set[TR_NAME_MAX];
    double step_s;
    bool cyclic, mirrored;
    int fragment_count; /* 0: its kind has none */
    double duration_s;  /* of a full cycle or of the whole chain, tr_controller_duration_s */
    tr_row_id model_id;
    char model_name[TR_NAME_MAX];
    tr_row_id run_id; /* 0: none recorded */
    char run_name[TR_NAME_MAX];
    tr_row_id clip_id; /* 0: none recorded */
    char clip_name[TR_NAME_MAX];
    char section[TR_NAME_MAX]; /* of the guide (guides.h); "": it is not in the guide */
    char summary[TR_GUIDE_SUMMARY_MAX];
    tr_digest digest;
} tr_controller_row;

typedef struct tr_controller_filter {
    const char *after;          /* names after this one; NULL: from the first */
    const char *prefix;         /* prefix of the names; NULL: all */
    const char *skill;          /* NULL: all */
    tr_row_id model, run, clip; /* 0: all */
} tr_controller_filter;

/* A controller with the model, run and clip it was learned from. */
typedef struct tr_controller_entry {
    const tr_controller *controller; /* its name is the row's name */
    tr_row_id model_id;
    tr_row_id run_id;  /* 0: not known */
    tr_row_id clip_id; /* 0: not known */
} tr_controller_entry;

/* Checks the controller against its model (tr_controller_check) and stores it with its fragments.
 * Storing the same content under the same name again returns the existing row.
 * TR_FAILED_PRECONDITION or TR_INVALID_ARGUMENT: it does not fit its model. */
tr_status tr_controllers_put(tr_catalogue *catalogue, const tr_controller_entry *entry,
                             tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* Replaces what may be learned again, such as steering, by the controller's; the row and its digest
 * stay. */
tr_status tr_controllers_put_learned_again(tr_catalogue *catalogue, tr_row_id id,
                                           const tr_controller *controller,
                                           tr_error *error) TR_NODISCARD;

TR_NOUN_READERS(controllers, controller)

/* By its name, or by a former one (guides.h), for what people ask for: out->name is the present
 * name. */
tr_status tr_controllers_resolve(tr_catalogue *catalogue, const char *name, tr_controller_row *out,
                                 tr_error *error) TR_NODISCARD;

/* Finds the controller with this content, under any name; the first if there are several.
 * TR_NOT_FOUND. */
tr_status tr_controllers_find_content(tr_catalogue *catalogue, const tr_digest *digest,
                                      tr_controller_row *out, tr_error *error) TR_NODISCARD;

/* Gives it another name; its former name then leads to it if the guide says so. TR_ALREADY_EXISTS. */
tr_status tr_controllers_rename(tr_catalogue *catalogue, tr_row_id id, const char *name,
                                tr_error *error) TR_NODISCARD;

/* Paging as tr_models_list. */
tr_status tr_controllers_list(tr_catalogue *catalogue, const tr_controller_filter *filter,
                              tr_controller_row *out_rows, int *count,
                              tr_error *error) TR_NODISCARD;

/* Loads the controller, checked against `model` (its model_id loaded by tr_models_load; model_name
 * is the catalogue's name for it); destroy it with tr_controller_destroy. Components beyond the
 * model's bodies and the action's size are zero. */
tr_status tr_controllers_load(tr_catalogue *catalogue, tr_row_id id, const tr_model *model,
                              tr_controller **out, tr_error *error) TR_NODISCARD;

/* A summary of one control fragment of a controller. */
typedef struct tr_fragment_row {
    tr_row_id id;
    int position; /* in the controller, from 0 */
    int steps;
    double duration_s;
    tr_digest digest;
} tr_fragment_row;

/* In order of positions. *count: room, at least the controller's fragment_count; then the rows
 * written. */
tr_status tr_controllers_fragments(tr_catalogue *catalogue, tr_row_id id, tr_fragment_row *out_rows,
                                   int *count, tr_error *error) TR_NODISCARD;

/* Also removes the fragments that no other controller holds. Its run, clip and model stay. */
tr_status tr_controllers_remove(tr_catalogue *catalogue, tr_row_id id,
                                tr_error *error) TR_NODISCARD;
