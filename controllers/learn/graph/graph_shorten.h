/* Shorter ways: direct jumps (jump.h) between skills of a graph that a chain joins, or that no
 * transition joins. A jump enters the second skill or, but for those between named skills, the midst
 * of a chain that leads there. The planner takes a jump only into the requested skill; on the way to
 * another one it takes the chain. Skills, chains and the other edges keep their bits.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "learn/graph/jump.h"

/* links: FROM=TO between commas, of cyclic skills; NULL: all ordered pairs. Those that find no jump
 *        stay as they are
 * skills: between commas; instead of links, the ordered pairs of these. All old jumps out of them go,
 *        because with other policies they may not hold; NULL: all cyclic skills, and old jumps stay
 * without: between commas, of which no pair is tried; NULL: none
 * jump:  how each pair is tried, but for its skills; where trials walk, its old jumps go first. The
 *        nearest that hold are kept, `enough` at most */
typedef struct tr_graph_shorten_def {
    const char *links, *skills, *without;
    tr_jump_def jump;
} tr_graph_shorten_def;

/* After each link: its candidates [count], nearest first. */
typedef void (*tr_graph_shorten_report)(void *context, const char *from, const char *to,
                                        const tr_graph_candidate *candidates, int count);

/* Adds edges to the controller's graph. TR_INVALID_ARGUMENT: no graph, a list that is no such list,
 * or no such skill. */
tr_status tr_graph_shorten(tr_ensemble *ensemble, const tr_graph_shorten_def *def,
                           tr_graph_shorten_report report, void *context, tr_controller *controller,
                           tr_error *error) TR_NODISCARD;
