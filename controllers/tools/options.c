#include "tools/options.h"

#include "learn/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool expected(const tr_option_value *value, const char *what, double low, double high) {
    fprintf(stderr, "troupe-train %s: --%s %s: expected a %s from %g to %g\n", value->command,
            value->option, value->text, what, low, high);
    return false;
}

/* Not a number where the text is none, so that no bounds hold it. */
static double parse(const char *text) {
    char *end = NULL;
    double x = strtod(text, &end);
    return end == text || *end ? (double)NAN : x;
}

bool tr_option_number(const tr_option_value *value, double low, double high, double *out) {
    double x = parse(value->text);
    if (!(x >= low && x <= high))
        return expected(value, "number", low, high);
    *out = x;
    return true;
}

bool tr_option_count(const tr_option_value *value, int high, int *out) {
    double x = parse(value->text);
    if (!(x >= 1 && x <= high) || x != floor(x))
        return expected(value, "whole number", 1, high);
    *out = (int)x;
    return true;
}

bool tr_option_pair(const tr_option_value *value, char out_name[static TR_NAME_MAX],
                    const char **out_value) {
    const char *equals = strchr(value->text, '=');
    if (!equals || equals == value->text || equals - value->text >= TR_NAME_MAX) {
        fprintf(stderr, "troupe-train %s: --%s %s: expected NAME=VALUE\n", value->command,
                value->option, value->text);
        return false;
    }
    snprintf(out_name, TR_NAME_MAX, "%.*s", (int)(equals - value->text), value->text);
    *out_value = equals + 1;
    return true;
}

int tr_option_default_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > TR_POOL_THREAD_MAX ? TR_POOL_THREAD_MAX : (int)cores;
}
