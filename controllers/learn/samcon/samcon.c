#include "learn/samcon/samcon.h"

#include "math/elementary.h"
#include "math/random.h"

#include <stdlib.h>
#include <string.h>

/* An elite of a stage. States are packed: they are most of the memory of a walk. */
typedef struct elite {
    int parent;
    double cost;
    tr_features features;
    double action[TR_ACTION_MAX];
} elite;

typedef struct stage {
    int count;
    bool pushed;
    elite *elites; /* [def->elites] */
    double *ends;  /* [def->elites][packed size] */
} stage;

/* How far a failure rolls the walk back: further and further while it keeps failing at the same
 * place. */
typedef struct setback {
    int failures;
    int repeats; /* at about the same stage */
    int last;    /* stage of the last failure */
} setback;

typedef struct search {
    tr_ensemble *ensemble;
    const tr_controller *controller;
    const tr_bank *bank; /* the controller's */
    const tr_samcon_def *def;
    tr_cost_view *reference; /* [fragment_count], what each fragment's end should look like */
    stage *stages;           /* [def->stages] */
    tr_sample *samples;      /* [def->samples] */
    tr_state *starts;        /* [def->samples] */
    tr_state *begins;        /* [def->stages / fragment_count + 1]: where the chain began */
    int *order;              /* [def->samples], by cost */
    setback setback;
    /* The stage in progress, read by all threads. */
    int current;
    double push_n, push_direction_rad; /* direction relative to the heading */
    int64_t drawn;                     /* samples so far */
} search;

/* --- packing --- */

static size_t packed_size(const tr_model *model) {
    return 13 + 7 * (size_t)(model->body_count - 1);
}

static void pack(const tr_model *model, const tr_state *state, double *out) {
    size_t joints = (size_t)(model->body_count - 1);
    memcpy(out, &state->pose.root_pos, 3 * sizeof *out);
    memcpy(out + 3, &state->pose.root_rot, 4 * sizeof *out);
    memcpy(out + 7, &state->root_vel, 3 * sizeof *out);
    memcpy(out + 10, &state->root_omega, 3 * sizeof *out);
    memcpy(out + 13, &state->pose.joint[1], 4 * joints * sizeof *out);
    memcpy(out + 13 + 4 * joints, &state->joint_rate[1], 3 * joints * sizeof *out);
}

/* Does not change the parts of `out` that are not packed (unused joints). */
static void unpack(const tr_model *model, const double *in, tr_state *out) {
    size_t joints = (size_t)(model->body_count - 1);
    memcpy(&out->pose.root_pos, in, 3 * sizeof *in);
    memcpy(&out->pose.root_rot, in + 3, 4 * sizeof *in);
    memcpy(&out->root_vel, in + 7, 3 * sizeof *in);
    memcpy(&out->root_omega, in + 10, 3 * sizeof *in);
    memcpy(&out->pose.joint[1], in + 13, 4 * joints * sizeof *in);
    memcpy(&out->joint_rate[1], in + 13 + 4 * joints, 3 * joints * sizeof *in);
}

/* --- one stage --- */

static uint64_t stage_key(const search *s) {
    return ((uint64_t)s->setback.failures << 32) | (uint64_t)s->current;
}

/* Systematic resampling of the elites of the stage before with weights exp(-(E - min E) / (mean E
 * - min E)). */
static void resample(search *s, const stage *before) {
    double least = before->elites[0].cost, mean = 0, sum = 0;
    for (int i = 0; i < before->count; i++)
        mean += before->elites[i].cost / before->count;
    /* The scale follows the spread of the costs, so that weights do not depend on their unit. */
    double scale = mean - least + 1e-6;
    for (int i = 0; i < before->count; i++)
        sum += tr_exp(-(before->elites[i].cost - least) / scale);
    /* Takes equal strides from one random offset through the cumulated weights (liu2015-guided,
     * algorithm 1, line 10). No sample has the number UINT64_MAX, so that the stream is
     * separate. */
    tr_random random = tr_random_split(s->def->seed, stage_key(s), UINT64_MAX);
    double offset = tr_random_uniform(&random), reached = 0;
    size_t size = packed_size(s->ensemble->model);
    int chosen = -1;
    for (int j = 0; j < s->def->samples; j++) {
        while (chosen < 0 || (reached < offset + j && chosen < before->count - 1)) {
            chosen++;
            double share = tr_exp(-(before->elites[chosen].cost - least) / scale) / sum;
            reached += share * s->def->samples;
        }
        s->samples[j].parent = chosen;
        unpack(s->ensemble->model, before->ends + (size_t)chosen * size, &s->starts[j]);
    }
}

/* Does stage k begin a chain anew, and not where the last stage ended? */
static bool begins_anew(const search *s, int k) {
    return k == 0 || (!s->bank->cyclic && k % s->bank->fragment_count == 0);
}

/* Draws where the chain begins. Every second failure changes the draw, so that a start that cannot
 * be held is left in the end. */
static tr_state draw_begin(const search *s) {
    const tr_starts *starts = &s->def->starts;
    if (starts->count == 0)
        return s->controller->spawn;
    tr_random random =
        tr_random_split(s->def->seed + 1, (uint64_t)s->current, (uint64_t)s->setback.failures / 2);
    return starts->state[(int)(tr_random_uniform(&random) * starts->count)];
}

static void prepare_starts(search *s) {
    tr_state begin = s->controller->spawn;
    if (begins_anew(s, s->current)) {
        begin = draw_begin(s);
        s->begins[s->current / s->bank->fragment_count] = begin;
    }
    for (int j = 0; j < s->def->samples; j++) {
        s->starts[j] = begin;
        s->samples[j].parent = s->current > 0 ? 0 : -1;
    }
    if (!begins_anew(s, s->current))
        resample(s, &s->stages[s->current - 1]);
}

/* Draws the push of a stage, the same for all its samples. It is drawn anew after every third
 * failure in a row at about the same stage, because it may be more than can be survived. */
static void draw_push(search *s) {
    s->push_n = 0;
    if (s->def->push_n <= 0)
        return;
    uint64_t retry = (uint64_t)(s->setback.repeats / 3);
    tr_random random = tr_random_split(~s->def->seed, (uint64_t)s->current, retry);
    if (tr_random_uniform(&random) >= s->def->push_probability)
        return;
    s->push_n = s->def->push_n * tr_random_normal(&random);
    s->push_direction_rad = 2 * TR_PI * tr_random_uniform(&random);
}

static int by_cost(const void *a, const void *b, void *context) {
    const search *s = context;
    int i = *(const int *)a, j = *(const int *)b;
    const tr_sample *x = &s->samples[i], *y = &s->samples[j];
    /* Samples that lost the motion come last; ties are broken by number, so that the order is
     * unique. */
    if (x->lost != y->lost)
        return x->lost ? 1 : -1;
    if (!x->lost && x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return i < j ? -1 : i > j;
}

static tr_status draw_samples(search *s) {
    int k = s->current % s->bank->fragment_count;
    prepare_starts(s);
    tr_sampling_task task = {.bank = s->bank,
                             .fragment = k,
                             .seed = s->def->seed,
                             .stage_key = stage_key(s),
                             .count = s->def->samples,
                             .starts = s->starts,
                             .reference = &s->reference[k],
                             .weights = &s->def->weights,
                             .noise_rad = s->def->noise_rad,
                             .push_n = s->push_n,
                             .push_direction_rad = s->push_direction_rad};
    s->drawn += task.count;
    return tr_sampling_draw_all(s->ensemble, &task, s->samples);
}

/* Orders the samples. Returns how many keep the motion, at most as many as there are elites. */
static int order_samples(search *s) {
    int count = 0;
    for (int j = 0; j < s->def->samples; j++)
        s->order[j] = j;
    qsort_r(s->order, (size_t)s->def->samples, sizeof *s->order, by_cost, s);
    while (count < s->def->elites && !s->samples[s->order[count]].lost)
        count++;
    return count;
}

/* Keeps the best samples; false when the stage has failed. */
static bool keep_elites(search *s, int count) {
    stage *kept = &s->stages[s->current];
    size_t size = packed_size(s->ensemble->model);
    /* A stage fails if less than about a quarter of the elites keep the motion, or the best is too
     * far off. */
    if (count < s->def->elites / 4 + 1 || s->samples[s->order[0]].cost > s->def->cost_max)
        return false;
    tr_sampling_fetch(s->order, count, s->samples);
    for (int i = 0; i < count; i++) {
        const tr_sample *from = &s->samples[s->order[i]];
        elite *to = &kept->elites[i];
        *to = (elite){.parent = from->parent, .cost = from->cost, .features = from->features};
        memcpy(to->action, from->action, sizeof to->action);
        pack(s->ensemble->model, &from->end, kept->ends + (size_t)i * size);
    }
    kept->count = count;
    kept->pushed = s->push_n != 0;
    return true;
}

/* --- memory --- */

static tr_status allocate_stage(search *s, stage *kept) {
    if (kept->elites)
        return TR_OK;
    size_t elites = (size_t)s->def->elites;
    kept->elites = malloc(elites * sizeof *kept->elites);
    kept->ends = malloc(elites * packed_size(s->ensemble->model) * sizeof *kept->ends);
    return kept->elites && kept->ends ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

static void close_search(search *s) {
    for (int k = 0; s->stages && k < s->def->stages; k++) {
        free(s->stages[k].elites);
        free(s->stages[k].ends);
    }
    free(s->stages);
    free(s->samples);
    free(s->starts);
    free(s->begins);
    free(s->order);
    free(s->reference);
}

static tr_status open_search(search *s) {
    size_t samples = (size_t)s->def->samples;
    s->stages = calloc((size_t)s->def->stages, sizeof *s->stages);
    s->samples = calloc(samples, sizeof *s->samples);
    s->starts = calloc(samples, sizeof *s->starts);
    s->begins = calloc((size_t)(s->def->stages / s->bank->fragment_count) + 1, sizeof *s->begins);
    s->order = calloc(samples, sizeof *s->order);
    s->reference = calloc((size_t)s->bank->fragment_count, sizeof *s->reference);
    if (!s->stages || !s->samples || !s->starts || !s->begins || !s->order || !s->reference)
        return TR_RESOURCE_EXHAUSTED;
    tr_cost_references(s->ensemble->model, s->bank, s->reference);
    return TR_OK;
}

/* --- the walk --- */

static tr_status run_stages(search *s) {
    while (s->current < s->def->stages) {
        tr_status status = allocate_stage(s, &s->stages[s->current]);
        if (status)
            return status;
        draw_push(s);
        status = draw_samples(s);
        if (status)
            return status;
        /* Success moves on; failure rolls back, until there were too many. */
        if (keep_elites(s, order_samples(s))) {
            s->current++;
            continue;
        }
        setback *b = &s->setback;
        /* A failure counts as a repeat up to two rollbacks beyond the last one. */
        b->repeats =
            s->current <= b->last + 2 * s->def->rollback && b->failures ? b->repeats + 1 : 0;
        b->last = s->current;
        b->failures++;
        /* Every second repeat goes one rollback farther: the mistake may lie earlier. */
        int back = s->def->rollback * (1 + b->repeats / 2);
        s->current = s->current > back ? s->current - back : 0;
        if (s->setback.failures <= s->def->failures_max)
            continue;
        if (s->def->lost_fragment)
            *s->def->lost_fragment =
                s->setback.last % tr_controller_bank(s->controller)->fragment_count;
        return TR_ABORTED;
    }
    return TR_OK;
}

/* Follows the parents of the best sample of the last stage back to the first (liu2015-guided,
 * algorithm 1, line 12). */
static tr_status trace_path(const search *s, tr_walk *out) {
    const tr_model *model = s->ensemble->model;
    size_t size = packed_size(model);
    tr_walk walk = {.count = s->def->stages};
    walk.rollbacks = s->setback.failures;
    walk.samples = s->drawn;
    walk.step = calloc((size_t)walk.count, sizeof *walk.step);
    if (!walk.step)
        return TR_RESOURCE_EXHAUSTED;
    for (int k = walk.count - 1, i = 0; k >= 0; k--) {
        const stage *kept = &s->stages[k];
        const elite *from = &kept->elites[i];
        tr_walk_step *to = &walk.step[k];
        to->fragment = k % s->bank->fragment_count;
        to->pushed = kept->pushed;
        to->cost = from->cost;
        to->features = from->features;
        memcpy(to->action, from->action, sizeof to->action);
        /* The spawn state gives what is not packed. */
        to->end = s->controller->spawn;
        unpack(model, kept->ends + (size_t)i * size, &to->end);
        walk.cost += from->cost / walk.count;
        i = from->parent;
    }
    /* A step starts where the one before ended, but a chain that begins anew starts in a drawn
     * state. */
    for (int k = 0; k < walk.count; k++)
        walk.step[k].start =
            begins_anew(s, k) ? s->begins[k / s->bank->fragment_count] : walk.step[k - 1].end;
    *out = walk;
    return TR_OK;
}

tr_status tr_samcon_walk(tr_ensemble *ensemble, const tr_controller *controller,
                         const tr_samcon_def *def, tr_walk *out) {
    if (def->stages < 1 || def->stages > TR_SAMCON_STAGE_MAX || def->samples < 1 ||
        def->samples > TR_SAMCON_SAMPLE_MAX || def->elites < 1 || def->elites > def->samples ||
        def->rollback < 1)
        return TR_INVALID_ARGUMENT;
    search s = {.ensemble = ensemble,
                .controller = controller,
                .bank = tr_controller_bank(controller),
                .def = def};
    tr_status status = open_search(&s);
    if (!status)
        status = run_stages(&s);
    if (!status)
        status = trace_path(&s, out);
    close_search(&s);
    return status;
}

void tr_walk_deinit(tr_walk *walk) {
    free(walk->step);
    *walk = (tr_walk){0};
}
