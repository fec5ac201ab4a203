#include "learn/latent/latent_fit.h"

#include "learn/latent/diffusion.h"
#include "learn/latent/latent_file.h"
#include "learn/latent/reach.h"
#include "math/linalg.h"
#include "math/minimise.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT_CHANNELS = 3, SETTINGS_BYTES = 4096 };
static const double FRAME_S = 1.0 / 30; /* between frames of a space */

/* A channel whose standard deviation is smaller, in its own unit, is constant. */
static const double CONSTANT = 1e-3;

/* gamma of eq. 2: amplitude, inverse squared length, noise of the dynamics. */
static const double DYNAMICS[3] = {0.005, 0.5, 1e-4};
/* Bounds of the kernels' noises, and where these and the inverse squared lengths begin. At most 5 cm
 * of noise: more explains the poses without the space. */
static const double NOISE_MIN = 1e-6, NOISE_MAX = 0.05, NOISE_START = 0.01, SCALE_START = 1;
static const double JITTER = 0.01; /* random displacement of the first points */
/* beta of eq. 3 for 400 frames. By the paper's 1000 walks reach everything alike, and the prior moves
 * nothing (controllers/log/2026-11-29-prior.md). */
static const double DIFFUSION_RATE = 20;
static const double EXPONENT = 4; /* p of eq. 3: how much random walks prefer short steps */
enum {
    MEMORY = 20,            /* steps that L-BFGS remembers */
    ROUND_ITERATIONS = 100, /* between checkpoints, where L-BFGS forgets its steps */
    RESTARTS = 2            /* with kernels of half the length, after a failure */
};
static const double ERROR_MAX_CM = 1; /* root mean square of the bodies at the frames */

/* --- settings and inputs --- */

#define AT(field) offsetof(tr_latent_fit_parameters, field)

static const tr_parameter listed[] = {
    {"dimension", TR_COUNT, AT(dimension), 1, TR_LATENT_DIMENSION_MAX, "4",
     "dimension of the space: 4 for one gait, 5 for martial arts"},
    {"connectivity", TR_REAL, AT(connectivity), 0, 100, "0.1",
     "weight of the connectivity prior, at 500 frames; other numbers scale it"},
    {"channel_scales", TR_COUNT, AT(channel_scales), 0, 1, "0",
     "1: learn a scale for each channel, as in the paper; 0: channels in metres"},
    {"velocity_weight", TR_REAL, AT(velocity_weight), 1e-6, 1, "1",
     "by which velocities count for the points; 0.001: poses and dynamics alone, a GPDM"},
    {"iterations", TR_COUNT, AT(iterations), 1, 100000, "300", "most iterations of L-BFGS"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the random displacement"},
};

/* Constants now, here and in examples.c. */
static const char retired[] =
    "inducing=0 frame_s=0.03333333333333333 exponent=4 dynamics_amplitude=0.005 "
    "dynamics_scale=0.5 dynamics_noise=1e-4 loose_iterations=0 memory=20 scale_start=1 "
    "noise_start=0.01 noise_min=1e-6 pose_noise_min=0 noise_max=0.05 jitter=0.01 "
    "standing_speed_mps=0.4 standing_height_m=0.04 mirrored=1 "
    "round_iterations=100 error_max_cm=1 restarts=2 diffusion_rate=20";

const tr_parameter_table tr_latent_fit_parameter_table = {
    .row = listed, .count = sizeof listed / sizeof *listed, .retired = retired};

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

static tr_status make_examples(const tr_method_def *def, tr_latent_space_def *out,
                               tr_error *error) {
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
    return status ? status : tr_examples_create(def->model, &examples, out, error);
}

/* --- data --- */

static void find_channels(const tr_model *model, tr_latent_fit_data *d) {
    const tr_latent_space_def *e = &d->examples;
    tr_examples_scales(model, e, d->scale);
    for (int k = 0; k < e->pose_size; k++) {
        double square = 0;
        d->mean[k] = 0;
        for (int i = 0; i < e->frame_count; i++)
            d->mean[k] += e->pose[i * e->pose_size + k] / e->frame_count;
        for (int i = 0; i < e->frame_count; i++) {
            double deviation = e->pose[i * e->pose_size + k] - d->mean[k];
            square += deviation * deviation / e->frame_count;
        }
        if (sqrt(square) > CONSTANT)
            d->kept[d->kept_count++] = k;
    }
}

/* Returns how far a turn moves the bodies, m/rad: the root mean square of their horizontal distance
 * from the root at the mean pose. */
static double turning_arm(const tr_model *model, const tr_latent_fit_data *d) {
    tr_pose pose =
        tr_pose_vector_to(model, &d->examples.reference, d->mean, &(tr_pose_place){0, 0, 0});
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    double sum = 0;
    for (int i = 0; i < model->body_count; i++)
        sum +=
            bodies[i].com_pos.x * bodies[i].com_pos.x + bodies[i].com_pos.y * bodies[i].com_pos.y;
    return sqrt(sum / model->body_count);
}

static void fill_poses(tr_latent_fit_data *d) {
    const tr_latent_space_def *e = &d->examples;
    for (int i = 0; i < e->frame_count; i++)
        for (int k = 0; k < d->kept_count; k++) {
            int channel = d->kept[k];
            d->pose[i * d->kept_count + k] =
                d->scale[channel] * (e->pose[i * e->pose_size + channel] - d->mean[channel]);
        }
}

static void fill_velocities(const tr_model *model, tr_latent_fit_data *d) {
    const tr_latent_space_def *e = &d->examples;
    const double arm = turning_arm(model, d);
    double *row = d->velocity;
    const tr_root_step *step = e->root;
    for (int c = 0; c < e->clip_count; c++)
        for (int i = 1; i < e->clip[c].count; i++, step++) {
            const double *to = d->pose + (e->clip[c].first + i) * d->kept_count;
            /* Turns count in metres, as all other channels do. */
            *row++ = arm * step->turn_rad;
            *row++ = step->forward;
            *row++ = step->left;
            for (int k = 0; k < d->kept_count; k++)
                *row++ = to[k] - to[k - d->kept_count];
        }
}

/* Starts at principal components of the poses, the first with a spread of one. */
static tr_status start_points(const tr_latent_fit_parameters *p, tr_latent_fit_data *d) {
    const int n = d->examples.frame_count, m = d->kept_count, q = p->dimension;
    double *covariance = calloc((size_t)m * (size_t)m, sizeof *covariance);
    double value[TR_POSE_VECTOR_MAX];
    if (!covariance)
        return TR_RESOURCE_EXHAUSTED;
    const tr_product product = {.rows = m,
                                .inner = n,
                                .columns = m,
                                .a = d->pose,
                                .b = d->pose,
                                .a_stride = m,
                                .b_stride = m,
                                .out_stride = m,
                                .a_transposed = true,
                                .scale = 1.0 / n};
    tr_linalg_multiply(&product, covariance);
    tr_status status = tr_linalg_eigen_symmetric(m, covariance, value);
    for (int i = 0; !status && i < n; i++) {
        tr_random r = tr_random_split(p->seed, 0, (uint64_t)i);
        for (int c = 0; c < q; c++) {
            /* Eigenvalues ascend: the last axis is the first component. */
            const double *axis = covariance + (m - 1 - c) * m;
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += axis[k] * d->pose[i * m + k];
            d->start[i * q + c] = sum / sqrt(value[m - 1]) + JITTER * tr_random_normal(&r);
        }
    }
    free(covariance);
    return status;
}

static tr_status prepare(tr_latent_fit *fit, tr_error *error) {
    tr_latent_fit_data *d = &fit->data;
    const tr_latent_space_def *e = &d->examples;
    const tr_latent_fit_parameters *p = &fit->parameters;
    find_channels(fit->model, d);
    if (d->kept_count < p->dimension)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "dimension: %d: expected at most %d, the channels that vary", p->dimension,
                       d->kept_count);
    /* Take memory; then fill poses, velocities and the points to start at. */
    size_t frames = (size_t)e->frame_count, kept = (size_t)d->kept_count;
    d->clip_first = calloc((size_t)e->clip_count + 1, sizeof *d->clip_first);
    d->pose = calloc(frames * kept, sizeof *d->pose);
    d->velocity = calloc(frames * (kept + ROOT_CHANNELS), sizeof *d->velocity);
    d->start = calloc(frames * (size_t)p->dimension, sizeof *d->start);
    if (!d->clip_first || !d->pose || !d->velocity || !d->start)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory for %zu frames", frames);
    for (int c = 0; c < e->clip_count; c++)
        d->clip_first[c + 1] = d->clip_first[c] + e->clip[c].count;
    fill_poses(d);
    fill_velocities(fit->model, d);
    return tr_fail_if(error, start_points(p, d), "fit: principal components");
}

/* The number of pairs grows with the square of the frames, and a likelihood with the frames. */
static tr_gplvm_settings settings_of(const tr_latent_fit_parameters *p, int frames) {
    return (tr_gplvm_settings){.dimension = p->dimension,
                               .velocity_weight = p->velocity_weight,
                               .connectivity =
                                   p->connectivity * 500 * 500 / ((double)frames * frames),
                               .diffusion_rate = DIFFUSION_RATE * frames / 400,
                               .exponent = EXPONENT,
                               .dynamics = {DYNAMICS[0], DYNAMICS[1], DYNAMICS[2]},
                               .noise_min = NOISE_MIN,
                               .noise_max = NOISE_MAX,
                               .channel_scales = p->channel_scales == 1};
}

/* --- search --- */

static double evaluate(void *context, const double *z, double *out_gradient) {
    const tr_latent_fit *fit = context;
    return tr_gplvm_evaluate(fit->gplvm, fit->pool, z, out_gradient);
}

static tr_status run_round(tr_latent_fit *fit, int iterations, tr_error *error) {
    tr_latent_fit_progress *progress = &fit->progress;
    const tr_minimise_problem problem = {.size = tr_gplvm_variable_count(fit->gplvm),
                                         .memory = MEMORY,
                                         .iterations = iterations,
                                         .tolerance = 1e-7,
                                         .evaluate = evaluate,
                                         .context = fit};
    tr_minimise_progress end;
    tr_status status = tr_minimise(&problem, fit->z, &end);
    if (status)
        return tr_fail_if(error, status, "fit: attempt %d", progress->attempt + 1);
    progress->rounds++;
    progress->iterations += end.iterations;
    progress->value = -end.value;
    progress->terms = tr_gplvm_last_terms(fit->gplvm);
    progress->hyper = tr_gplvm_hyper_of(fit->gplvm, fit->z);
    /* A search that ends early cannot improve any more. */
    progress->ended = end.iterations < iterations;
    return TR_OK;
}

/* A round ends for a checkpoint, or with the last iteration. */
static tr_status search(tr_latent_fit *fit, tr_error *error) {
    const tr_latent_fit_parameters *p = &fit->parameters;
    tr_latent_fit_progress *progress = &fit->progress;
    const int left = p->iterations - progress->iterations;
    tr_status status = run_round(fit, left < ROUND_ITERATIONS ? left : ROUND_ITERATIONS, error);
    progress->ended |= progress->iterations >= p->iterations;
    return status;
}

/* --- results --- */

static tr_status make_space(tr_latent_fit *fit, tr_error *error) {
    const tr_latent_fit_parameters *p = &fit->parameters;
    const tr_gplvm_hyper *h = &fit->progress.hyper;
    const tr_latent_fit_data *d = &fit->data;
    tr_latent_space_def *def = malloc(sizeof *def);
    if (!def)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory");
    double weight[TR_POSE_VECTOR_MAX], spread = 0;
    tr_gplvm_pose_weights(fit->gplvm, weight);
    /* 1 / W of eq. 1, the spread of a channel under the prior: the mean of all. */
    for (int k = 0; k < d->kept_count; k++)
        spread += 1 / weight[k] / d->kept_count;
    *def = d->examples;
    /* The space keeps the frames, each with its point. */
    def->dimension = p->dimension;
    def->point = fit->z;
    def->kernels = (tr_latent_kernels){.pose_scale = h->pose_scale,
                                       .pose_noise = h->pose_noise,
                                       .velocity_amplitude = h->velocity_amplitude,
                                       .step_scale = h->step_scale,
                                       .place_scale = h->place_scale,
                                       .velocity_noise = h->velocity_noise,
                                       .dynamics = {DYNAMICS[0], DYNAMICS[1], DYNAMICS[2]},
                                       .pose_spread_m = spread};
    tr_status status = tr_latent_space_create(fit->model, def, &fit->space, error);
    free(def);
    return status;
}

static void measure_error(const tr_model *model, const tr_latent_space *space,
                          tr_latent_fit_report *out) {
    const tr_latent_space_def *def = &space->learned;
    double vector[TR_POSE_VECTOR_MAX], sum = 0, worst = 0;
    tr_vec3 made[TR_BODY_MAX], shown[TR_BODY_MAX];
    for (int f = 0; f < def->frame_count; f++) {
        /* The pose of the point is compared with that of the clip. */
        tr_latent_space_pose(space, def->point + f * def->dimension, vector);
        tr_examples_place(model, def, vector, made);
        tr_examples_place(model, def, def->pose + f * def->pose_size, shown);
        for (int i = 0; i < model->body_count; i++) {
            double distance = tr_vec3_distance(made[i], shown[i]);
            sum += distance * distance;
            worst = fmax(worst, distance);
        }
    }
    out->error_rms_cm = 100 * sqrt(sum / (def->frame_count * model->body_count));
    out->error_worst_cm = 100 * worst;
}

static tr_status measure_connection(const tr_gplvm_settings *settings, const tr_latent_space *space,
                                    tr_latent_fit_report *out) {
    const tr_latent_space_def *def = &space->learned;
    const tr_diffusion_settings walk = {settings->diffusion_rate, settings->exponent, 1};
    tr_diffusion *diffusion;
    tr_status status = tr_diffusion_create(def->frame_count, &diffusion);
    if (status)
        return status;
    (void)tr_diffusion_value(diffusion, &walk, def->dimension, def->point, NULL);
    out->gap = tr_diffusion_gap(diffusion);
    tr_diffusion_destroy(diffusion);
    return tr_latent_reach(space, 2, &out->reach);
}

/* Refuses the basin where noise explains the poses: an optimum too, but useless. */
static tr_status check_basin(const tr_latent_fit *fit, tr_error *error) {
    const tr_latent_fit_parameters *p = &fit->parameters;
    const tr_latent_fit_report *r = &fit->report;
    double noise = fit->progress.hyper.pose_noise;
    if (r->error_rms_cm <= ERROR_MAX_CM && noise < 0.98 * NOISE_MAX)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "fit: the space does not reproduce the clips: error %.2f cm rms of at most "
                   "%g, noise %.2g of at most %g, in %d attempts: try a larger dimension than "
                   "%d, more iterations, less connectivity, or clips that are more alike",
                   r->error_rms_cm, ERROR_MAX_CM, noise, NOISE_MAX, fit->progress.attempt + 1,
                   p->dimension);
}

/* --- attempts --- */

static void begin_attempt(tr_latent_fit *fit, int attempt) {
    fit->progress = (tr_latent_fit_progress){.attempt = attempt, .rounds = fit->progress.rounds};
    /* Four times the inverse squared length: half the length. */
    tr_gplvm_start(fit->gplvm, SCALE_START * pow(4, attempt), NOISE_START, fit->z);
}

/* Restores the best variables of the search; the last step that was tried may be another. */
static tr_status settle(tr_latent_fit *fit, tr_error *error) {
    double *gradient = malloc((size_t)tr_gplvm_variable_count(fit->gplvm) * sizeof *gradient);
    if (!gradient)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory");
    fit->progress.hyper = tr_gplvm_hyper_of(fit->gplvm, fit->z);
    fit->progress.value = -tr_gplvm_evaluate(fit->gplvm, fit->pool, fit->z, gradient);
    fit->progress.terms = tr_gplvm_last_terms(fit->gplvm);
    free(gradient);
    return TR_OK;
}

/* What the search found becomes a space, which is measured and may be refused. */
static tr_status end_attempt(tr_latent_fit *fit, tr_error *error) {
    tr_status status = settle(fit, error);
    if (!status)
        status = make_space(fit, error);
    if (!status) {
        measure_error(fit->model, fit->space, &fit->report);
        status = measure_connection(&fit->settings, fit->space, &fit->report);
    }
    if (!status)
        status = check_basin(fit, error);
    if (status) {
        tr_latent_space_destroy(fit->space);
        fit->space = NULL;
    }
    return status;
}

/* --- life --- */

static tr_status create_gplvm(tr_latent_fit *fit, tr_error *error) {
    const tr_latent_fit_data *d = &fit->data;
    const tr_latent_space_def *e = &d->examples;
    const tr_gplvm_data numbers = {.clip_count = e->clip_count,
                                   .frame_count = e->frame_count,
                                   .step_count = e->frame_count - e->clip_count,
                                   .clip_first = d->clip_first,
                                   .pose_size = d->kept_count,
                                   .velocity_size = d->kept_count + ROOT_CHANNELS,
                                   .root_size = ROOT_CHANNELS,
                                   .pose = d->pose,
                                   .velocity = d->velocity};
    fit->settings = settings_of(&fit->parameters, e->frame_count);
    tr_status status = tr_gplvm_create(&numbers, &fit->settings, d->start, &fit->gplvm);
    if (!status)
        fit->z = calloc((size_t)tr_gplvm_variable_count(fit->gplvm), sizeof *fit->z);
    if (!status && !fit->z)
        status = TR_RESOURCE_EXHAUSTED;
    return tr_fail_if(error, status, "fit: %d frames", e->frame_count);
}

static void destroy(void *given) {
    tr_latent_fit *fit = given;
    if (!fit)
        return;
    tr_latent_space_destroy(fit->space);
    tr_gplvm_destroy(fit->gplvm);
    free(fit->data.clip_first);
    free(fit->data.pose);
    free(fit->data.velocity);
    free(fit->data.start);
    tr_latent_space_def_deinit(&fit->data.examples);
    tr_pool_destroy(fit->pool);
    free(fit->z);
    free(fit);
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    tr_latent_fit *fit = given;
    fit->model = def->model;
    fit->parameters = *(const tr_latent_fit_parameters *)def->settings;
    tr_status status = make_examples(def, &fit->data.examples, error);
    if (!status)
        status = tr_fail_if(error, tr_pool_create(def->threads, &fit->pool), "--threads %d",
                            def->threads);
    if (!status)
        status = prepare(fit, error);
    if (!status)
        status = create_gplvm(fit, error);
    if (!status)
        begin_attempt(fit, 0);
    return status;
}

/* --- rows --- */

static void describe(const tr_latent_fit *fit, tr_method_row *row) {
    const tr_latent_fit_report *r = &fit->report;
    const tr_latent_space_def *def = &fit->space->learned;
    snprintf(row->text, sizeof row->text,
             "%d frames of %d clips, mirrored in %d dimensions, %d iterations\n"
             "  error of the bodies at the frames %.2f cm rms, %.2f cm at most\n"
             "  connected: %.2f of the frames reach each other with jumps of two steps; second "
             "eigenvalue %.5f",
             def->frame_count, def->clip_count, def->dimension, fit->progress.iterations,
             r->error_rms_cm, r->error_worst_cm, r->reach, r->gap);
}

/* Makes a round, or the space of an attempt that has ended. */
static tr_status advance_attempt(tr_latent_fit *fit, tr_error *error) {
    if (!fit->progress.ended)
        return search(fit, error);
    tr_status status = end_attempt(fit, error);
    if (status != TR_FAILED_PRECONDITION || fit->progress.attempt >= RESTARTS)
        return status;
    /* A useless basin: begin again with shorter kernels. */
    begin_attempt(fit, fit->progress.attempt + 1);
    return TR_OK;
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    tr_latent_fit *fit = given;
    const tr_latent_fit_progress *p = &fit->progress;
    tr_status status = advance_attempt(fit, error);
    if (status)
        return status;
    /* Beside the rounds, each attempt has a row for its end. */
    *out = (tr_method_row){.phase = "fit",
                           .iteration = p->rounds + p->attempt + (fit->space != NULL),
                           .best = fit->space != NULL};
    tr_method_row_add(out, "attempt", p->attempt + 1);
    tr_method_row_add(out, "iterations", p->iterations);
    tr_method_row_add(out, "value", p->value);
    tr_method_row_add(out, "poses", p->terms.pose);
    tr_method_row_add(out, "velocities", p->terms.velocity);
    tr_method_row_add(out, "dynamics", p->terms.dynamics);
    tr_method_row_add(out, "connectivity", p->terms.diffusion);
    tr_method_row_add(out, "pose_noise", p->hyper.pose_noise);
    tr_method_row_add(out, "velocity_noise", p->hyper.velocity_noise);
    if (fit->space)
        describe(fit, out);
    return TR_OK;
}

static bool is_done(const void *given) {
    return ((const tr_latent_fit *)given)->space != NULL;
}

static double share(const void *given) {
    const tr_latent_fit *fit = given;
    return is_done(fit) ? 1 : (double)fit->progress.iterations / (fit->parameters.iterations + 1);
}

/* The space, and how it was made. */
static tr_status write_space(void *given, const tr_method_writing *writing, tr_error *error) {
    const tr_latent_fit *fit = given;
    tr_sections sections = {0};
    char text[SETTINGS_BYTES];
    tr_status status = tr_latent_space_save(fit->space, &sections, error);
    if (!status)
        status = tr_fail_if(
            error,
            tr_parameter_print(&tr_latent_fit_parameter_table, &fit->parameters, text, sizeof text),
            "fit: settings");
    if (!status) {
        tr_section_writer record = tr_section_begin(&sections, "fit");
        tr_section_put_text(&record, writing->command);
        tr_section_put_text(&record, text);
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
    tr_latent_fit *fit = given;
    tr_block(blocks, "progress", &fit->progress, sizeof fit->progress);
    (void)tr_block_require(blocks, "progress",
                           fit->progress.attempt >= 0 && fit->progress.iterations >= 0);
    tr_block(blocks, "variables", fit->z,
             (size_t)tr_gplvm_variable_count(fit->gplvm) * sizeof *fit->z);
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
    .size = sizeof(tr_latent_fit),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .file = "where the space is written",
    .write = write_space,
    .list = list,
    .destroy = destroy,
};
