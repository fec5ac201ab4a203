#include "learn/latent/gplvm.h"

#include "learn/latent/diffusion.h"
#include "learn/latent/gplvm_term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The longest comes first, so that two threads share them well. */
typedef enum term { DIFFUSION, POSE, VELOCITY, DYNAMICS, TERM_COUNT } term;

struct tr_gplvm {
    tr_gplvm_problem problem;
    double *start; /* [frame_count][dimension] */
    tr_diffusion *diffusion;
    tr_gp_room room[TERM_COUNT];
    tr_gplvm_slope slope[TERM_COUNT];
    /* Results of the terms; ranks share them. A row of sums has the slopes by points, and of the
     * poses the weights. */
    double value[TERM_COUNT];
    tr_gplvm_hyper by_hyper[TERM_COUNT];
    double *row; /* [TERM_COUNT][row_size] */
    size_t row_size;
    tr_gplvm_point point;
};

static size_t coordinate_count(const tr_gplvm_problem *p) {
    return (size_t)p->data.frame_count * (size_t)p->settings.dimension;
}

/* --- making --- */

static bool sizes_fit(const tr_gplvm_data *data, const tr_gplvm_settings *settings) {
    if (data->clip_count < 1 || data->frame_count > TR_GPLVM_FRAME_MAX || data->pose_size < 1 ||
        data->root_size < 1 || data->velocity_size <= data->root_size || settings->dimension < 1 ||
        settings->dimension > TR_GPLVM_DIMENSION_MAX)
        return false;
    for (int c = 0; c < data->clip_count; c++)
        if (data->clip_first[c + 1] - data->clip_first[c] < 3)
            return false;
    return data->clip_first[0] == 0 && data->clip_first[data->clip_count] == data->frame_count &&
           data->step_count == data->frame_count - data->clip_count;
}

static tr_status list_frames(tr_gplvm_problem *p) {
    p->step_frame = calloc((size_t)p->data.frame_count, sizeof *p->step_frame);
    p->third_frame = calloc((size_t)p->data.frame_count, sizeof *p->third_frame);
    if (!p->step_frame || !p->third_frame)
        return TR_RESOURCE_EXHAUSTED;
    int steps = 0;
    for (int c = 0; c < p->data.clip_count; c++) {
        int first = p->data.clip_first[c], end = p->data.clip_first[c + 1];
        for (int i = first + 1; i < end; i++)
            p->step_frame[steps++] = i;
        for (int i = first + 2; i < end; i++)
            p->third_frame[p->third_count++] = i;
    }
    return TR_OK;
}

/* Returns beta_1 = 1 / mean |v|^2 at the start. */
static double amplitude_of(const tr_gplvm_problem *p, const double *x) {
    const int q = p->settings.dimension;
    double sum = 0;
    for (int s = 0; s < p->data.step_count; s++)
        for (int d = 0; d < q; d++) {
            double v = x[p->step_frame[s] * q + d] - x[(p->step_frame[s] - 1) * q + d];
            sum += v * v;
        }
    return sum > 0 ? p->data.step_count / sum : 1;
}

static tr_status make_rows(tr_gplvm *m) {
    m->row_size = coordinate_count(&m->problem) + (size_t)m->problem.data.pose_size;
    m->row = calloc(TERM_COUNT * m->row_size, sizeof *m->row);
    if (!m->row)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t t = 0; t < TERM_COUNT; t++)
        m->slope[t].x = m->row + t * m->row_size;
    return TR_OK;
}

static tr_status make_rooms(tr_gplvm *m) {
    const tr_gplvm_data *data = &m->problem.data;
    const int q = m->problem.settings.dimension;
    const int counts[TERM_COUNT] = {[POSE] = data->frame_count,
                                    [VELOCITY] = data->step_count,
                                    [DYNAMICS] = m->problem.third_count};
    const int outputs[TERM_COUNT] = {
        [POSE] = data->pose_size, [VELOCITY] = data->velocity_size, [DYNAMICS] = q};
    tr_status status = tr_diffusion_create(data->frame_count, &m->diffusion);
    for (int t = POSE; !status && t < TERM_COUNT; t++)
        status = tr_gp_room_init(&m->room[t], counts[t], q * (t == POSE ? 1 : 2), outputs[t]);
    return status ? status : make_rows(m);
}

tr_status tr_gplvm_create(const tr_gplvm_data *data, const tr_gplvm_settings *settings,
                          const double *start, tr_gplvm **out) {
    if (!sizes_fit(data, settings))
        return TR_INVALID_ARGUMENT;
    tr_gplvm *m = calloc(1, sizeof *m);
    if (!m)
        return TR_RESOURCE_EXHAUSTED;
    m->problem = (tr_gplvm_problem){.data = *data, .settings = *settings};
    const size_t size = coordinate_count(&m->problem) * sizeof *m->start;
    m->start = malloc(size);
    tr_status status = m->start ? list_frames(&m->problem) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = make_rooms(m);
    if (status) {
        tr_gplvm_destroy(m);
        return status;
    }
    memcpy(m->start, start, size);
    m->problem.velocity_amplitude = amplitude_of(&m->problem, start);
    *out = m;
    return TR_OK;
}

void tr_gplvm_destroy(tr_gplvm *model) {
    if (!model)
        return;
    for (int t = 0; t < TERM_COUNT; t++)
        tr_gp_room_deinit(&model->room[t]);
    free(model->row);
    tr_diffusion_destroy(model->diffusion);
    free(model->problem.step_frame);
    free(model->problem.third_frame);
    free(model->start);
    free(model);
}

/* --- variables --- */

/* Behind the points: logarithms of three scales, logits of two noises. */
enum { POSE_SCALE, STEP_SCALE, PLACE_SCALE, POSE_NOISE, VELOCITY_NOISE };

int tr_gplvm_variable_count(const tr_gplvm *model) {
    return (int)coordinate_count(&model->problem) + TR_GPLVM_HYPER_COUNT;
}

/* Bounds of a noise. */
typedef struct bounds {
    double low, high;
} bounds;

static bounds bounds_of(const tr_gplvm_settings *s) {
    return (bounds){s->noise_min, s->noise_max};
}

/* Returns a noise within its bounds: low + (high - low) / (1 + e^-z). */
static double noise_of(bounds b, double z) {
    return b.low + (b.high - b.low) / (1 + exp(-z));
}

static double logit_of(bounds b, double noise) {
    double share = (noise - b.low) / (b.high - b.low);
    /* At a bound the logit would be infinite. */
    share = fmin(fmax(share, 1e-6), 1 - 1e-6);
    return log(share / (1 - share));
}

/* Returns d noise / dz. */
static double noise_slope(bounds b, double noise) {
    return (noise - b.low) * (b.high - noise) / (b.high - b.low);
}

void tr_gplvm_start(const tr_gplvm *model, double scale_start, double noise_start, double *out_z) {
    const size_t points = coordinate_count(&model->problem);
    double *hyper = out_z + points;
    memcpy(out_z, model->start, points * sizeof *out_z);
    hyper[POSE_SCALE] = hyper[STEP_SCALE] = hyper[PLACE_SCALE] = log(scale_start);
    for (int noise = POSE_NOISE; noise <= VELOCITY_NOISE; noise++)
        hyper[noise] = logit_of(bounds_of(&model->problem.settings), noise_start);
}

tr_gplvm_hyper tr_gplvm_hyper_of(const tr_gplvm *model, const double *z) {
    const double *hyper = z + coordinate_count(&model->problem);
    const tr_gplvm_settings *s = &model->problem.settings;
    return (tr_gplvm_hyper){.pose_scale = exp(hyper[POSE_SCALE]),
                            .pose_noise = noise_of(bounds_of(s), hyper[POSE_NOISE]),
                            .step_scale = exp(hyper[STEP_SCALE]),
                            .place_scale = exp(hyper[PLACE_SCALE]),
                            .velocity_noise = noise_of(bounds_of(s), hyper[VELOCITY_NOISE]),
                            .velocity_amplitude = model->problem.velocity_amplitude};
}

/* --- evaluation --- */

static double evaluate_walk(tr_gplvm *m, double *out) {
    const tr_gplvm_settings *s = &m->problem.settings;
    const tr_diffusion_settings walk = {s->diffusion_rate, s->exponent, s->connectivity};
    return s->connectivity > 0
               ? tr_diffusion_value(m->diffusion, &walk, s->dimension, m->point.x, out)
               : 0;
}

static void evaluate_term(void *context, int t, int worker) {
    (void)worker;
    tr_gplvm *m = context;
    tr_gplvm_slope *slope = &m->slope[t];
    /* Terms add to their slopes. */
    memset(m->row + (size_t)t * m->row_size, 0, m->row_size * sizeof *m->row);
    slope->hyper = (tr_gplvm_hyper){0};
    if (t == DIFFUSION) {
        m->value[t] = evaluate_walk(m, slope->x);
        return;
    }
    static tr_gplvm_term_fn *const evaluate[TERM_COUNT] = {[POSE] = tr_gplvm_pose_term,
                                                           [VELOCITY] = tr_gplvm_velocity_term,
                                                           [DYNAMICS] = tr_gplvm_dynamics_term};
    m->value[t] = evaluate[t](&m->problem, &m->point, &m->room[t], slope);
    m->by_hyper[t] = slope->hyper;
    if (t == POSE)
        memcpy(slope->x + coordinate_count(&m->problem), m->room[t].weight,
               (size_t)m->problem.data.pose_size * sizeof *slope->x);
}

/* Returns the factor by which a term counts. */
static double weight_of(const tr_gplvm *m, int t) {
    return t == VELOCITY ? m->problem.settings.velocity_weight : 1;
}

static void join_slopes(const tr_gplvm *m, const double *z, double *out) {
    const tr_gplvm_settings *s = &m->problem.settings;
    const size_t points = coordinate_count(&m->problem);
    const tr_gplvm_hyper *pose = &m->by_hyper[POSE], *velocity = &m->by_hyper[VELOCITY];
    const tr_gplvm_hyper at = tr_gplvm_hyper_of(m, z);
    /* Terms are maximised, but the search minimises: signs change. */
    for (size_t i = 0; i < points; i++) {
        out[i] = 0;
        for (int t = 0; t < TERM_COUNT; t++)
            out[i] -= weight_of(m, t) * m->slope[t].x[i];
    }
    double *hyper = out + points;
    /* Variables are logarithms and logits, which brings a factor by the chain rule. */
    hyper[POSE_SCALE] = -pose->pose_scale * at.pose_scale;
    const double weight = weight_of(m, VELOCITY);
    hyper[STEP_SCALE] = -weight * velocity->step_scale * at.step_scale;
    hyper[PLACE_SCALE] = -weight * velocity->place_scale * at.place_scale;
    hyper[POSE_NOISE] = -pose->pose_noise * noise_slope(bounds_of(s), at.pose_noise);
    hyper[VELOCITY_NOISE] =
        -weight * velocity->velocity_noise * noise_slope(bounds_of(s), at.velocity_noise);
}

double tr_gplvm_evaluate(tr_gplvm *model, tr_pool *pool, const double *z, double *out_gradient) {
    model->point = (tr_gplvm_point){.x = z, .hyper = tr_gplvm_hyper_of(model, z)};
    const tr_ranks_result results[] = {{model->value, sizeof *model->value},
                                       {model->by_hyper, sizeof *model->by_hyper},
                                       {model->row, model->row_size * sizeof *model->row},
                                       {0}};
    /* Terms run side by side; their results are summed in a fixed order. */
    tr_pool_share(pool, evaluate_term, model, TERM_COUNT, results);
    double value = 0;
    for (int t = 0; t < TERM_COUNT; t++)
        value -= weight_of(model, t) * model->value[t];
    join_slopes(model, z, out_gradient);
    return isfinite(value) ? value : (double)INFINITY;
}

tr_gplvm_terms tr_gplvm_last_terms(const tr_gplvm *model) {
    return (tr_gplvm_terms){model->value[POSE], model->value[VELOCITY], model->value[DYNAMICS],
                            model->value[DIFFUSION]};
}

void tr_gplvm_pose_weights(const tr_gplvm *model, double *out) {
    for (int k = 0; k < model->problem.data.pose_size; k++)
        out[k] = sqrt(model->slope[POSE].x[coordinate_count(&model->problem) + (size_t)k]);
}
