/* The plan of a training: what kind of motion a clip shows, how it is closed, and with which
 * parameters it is learned, so that the user need not choose them.
 *
 * The rules and their numbers were measured on the reference clips: gaits are learned with
 * the gains of locomotion, few samples and large pushes; all else with stiffer gains, one iteration
 * of guided learning and many full updates of hardening that begin with small pushes; a chain is
 * reconstructed instead of refined and guided, because walks lose its first second. What happens
 * while it runs is the timetable's (learn/train/timetable.h). Deterministic. */
#pragma once

#include "learn/reconstruct/reconstruct.h"
#include "learn/train/parameters.h"
#include "motion/measure/motion_trait.h"
#include "motion/retarget/import.h"

typedef enum tr_plan_kind {
    TR_PLAN_GAIT,   /* a cycle whose second half mirrors the first */
    TR_PLAN_STRIDE, /* a cycle that does not, as in a curve */
    TR_PLAN_TURN,   /* a walk or run that changes its direction, from a stride to a stride */
    TR_PLAN_ALIKE,  /* both sides do the same, as in a flip */
    TR_PLAN_LOOP,   /* a skill that returns to where it begins */
    TR_PLAN_CHAIN   /* a motion that ends standing */
} tr_plan_kind;

typedef enum tr_plan_effort {
    TR_EFFORT_QUICK,
    TR_EFFORT_NORMAL,
    TR_EFFORT_THOROUGH
} tr_plan_effort;

enum { TR_PLAN_REASON_MAX = 8, TR_PLAN_TEXT_MAX = 160 };

/* A plan.
 *   import      the frames, and how they are closed
 *   parameters  of the learner
 *   control     of the reconstruction whose open loop a chain begins with
 *   path_mps, turn_rad, begins_lying  speed on the way, of a stride from end to end; turn of a cycle
 *   core_s      processor time after which the training ends with its best so far
 *   target_n    push that it is to survive; a chain while it stands at its end
 *   reason      [reason_count], what was seen and what follows, for people */
typedef struct tr_plan {
    tr_plan_kind kind;
    tr_import import;
    tr_learn_parameters parameters;
    tr_reconstruct_parameters control;
    double path_mps, turn_rad, core_s, target_n;
    bool begins_lying;
    int reason_count;
    char reason[TR_PLAN_REASON_MAX][TR_PLAN_TEXT_MAX];
} tr_plan;

/* Plans the training of a motion that was imported open.
 *   import   the options of that import; the plan sets frames, steps and closing
 *   account  the account of that import
 *   harder   0, or the number of attempts that lost the motion, each of which gets more
 *            samples and another seed, then a longer return
 * TR_FAILED_PRECONDITION: the motion can neither be repeated, not even a stride of it, nor ends
 * standing; it stands on something higher than the ground; or it is longer than can be learned. The
 * message says what to do. */
typedef struct tr_plan_def {
    const tr_model *model;
    const tr_motion *motion;
    const tr_import *import;
    const tr_import_account *account;
    tr_plan_effort effort;
    int harder;
    uint64_t seed;
} tr_plan_def;

tr_status tr_plan_make(const tr_plan_def *def, tr_plan *out, tr_error *error) TR_NODISCARD;

/* "gait", "stride", ...; "quick", "normal", "thorough". */
const char *tr_plan_kind_name(tr_plan_kind kind);
const char *tr_plan_effort_name(tr_plan_effort effort);

/* Finds the effort of that name. false: no such effort. */
bool tr_plan_effort_find(const char *name, tr_plan_effort *out);
