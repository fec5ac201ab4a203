/* The methods of this program, in the order of help. */
#include "learn/methods.h"

const tr_method *const tr_methods[] = {&tr_chain_method,         &tr_gait_method,
                                       &tr_schedule_method,      &tr_balance_method,
                                       &tr_momentum_method,      &tr_skater_method,
                                       &tr_boarder_method,       &tr_ball_walker_method,
                                       &tr_reconstruct_method,   &tr_latent_fit_method,
                                       &tr_latent_task_method,   &tr_graph_build_method,
                                       &tr_graph_harden_method,  &tr_graph_slopes_method,
                                       &tr_graph_refit_method,   &tr_graph_loosen_method,
                                       &tr_graph_shorten_method, &tr_graph_catch_method,
                                       &tr_distil_method,        NULL};
