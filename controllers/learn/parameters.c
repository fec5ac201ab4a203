#include "learn/parameters.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum parameter_kind { REAL, COUNT, SEED, NAME } parameter_kind;

typedef struct parameter {
    const char *name;
    parameter_kind kind;
    size_t offset;
    double low, high;
    const char *meaning;
} parameter;

#define AT(field) offsetof(tr_learn_parameters, field)

static const parameter table[] = {
    {"gains", NAME, AT(gain_set), 0, 0, "gain set of the model"},
    {"step_s", REAL, AT(step_s), 0.0005, 0.02, "simulation step"},
    {"fragment_s", REAL, AT(fragment_s), 0.01, 0.4, "wished duration of a control fragment"},
    {"ankles", COUNT, AT(ankles), 0, 1, "1: the ankles are part of the action"},
    {"weight_pose", REAL, AT(weights.pose), 0, 1e3, "eq. 20: joint angles"},
    {"weight_root", REAL, AT(weights.root), 0, 1e3, "eq. 20: root orientation"},
    {"weight_effector", REAL, AT(weights.effector), 0, 1e3, "eq. 20: end effector heights"},
    {"weight_balance", REAL, AT(weights.balance), 0, 1e3, "eq. 20: centroid to end effectors"},
    {"weight_centroid", REAL, AT(weights.centroid), 0, 1e3, "eq. 20: centroid"},
    {"weight_velocity", REAL, AT(weights.velocity), 0, 1e3, "eq. 20: centroid velocity"},
    {"weight_angular", REAL, AT(weights.angular), 0, 1e3, "eq. 20: angular momentum"},
    {"weight_action", REAL, AT(weights.action), 0, 1e3, "eq. 20: norm of the action"},
    {"cost_max", REAL, AT(cost_max), 0.1, 1e6, "a stage whose best sample costs more failed"},
    {"rollback", COUNT, AT(rollback), 1, 1000, "stages to go back on failure"},
    {"failures_max", COUNT, AT(failures_max), 0, 10000, "failures before a walk is given up"},
    {"elite_share", REAL, AT(elite_share), 0.001, 1, "share of the samples kept"},
    {"refine_rounds", COUNT, AT(refine_rounds), 0, 50, "rounds of open-loop refinement"},
    {"refine_visits", COUNT, AT(refine_visits), 2, 1000, "visits of each fragment per round"},
    {"refine_samples", COUNT, AT(refine_samples), 4, 10000, "samples per stage"},
    {"refine_skipped", COUNT, AT(refine_skipped), 0, 100, "first visits not averaged"},
    {"refine_sigma_deg", REAL, AT(refine_sigma_deg), 0, 60, "exploration in the first round"},
    {"refine_decay", REAL, AT(refine_decay), 0.1, 1, "its factor from round to round"},
    {"iterations", COUNT, AT(iterations), 0, 200, "iterations of guided learning"},
    {"visits", COUNT, AT(visits), 2, 2000, "visits of each fragment per iteration"},
    {"first_samples", COUNT, AT(first_samples), 4, 10000, "samples in the first iteration"},
    {"samples", COUNT, AT(samples), 4, 10000, "samples in the later ones"},
    {"first_sigma_deg", REAL, AT(first_sigma_deg), 0, 60, "exploration in the first iteration"},
    {"sigma_floor_deg", REAL, AT(sigma_floor_deg), 0, 60, "least exploration in the later ones"},
    {"noise_deg", REAL, AT(noise_deg), 0, 60, "noise on actions that is not recorded"},
    {"lambda", REAL, AT(lambda), 0, 1e3, "ridge of the regression"},
    {"blend", REAL, AT(blend), 0.01, 1, "share of the regression in a policy that learns on"},
    {"push_n", REAL, AT(push_n), 0, 1e4, "standard deviation of the training pushes"},
    {"push_probability", REAL, AT(push_probability), 0, 1, "share of the stages pushed"},
    {"push_from", COUNT, AT(push_from), 1, 1000, "iteration of the first pushes"},
    {"push_ramp", COUNT, AT(push_ramp), 1, 1000, "iterations until they are in full"},
    {"test_trials", COUNT, AT(test_trials), 1, 1000, "undisturbed trials per iteration"},
    {"test_cap_s", REAL, AT(test_cap_s), 1, 1000, "their length"},
    {"test_grid_n", REAL, AT(test_grid_n), 1, 1000, "grid of the push test"},
    {"test_settle_s", REAL, AT(test_settle_s), 0, 1000, "time before its pushes"},
    {"test_after_s", REAL, AT(test_after_s), 0.1, 1000, "time to be survived after them"},
    {"seed", SEED, AT(seed), 0, 0, "of everything drawn"},
};
enum { PARAMETER_COUNT = sizeof table / sizeof table[0] };

tr_learn_parameters tr_learn_parameters_default(void) {
    return (tr_learn_parameters){.gain_set = "a",
                                 .step_s = 0.005,
                                 .fragment_s = 0.1,
                                 .ankles = 1,
                                 .weights = tr_cost_weights_default(),
                                 .cost_max = 8,
                                 .rollback = 10,
                                 .failures_max = 100,
                                 .elite_share = 0.1,
                                 .refine_rounds = 5,
                                 .refine_visits = 40,
                                 .refine_samples = 1000,
                                 .refine_skipped = 4,
                                 .refine_sigma_deg = 12,
                                 .refine_decay = 0.7,
                                 .iterations = 20,
                                 .visits = 200,
                                 .first_samples = 1000,
                                 .samples = 200,
                                 .first_sigma_deg = 5,
                                 .sigma_floor_deg = 2.5,
                                 .noise_deg = 3,
                                 .lambda = 1e-6,
                                 .blend = 1,
                                 .push_n = 250,
                                 .push_probability = 0.22,
                                 .push_from = 2,
                                 .push_ramp = 6,
                                 .test_trials = 10,
                                 .test_cap_s = 60,
                                 .test_grid_n = 20,
                                 .test_settle_s = 3,
                                 .test_after_s = 5,
                                 .seed = 1};
}

static const parameter *find(const char *name) {
    for (size_t i = 0; i < PARAMETER_COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static tr_status set_number(const parameter *p, void *field, const char *value, tr_error *error) {
    char *end = NULL;
    errno = 0;
    double x = strtod(value, &end);
    bool whole = p->kind == REAL || x == floor(x);
    if (end == value || *end != '\0' || errno != 0 || !(x >= p->low && x <= p->high) || !whole)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: '%s': expected a %snumber from %g to %g",
                       p->name, value, p->kind == COUNT ? "whole " : "", p->low, p->high);
    if (p->kind == COUNT)
        *(int *)field = (int)x;
    else
        *(double *)field = x;
    return TR_OK;
}

static tr_status set_seed(uint64_t *field, const char *value, tr_error *error) {
    char *end = NULL;
    errno = 0;
    unsigned long long x = strtoull(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || *value == '-')
        return tr_fail(error, TR_INVALID_ARGUMENT, "seed: '%s': expected a whole number", value);
    *field = x;
    return TR_OK;
}

tr_status tr_learn_parameters_set(tr_learn_parameters *parameters, const char *name,
                                  const char *value, tr_error *error) {
    const parameter *p = find(name);
    if (!p)
        return tr_fail(error, TR_NOT_FOUND, "no parameter '%s'", name);
    void *field = (char *)parameters + p->offset;
    if (p->kind == SEED)
        return set_seed(field, value, error);
    if (p->kind != NAME)
        return set_number(p, field, value, error);
    if (*value == '\0' || strlen(value) >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected a name", name);
    snprintf(field, TR_NAME_MAX, "%s", value);
    return TR_OK;
}

static int print_value(const parameter *p, const tr_learn_parameters *parameters, char *out,
                       size_t capacity) {
    const void *field = (const char *)parameters + p->offset;
    switch (p->kind) {
    case REAL:
        return snprintf(out, capacity, "%.17g", *(const double *)field);
    case COUNT:
        return snprintf(out, capacity, "%d", *(const int *)field);
    case SEED:
        return snprintf(out, capacity, "%llu", (unsigned long long)*(const uint64_t *)field);
    case NAME:
        break;
    }
    return snprintf(out, capacity, "%s", (const char *)field);
}

tr_status tr_learn_parameters_print(const tr_learn_parameters *parameters, char *out,
                                    size_t capacity) {
    size_t used = 0;
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        char value[TR_NAME_MAX];
        print_value(&table[i], parameters, value, sizeof value);
        int n = snprintf(out + used, capacity - used, "%s = %s\n", table[i].name, value);
        if (n < 0 || (size_t)n >= capacity - used)
            return TR_OUT_OF_RANGE;
        used += (size_t)n;
    }
    return TR_OK;
}

tr_status tr_learn_parameters_explain(char *out, size_t capacity) {
    const tr_learn_parameters defaults = tr_learn_parameters_default();
    size_t used = 0;
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        char value[TR_NAME_MAX];
        if (table[i].kind == REAL)
            snprintf(value, sizeof value, "%g",
                     *(const double *)((const char *)&defaults + table[i].offset));
        else
            print_value(&table[i], &defaults, value, sizeof value);
        int n = snprintf(out + used, capacity - used, "  %-17s %-8s %s\n", table[i].name, value,
                         table[i].meaning);
        if (n < 0 || (size_t)n >= capacity - used)
            return TR_OUT_OF_RANGE;
        used += (size_t)n;
    }
    return TR_OK;
}
