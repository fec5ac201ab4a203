/* The method of control graphs: one way of recording them, with a command for each way of making them.
 * Hardening advances transition by transition; all else is made in one advance. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_graph_build_method, tr_graph_harden_method, tr_graph_slopes_method,
    tr_graph_refit_method, tr_graph_loosen_method, tr_graph_shorten_method, tr_graph_catch_method,
    tr_graph_prune_method;
