#include "learn/distil/distil_settings.h"

#define AT(field) offsetof(tr_distil_settings, field)

static const tr_parameter rows[] = {
    {"of", TR_TEXT, AT(of), 0, 0, "", "the teachers, between commas"},
    {"gaits", TR_TEXT, AT(gaits), 0, 0, "",
     "of a graph as the teacher: its skills that the network learns; nothing: all that repeat"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of everything drawn"},
    {"rounds", TR_COUNT, AT(rounds), 1, 100, "5",
     "rounds of trials and learning; the teachers act in the first, the network in the others"},
    {"trials", TR_COUNT, AT(trials), 1, 1000, "8", "trials of each skill in a round"},
    {"push_n", TR_REAL, AT(push_n), 0, 1000, "140",
     "largest push of a trial, for 0.2 s every 1 to 3 s"},
    {"hidden_units", TR_COUNT, AT(hidden_units), 1, 1024, "256", "of each of two layers"},
    {"batch", TR_COUNT, AT(batch), 1, 4096, "256", "samples of a step"},
    {"rate", TR_REAL, AT(rate), 1e-6, 1, "0.001", "of Adam, at the beginning of a round"},
    {"test_trials", TR_COUNT, AT(test_trials), 1, 1000, "8",
     "trials of each skill in a test, undisturbed and pushed"},
    {"changes", TR_COUNT, AT(changes), 0, 100000, "0",
     "rounds of training through sudden changes of gait, of about a core-second each; the critic "
     "alone learns in the first 12; 0: none"},
    {"slope_deg", TR_REAL, AT(slope_deg), 0, 30, "0",
     "half of the trials through changes are on slopes of half to all of this, in any "
     "direction, or before steps of up to 0.05 m; 0: all are on the plane"},
    {"level_changes", TR_COUNT, AT(level_changes), 0, 100000, "0",
     "rounds through changes that are all on the plane, before those on slopes"},
};

/* Constants now (distil.c). */
static const char retired[] =
    "last_rate=0.0001 test_push_n=100 blend_steps=10 trial_s=12 noise_rad=0.02 epochs=4 "
    "last_epochs=12 test_s=20 ways=0 way_trials=6 switch_trials=3";

const tr_parameter_table tr_distil_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = retired};
