/* The motion that a run learned from, found or imported again. */
#pragma once

#include "db/store/catalogue.h"
#include "db/tables/clips.h"
#include "motion/poses/motion.h"

/* The inputs for repeating a run. */
typedef struct tr_reproduction {
    tr_catalogue *catalogue; /* a scratch copy: parts that are made again are stored here */
    const char *clips;       /* folder with the source clips; NULL: none given */
    const char *motion;      /* file of the imported motion itself; NULL: none given */
    const char *import;      /* options of the clips' imports, for runs that record none; NULL */
    int threads;             /* does not change the result */
} tr_reproduction;

typedef struct tr_run_motion {
    const char *run; /* its name, for messages */
    const tr_model *model;
    tr_clip_row clip;
    uint64_t hash;                    /* of the motion; 0: not recorded */
    char options[TR_MOTION_TEXT_MAX]; /* of the clip's import; "": not recorded */
} tr_run_motion;

/* The given motion; otherwise the file of `clips` with the clip's digest, imported with the
 * recorded options unless it is the motion itself. If its hash is not the recorded one, that is
 * printed. TR_NOT_FOUND: no such file; TR_FAILED_PRECONDITION: the options of the import are
 * neither recorded nor given. Destroy it with tr_motion_destroy. */
tr_status tr_run_motion_find(const tr_run_motion *of, const tr_reproduction *given, tr_motion **out,
                             tr_error *error) TR_NODISCARD;
