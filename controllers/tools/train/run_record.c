#include "tools/train/run_record.h"

#include <stdio.h>
#include <string.h>

bool tr_run_next_parameter(char **rest, char name[static TR_NAME_MAX], const char **value) {
    char *line = strsep(rest, "\n");
    int used = 0;
    while (line && !*line)
        line = strsep(rest, "\n");
    if (!line)
        return false;
    if (sscanf(line, "%47s = %n", name, &used) != 1 || used == 0) {
        name[0] = '\0';
        used = 0;
    }
    *value = line + used;
    return true;
}

/* A later run may have replaced the controller under its name. */
static tr_status fail_without_controller(tr_catalogue *catalogue, const tr_run_row *run,
                                         tr_error *error) {
    tr_controller_row row;
    tr_error unused = {0};
    if (tr_controllers_find(catalogue, run->name, &row, &unused) || !row.run_name[0])
        return tr_fail(error, TR_NOT_FOUND, "run '%s': it made no controller", run->name);
    return tr_fail(error, TR_NOT_FOUND,
                   "run '%s': its controller is not here; controller '%s' was made by run '%s'",
                   run->name, run->name, row.run_name);
}

tr_status tr_run_find_controller(tr_catalogue *catalogue, const tr_run_row *run,
                                 tr_controller_row *out, tr_error *error) {
    tr_controller_filter filter = {.run = run->id, .prefix = run->name};
    int count = 1;
    tr_status status = tr_controllers_list(catalogue, &filter, out, &count, error);
    if (!status && count == 0) {
        filter.prefix = NULL;
        count = 1;
        status = tr_controllers_list(catalogue, &filter, out, &count, error);
    }
    if (!status && count == 0)
        status = fail_without_controller(catalogue, run, error);
    return status;
}

tr_status tr_run_put_again(tr_catalogue *catalogue, const tr_run_row *run,
                           const tr_controller_entry *entry, tr_controller_row *out,
                           tr_error *error) {
    tr_controller named = *entry->controller;
    tr_controller_entry again = *entry;
    tr_row_id id = 0;
    char digest[TR_DIGEST_TEXT_MAX];
    tr_digest_format(&run->digest, digest);
    snprintf(named.name, sizeof named.name, "%.*s", TR_NAME_MAX - 1, digest);
    again.controller = &named;
    tr_status status = tr_controllers_put(catalogue, &again, &id, error);
    return !status ? tr_controllers_get(catalogue, id, out, error) : status;
}
