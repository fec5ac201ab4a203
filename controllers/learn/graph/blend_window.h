/* Blend windows: where one skill can be faded into another (motion graphs, Kovar et al. 2002, on
 * control fragments).
 *
 * A window pairs the `count` fragments that follow a fragment of the first skill with the `count`
 * that lead up to one of the second. Over them targets, reference states and feedback policies
 * fade from the one to the other with a smooth weight, so that the chain begins as the first and
 * ends as the second. Both skills are cyclic. Pure functions; deterministic. */
#pragma once

#include "control/chain/chain.h"

enum { TR_BLEND_FRAGMENT_MAX = 40 };

/* from: of the first skill, the window begins at its end; to: of the second, the window ends at its
 * start; flips: the second skill runs in the opposite half to the one in which the first ended;
 * distance: mean of tr_state_distance over the window's pairs. */
typedef struct tr_blend_window {
    int from, to, count;
    bool flips;
    double distance;
} tr_blend_window;

/* Lists all windows of low to high fragments from one skill to another, nearest first. *out:
 * [*out_count], the caller's to free. TR_INVALID_ARGUMENT: a skill is not cyclic, or low and high
 * are not within 1 to TR_BLEND_FRAGMENT_MAX; TR_RESOURCE_EXHAUSTED. */
tr_status tr_blend_windows(const tr_model *model, const tr_controller *first,
                           const tr_controller *second, int low, int high, tr_blend_window **out,
                           int *out_count) TR_NODISCARD;

/* Makes the faded chain, a separate skill that is neither cyclic nor mirrored, with the gains of
 * the second; it is run in the half in which the first ended. Destroy it with
 * tr_controller_destroy. TR_RESOURCE_EXHAUSTED. */
tr_status tr_blend_window_fill(const tr_model *model, const tr_controller *first,
                               const tr_controller *second, const tr_blend_window *window,
                               tr_controller **out) TR_NODISCARD;

/* Makes a chain longer by the next `fragments` of the skill that it leads to, so that a character
 * runs through them before it may leave that skill. The window then describes the longer chain.
 * Fragments of that skill with which the chain's references end already count. *chain is replaced.
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_blend_window_append(const tr_model *model, const tr_controller *skill, int fragments,
                                 tr_blend_window *window, tr_controller **chain) TR_NODISCARD;

/* Fades K of both skills into the chain of a window, which may have been made longer.
 * chain: [window->count]. */
void tr_blend_window_slopes(const tr_model *model, const tr_controller *first,
                            const tr_controller *second, const tr_blend_window *window,
                            tr_fragment *chain);

/* Writes the name of such a chain: FROM-to-TO, each name cut at 20 bytes. */
void tr_blend_window_name(const char *from, const char *to, char out[static TR_NAME_MAX]);
