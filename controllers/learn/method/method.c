#include "learn/method/method.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tr_method_row_add(tr_method_row *row, const char *name, double value) {
    assert(row->metric_count < TR_METHOD_METRIC_MAX);
    row->metric[row->metric_count++] = (tr_method_metric){name, value};
}

static bool has_preset(const tr_method *method, const char *parameters) {
    const size_t length = method->preset ? strlen(method->preset) : 0;
    return length == 0 ||
           (strncmp(parameters, method->preset, length) == 0 && parameters[length] == '\n');
}

const tr_method *tr_method_find(const char *name, const char *parameters) {
    for (const tr_method *const *at = tr_methods; *at; at++) {
        const bool is_named = strcmp((*at)->name, name) == 0 ||
                              ((*at)->formerly && strcmp((*at)->formerly, name) == 0);
        if (is_named && has_preset(*at, parameters))
            return *at;
    }
    return NULL;
}

tr_status tr_method_create(const tr_method *method, const tr_method_def *def, void **out,
                           tr_error *error) {
    if (method->create)
        return method->create(def, out, error);
    void *work = calloc(1, method->size);
    tr_status status = work ? method->begin(def, work, error)
                            : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the work");
    if (status)
        method->destroy(work);
    else
        *out = work;
    return status;
}

void tr_method_reset(const tr_method *method, void *settings) {
    char preset[TR_NAME_MAX];
    tr_parameter_reset(method->settings, settings);
    snprintf(preset, sizeof preset, "%s", method->preset ? method->preset : "");
    const tr_status status = tr_parameter_read(method->settings, settings, "", preset, NULL);
    assert(!status);
    (void)status;
}

int tr_method_match(const char *command, int count, char *const *words) {
    for (int i = 0; i < count; i++) {
        const size_t length = strcspn(command, " ");
        if (strlen(words[i]) != length || strncmp(words[i], command, length) != 0)
            return 0;
        command += length;
        if (!*command++)
            return i + 1;
    }
    return 0;
}

const tr_method *tr_method_find_command(int count, char *const *words, int *out_words) {
    for (const tr_method *const *method = tr_methods; *method; method++) {
        const int taken = tr_method_match((*method)->command, count, words);
        if (taken > 0) {
            *out_words = taken;
            return *method;
        }
    }
    return NULL;
}
