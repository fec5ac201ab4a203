/* troupe-train latent store: puts a policy into a catalogue as a controller that worlds are served
 * with. */
#include "control/latent/puppet.h"
#include "db/store/catalogue.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "tools/latent/latent.h"
#include "tools/learn/method_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

typedef struct options {
    const char *path, *model, *catalogue, *name, *skill;
    double step_s;
} options;

static const options defaults = {
    .model = TR_MODEL_DIR "/humanoid.xml", .skill = "walk", .step_s = 0.005};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(options, path), "the policy file"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--catalogue DB", TR_OPTION_TEXT, offsetof(options, catalogue), "made if it does not exist",
     .needed = true},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name), "of the controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill), "what it does (walk)", 1,
     TR_NAME_MAX - 1},
    {"--step S", TR_OPTION_NUMBER, offsetof(options, step_s), "of the worlds it is for (0.005)",
     0.001, 0.03},
    {0}};

/* The first of the clips; the space itself names all of them. */
static tr_status put_clip(const tr_latent_space *space, tr_catalogue *catalogue, tr_row_id *out_id,
                          tr_error *error) {
    const tr_latent_clip *first = &space->learned.clip[0];
    tr_clip_row clip = {.frame_count = first->count,
                        .frames_per_s = 1 / space->learned.dt_s,
                        .last_frame = first->count - 1};
    snprintf(clip.name, sizeof clip.name, "%.*s", (int)strcspn(first->name, "@ "), first->name);
    snprintf(clip.source, sizeof clip.source, "%.63s, %.180s", first->name, first->origin);
    snprintf(clip.licence, sizeof clip.licence, "%.200s", first->licence);
    if (!tr_digest_parse(first->digest, &clip.file_digest))
        return TR_OK;
    return tr_clips_put(catalogue, &clip, out_id, error);
}

/* How the policy was learned is in the file, section "task". */
static tr_status put_run(const options *o, const tr_latent_subject *subject,
                         tr_catalogue *catalogue, tr_row_id *out_id, tr_error *error) {
    tr_run_row run = {.threads = 1, .method = "latent"};
    char command[TEXT_MAX], parameters[TEXT_MAX];
    tr_section_reader r = tr_section_open(&subject->sections, "task");
    tr_section_get_text(&r, command, sizeof command);
    tr_section_get_text(&r, parameters, sizeof parameters);
    tr_section_get_text(&r, run.code_version, sizeof run.code_version);
    tr_section_get_text(&r, run.host, sizeof run.host);
    run.started_ns = run.ended_ns = tr_section_get_int(&r, 0, INT64_MAX);
    tr_status status = tr_section_close(&r, error);
    if (status)
        return status;
    snprintf(run.name, sizeof run.name, "%s", o->name);
    snprintf(run.command, sizeof run.command, "%.*s", TR_RUN_COMMAND_MAX - 1, command);
    snprintf(run.parameters, sizeof run.parameters, "%.*s", TR_RUN_PARAMETERS_MAX - 1, parameters);
    const tr_run_content content = {NULL, 0, NULL};
    return tr_runs_put(catalogue, &run, &content, out_id, error);
}

static tr_status put(const options *o, const tr_latent_subject *subject,
                     const tr_controller *controller, tr_catalogue *catalogue, tr_error *error) {
    tr_controller_entry entry = {.controller = controller};
    tr_row_id id = 0;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = tr_method_store_model(catalogue, o->model, subject->model, &entry.model_id, error);
    if (!status)
        status = put_clip(subject->space, catalogue, &entry.clip_id, error);
    if (!status)
        status = put_run(o, subject, catalogue, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_latent_subject subject = {0};
    tr_controller *controller = NULL;
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_latent_subject_load(o->model, o->path, &subject, error);
    if (!status)
        status = tr_latent_puppet_create(&subject.sections, subject.model, o->step_s, &controller,
                                         error);
    if (!status) {
        snprintf(controller->name, sizeof controller->name, "%s", o->name);
        snprintf(controller->skill, sizeof controller->skill, "%s", o->skill);
        status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_CREATE, &catalogue, error);
    }
    if (!status)
        status = put(o, &subject, controller, catalogue, error);
    if (!status)
        printf("controller '%s', a puppet, is in %s\n", o->name, o->catalogue);
    tr_catalogue_close(catalogue);
    tr_controller_destroy(controller);
    tr_latent_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_latent_store = {
    .name = "latent store",
    .summary = "put a policy into a catalogue as a puppet",
    .help =
        "FILE is what 'troupe-train latent task' wrote. The controller is spawned, steered and\n"
        "recorded like any other; its character is kinematic: it pushes and is not pushed.\n",
    .example =
        "  troupe-train latent store walker.latent --name walker --catalogue catalogue.sqlite\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run};
