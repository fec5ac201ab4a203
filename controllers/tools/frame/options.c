#include "tools/frame/options.h"

#include "learn/rehearsal/pool.h"
#include "proto/long_option.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double SEED_MAX = 1e15;

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

static bool store_number(const tr_option_value *value, const tr_option *option) {
    double x = parse(value->text);
    if (!(x >= option->low && x <= option->high))
        return expected(value, "number", option->low, option->high);
    *(double *)option->target = x;
    return true;
}

static bool store_count(const tr_option_value *value, const tr_option *option) {
    double x = parse(value->text);
    if (!(x >= option->low && x <= option->high) || x != floor(x))
        return expected(value, "whole number", option->low, option->high);
    *(int *)option->target = (int)x;
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

static bool store_seed(const tr_option_value *value, uint64_t *out) {
    double x = parse(value->text);
    if (!(x >= 0 && x <= SEED_MAX) || x != floor(x))
        return expected(value, "whole number", 0, SEED_MAX);
    *out = (uint64_t)x;
    return true;
}

static bool store(const char *command, const tr_option *option, const char *text) {
    const tr_option_value value = {command, option->name, text};
    switch (option->kind) {
    case TR_OPTION_TEXT:
        *(const char **)option->target = text;
        return true;
    case TR_OPTION_NUMBER:
        return store_number(&value, option);
    case TR_OPTION_COUNT:
        return store_count(&value, option);
    case TR_OPTION_SEED:
        return store_seed(&value, option->target);
    case TR_OPTION_FLAG:
        *(bool *)option->target = true;
        return true;
    case TR_OPTION_CALL: {
        const tr_option_call *call = option->target;
        return call->take(call->context, &value);
    }
    }
    return false;
}

static const tr_option *find(const tr_option *option, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(option[i].name, name) == 0)
            return &option[i];
    return NULL;
}

bool tr_options_take(const char *command, int argc, char **argv, const tr_option *option,
                     size_t count) {
    struct option options[TR_OPTION_MAX + 1] = {{0}};
    assert(count <= TR_OPTION_MAX);
    for (size_t i = 0; i < count; i++)
        options[i] = (struct option){
            option[i].name, option[i].kind == TR_OPTION_FLAG ? no_argument : required_argument,
            NULL, 0};
    const tr_option *out = find(option, count, "out");
    optind = 1;
    for (int index, c;
         (c = tr_long_option_next(argc, argv, out ? "o:" : "", options, &index)) != -1;) {
        const tr_option *given = c == 0 ? &option[index] : c == 'o' ? out : NULL;
        if (!given || !store(command, given, optarg))
            return false;
    }
    return true;
}

static int print_value(const tr_option *option, char *out, size_t capacity) {
    switch (option->kind) {
    case TR_OPTION_TEXT:
        return snprintf(out, capacity, "%s = %s\n", option->name,
                        *(const char *const *)option->target);
    case TR_OPTION_NUMBER:
        return snprintf(out, capacity, "%s = %.17g\n", option->name,
                        *(const double *)option->target);
    case TR_OPTION_COUNT:
        return snprintf(out, capacity, "%s = %d\n", option->name, *(const int *)option->target);
    case TR_OPTION_SEED:
        return snprintf(out, capacity, "%s = %" PRIu64 "\n", option->name,
                        *(const uint64_t *)option->target);
    case TR_OPTION_FLAG:
        return snprintf(out, capacity, "%s = %d\n", option->name, *(const bool *)option->target);
    case TR_OPTION_CALL: /* keeps nothing to be printed */
        break;
    }
    return -1;
}

static bool is_set(const tr_option *option) {
    if (option->kind == TR_OPTION_NUMBER) {
        double number = *(const double *)option->target;
        return number >= option->low && number <= option->high;
    }
    return option->kind != TR_OPTION_TEXT || *(const char *const *)option->target;
}

bool tr_options_print(const tr_option *option, size_t count, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (!is_set(&option[i]))
            continue;
        int length = print_value(&option[i], out + used, capacity - used);
        if (length < 0 || (size_t)length >= capacity - used)
            return false;
        used += (size_t)length;
    }
    return true;
}

bool tr_options_set(const char *command, const tr_option *option, size_t count, const char *name,
                    const char *value) {
    const tr_option *named = find(option, count, name);
    if (!named) {
        fprintf(stderr, "troupe-train %s: no option '%s'\n", command, name);
        return false;
    }
    if (named->kind != TR_OPTION_FLAG)
        return store(command, named, value);
    bool flag = strcmp(value, "1") == 0;
    if (!flag && strcmp(value, "0") != 0)
        return expected(&(tr_option_value){command, name, value}, "whole number", 0, 1);
    *(bool *)named->target = flag;
    return true;
}

int tr_option_default_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > TR_POOL_THREAD_MAX ? TR_POOL_THREAD_MAX : (int)cores;
}
