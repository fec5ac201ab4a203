#include "server/training/training_curves.h"

#include "proto/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As rows and runs call them. */
static const char *const metrics[TR_TRAINING_METRIC_COUNT] = {
    "core_s",       "cost",          "sigma_deg", "r2",      "rollbacks",
    "push_train_n", "undisturbed_s", "push95_n",  "resist_s"};

const char *tr_training_metric_name(int metric) {
    return metrics[metric];
}

static bool is_row(const char *line) {
    static const char *const phases[] = {"refine ", "guide ", "harden "};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (strncmp(line, phases[i], strlen(phases[i])) == 0)
            return true;
    return false;
}

/* Finds the finite number after "  NAME "; false: the row has none. */
static bool find_value(const char *line, const char *name, double *out) {
    size_t size = strlen(name);
    for (const char *at = strstr(line, "  "); at; at = strstr(at + 1, "  ")) {
        char *end = NULL;
        if (strncmp(at + 2, name, size) != 0 || at[2 + size] != ' ')
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
    const char *share = strstr(line, TR_PROGRESS_SHARE);
    double percent = share ? strtod(share + strlen(TR_PROGRESS_SHARE), NULL) : 0;
    if (percent >= 0 && percent <= 100)
        curves->share = percent / 100;
    if (curves->rows == TR_TRAINING_ROW_MAX)
        return true;
    curves->rows++;
    for (int i = 0; i < TR_TRAINING_METRIC_COUNT; i++)
        if (find_value(line, metrics[i], &value))
            append(&curves->metric[i], curves->rows, value);
    return true;
}
