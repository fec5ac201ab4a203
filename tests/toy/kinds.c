/* The kinds of a program that brings some new ones: this list is linked instead of drivers.c. */
#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "control/recovery/recovery.h"
#include "toy/sway/sway.h"
#include "toy/watch/watch.h"

const tr_driver_kind *const tr_driver_kinds[] = {&tr_chain_kind, &tr_graph_kind,  &tr_recovery_kind,
                                                 &toy_sway_kind, &toy_watch_kind, NULL};
