/* troupe-train balance momentum: a controller that stands by a momentum controller. */
#include "tools/balance/balance_tool.h"
#include "tools/balance/made_store.h"
#include "tools/balance/momentum_settings.h"
#include "tools/frame/command_line.h"
#include "tools/frame/lead.h"
#include "tools/frame/options.h"
#include "tools/frame/subject.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *catalogue, *as, *stance;
    tr_momentum_settings settings;
    bool list;
    tr_command_line command;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    tr_parameter row[TR_MOMENTUM_SETTINGS];
    const tr_parameter_table settings = tr_momentum_settings_table(row);
    *o = (options){.settings = tr_momentum_settings_default()};
    tr_command_line_read(&o->command, argc, argv);
    tr_option_settings values = {&settings, &o->settings};
    tr_option_call pair = {tr_option_take_setting, &values};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0}, {"as", TR_OPTION_TEXT, &o->as, 0, 0},
        {"stance", TR_OPTION_TEXT, &o->stance, 0, 0},       {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    int first =
        tr_options_take("balance momentum", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (!o->list &&
        (first != argc || !o->catalogue || !o->as || !o->stance || strlen(o->as) >= TR_NAME_MAX)) {
        fprintf(stderr,
                "troupe-train balance momentum: expected --catalogue, --stance, and --as of at "
                "most %d bytes\n",
                TR_NAME_MAX - 1);
        return false;
    }
    return true;
}

static tr_status list(tr_error *error) {
    tr_parameter row[TR_MOMENTUM_SETTINGS];
    const tr_parameter_table settings = tr_momentum_settings_table(row);
    const tr_momentum_settings defaults = tr_momentum_settings_default();
    return tr_option_list_settings(&settings, &defaults, error);
}

static tr_status store(const options *o, tr_catalogue *catalogue, tr_row_id model_id,
                       tr_controller *made, tr_error *error) {
    tr_parameter row[TR_MOMENTUM_SETTINGS];
    const tr_parameter_table settings = tr_momentum_settings_table(row);
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = tr_made_store(catalogue,
                           &(tr_made){.name = o->as,
                                      .method = "momentum",
                                      .command = o->command.text,
                                      .controller = made,
                                      .model_id = model_id,
                                      .table = &settings,
                                      .settings = &o->settings},
                           error);
    return tr_catalogue_end(catalogue, status, error);
}

static tr_status make(const options *o, tr_catalogue *catalogue, const tr_subject *stance,
                      tr_error *error) {
    tr_controller *made = NULL;
    tr_status status =
        tr_momentum_settings_make(&o->settings, stance->controller, stance->model, &made, error);
    if (status)
        return status;
    status = store(o, catalogue, stance->row.model_id, made, error);
    if (!status)
        printf("controller '%s' is in %s\n", o->as, o->catalogue);
    tr_controller_destroy(made);
    return status;
}

static tr_status load_and_make(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const options *o = context;
    tr_subject stance = {0};
    tr_status status = tr_subject_load(catalogue, o->stance, &stance, error);
    if (!status)
        status = make(o, catalogue, &stance, error);
    tr_subject_deinit(&stance);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return list(error);
    tr_status status = tr_command_line_check(&o->command, error);
    return status ? status
                  : tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, load_and_make, o,
                                             error);
}

const tr_tool_command tr_tool_balance_momentum = {
    .name = "momentum",
    .arguments = "--catalogue F --stance CONTROLLER --as NEW [--set NAME=VALUE ...]",
    .summary = "make a controller that stands by controlling its momentum",
    .help =
        "NEW stands on the ground in CONTROLLER's spawn pose, and answers pushes without a step:\n"
        "it computes the torques that bring its momenta to zero. Nothing is learned.\n"
        "\n"
        "  --catalogue F        holds CONTROLLER, and is written\n"
        "  --stance CONTROLLER  whose spawn pose, model and step it takes\n"
        "  --as NEW             name of the controller; replaced if it exists\n"
        "  --set NAME=VALUE     change a setting\n"
        "  --list               print the settings with their defaults and meanings\n"
        "\n"
        "  troupe-train balance momentum --catalogue mine.troupe --stance locomotion \\\n"
        "    --as standing-momentum\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
