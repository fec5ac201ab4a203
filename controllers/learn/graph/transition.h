/* Transitions: learned chains of fragments that lead from one cyclic skill to another.
 *
 * Each of the nearest blend windows (blend_window.h) gives a chain faded from both skills. The
 * unhardened chains are tried a few times, and ten are kept, in this order: those that hold most
 * often; among equals that do not always hold, those that last longest, in steps of 0.2 s; then
 * those that stay nearest to the second skill afterwards, in steps of 0.05 (state_distance.h); then
 * those that turn the character least, in steps of 15 degrees; then those of the nearest windows. A
 * few trials with pushes rank them by their return, and the best are finalists. These are hardened
 * (polish.h), while the skills at both ends stay unchanged: a learned skill is replayed, never
 * learned again (the progressive order of liu2015-guided, section 5.4; the search is ours). A chain
 * is good when, of `trials` fresh starts, at least nine of ten reach it, and every one of these, but
 * for `failing`, ends in the second skill, held for `after_s`.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "learn/graph/blend_window.h"
#include "learn/graph/polish.h"

typedef struct tr_transition_def {
    const tr_controller *from, *to; /* cyclic; that passed tr_graph_bank_check */
    int low, high;                  /* fragments of a window */
    int windows;                    /* tried, the nearest */
    int looks;                      /* trials that choose the finalists among the windows */
    int finalists;                  /* hardened in this order, until one is good */
    int rounds;                     /* of hardening, at most; each is followed by the crossings */
    tr_harden_def harden;           /* of a round; its transition and seed are set here */
    int trials, failing; /* made after a round; of them so many may fail in a chain that is good */
    double after_s;
    uint64_t seed;
} tr_transition_def;

/* Forty windows of 2 to 8 fragments, five finalists; the caller sets trials, after_s and seed. */
tr_transition_def tr_transition_default(void);

/* The result of a window. mean_return: of harden.h, before hardening; rounds: made;
 * count: of `trials`, after these. */
typedef struct tr_transition_window {
    tr_blend_window window;
    double mean_return;
    int rounds, trials;
    tr_graph_transition_count count;
} tr_transition_window;

/* Did every trial but `failing` hold that reached the chain, and did nine of ten reach it? A skill that
 * is not always held loses a few trials before. */
bool tr_transition_is_good(const tr_transition_window *window, int failing);

/* Called for each finalist after its rounds; skill: the chain's name. */
typedef void (*tr_transition_report)(void *context, const char *skill,
                                     const tr_transition_window *window);

/* Learns a chain: the first that is good, named "FROM-to-TO"; *out_window: its window. Destroy it
 * with tr_controller_destroy. TR_NOT_FOUND: no chain is good; TR_INVALID_ARGUMENT: a count is out
 * of range, or a skill is not cyclic; TR_RESOURCE_EXHAUSTED. */
tr_status tr_transition_learn(tr_ensemble *ensemble, const tr_transition_def *def,
                              tr_transition_report report, void *context, tr_controller **out,
                              tr_transition_window *out_window, tr_error *error) TR_NODISCARD;
