/* troupe-train policy: policies that were trained elsewhere. */
#include "db/store/catalogue.h"
#include "db/tables/controllers.h"
#include "learn/method/whole_file.h"
#include "learn/policy/policy_file.h"
#include "model/mjcf.h"
#include "tools/frame/tool.h"
#include "tools/learn/method_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 26, TEXT_BYTES_MAX = 1 << 20 };

typedef struct options {
    const char *path, *description, *model, *catalogue, *name;
} options;

static const options defaults = {.model = TR_MODEL_DIR "/humanoid.xml"};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(options, path), "the network"},
    {"--description JSON", TR_OPTION_TEXT, offsetof(options, description),
     "a description that stands beside FILE"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--into DB", TR_OPTION_TEXT, offsetof(options, catalogue),
     "a catalogue or bundle; made if it does not exist", .needed = true},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name), "of the controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {0}};

/* A file that is read whole; the caller frees *out. NULL path: nothing to read. */
static tr_status read_text(const char *path, size_t size_max, char **out, size_t *out_size,
                           tr_error *error) {
    return path ? tr_whole_file_read(path, 0, size_max, out, out_size, error) : TR_OK;
}

static tr_status read_policy(const options *o, const tr_model *model, tr_policy_import *out,
                             tr_error *error) {
    char *data = NULL, *description = NULL;
    size_t size = 0, description_size = 0;
    tr_status status = read_text(o->path, FILE_BYTES_MAX, &data, &size, error);
    if (!status)
        status = read_text(o->description, TEXT_BYTES_MAX, &description, &description_size, error);
    if (!status) {
        const tr_policy_bytes bytes = {o->path, data, size, description};
        status = tr_policy_import_parse(&bytes, model, out, error);
    }
    free(data);
    free(description);
    return status;
}

static tr_status create_controller(const options *o, const tr_model *model, tr_controller **out,
                                   tr_error *error) {
    tr_policy_import import = {0};
    tr_status status = read_policy(o, model, &import, error);
    if (status)
        return status;
    status = tr_agent_controller_create(model, import.step_s, import.agent, out);
    if (status) {
        tr_agent_destroy(import.agent);
        return tr_fail(error, status, "%s", tr_status_text(status));
    }
    snprintf((*out)->name, sizeof(*out)->name, "%s", o->name);
    snprintf((*out)->skill, sizeof(*out)->skill, "%s", import.skill);
    return TR_OK;
}

static tr_status put(const options *o, const tr_model *model, const tr_controller *controller,
                     tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_controller_entry entry = {.controller = controller};
    tr_row_id id = 0;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_CREATE, &catalogue, error);
    if (!status)
        status = tr_catalogue_begin(catalogue, error);
    if (!status) {
        status = tr_method_store_model(catalogue, o->model, model, &entry.model_id, error);
        if (!status)
            status = tr_controllers_put(catalogue, &entry, &id, error);
        status = tr_catalogue_end(catalogue, status, error);
    }
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    tr_status status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = create_controller(o, model, &controller, error);
    if (!status)
        status = put(o, model, controller, error);
    if (!status) {
        const tr_agent *agent = controller->driver.content;
        const tr_perceptron *network = &agent->network;
        printf("controller '%s', a policy of %d", o->name, network->width[0]);
        for (int l = 0; l < network->layers; l++)
            printf(" - %d %s", network->width[l + 1], tr_activation_name(network->activation[l]));
        printf(", %g decisions/s, is in %s\n", 1 / (agent->period_steps * controller->step_s),
               o->catalogue);
    }
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return status;
}

const tr_tool_command tr_tool_policy_import = {
    .name = "policy import",
    .summary = "put a policy that was trained elsewhere into a catalogue",
    .help =
        "FILE is NPZ or ONNX. Its description in JSON, inside the file or beside it, says what\n"
        "the policy sees and which joints it moves: controllers/guide/policies.md.\n",
    .example = "  troupe-train policy import stand.npz --name stand --into mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run};
