#include "learn/latent/latent_file.h"
#include "learn/latent/task_training.h"
#include "learn/method/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    tr_task_parameters parameters;
    tr_pool *pool;
    tr_sections sections; /* of the space's file */
    tr_latent_space *space;
    tr_task_training *training;
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
    tr_task_training_destroy(w->training);
    tr_latent_space_destroy(w->space);
    tr_sections_deinit(&w->sections);
    tr_pool_destroy(w->pool);
    free(w);
}

static tr_status open_space(const tr_method_def *def, work *w, tr_error *error) {
    const tr_method_given *file = &def->given[0];
    tr_error inner = {0};
    tr_status status =
        tr_latent_file_parse(file->content, file->size, file->name, &w->sections, error);
    if (status)
        return status;
    status = tr_latent_space_load(&w->sections, def->model, &w->space, &inner);
    return status ? tr_fail(error, status, "%s: %s", file->name, inner.message) : TR_OK;
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    work *w = given;
    w->parameters = *(const tr_task_parameters *)def->settings;
    tr_status status = open_space(def, w, error);
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

/* The sections of the space with the policy's instead of one that was there. */
static tr_status write_policy(void *given, const tr_method_writing *writing, tr_error *error) {
    const work *w = given;
    tr_sections sections = {0};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < w->sections.count; i++) {
        const tr_section *s = &w->sections.section[i];
        if (strcmp(s->name, "policy") == 0 || strcmp(s->name, "task") == 0)
            continue;
        tr_section_writer section = tr_section_begin(&sections, s->name);
        tr_section_put_bytes(&section, s->bytes, s->size);
        status = tr_section_end(&section, error);
    }
    if (!status)
        status = tr_latent_policy_save(tr_task_training_policy(w->training), &sections, error);
    if (!status)
        status = tr_latent_file_finish("task", &tr_task_parameter_table, &w->parameters, writing,
                                       &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

static void list(void *given, tr_blocks *blocks) {
    tr_task_training_list(((work *)given)->training, blocks);
}

const tr_method tr_latent_task_method = {
    .name = "latent_task",
    .command = "latent task",
    .summary = "learn a policy for a task in a latent space",
    .help =
        "Values are learned at the clips' frames, then where trajectories find them wrong. The\n"
        "file that is written has the space and the policy.\n",
    .example = "walk.latent --out walker.latent --set task=heading",
    .settings = &tr_task_parameter_table,
    .input = inputs,
    .input_count = 1,
    .size = sizeof(work),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .file = "where space and policy are written",
    .write = write_policy,
    .list = list,
    .destroy = destroy,
};
