#include "learn/schedule/schedule_settings.h"

#include "learn/samcon/whole_file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 16 };

#define AT(field) offsetof(tr_schedule_settings, field)

static const tr_parameter rows[] = {
    {"seed", TR_SEED, AT(seed), 0, 0, "seed of everything drawn"},
    {"transitions", TR_COUNT, AT(transitions), 1, 1e9, "decisions that are learned from"},
    {"favoured", TR_NAME, AT(favoured), 0, 0, "skill to be in; any: no skill is favoured"},
    {"reward", TR_REAL, AT(reward), 0, 100, "reward of a decision (R0)"},
    {"jump_penalty", TR_REAL, AT(jump_penalty), 0, 100,
     "penalty of a decision out of sequence (d_o)"},
    {"other_penalty", TR_REAL, AT(other_penalty), 0, 100,
     "penalty outside the favoured skill (d_p)"},
    {"feedback_free_rad", TR_REAL, AT(feedback_free_rad), 0, 100,
     "feedback action that costs nothing; the excess is a penalty (eps_F)"},
    {"feedback_random_rad", TR_REAL, AT(feedback_random_rad), 0, 100,
     "random decisions choose only fragments with a smaller feedback action (Delta_max)"},
    {"feedback_fail_rad", TR_REAL, AT(feedback_fail_rad), 0, 100,
     "a larger feedback action counts as a fall"},
    {"push_low_n", TR_REAL, AT(push_low_n), 0, 5000, "smallest push on the trunk"},
    {"push_high_n", TR_REAL, AT(push_high_n), 0, 5000, "largest push; 0: no pushes"},
    {"push_every_low_s", TR_REAL, AT(push_every_low_s), 0.1, 1000, "shortest time between pushes"},
    {"push_every_high_s", TR_REAL, AT(push_every_high_s), 0.1, 1000, "longest time between pushes"},
    {"push_s", TR_REAL, AT(push_s), 0.01, 100, "duration of a push"},
    {"favoured_starts", TR_REAL, AT(favoured_starts), 0, 1,
     "share of episodes that begin in the favoured skill"},
    {"episode", TR_COUNT, AT(episode), 1, 1e6, "most decisions of an episode (T)"},
    {"back", TR_COUNT, AT(back), 1, 64, "decisions to roll back after a fall"},
    {"scaling_decisions", TR_COUNT, AT(scaling_decisions), 10, 1e6,
     "decisions in sequence whose features scale the inputs"},
    {"hidden_layers", TR_COUNT, AT(hidden_layers), 0, 3, "hidden layers of the network"},
    {"hidden_units", TR_COUNT, AT(hidden_units), 1, 1024, "units of each hidden layer"},
    {"first_value", TR_REAL, AT(first_value), -1000, 1000, "value with which the network begins"},
    {"rule", TR_NAME, AT(rule), 0, 0, "gradient rule: adam or rmsprop"},
    {"rate", TR_REAL, AT(rate), 0, 1, "learning rate (alpha)"},
    {"late_rate", TR_REAL, AT(late_rate), 0, 1, "factor of the rate in the last 30 %"},
    {"shrink", TR_REAL, AT(shrink), 0, 1, "weight decay (w_r)"},
    {"discount", TR_REAL, AT(discount), 0, 0.9999, "discount of later rewards (gamma)"},
    {"clip", TR_REAL, AT(clip), 0, 1e6, "largest error that is followed; 0: any"},
    {"double_q", TR_COUNT, AT(double_q), 0, 1, "1: the trained network picks, its copy values"},
    {"batch", TR_COUNT, AT(batch), 1, TR_SCHEDULE_BATCH_MAX, "transitions of an update (N_batch)"},
    {"replay", TR_COUNT, AT(replay), 1, 4e6, "latest transitions that are kept (N_D)"},
    {"warm", TR_COUNT, AT(warm), 1, 1e9, "transitions before the first update"},
    {"copy_every", TR_COUNT, AT(copy_every), 1, 1e9, "updates between target copies (N_backup)"},
    {"environments", TR_COUNT, AT(environments), 1, 256, "worlds that decide in lockstep"},
    {"random_share", TR_REAL, AT(random_share), 0, 1, "share of random decisions (eps_r)"},
    {"order_first", TR_REAL, AT(order_first), 0, 1,
     "share of decisions in sequence at the beginning (eps_o)"},
    {"order_last", TR_REAL, AT(order_last), 0, 1, "share of decisions in sequence later"},
    {"order_until", TR_REAL, AT(order_until), 0.001, 1,
     "share of the training from one to the other"},
    {"test_every", TR_COUNT, AT(test_every), 1, 1e9, "transitions between tests"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 10000, "trials of a test, at each force"},
    {"test_low_n", TR_REAL, AT(test_low_n), 0, 5000, "smaller push of the tests"},
    {"test_high_n", TR_REAL, AT(test_high_n), 0, 5000, "larger push of the tests"},
    {"test_after_s", TR_REAL, AT(test_after_s), 0.1, 1000,
     "time to survive after a push of a test; twice as long without one"},
};

const tr_parameter_table tr_schedule_settings_table = {rows, sizeof rows / sizeof *rows};

tr_schedule_settings tr_schedule_settings_default(void) {
    return (tr_schedule_settings){
        .seed = 1,
        .transitions = 250000,
        .favoured = "any",
        .reward = 5,
        .jump_penalty = 2,
        .other_penalty = 0.2,
        .feedback_free_rad = 0.2,
        .feedback_random_rad = 1.5,
        .feedback_fail_rad = 3,
        .push_low_n = 100,
        .push_high_n = 300,
        .push_every_low_s = 1.5,
        .push_every_high_s = 3,
        .push_s = 0.2,
        .favoured_starts = 0.7,
        .episode = 150,
        .back = 20,
        .scaling_decisions = 2000,
        .hidden_layers = 2,
        .hidden_units = 128,
        .first_value = 60,
        .rule = "adam",
        .rate = 3e-4,
        .late_rate = 0.3,
        .discount = 0.95,
        .clip = 10,
        .double_q = 1,
        .batch = 50,
        .replay = 1000000,
        .warm = 2000,
        .copy_every = 5000,
        .environments = 8,
        .random_share = 0.1,
        .order_first = 0.9,
        .order_last = 0.1,
        .order_until = 0.333,
        .test_every = 25000,
        .test_trials = 96,
        .test_low_n = 140,
        .test_high_n = 260,
        .test_after_s = 10,
    };
}

/* --- task files --- */

static char *trim(char *text) {
    char *end = text + strlen(text);
    while (end > text && strchr(" \t\r", end[-1]))
        *--end = 0;
    return text + strspn(text, " \t");
}

static tr_status take_line(char *line, tr_schedule_settings *settings, tr_error *error) {
    line[strcspn(line, "#")] = 0;
    char *name = trim(line), *value = strchr(name, '=');
    if (*name == 0)
        return TR_OK;
    if (!value)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected NAME = VALUE", name);
    *value++ = 0;
    return tr_parameter_set(&tr_schedule_settings_table, settings, trim(name), trim(value), error);
}

tr_status tr_schedule_settings_read(const char *path, tr_schedule_settings *settings,
                                    tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_schedule_settings read = *settings;
    tr_status status = tr_whole_file_read(path, 0, FILE_MAX, &text, &size, error);
    if (status)
        return status;
    int number = 1;
    for (char *line = text, *next; !status && line; line = next, number++) {
        tr_error why = {0};
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        status = take_line(line, &read, &why);
        if (status)
            status = tr_fail(error, status, "%s:%d: %s", path, number, why.message);
    }
    free(text);
    if (!status)
        *settings = read;
    return status;
}
