#include "learn/schedule/schedule_settings.h"

#define AT(field) offsetof(tr_schedule_settings, field)

static const tr_parameter rows[] = {
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
    {"transitions", TR_COUNT, AT(transitions), 1, 1e9, "250000", "decisions that are learned from"},
    {"skills", TR_NAME, AT(skills), 0, 0, "any", "skills to schedule, between commas; any: all"},
    {"ways", TR_COUNT, AT(ways), 0, 1, "1",
     "1: also schedule the learned transitions between them"},
    {"asks", TR_COUNT, AT(asks), 0, 1, "0",
     "1: a steering target requests the favoured skill, and the network sees which it is"},
    {"turns", TR_COUNT, AT(turns), 0, 1, "0",
     "1: a steering target requests a heading, and the network sees how far off it is"},
    {"objects", TR_COUNT, AT(objects), 0, 1, "0",
     "1: the network sees the first object of the controller's rig"},
    {"planned", TR_COUNT, AT(planned), 0, 1, "0",
     "1: decisions in sequence follow the planner of the graph to the requested skill"},
    {"ask_every_low_s", TR_REAL, AT(ask_every_low_s), 0.1, 1000, "3",
     "shortest time between requests"},
    {"ask_every_high_s", TR_REAL, AT(ask_every_high_s), 0.1, 1000, "8",
     "longest time between requests"},
    {"favoured", TR_NAME, AT(favoured), 0, 0, "any",
     "skill to be in, while no other is requested; any: no skill is favoured"},
    {"jump_penalty", TR_REAL, AT(jump_penalty), 0, 100, "2",
     "penalty of a decision out of sequence (d_o)"},
    {"other_penalty", TR_REAL, AT(other_penalty), 0, 100, "0.2",
     "penalty outside the favoured skill (d_p)"},
    {"feedback_fail_rad", TR_REAL, AT(feedback_fail_rad), 0, 100, "3",
     "a larger feedback action counts as a fall"},
    {"aim_penalty", TR_REAL, AT(aim_penalty), 0, 100, "1",
     "penalty for each rad by which the motion is off the requested heading"},
    {"pace_least_mps", TR_REAL, AT(pace_least_mps), 0, 20, "0",
     "penalty for each m/s below this, with turns (eps_c); 0: none"},
    {"object_penalty", TR_REAL, AT(object_penalty), 0, 1000, "1",
     "penalty for each m, horizontally, from the centre of mass to the object, with objects"},
    {"object_free_m", TR_REAL, AT(object_free_m), 0, 10, "0.1", "beyond this"},
    {"rock_rad", TR_REAL, AT(rock_rad), 0, 1, "0",
     "on a board on a cylinder: amplitude of its roll; a lesser one costs up to 4; 0: any"},
    {"push_low_n", TR_REAL, AT(push_low_n), 0, 5000, "100", "smallest push on the trunk"},
    {"push_high_n", TR_REAL, AT(push_high_n), 0, 5000, "300", "largest push; 0: no pushes"},
    {"jostle_n", TR_REAL, AT(jostle_n), 0, 1000, "0",
     "standard deviation of pushes that change every 0.1 s and are learned from; tests hold 60 s "
     "under them; 0: none"},
    {"favoured_starts", TR_REAL, AT(favoured_starts), 0, 1, "0.7",
     "share of episodes that begin in the favoured skill"},
    {"hidden_units", TR_COUNT, AT(hidden_units), 1, 1024, "128", "units of each hidden layer"},
    {"rate", TR_REAL, AT(rate), 0, 1, "3e-4", "learning rate (alpha)"},
    {"bounded", TR_COUNT, AT(bounded), 0, 1, "0",
     "1: values of x' count between 0 and reward / (1 - discount), which none can exceed"},
    {"batch", TR_COUNT, AT(batch), 1, TR_SCHEDULE_BATCH_MAX, "50",
     "transitions of an update (N_batch)"},
    {"copy_every", TR_COUNT, AT(copy_every), 1, 1e9, "5000",
     "updates between target copies (N_backup)"},
    {"copy_share", TR_REAL, AT(copy_share), 0, 1, "0",
     "share by which the copy nears the network at each update, in place of copy_every; tests then "
     "choose among copies, which are steadier; 0: none"},
    {"random_share", TR_REAL, AT(random_share), 0, 1, "0.1", "share of random decisions (eps_r)"},
    {"asked_share", TR_REAL, AT(asked_share), 0, 1, "0",
     "share of random decisions among the entries of the requested skill"},
    {"near_draws", TR_COUNT, AT(near_draws), 1, 100, "1",
     "draws for a random decision: the one whose entry begins most like the present state"},
    {"order_first", TR_REAL, AT(order_first), 0, 1, "0.9",
     "share of decisions in sequence at the beginning (eps_o)"},
    {"order_last", TR_REAL, AT(order_last), 0, 1, "0.1", "share of decisions in sequence later"},
    {"order_until", TR_REAL, AT(order_until), 0.001, 1, "0.333",
     "share of the training from one to the other"},
    {"test_every", TR_COUNT, AT(test_every), 1, 1e9, "25000", "transitions between tests"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 10000, "96", "trials of a test, at each force"},
    {"test_requests", TR_COUNT, AT(test_requests), 1, 1000, "6",
     "requests of each trial, with asks"},
    {"test_turn_s", TR_REAL, AT(test_turn_s), 0.1, 1000, "3",
     "time to come near each heading of a test, with turns"},
    {"test_low_n", TR_REAL, AT(test_low_n), 0, 5000, "140", "smaller push of the tests"},
    {"test_high_n", TR_REAL, AT(test_high_n), 0, 5000, "260", "larger push of the tests"},
    {"test_after_s", TR_REAL, AT(test_after_s), 0.1, 1000, "10",
     "time to survive after a push of a test; twice as long without one"},
};

/* Constants now, where they are used. */
static const char retired[] =
    "aim_free_rad=0.175 reward=5 feedback_free_rad=0.2 feedback_random_rad=1.5 push_s=0.2 "
    "discount=0.95 hidden_layers=2 first_value=60 late_rate=0.3 push_every_low_s=1.5 "
    "push_every_high_s=3 push_learned=0 episode=150 back=20 scaling_decisions=2000 shrink=0 "
    "clip=10 double_q=1 replay=1000000 warm=2000 environments=8 previous=1 noise_nm=0 rule=adam";

const tr_parameter_table tr_schedule_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};

tr_schedule_amounts tr_schedule_amounts_usual(void) {
    return (tr_schedule_amounts){.environments = 8,
                                 .episode = 150,
                                 .back = TR_ENVIRONMENT_BACK_MAX,
                                 .push_every_low_s = 1.5,
                                 .push_every_high_s = 3,
                                 .scaling_decisions = 2000,
                                 .warm = 2000,
                                 .replay = 1000000};
}
