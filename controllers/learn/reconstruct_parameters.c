/* The parameters of a reconstruction, by name. */
#include "learn/reconstruct.h"

#include "math/hash.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { REAL, COUNT, SEED, NAME } kind;

typedef struct parameter {
    const char *name;
    kind kind;
    size_t offset;
    double low, high;
    const char *meaning;
} parameter;

#define AT(field) offsetof(tr_reconstruct_parameters, field)

static const parameter table[] = {
    {"gains", NAME, AT(gain_set), 0, 0, "gain set of the model"},
    {"step_s", REAL, AT(step_s), 0.0005, 0.02, "simulation step"},
    {"fragment_s", REAL, AT(fragment_s), 0.01, 0.4, "wished duration of a fragment"},
    {"cycles", COUNT, AT(cycles), 1, 1000, "times that a cyclic motion is run through"},
    {"arms", COUNT, AT(arms), 0, 1, "1: the shoulders are sampled too"},
    {"plain", COUNT, AT(plain), 0, 1, "1: the original algorithm"},
    {"samples", COUNT, AT(samples), 4, 10000, "Ns, per fragment and trial"},
    {"elite_share", REAL, AT(elite_share), 0.001, 1, "ns / Ns"},
    {"omega", REAL, AT(omega_rad), 1e-4, 2, "first standard deviation of a sample, rad"},
    {"tau", REAL, AT(tau), 0, 0.5, "that of the time scale's logarithm; 0: not scaled"},
    {"window", COUNT, AT(window.size), 1, 2000, "fragments of the sliding window"},
    {"updates_min", COUNT, AT(window.updates_min), 1, 1000, "before a fragment slides out"},
    {"updates_max", COUNT, AT(window.updates_max), 1, 1000, "after which it does"},
    {"patience", COUNT, AT(window.patience), 1, 1000, "trials without decrease: stable"},
    {"margin", COUNT, AT(window.margin), 1, 1000, "fragments that a trial must go on"},
    {"good", REAL, AT(window.good), 0, 1e3, "normalised cost that is good enough"},
    {"trials_max", COUNT, AT(trials_max), 1, 100000, "trials before the search is given up"},
    {"stalls_max", COUNT, AT(stalls_max), 1, 1000, "trials without headway before going back"},
    {"rollback", COUNT, AT(rollback), 1, 1000, "fragments to go back"},
    {"cost_max", REAL, AT(cost_max), 0.1, 1e6, "a fragment whose best sample costs more failed"},
    {"successes", COUNT, AT(successes), 1, 10000, "plain: controls wanted"},
    {"budget", REAL, AT(budget), 0, 1e12, "plain: samples to spend instead; 0: none"},
    {"rounds", COUNT, AT(rounds), 0, 1000, "averaging rounds after the search"},
    {"shrink", REAL, AT(shrink), 0.1, 1, "of the windows from round to round"},
    {"weight_pose", REAL, AT(weights.base.pose), 0, 1e3, "eq. 20: joint angles"},
    {"weight_root", REAL, AT(weights.base.root), 0, 1e3, "eq. 20: root orientation"},
    {"weight_effector", REAL, AT(weights.base.effector), 0, 1e3, "eq. 20: effector heights"},
    {"weight_balance", REAL, AT(weights.base.balance), 0, 1e3, "eq. 20: centroid to effectors"},
    {"weight_centroid", REAL, AT(weights.base.centroid), 0, 1e3, "eq. 20: centroid"},
    {"weight_velocity", REAL, AT(weights.base.velocity), 0, 1e3, "eq. 20: its velocity"},
    {"weight_angular", REAL, AT(weights.base.angular), 0, 1e3, "eq. 20: angular momentum"},
    {"weight_action", REAL, AT(weights.base.action), 0, 1e3, "eq. 20: norm of the sample"},
    {"weight_trunk", REAL, AT(weights.trunk), 0, 1e3, "flips: orientation of the trunk"},
    {"weight_reach", REAL, AT(weights.reach), 0, 1e3, "flips: where the end effectors are"},
    {"weight_support", REAL, AT(weights.support), 0, 1e3, "standing: centroid over the feet"},
    {"weight_tau", REAL, AT(weights.tau), 0, 1e3, "change of the time scale"},
    {"seed", SEED, AT(seed), 0, 0, "of everything drawn"},
};
enum { PARAMETER_COUNT = sizeof table / sizeof table[0] };

tr_reconstruct_parameters tr_reconstruct_parameters_default(void) {
    return (tr_reconstruct_parameters){.gain_set = "a",
                                       .step_s = 0.005,
                                       .fragment_s = 0.1,
                                       .cycles = 1,
                                       .samples = 2000,
                                       .elite_share = 0.1,
                                       .omega_rad = 0.1,
                                       .window = tr_window_def_default(),
                                       .trials_max = 1000,
                                       .stalls_max = 20,
                                       .rollback = 5,
                                       .cost_max = 15,
                                       .successes = 1,
                                       .shrink = 0.7,
                                       .weights = tr_track_weights_default(),
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

tr_status tr_reconstruct_parameters_set(tr_reconstruct_parameters *parameters, const char *name,
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

static void print_value(const parameter *p, const tr_reconstruct_parameters *parameters, char *out,
                        size_t capacity) {
    const void *field = (const char *)parameters + p->offset;
    if (p->kind == REAL)
        snprintf(out, capacity, "%g", *(const double *)field);
    else if (p->kind == COUNT)
        snprintf(out, capacity, "%d", *(const int *)field);
    else if (p->kind == SEED)
        snprintf(out, capacity, "%llu", (unsigned long long)*(const uint64_t *)field);
    else
        snprintf(out, capacity, "%s", (const char *)field);
}

tr_status tr_reconstruct_parameters_explain(char *out, size_t capacity) {
    const tr_reconstruct_parameters defaults = tr_reconstruct_parameters_default();
    size_t used = 0;
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        char value[TR_NAME_MAX];
        print_value(&table[i], &defaults, value, sizeof value);
        int n = snprintf(out + used, capacity - used, "  %-17s %-8s %s\n", table[i].name, value,
                         table[i].meaning);
        if (n < 0 || (size_t)n >= capacity - used)
            return TR_OUT_OF_RANGE;
        used += (size_t)n;
    }
    return TR_OK;
}

uint64_t tr_reconstruct_parameters_hash(const tr_reconstruct_parameters *parameters) {
    uint64_t hash = TR_HASH_START;
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        const void *field = (const char *)parameters + table[i].offset;
        size_t size = table[i].kind == REAL    ? sizeof(double)
                      : table[i].kind == COUNT ? sizeof(int)
                      : table[i].kind == SEED  ? sizeof(uint64_t)
                                               : strlen(field) + 1;
        hash = tr_hash_add(hash, field, size);
    }
    return hash;
}
