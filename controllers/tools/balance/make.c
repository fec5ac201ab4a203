/* troupe-train balance skate, board and walk: controllers that compute their torques, from settings. */
#include "model/mjcf.h"
#include "tools/balance/balance_tool.h"
#include "tools/balance/made_store.h"
#include "tools/balance/maker.h"
#include "tools/frame/command_line.h"
#include "tools/frame/lead.h"
#include "tools/frame/options.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const tr_maker *maker;
    const char *catalogue, *as, *model;
    tr_maker_settings settings;
    bool list;
    tr_command_line command;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    tr_parameter row[TR_MAKER_ROWS];
    *o = (options){.maker = tr_maker_find(argv[0]), .model = TR_MODEL_DIR "/humanoid.xml"};
    const tr_parameter_table settings = o->maker->table(row);
    o->maker->reset(&o->settings);
    tr_command_line_read(&o->command, argc, argv);
    tr_option_settings values = {&settings, &o->settings};
    tr_option_call pair = {tr_option_take_setting, &values};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0}, {"as", TR_OPTION_TEXT, &o->as, 0, 0},
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},         {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    int first = tr_options_take(argv[0], argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (!o->list && (first != argc || !o->catalogue || !o->as || strlen(o->as) >= TR_NAME_MAX)) {
        fprintf(stderr, "troupe-train %s: expected --catalogue, and --as of at most %d bytes\n",
                argv[0], TR_NAME_MAX - 1);
        return false;
    }
    return true;
}

static tr_status list(const tr_maker *maker, tr_error *error) {
    tr_parameter row[TR_MAKER_ROWS];
    tr_maker_settings defaults;
    const tr_parameter_table settings = maker->table(row);
    maker->reset(&defaults);
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
    tr_parameter row[TR_MAKER_ROWS];
    const tr_parameter_table settings = r->options->maker->table(row);
    tr_made made = {.name = r->options->as,
                    .method = r->options->maker->method,
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
    tr_status status = o->maker->create(model, &o->settings, &made, error);
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
        return list(o->maker, error);
    tr_status status = tr_command_line_check(&o->command, error);
    if (!status)
        status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = make(o, model, error);
    tr_model_destroy(model);
    return status;
}

#define ARGUMENTS "--catalogue F --as NEW [--model M] [--set NAME=VALUE ...]"
#define OPTIONS                                                                                    \
    "\n"                                                                                           \
    "  --catalogue F        made if missing\n"                                                     \
    "  --as NEW             name of the controller; replaced if it exists\n"                       \
    "  --model M            character model, MJCF (the shipped humanoid.xml)\n"                    \
    "  --set NAME=VALUE     change a setting\n"                                                    \
    "  --list               print the settings with their defaults and meanings\n"                 \
    "\n"

const tr_tool_command tr_tool_balance_skate = {
    .name = "skate",
    .arguments = ARGUMENTS,
    .summary = "make a controller that rides a skateboard and pushes off",
    .help =
        "NEW stands on a rolling board with its right foot, and pushes off with the left one\n"
        "while the board is slower than a speed. Each step it computes the torques that keep it\n"
        "over the board and make the force of the push. With truck_spring the board has trucks,\n"
        "and NEW turns; with hop_s it hops over bumps. Nothing is learned.\n" OPTIONS
        "  troupe-train balance skate --catalogue mine.troupe --as skater\n"
        "  troupe-train balance test skater --catalogue mine.troupe --push 10\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};

const tr_tool_command tr_tool_balance_board = {
    .name = "board",
    .arguments = ARGUMENTS,
    .summary = "make a controller that rides a skateboard and turns it by kicks",
    .help =
        "NEW stands on a rolling board with both feet. To reach the heading to which it is "
        "steered,\n"
        "it lifts the nose, turns the board about its rear axle, and sets it down. Each step it\n"
        "computes the torques that keep it over the board. Nothing is learned.\n" OPTIONS
        "  troupe-train balance board --catalogue mine.troupe --as boarder\n"
        "  troupe-train balance test boarder --catalogue mine.troupe --push 10 --turn 60\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};

const tr_tool_command tr_tool_balance_walk = {
    .name = "walk",
    .arguments = ARGUMENTS,
    .summary = "make a controller that steps on a ball",
    .help =
        "NEW stands on a ball, and lifts one foot after the other. It turns to the heading and\n"
        "rolls at the speed that it is steered to. Each step it computes the torques that keep\n"
        "it over the ball. Nothing is learned.\n" OPTIONS
        "  troupe-train balance walk --catalogue mine.troupe --as ball-walker\n"
        "  troupe-train balance test ball-walker --catalogue mine.troupe --push 10\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
