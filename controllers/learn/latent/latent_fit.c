#include "learn/latent/latent_fit.h"

#include "learn/latent/diffusion.h"
#include "learn/latent/reach.h"
#include "math/linalg.h"
#include "math/minimise.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT_CHANNELS = 3 };

/* A channel whose standard deviation is smaller, in its own unit, is constant. */
static const double CONSTANT = 1e-3;

/* Examples in metres. Channel k of the data is channel kept[k] of the pose vectors. */
typedef struct data {
    const tr_latent_space_def *examples;
    int kept_count;
    int kept[TR_POSE_VECTOR_MAX];
    double scale[TR_POSE_VECTOR_MAX], mean[TR_POSE_VECTOR_MAX];
    int *clip_first;
    double *pose, *velocity, *start;
} data;

/* --- data --- */

static void find_channels(const tr_model *model, data *d) {
    const tr_latent_space_def *e = d->examples;
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
static double turning_arm(const tr_model *model, const data *d) {
    tr_pose pose =
        tr_pose_vector_to(model, &d->examples->reference, d->mean, &(tr_pose_place){0, 0, 0});
    tr_state state = tr_state_at_rest(model, &pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &state, bodies);
    double sum = 0;
    for (int i = 0; i < model->body_count; i++)
        sum +=
            bodies[i].com_pos.x * bodies[i].com_pos.x + bodies[i].com_pos.y * bodies[i].com_pos.y;
    return sqrt(sum / model->body_count);
}

static void fill_poses(data *d) {
    const tr_latent_space_def *e = d->examples;
    for (int i = 0; i < e->frame_count; i++)
        for (int k = 0; k < d->kept_count; k++) {
            int channel = d->kept[k];
            d->pose[i * d->kept_count + k] =
                d->scale[channel] * (e->pose[i * e->pose_size + channel] - d->mean[channel]);
        }
}

static void fill_velocities(const tr_model *model, data *d) {
    const tr_latent_space_def *e = d->examples;
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
static tr_status start_points(const tr_latent_fit_parameters *p, data *d) {
    const int n = d->examples->frame_count, m = d->kept_count, q = p->dimension;
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
            d->start[i * q + c] = sum / sqrt(value[m - 1]) + p->jitter * tr_random_normal(&r);
        }
    }
    free(covariance);
    return status;
}

static tr_status prepare(const tr_latent_fit *fit, data *d, tr_error *error) {
    const tr_latent_space_def *e = d->examples;
    find_channels(fit->model, d);
    if (d->kept_count < fit->parameters->dimension)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "dimension: %d: expected at most %d, the channels that vary",
                       fit->parameters->dimension, d->kept_count);
    if (fit->parameters->inducing == 0 && e->frame_count > TR_LATENT_EXACT_FRAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "inducing: 0: %d frames: expected 1 or more, such as 200, for more than %d "
                       "frames",
                       e->frame_count, TR_LATENT_EXACT_FRAME_MAX);
    if (fit->parameters->inducing > e->frame_count - 2 * e->clip_count)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "inducing: %d: expected at most %d, two a clip fewer than the frames",
                       fit->parameters->inducing, e->frame_count - 2 * e->clip_count);
    /* Take memory; then fill poses, velocities and the points to start at. */
    size_t frames = (size_t)e->frame_count, kept = (size_t)d->kept_count;
    d->clip_first = calloc((size_t)e->clip_count + 1, sizeof *d->clip_first);
    d->pose = calloc(frames * kept, sizeof *d->pose);
    d->velocity = calloc(frames * (kept + ROOT_CHANNELS), sizeof *d->velocity);
    d->start = calloc(frames * (size_t)fit->parameters->dimension, sizeof *d->start);
    if (!d->clip_first || !d->pose || !d->velocity || !d->start)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory for %zu frames", frames);
    for (int c = 0; c < e->clip_count; c++)
        d->clip_first[c + 1] = d->clip_first[c] + e->clip[c].count;
    fill_poses(d);
    fill_velocities(fit->model, d);
    tr_status status = start_points(fit->parameters, d);
    return status ? tr_fail(error, status, "fit: principal components: %s", tr_status_text(status))
                  : TR_OK;
}

static void free_data(data *d) {
    free(d->clip_first);
    free(d->pose);
    free(d->velocity);
    free(d->start);
}

/* A sparse fit's walks visit about 500 frames. */
static int walk_stride(const tr_latent_fit_parameters *p, int frames) {
    return p->inducing ? (frames + 499) / 500 : 1;
}

/* The number of pairs grows with the square of the frames, and a likelihood with the frames. */
static tr_gplvm_settings settings_of(const tr_latent_fit_parameters *p, int frames) {
    const int stride = walk_stride(p, frames), walked = (frames + stride - 1) / stride;
    return (tr_gplvm_settings){
        .dimension = p->dimension,
        .inducing = p->inducing,
        .walk_stride = stride,
        .velocity_weight = p->velocity_weight,
        .connectivity = p->connectivity * 500 * 500 * stride / ((double)walked * walked),
        .diffusion_rate = p->diffusion_rate * walked / 400,
        .exponent = p->exponent,
        .dynamics = {p->dynamics_amplitude, p->dynamics_scale, p->dynamics_noise},
        .noise_min = p->noise_min,
        .pose_noise_min = fmax(p->noise_min, p->pose_noise_min),
        .noise_max = p->noise_max,
        .channel_scales = p->channel_scales == 1};
}

/* --- search --- */

typedef struct search {
    const tr_latent_fit *fit;
    tr_gplvm *model;
    double *z;
    tr_latent_fit_progress progress, before; /* now, and before this round */
} search;

static double evaluate(void *context, const double *z, double *out_gradient) {
    search *s = context;
    return tr_gplvm_evaluate(s->model, s->fit->pool, z, out_gradient);
}

static bool listen(void *context, const tr_minimise_progress *progress) {
    search *s = context;
    s->progress.iterations = s->before.iterations + progress->iterations;
    s->progress.evaluations = s->before.evaluations + progress->evaluations;
    s->progress.value = -progress->value;
    s->progress.terms = tr_gplvm_last_terms(s->model);
    if (s->fit->report)
        s->fit->report(s->fit->context, &s->progress);
    return true;
}

static tr_status run_round(search *s, int iterations, bool *out_ended, tr_error *error) {
    const tr_minimise_problem problem = {.size = tr_gplvm_variable_count(s->model),
                                         .memory = s->fit->parameters->memory,
                                         .iterations = iterations,
                                         .tolerance = 1e-7,
                                         .evaluate = evaluate,
                                         .report = listen,
                                         .context = s};
    tr_minimise_progress end;
    s->before = s->progress;
    tr_status status = tr_minimise(&problem, s->z, &end);
    if (status)
        return tr_fail(error, status, "fit: attempt %d: %s", s->progress.attempt + 1,
                       tr_status_text(status));
    /* A search that ends early cannot improve any more. */
    *out_ended = end.iterations < iterations;
    s->progress.hyper = tr_gplvm_hyper_of(s->model, s->z);
    return s->fit->keep ? s->fit->keep(s->fit->context, &s->progress, s->z, problem.size, error)
                        : TR_OK;
}

/* The prior is left out until loose_iterations, or until nothing improves without it. */
static tr_status run_rounds(search *s, double connectivity, tr_error *error) {
    const tr_latent_fit_parameters *p = s->fit->parameters;
    bool ended = false;
    tr_status status = TR_OK;
    while (!status && !ended && s->progress.iterations < p->iterations) {
        /* A round ends at the limit of this part, or for a checkpoint. */
        bool loose = s->progress.iterations < p->loose_iterations;
        int end =
            loose && p->loose_iterations < p->iterations ? p->loose_iterations : p->iterations;
        int left = end - s->progress.iterations;
        tr_gplvm_set_connectivity(s->model, loose ? 0 : connectivity);
        status =
            run_round(s, left < p->round_iterations ? left : p->round_iterations, &ended, error);
        /* Nothing improves without the prior: it joins now. */
        if (loose && ended) {
            s->progress.iterations = end;
            ended = false;
        }
    }
    tr_gplvm_set_connectivity(s->model, connectivity);
    return status;
}

/* --- results --- */

static tr_status make_space(const search *s, const data *d, tr_latent_space **out,
                            tr_error *error) {
    const tr_latent_fit_parameters *p = s->fit->parameters;
    const tr_gplvm_hyper *h = &s->progress.hyper;
    tr_latent_space_def *def = malloc(sizeof *def);
    if (!def)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory");
    double weight[TR_POSE_VECTOR_MAX], spread = 0;
    tr_gplvm_pose_weights(s->model, weight);
    for (int k = 0; k < d->kept_count; k++)
        spread += 1 / weight[k] / d->kept_count;
    *def = *d->examples;
    def->dimension = p->dimension;
    def->point = s->z;
    def->inducing_count = p->inducing;
    def->inducing = p->inducing ? (double *)tr_gplvm_inducing(s->model, s->z) : NULL;
    def->kernels = (tr_latent_kernels){
        .pose_scale = h->pose_scale,
        .pose_noise = h->pose_noise,
        .velocity_amplitude = h->velocity_amplitude,
        .step_scale = h->step_scale,
        .place_scale = h->place_scale,
        .velocity_noise = h->velocity_noise,
        .dynamics = {p->dynamics_amplitude, p->dynamics_scale, p->dynamics_noise},
        .pose_spread_m = spread};
    tr_status status = tr_latent_space_create(s->fit->model, def, out, error);
    free(def);
    return status;
}

/* Places the bodies' centres of mass, the root's heading and travel taken out. */
static void place_bodies(const tr_model *model, const tr_latent_space_def *def,
                         const double *vector, tr_vec3 out[static TR_BODY_MAX]) {
    tr_pose pose = tr_pose_vector_to(model, &def->reference, vector, &(tr_pose_place){0, 0, 0});
    tr_state state = tr_state_at_rest(model, &pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &state, bodies);
    for (int i = 0; i < model->body_count; i++)
        out[i] = bodies[i].com_pos;
}

static void measure_error(const tr_model *model, const tr_latent_space *space,
                          tr_latent_fit_report *out) {
    const tr_latent_space_def *def = &space->learned;
    double vector[TR_POSE_VECTOR_MAX], sum = 0, worst = 0;
    tr_vec3 made[TR_BODY_MAX], shown[TR_BODY_MAX];
    for (int f = 0; f < def->frame_count; f++) {
        /* The pose of the point is compared with that of the clip. */
        tr_latent_space_pose(space, def->point + f * def->dimension, vector);
        place_bodies(model, def, vector, made);
        place_bodies(model, def, def->pose + f * def->pose_size, shown);
        for (int i = 0; i < model->body_count; i++) {
            double distance = tr_vec3_distance(made[i], shown[i]);
            sum += distance * distance;
            worst = fmax(worst, distance);
        }
    }
    out->error_rms_cm = 100 * sqrt(sum / (def->frame_count * model->body_count));
    out->error_worst_cm = 100 * worst;
}

/* Measures the gap of the walks that visit the frames at `point`: [count][dimension]. */
static tr_status measure_gap(const tr_gplvm_settings *settings, int count, const double *point,
                             double *out) {
    tr_diffusion *diffusion;
    tr_status status = tr_diffusion_create(count, &diffusion);
    if (status)
        return status;
    const tr_diffusion_settings walk = {settings->diffusion_rate, settings->exponent, 1};
    (void)tr_diffusion_value(diffusion, &walk, settings->dimension, point, NULL);
    *out = tr_diffusion_gap(diffusion);
    tr_diffusion_destroy(diffusion);
    return TR_OK;
}

static tr_status measure_connection(const tr_gplvm_settings *settings, const tr_latent_space *space,
                                    tr_latent_fit_report *out) {
    const tr_latent_space_def *def = &space->learned;
    const int q = def->dimension, stride = settings->walk_stride;
    const int count = (def->frame_count + stride - 1) / stride;
    double *point = malloc((size_t)count * (size_t)q * sizeof *point);
    if (!point)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < count; i++)
        memcpy(point + i * q, def->point + i * stride * q, (size_t)q * sizeof *point);
    tr_status status = measure_gap(settings, count, point, &out->gap);
    free(point);
    return status ? status : tr_latent_reach(space, 2, &out->reach);
}

/* Refuses the basin where noise explains the poses: an optimum too, but useless. */
static tr_status check_basin(const tr_latent_fit_parameters *p, const tr_latent_fit_report *r,
                             tr_error *error) {
    double noise = r->end.hyper.pose_noise;
    if (r->error_rms_cm <= p->error_max_cm && noise < 0.98 * p->noise_max)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "fit: the space does not reproduce the clips: error %.2f cm rms (error_max_cm "
                   "%g), noise %.2g (noise_max %g), in %d attempts: try a larger dimension than "
                   "%d, more iterations, less connectivity, or clips that are more alike",
                   r->error_rms_cm, p->error_max_cm, noise, p->noise_max, r->end.attempt + 1,
                   p->dimension);
}

/* --- attempts --- */

static void begin_attempt(search *s) {
    const tr_latent_fit_parameters *p = s->fit->parameters;
    int attempt = s->progress.attempt;
    s->progress = (tr_latent_fit_progress){.attempt = attempt};
    /* Four times the inverse squared length: half the length. */
    tr_gplvm_start(s->model, p->scale_start * pow(4, attempt), p->noise_start, s->z);
}

/* Restores the best variables of the search; the last step that was tried may be another. */
static tr_status settle(search *s, tr_error *error) {
    double *gradient = malloc((size_t)tr_gplvm_variable_count(s->model) * sizeof *gradient);
    if (!gradient)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "fit: no memory");
    s->progress.value = -tr_gplvm_evaluate(s->model, s->fit->pool, s->z, gradient);
    s->progress.terms = tr_gplvm_last_terms(s->model);
    free(gradient);
    return TR_OK;
}

static tr_status attempt(search *s, const data *d, const tr_gplvm_settings *settings,
                         tr_latent_space **out, tr_latent_fit_report *report, tr_error *error) {
    tr_latent_space *space = NULL;
    tr_status status = run_rounds(s, settings->connectivity, error);
    /* What the search found becomes a space, which is measured and may be refused. */
    s->progress.hyper = tr_gplvm_hyper_of(s->model, s->z);
    if (!status)
        status = settle(s, error);
    if (!status)
        status = make_space(s, d, &space, error);
    if (!status) {
        report->end = s->progress;
        measure_error(s->fit->model, space, report);
        status = measure_connection(settings, space, report);
    }
    if (!status)
        status = check_basin(s->fit->parameters, report, error);
    if (status)
        tr_latent_space_destroy(space);
    else
        *out = space;
    return status;
}

static tr_status search_space(const tr_latent_fit *fit, const data *d, tr_latent_space **out,
                              tr_latent_fit_report *report, tr_error *error) {
    const tr_latent_space_def *e = d->examples;
    const tr_gplvm_settings settings = settings_of(fit->parameters, e->frame_count);
    const tr_gplvm_data numbers = {.clip_count = e->clip_count,
                                   .frame_count = e->frame_count,
                                   .step_count = e->frame_count - e->clip_count,
                                   .clip_first = d->clip_first,
                                   .pose_size = d->kept_count,
                                   .velocity_size = d->kept_count + ROOT_CHANNELS,
                                   .root_size = ROOT_CHANNELS,
                                   .pose = d->pose,
                                   .velocity = d->velocity};
    search s = {.fit = fit, .progress = fit->resumed};
    tr_status status = tr_gplvm_create(&numbers, &settings, d->start, &s.model);
    if (!status)
        s.z = calloc((size_t)tr_gplvm_variable_count(s.model), sizeof *s.z);
    if (!status && !s.z)
        status = TR_RESOURCE_EXHAUSTED;
    if (status) {
        tr_gplvm_destroy(s.model);
        return tr_fail(error, status, "fit: %d frames: %s", e->frame_count, tr_status_text(status));
    }
    if (fit->resume)
        memcpy(s.z, fit->resume, (size_t)tr_gplvm_variable_count(s.model) * sizeof *s.z);
    else
        begin_attempt(&s);
    status = attempt(&s, d, &settings, out, report, error);
    /* A useless basin: begin again with shorter kernels. */
    while (status == TR_FAILED_PRECONDITION && s.progress.attempt < fit->parameters->restarts) {
        s.progress.attempt++;
        begin_attempt(&s);
        status = attempt(&s, d, &settings, out, report, error);
    }
    free(s.z);
    tr_gplvm_destroy(s.model);
    return status;
}

tr_status tr_latent_fit_run(const tr_latent_fit *fit, const tr_latent_space_def *examples,
                            tr_latent_space **out, tr_latent_fit_report *out_report,
                            tr_error *error) {
    data d = {.examples = examples};
    tr_status status = prepare(fit, &d, error);
    if (!status)
        status = search_space(fit, &d, out, out_report, error);
    free_data(&d);
    return status;
}
