/* troupe-train balance walk: a controller that steps on a ball that rolls. */
#include "learn/balance/ball_walker.h"
#include "model/mjcf.h"
#include "tools/balance/balance_tool.h"
#include "tools/balance/made_store.h"
#include "tools/frame/command_line.h"
#include "tools/frame/lead.h"
#include "tools/frame/options.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *catalogue, *as, *model;
    tr_ball_walker_settings settings;
    bool list;
    tr_command_line command;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    tr_parameter row[TR_BALL_WALKER_SETTINGS];
    const tr_parameter_table settings = tr_ball_walker_settings_table(row);
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .settings = tr_ball_walker_settings_default()};
    tr_command_line_read(&o->command, argc, argv);
    tr_option_settings values = {&settings, &o->settings};
    tr_option_call pair = {tr_option_take_setting, &values};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0}, {"as", TR_OPTION_TEXT, &o->as, 0, 0},
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},         {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    int first = tr_options_take("balance walk", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (!o->list && (first != argc || !o->catalogue || !o->as || strlen(o->as) >= TR_NAME_MAX)) {
        fprintf(stderr,
                "troupe-train balance walk: expected --catalogue, and --as of at most %d bytes\n",
                TR_NAME_MAX - 1);
        return false;
    }
    return true;
}

static tr_status list(tr_error *error) {
    tr_parameter row[TR_BALL_WALKER_SETTINGS];
    const tr_parameter_table settings = tr_ball_walker_settings_table(row);
    const tr_ball_walker_settings defaults = tr_ball_walker_settings_default();
    return tr_option_list_settings(&settings, &defaults, error);
}

/* What is stored, and the model that it is for. */
typedef struct result {
    const options *options;
    const tr_model *model;
    tr_controller *controller;
} result;

static tr_status put_all(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const result *r = context;
    tr_parameter row[TR_BALL_WALKER_SETTINGS];
    const tr_parameter_table settings = tr_ball_walker_settings_table(row);
    tr_made made = {.name = r->options->as,
                    .command = r->options->command.text,
                    .controller = r->controller,
                    .table = &settings,
                    .settings = &r->options->settings};
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = tr_training_put_model(catalogue, r->options->model, r->model, &made.model_id, error);
    if (!status)
        status = tr_made_store(catalogue, &made, error);
    return tr_catalogue_end(catalogue, status, error);
}

static tr_status make(const options *o, const tr_model *model, tr_error *error) {
    tr_controller *made = NULL;
    tr_status status = tr_ball_walker_create(model, &o->settings, &made, error);
    if (status)
        return status;
    status = tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_CREATE, put_all,
                                      &(result){o, model, made}, error);
    if (!status)
        printf("controller '%s' is in %s\n", o->as, o->catalogue);
    tr_controller_destroy(made);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_model *model = NULL;
    if (o->list)
        return list(error);
    tr_status status = tr_command_line_check(&o->command, error);
    if (!status)
        status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = make(o, model, error);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_balance_walk = {
    .name = "walk",
    .arguments = "--catalogue F --as NEW [--model M] [--set NAME=VALUE ...]",
    .summary = "make a controller that steps on a ball",
    .help =
        "NEW stands on a ball, and lifts one foot after the other. It turns to the heading and\n"
        "rolls at the speed that it is steered to. Each step it computes the torques that keep\n"
        "it over the ball. Nothing is learned.\n"
        "\n"
        "  --catalogue F        made if missing\n"
        "  --as NEW             name of the controller; replaced if it exists\n"
        "  --model M            character model, MJCF (the shipped humanoid.xml)\n"
        "  --set NAME=VALUE     change a setting\n"
        "  --list               print the settings with their defaults and meanings\n"
        "\n"
        "  troupe-train balance walk --catalogue mine.troupe --as ball-walker\n"
        "  troupe-train balance test ball-walker --catalogue mine.troupe --push 10\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
