/* The guide to a catalogue: what a controller is for, in words for somebody who chooses one, and the
 * former names that lead to it. Not part of a controller's digest.
 *
 * See catalogue.h for threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

enum { TR_GUIDE_SUMMARY_MAX = 200, TR_GUIDE_FORMER_MAX = 32 };

typedef struct tr_guide {
    char section[TR_NAME_MAX];          /* "characters", "skills", ...; "": not in the guide */
    char summary[TR_GUIDE_SUMMARY_MAX]; /* one line: what it is for, and what it survives */
    int former_count;
    char former[TR_GUIDE_FORMER_MAX][TR_NAME_MAX]; /* in the order of the names */
} tr_guide;

/* Replaces what the guide says of a controller. A former name that leads to another controller now
 * leads to this one. TR_INVALID_ARGUMENT: a section, name or summary that cannot be stored. */
tr_status tr_guides_put(tr_catalogue *catalogue, tr_row_id controller, const tr_guide *guide,
                        tr_error *error) TR_NODISCARD;

/* An empty guide if the controller is not in it. */
tr_status tr_guides_get(tr_catalogue *catalogue, tr_row_id controller, tr_guide *out,
                        tr_error *error) TR_NODISCARD;

/* The controller to which a former name leads; 0: none. */
tr_status tr_guides_find(tr_catalogue *catalogue, const char *former, tr_row_id *out_controller,
                         tr_error *error) TR_NODISCARD;
