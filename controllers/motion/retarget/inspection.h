/* Checks whether an import can be right: the clip, its calibration and the motion. Each finding
 * names a remedy, because an import without a look at the result must not fail silently. */
#pragma once

#include "motion/clips/calibration.h"
#include "motion/poses/motion.h"

/* The checks: name, and whether a finding refuses the import. */
#define TR_CHECK_LIST(X)                                                                           \
    X(SIDES, "sides", true)             /* left and right, where toes point, how knees bend */     \
    X(CALIBRATION, "calibration", true) /* joint frames against the bones */                       \
    X(RATE, "rate", true)               /* free flight against gravity */                          \
    X(SYMMETRY, "symmetry", true)       /* both halves, before they are made mirror images */      \
    X(STANDING, "standing", true)       /* feet near the ground stand now and then */              \
    X(BREAKS, "breaks", false)          /* frames that do not belong together */                   \
    X(GAP, "gap", false)                /* what closing the cycle bridges, and how fast */         \
    X(CLOSING, "closing", false)        /* what is repeated against the clip */                    \
    X(STRETCH, "stretch", false)        /* speed against the clip's */                             \
    X(SINKING, "sinking", false)        /* bodies below the ground */                              \
    X(FLOATING, "floating", false)      /* stances above the ground */                             \
    X(SLIPPING, "slipping", false)      /* feet that slide while they stand */

typedef enum tr_check {
#define X(name, text, refuses) TR_CHECK_##name,
    TR_CHECK_LIST(X)
#undef X
        TR_CHECK_COUNT
} tr_check;

const char *tr_check_name(tr_check check);
int tr_check_find(const char *name); /* -1: no such check */
const char *tr_check_names(void);    /* "sides, calibration, ..." */

/* The finding of a check: the fault, the remedy, and whether it refuses the import. */
typedef struct tr_finding {
    tr_check check;
    bool refuses;
    char text[200];
    char remedy[160];
} tr_finding;

/* What is inspected. Nothing is owned.
 *   import, account    what was asked for, and what was found before the checks
 *   source             the frames taken on the model, at the clip's rate, as retargeted
 *   closed             after closing and before it is made symmetric; NULL: the motion is open
 *   made               the result
 *   report             of the result
 *   open, open_report  the frames taken as a motion that is finished but neither closed nor joined to a
 *                      rest pose; NULL: the result is that
 *   closing_s          time in which the gap is bridged */
typedef struct tr_inspection {
    const tr_model *model;
    const struct tr_import *import;
    const struct tr_import_account *account;
    const tr_motion *source, *closed, *open, *made;
    const tr_motion_report *report, *open_report;
    double closing_s;
} tr_inspection;

/* Runs all checks in their order. finding: [TR_CHECK_COUNT]; returns the number of findings. */
int tr_inspect(const tr_inspection *inspection, tr_finding *finding);
