#include "control/latent/puppet.h"
#include "learn/latent/latent_file.h"
#include "learn/latent/task_training.h"
#include "learn/method/method.h"
#include "learn/rehearsal/ensemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    tr_task_parameters parameters;
    const tr_model *model;
    tr_pool *pool;
    tr_latent_space *space;
    tr_motion clip; /* the first of the space, without its frames */
    tr_task_training *training;
    tr_controller *made;
} work;

static const tr_method_input inputs[] = {{.role = "space",
                                          .word = "FILE",
                                          .meaning = "what 'troupe-train latent fit' wrote",
                                          .kind = TR_INPUT_FILE,
                                          .needed = true}};

static void destroy(void *given) {
    work *w = given;
    if (!w)
        return;
    tr_controller_destroy(w->made);
    tr_task_training_destroy(w->training);
    tr_latent_space_destroy(w->space);
    tr_pool_destroy(w->pool);
    free(w);
}

static tr_status open_space(const tr_method_def *def, work *w, tr_error *error) {
    const tr_method_given *file = &def->given[0];
    tr_sections sections = {0};
    tr_error inner = {0};
    tr_status status =
        tr_latent_file_parse(file->content, file->size, file->name, &sections, error);
    if (status)
        return status;
    status = tr_latent_space_load(&sections, def->model, &w->space, &inner);
    tr_sections_deinit(&sections);
    return status ? tr_fail(error, status, "%s: %s", file->name, inner.message) : TR_OK;
}

/* The space itself names all of its clips. */
static void note_clip(const tr_latent_space *space, tr_motion *out) {
    const tr_latent_clip *first = &space->learned.clip[0];
    tr_motion_source *source = &out->source;
    out->dt_s = space->learned.dt_s;
    source->last_frame = first->count - 1;
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(first->name, "@ "), first->name);
    snprintf(source->clip, sizeof source->clip, "%.63s", first->name);
    snprintf(source->origin, sizeof source->origin, "%s", first->origin);
    snprintf(source->licence, sizeof source->licence, "%s", first->licence);
    snprintf(source->digest, sizeof source->digest, "%.64s", first->digest);
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    work *w = given;
    w->parameters = *(const tr_task_parameters *)def->settings;
    w->model = def->model;
    tr_status status = open_space(def, w, error);
    if (!status)
        note_clip(w->space, &w->clip);
    if (!status && (status = tr_pool_create(def->threads, &w->pool)))
        status = tr_fail(error, status, "--threads %d: %s", def->threads, tr_status_text(status));
    const tr_task_training_def training = {def->model, w->space, &w->parameters, w->pool};
    return status ? status : tr_task_training_create(&training, &w->training, error);
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    work *w = given;
    tr_task_progress p;
    tr_status status = tr_task_training_advance(w->training, &p, error);
    if (status)
        return status;
    *out = (tr_method_row){.phase = "refinement", .iteration = p.refinement, .best = true};
    tr_method_row_add(out, "samples", p.samples);
    tr_method_row_add(out, "sweeps", p.sweeps);
    tr_method_row_add(out, "bellman_error", p.bellman_error);
    return TR_OK;
}

static bool is_done(const void *given) {
    const work *w = given;
    return tr_task_training_rounds(w->training) > w->parameters.refinements;
}

static double share(const void *given) {
    const work *w = given;
    return (double)tr_task_training_rounds(w->training) / (w->parameters.refinements + 1);
}

/* A puppet has copies of space and policy, which continue to be used here. */
static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    work *w = given;
    tr_sections sections = {0};
    tr_controller *made = NULL;
    tr_status status = tr_latent_space_save(w->space, &sections, error);
    if (!status)
        status = tr_latent_policy_save(tr_task_training_policy(w->training), &sections, error);
    if (!status)
        status = tr_latent_puppet_create(&sections, w->model, TR_LEARN_STEP_S, &made, error);
    tr_sections_deinit(&sections);
    if (status)
        return status;
    snprintf(made->skill, sizeof made->skill, "%s", w->parameters.skill);
    tr_controller_destroy(w->made);
    *out = w->made = made;
    return TR_OK;
}

/* A clip without a digest has no record. */
static const tr_motion *source(const void *given) {
    const work *w = given;
    return w->clip.source.digest[0] ? &w->clip : NULL;
}

static void list(void *given, tr_blocks *blocks) {
    tr_task_training_list(((work *)given)->training, blocks);
}

const tr_method tr_latent_task_method = {
    .name = "latent_task",
    .command = "latent task",
    .summary = "learn a policy for a task in a latent space: a puppet",
    .help =
        "Values are learned at the clips' frames, then where trajectories find them wrong. The\n"
        "controller is spawned, steered and recorded like any other; its character is\n"
        "kinematic: it pushes and is not pushed.\n",
    .example = "walk.latent --catalogue mine.troupe --name walker --set task=heading",
    .settings = &tr_task_parameter_table,
    .options = "skill",
    .input = inputs,
    .input_count = 1,
    .size = sizeof(work),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .source = source,
    .list = list,
    .destroy = destroy,
};
