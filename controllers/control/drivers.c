/* The kinds of drivers, one row each; DRIVERS.md says how to add one. */
#include "control/balance/balance.h"
#include "control/chain/chain.h"
#include "control/gait/gait_driver.h"
#include "control/graph/control_graph.h"
#include "control/latent/puppet.h"
#include "control/network/follower.h"
#include "control/policy/agent.h"
#include "control/recovery/recovery.h"
#include "control/scheduler/scheduler.h"
#include "control/torque/torque.h"

const tr_driver_kind *const tr_driver_kinds[] = {&tr_chain_kind,
                                                 &tr_graph_kind,
                                                 &tr_recovery_kind,
                                                 &tr_scheduler_kind,
                                                 &tr_network_kind,
                                                 &tr_gait_kind,
                                                 &tr_puppet_kind,
                                                 &tr_agent_kind,
                                                 &tr_balance_kind,
                                                 &tr_torque_kind,
                                                 NULL};
