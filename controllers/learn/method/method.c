#include "learn/method/method.h"

#include <assert.h>
#include <string.h>

void tr_method_row_add(tr_method_row *row, const char *name, double value) {
    assert(row->metric_count < TR_METHOD_METRIC_MAX);
    row->metric[row->metric_count++] = (tr_method_metric){name, value};
}

const tr_method *tr_method_find(const char *name) {
    for (const tr_method *const *method = tr_methods; *method; method++)
        if (strcmp((*method)->name, name) == 0)
            return *method;
    return NULL;
}

/* Returns how many of the words the command takes; 0: they are others. */
static int match(const char *command, int count, char *const *words) {
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
        const int taken = match((*method)->command, count, words);
        if (taken > 0) {
            *out_words = taken;
            return *method;
        }
    }
    return NULL;
}
