#include "tools/balance/made_store.h"

#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "tools/frame/circumstances.h"
#include "tools/train/training_store.h"

#include <stdio.h>

static tr_status put_run(const tr_made *made, tr_catalogue *catalogue, tr_row_id *out_id,
                         tr_error *error) {
    const int64_t now_ns = tr_now_ns();
    tr_run_row run = {.threads = 1, .started_ns = now_ns, .ended_ns = now_ns};
    snprintf(run.name, sizeof run.name, "%s", made->name);
    snprintf(run.method, sizeof run.method, "%s", made->method);
    snprintf(run.command, sizeof run.command, "%s", made->command);
    snprintf(run.code_version, sizeof run.code_version, "%s", TR_CODE_VERSION);
    tr_describe_host(run.host, sizeof run.host);
    tr_status status =
        tr_parameter_print(made->table, made->settings, run.parameters, sizeof run.parameters);
    if (status)
        return tr_fail(error, status, "settings: %s", tr_status_text(status));
    const tr_run_content content = {0};
    return tr_runs_put(catalogue, &run, &content, out_id, error);
}

tr_status tr_made_store(tr_catalogue *catalogue, const tr_made *made, tr_error *error) {
    tr_controller_entry entry = {.controller = made->controller, .model_id = made->model_id};
    tr_row_id id = 0;
    snprintf(made->controller->name, sizeof made->controller->name, "%s", made->name);
    tr_status status = tr_training_remove_earlier(catalogue, made->name, error);
    if (!status)
        status = put_run(made, catalogue, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return status;
}
