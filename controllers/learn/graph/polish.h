/* Polishing: a transition is hardened (harden.h), and what was is restored where it holds less
 * often afterwards. */
#pragma once

#include "learn/train/harden.h"

/* def: with the transition; before: of the same test; *out_after: after hardening, also where that
 * is undone. Statuses as tr_harden. */
tr_status tr_polish(tr_ensemble *ensemble, const tr_harden_def *def,
                    const tr_graph_transition_test *test, tr_graph_transition_count before,
                    tr_controller *controller, tr_graph_transition_count *out_after) TR_NODISCARD;

/* Does a larger share of the trials that reached the transition hold in the one than in the
 * other? */
bool tr_polish_is_better(tr_graph_transition_count one, tr_graph_transition_count other);
