#include "learn/latent/latent_file.h"
#include "learn/latent/latent_fit.h"
#include "learn/method/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FRAME_S = 1.0 / 30; /* between frames of a space */
enum { SETTINGS_BYTES = 4096 };

typedef struct work {
    tr_latent_fit_parameters parameters;
    tr_pool *pool;
    tr_latent_space_def examples;
    tr_latent_fit *fit;
} work;

enum { MOTIONS, SUPPORTS, INPUTS };
static const tr_method_input inputs[INPUTS] = {
    [MOTIONS] = {.role = "motions",
                 .word = "MOTION",
                 .meaning = "the motions of the space, as 'troupe-train import' wrote them",
                 .kind = TR_INPUT_MOTIONS,
                 .needed = true},
    [SUPPORTS] = {.role = "supports",
                  .option = "supports",
                  .word = "BODY,...",
                  .meaning = "bodies that stand on the ground (the model's feet and toes)",
                  .kind = TR_INPUT_TEXT},
};

/* --- the clips --- */

/* Bodies between commas. */
static tr_status read_supports(const tr_model *model, const char *text, int *bodies, int *count,
                               tr_error *error) {
    for (*count = 0; *text;) {
        const size_t length = strcspn(text, ",");
        char name[TR_NAME_MAX];
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        const int body = length < sizeof name ? tr_model_find_body(model, name) : -1;
        if (body < 0 || *count == TR_SUPPORT_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "--supports %s: expected up to %d bodies of the model", name,
                           TR_SUPPORT_MAX);
        bodies[(*count)++] = body;
        text += length + (text[length] == ',');
    }
    return TR_OK;
}

static tr_status make_examples(const tr_method_def *def, work *w, tr_error *error) {
    const tr_method_given *motions = &def->given[MOTIONS];
    const char *named = def->given[SUPPORTS].content;
    tr_support support[TR_SUPPORT_MAX];
    int bodies[TR_SUPPORT_MAX], count = 0;
    tr_status status = TR_OK;
    if (named)
        status = read_supports(def->model, named, bodies, &count, error);
    else
        count = tr_support_bodies(def->model, bodies);
    const tr_examples_def examples = {
        .dt_s = FRAME_S,
        .motion = motions->motions,
        .motion_count = motions->motion_count,
        .mirrored = true,
        .support = support,
        .support_count = status ? 0 : tr_support_find(def->model, bodies, count, support)};
    return status ? status : tr_examples_create(def->model, &examples, &w->examples, error);
}

/* --- life --- */

static void destroy(void *given) {
    work *w = given;
    if (!w)
        return;
    tr_latent_fit_destroy(w->fit);
    tr_latent_space_def_deinit(&w->examples);
    tr_pool_destroy(w->pool);
    free(w);
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    work *w = given;
    w->parameters = *(const tr_latent_fit_parameters *)def->settings;
    tr_status status = make_examples(def, w, error);
    if (!status && (status = tr_pool_create(def->threads, &w->pool)))
        status = tr_fail(error, status, "--threads %d: %s", def->threads, tr_status_text(status));
    const tr_latent_fit_def fit = {def->model, &w->examples, &w->parameters, w->pool};
    return status ? status : tr_latent_fit_create(&fit, &w->fit, error);
}

/* --- rows --- */

static const tr_latent_space *found(const work *w) {
    const tr_latent_fit_report *report;
    return tr_latent_fit_space(w->fit, &report);
}

static void describe(const work *w, tr_method_row *row) {
    const tr_latent_fit_report *r;
    const tr_latent_space_def *def = &tr_latent_fit_space(w->fit, &r)->learned;
    snprintf(row->text, sizeof row->text,
             "%d frames of %d clips, mirrored in %d dimensions, %d iterations\n"
             "  error of the bodies at the frames %.2f cm rms, %.2f cm at most\n"
             "  connected: %.2f of the frames reach each other with jumps of two steps; second "
             "eigenvalue %.5f",
             def->frame_count, def->clip_count, def->dimension, r->end.iterations, r->error_rms_cm,
             r->error_worst_cm, r->reach, r->gap);
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    work *w = given;
    tr_status status = tr_latent_fit_advance(w->fit, error);
    if (status)
        return status;
    const tr_latent_fit_progress *p = tr_latent_fit_progress_of(w->fit);
    /* Beside the rounds, each attempt has a row for its end. */
    *out = (tr_method_row){.iteration = p->rounds + p->attempt + (found(w) != NULL),
                           .best = found(w) != NULL};
    snprintf(out->phase, sizeof out->phase, "fit");
    tr_method_row_add(out, "attempt", p->attempt + 1);
    tr_method_row_add(out, "iterations", p->iterations);
    tr_method_row_add(out, "value", p->value);
    tr_method_row_add(out, "poses", p->terms.pose);
    tr_method_row_add(out, "velocities", p->terms.velocity);
    tr_method_row_add(out, "dynamics", p->terms.dynamics);
    tr_method_row_add(out, "connectivity", p->terms.diffusion);
    tr_method_row_add(out, "pose_noise", p->hyper.pose_noise);
    tr_method_row_add(out, "velocity_noise", p->hyper.velocity_noise);
    if (out->best)
        describe(w, out);
    return TR_OK;
}

static bool is_done(const void *given) {
    return found(given) != NULL;
}

static double share(const void *given) {
    const work *w = given;
    return is_done(w) ? 1
                      : (double)tr_latent_fit_progress_of(w->fit)->iterations /
                            (w->parameters.iterations + 1);
}

/* The space, and how it was made. */
static tr_status write_space(void *given, const tr_method_writing *writing, tr_error *error) {
    work *w = given;
    tr_sections sections = {0};
    char settings[SETTINGS_BYTES];
    tr_status status = tr_latent_space_save(found(w), &sections, error);
    if (!status && (status = tr_parameter_print(&tr_latent_fit_parameter_table, &w->parameters,
                                                settings, sizeof settings)))
        status = tr_fail(error, status, "fit: settings: %s", tr_status_text(status));
    if (!status) {
        tr_section_writer record = tr_section_begin(&sections, "fit");
        tr_section_put_text(&record, writing->command);
        tr_section_put_text(&record, settings);
        tr_section_put_text(&record, writing->build);
        tr_section_put_text(&record, writing->host);
        tr_section_put_int(&record, writing->now_ns);
        status = tr_section_end(&record, error);
    }
    if (!status)
        status = tr_latent_file_write(writing->out, &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

static void list(void *given, tr_blocks *blocks) {
    tr_latent_fit_list(((work *)given)->fit, blocks);
}

const tr_method tr_latent_fit_method = {
    .name = "latent_fit",
    .command = "latent fit",
    .summary = "learn a latent space from motions",
    .help =
        "Each motion is sampled at 30 Hz and taken twice, unchanged and mirrored. All frames\n"
        "become points of a space of few dimensions, in which poses, movements of the root and\n"
        "the next points are Gaussian processes, and in which random walks connect the clips.\n",
    .example = "walk.json turn.json --out walk.latent --set dimension=4",
    .settings = &tr_latent_fit_parameter_table,
    .input = inputs,
    .input_count = INPUTS,
    .size = sizeof(work),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .file = "where the space is written",
    .write = write_space,
    .list = list,
    .destroy = destroy,
};
