#include "tools/frame/options.h"

#include "learn/ranks/ranks.h"
#include "learn/rehearsal/pool.h"
#include "tools/frame/tool.h"
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

tr_status tr_option_pair(const tr_option_value *value, char out_name[static TR_NAME_MAX],
                         const char **out_value, tr_error *error) {
    const char *equals = strchr(value->text, '=');
    if (!equals || equals == value->text || equals - value->text >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--%s %s: expected NAME=VALUE", value->option,
                       value->text);
    snprintf(out_name, TR_NAME_MAX, "%.*s", (int)(equals - value->text), value->text);
    *out_value = equals + 1;
    return TR_OK;
}

tr_status tr_option_take_setting(void *values, const tr_option_value *value, tr_error *error) {
    char name[TR_NAME_MAX];
    const char *text = NULL;
    tr_status status = tr_option_pair(value, name, &text, error);
    return status ? status : tr_parameter_set(value->of, values, name, text, error);
}

tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) {
    char text[16384];
    tr_status status = tr_parameter_explain(table, defaults, text, sizeof text);
    if (status)
        return tr_fail(error, status, "--list: %s", tr_status_text(status));
    fputs(text, stdout);
    return TR_OK;
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
    default: /* keeps nothing to be printed */
        return -1;
    }
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
    const tr_option *named = tr_option_find(option, count, name);
    tr_error error = {0};
    tr_status status = TR_OK;
    bool flag = strcmp(value, "1") == 0;
    if (!named)
        status = tr_fail(&error, TR_NOT_FOUND, "no option '%s'", name);
    else if (named->kind != TR_OPTION_FLAG)
        status = tr_option_store(named, value, &error);
    else if (!flag && strcmp(value, "0") != 0)
        status = tr_fail(&error, TR_INVALID_ARGUMENT,
                         "--%s %s: expected a whole number from 0 to 1", name, value);
    else
        *(bool *)named->target = flag;
    if (status)
        fprintf(stderr, "troupe-train %s: %s\n", command, error.message);
    return !status;
}

static int default_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN) / tr_ranks_beside();
    cpu_set_t bound;
    if (tr_ranks_count() > 1 && sched_getaffinity(0, sizeof bound, &bound) == 0)
        cores = CPU_COUNT(&bound) < cores ? CPU_COUNT(&bound) : cores;
    int threads = cores < 1 ? 1 : cores > TR_POOL_THREAD_MAX ? TR_POOL_THREAD_MAX : (int)cores;
    tr_ranks_follow(&threads, sizeof threads);
    return threads;
}

void tr_threads_preset(void *threads) {
    *(int *)threads = default_threads();
}
