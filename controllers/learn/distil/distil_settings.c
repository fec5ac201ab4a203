#include "learn/distil/distil_settings.h"

#define AT(field) offsetof(tr_distil_settings, field)

static const tr_parameter rows[] = {
    {"of", TR_TEXT, AT(of), 0, 0, "", "the teachers, between commas"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
    {"rounds", TR_COUNT, AT(rounds), 1, 100, "5",
     "rounds of trials and learning; the teachers act in the first, the network in the others"},
    {"trials", TR_COUNT, AT(trials), 1, 1000, "8", "trials of each skill in a round"},
    {"trial_s", TR_REAL, AT(trial_s), 1, 600, "12", "longest time of a trial"},
    {"push_n", TR_REAL, AT(push_n), 0, 1000, "140",
     "largest push of a trial, for 0.2 s every 1 to 3 s"},
    {"noise_rad", TR_REAL, AT(noise_rad), 0, 1, "0.02",
     "standard deviation of what is added to actions in every second round"},
    {"hidden_units", TR_COUNT, AT(hidden_units), 1, 1024, "256", "of each of two layers"},
    {"epochs", TR_COUNT, AT(epochs), 1, 1000, "4", "passes over all samples in a round"},
    {"last_epochs", TR_COUNT, AT(last_epochs), 1, 1000, "12", "in the last round"},
    {"batch", TR_COUNT, AT(batch), 1, 4096, "256", "samples of a step"},
    {"rate", TR_REAL, AT(rate), 1e-6, 1, "0.001", "of Adam, at the beginning of a round"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 1000, "8",
     "trials of each skill in a test, undisturbed and pushed"},
    {"test_s", TR_REAL, AT(test_s), 1, 600, "20", "time to hold in a test"},
    {"ways", TR_COUNT, AT(ways), 0, 200, "10",
     "jumps tried from each gait to each other one, out of every part; those that hold are kept; "
     "0: the "
     "gaits stay apart"},
    {"way_trials", TR_COUNT, AT(way_trials), 1, 1000, "6",
     "trials that a jump must hold, all of them"},
    {"switch_trials", TR_COUNT, AT(switch_trials), 0, 1000, "3",
     "changes from each gait to each other one in a test; 0: none"},
};

/* Constants now (distil.c). */
static const char retired[] = "last_rate=0.0001 test_push_n=100 blend_steps=10";

const tr_parameter_table tr_distil_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
