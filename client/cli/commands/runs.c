#include "cli/listing.h"

#include <string.h>

typedef struct values {
    const char *name, *prefix, *metric;
} values;

static json_t *summary(const void *from) {
    const tr_client_training_run *r = from;
    json_t *object = tr_view(&tr_client_training_run_mapping, r,
                             "name started=started_unix_ns took_s=ended_unix_ns threads seed "
                             "version=code_version host command");
    double took_s = (double)(r->ended_unix_ns - r->started_unix_ns) * 1e-9;
    json_object_set_new(object, "took_s", json_real(took_s > 0 ? took_s : 0));
    return object;
}

static const tr_cli_listing listing = {
    .ask = tr_client_list_runs,
    .mapping = &tr_client_training_run_mapping,
    .row = summary,
    .columns = "name started took_s threads seed version command",
    .empty = "no training runs; 'troupe-train learn' makes them"};

/* A summary of a metric: its first and last value and its extremes. */
static json_t *metric_summary(const tr_client_metric *m) {
    double low = m->count ? m->value[0] : 0, high = low;
    for (size_t i = 1; i < m->count; i++) {
        low = m->value[i] < low ? m->value[i] : low;
        high = m->value[i] > high ? m->value[i] : high;
    }
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "metric", m->name, "values",
                     (json_int_t)m->count, "first", m->count ? m->value[0] : 0, "last",
                     m->count ? m->value[m->count - 1] : 0, "least", low, "most", high);
}

static json_t *metric_rows(const tr_client_metric *m) {
    json_t *rows = json_array();
    for (size_t i = 0; i < m->count; i++)
        json_array_append_new(rows, json_pack("{s:I, s:f}", "iteration",
                                              (json_int_t)m->iteration[i], "value", m->value[i]));
    return rows;
}

static int show_metric(tr_cli *cli, const tr_client_run_detail *run, const char *name) {
    for (int i = 0; i < run->metric_count; i++)
        if (strcmp(run->metrics[i].name, name) == 0)
            return tr_output_list(cli, metric_rows(&run->metrics[i]), "iteration value",
                                  "no values");
    return tr_cli_usage_error("run '%s' has no metric '%s'; 'troupe runs %s' lists them",
                              run->summary.name, name, run->summary.name);
}

/* "name value" or "name = value" lines as rows; the last line may lack its end. */
static json_t *parameter_rows(const char *parameters) {
    json_t *rows = json_array();
    while (*parameters) {
        size_t length = strcspn(parameters, "\n"), name = strcspn(parameters, " \n");
        size_t value = name < length ? name + 1 : length;
        if (length - value >= 2 && strncmp(parameters + value, "= ", 2) == 0)
            value += 2;
        if (length > 0)
            json_array_append_new(rows, json_pack("{s:s%, s:s%}", "parameter", parameters, name,
                                                  "value", parameters + value, length - value));
        parameters += length + (parameters[length] == '\n');
    }
    return rows;
}

static int show(tr_cli *cli, const values *v) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_run(cli->client, v->name), &reply);
    if (code)
        return code;
    const tr_client_run_detail *r = &reply->run;
    if (v->metric)
        return show_metric(cli, r, v->metric);
    json_t *object = summary(&r->summary), *metrics = json_array();
    for (int i = 0; i < r->metric_count; i++)
        json_array_append_new(metrics, metric_summary(&r->metrics[i]));
    tr_view_add(object, &tr_client_run_detail_mapping, r, "parents");
    json_object_set_new(object, "parameters", parameter_rows(r->parameters));
    json_object_set_new(object, "metrics", metrics);
    return tr_output_object(cli, object);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    return v->name ? show(cli, v)
                   : tr_cli_list(cli, &listing, &(tr_client_query){.prefix = v->prefix});
}

const tr_cli_command tr_cli_command_runs = {
    .name = "runs",
    .summary = "list the training runs, or show one with its parameters and metrics",
    .help = "A run has everything needed to train again, and its metrics. --metric prints one\n"
            "metric over the iterations.\n\n"
            "  troupe runs\n"
            "  troupe runs run-1\n"
            "  troupe runs run-1 --metric push95_n",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the run to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix), "prefix of the names"},
                 {"--metric NAME", TR_OPTION_TEXT, offsetof(values, metric),
                  "print this metric of the run"}},
    .values_size = sizeof(values),
    .run = run,
};
