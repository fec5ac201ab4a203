/* The rows of all methods, each at the end of a file of its folder. */
#pragma once

#include "learn/method/method.h"

extern const tr_method tr_chain_method, tr_gait_method, tr_schedule_method, tr_balance_method,
    tr_momentum_method, tr_skater_method, tr_boarder_method, tr_ball_walker_method,
    tr_reconstruct_method, tr_latent_fit_method, tr_latent_task_method, tr_distil_method;

/* Control graphs: one way of recording them, with a command for each way of making them. Hardening
 * advances transition by transition; all else is made in one advance. */
extern const tr_method tr_graph_build_method, tr_graph_harden_method, tr_graph_slopes_method,
    tr_graph_refit_method, tr_graph_loosen_method, tr_graph_shorten_method, tr_graph_catch_method;
