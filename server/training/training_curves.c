#include "server/training/training_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row calls the metric, and what a run does. */
static const struct {
    const char *label, *name;
} metrics[TR_TRAINING_METRIC_COUNT] = {
    {"core-s", "core_s"},
    {"cost", "cost"},
    {"sigma", "sigma_deg"},
    {"R2", "r2"},
    {"rollbacks", "rollbacks"},
    {"train", "push_train_n"},
    {"undisturbed", "undisturbed_s"},
    {"push95", "push95_n"},
    {"resists", "resist_s"},
};

const char *tr_training_metric_name(int metric) {
    return metrics[metric].name;
}

static bool is_row(const char *line) {
    static const char *const phases[] = {"refine ", "guide ", "harden "};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (strncmp(line, phases[i], strlen(phases[i])) == 0)
            return true;
    return false;
}

/* Finds the finite number after "  LABEL "; false: the row has none. */
static bool find_value(const char *line, const char *label, double *out) {
    size_t size = strlen(label);
    for (const char *at = strstr(line, "  "); at; at = strstr(at + 1, "  ")) {
        char *end = NULL;
        if (strncmp(at + 2, label, size) != 0 || at[2 + size] != ' ')
            continue;
        *out = strtod(at + 2 + size, &end);
        return end != at + 2 + size && isfinite(*out);
    }
    return false;
}

static void append(tr_training_curve *curve, int row, double value) {
    curve->iteration[curve->count] = row;
    curve->value[curve->count++] = value;
}

bool tr_training_curves_add(tr_training_curves *curves, const char *line) {
    double value = 0;
    if (!is_row(line))
        return false;
    const char *bar = strstr(line, "  | ");
    double percent = bar ? strtod(bar + 4, NULL) : 0;
    if (percent >= 0 && percent <= 100)
        curves->share = percent / 100;
    if (curves->rows == TR_TRAINING_ROW_MAX)
        return true;
    curves->rows++;
    for (int i = 0; i < TR_TRAINING_METRIC_COUNT; i++)
        if (find_value(line, metrics[i].label, &value))
            append(&curves->metric[i], curves->rows, value);
    return true;
}
