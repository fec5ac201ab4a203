#include "learn/reconstruct/reconstruct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELITE_TOTAL_MAX = 100000, SAMPLE_MAX = 10000 };
enum { ROLLBACK = 5 };                /* fragments that a stalled window moves back at first */
static const double FRAGMENT_S = 0.1; /* intended duration, as in liu2015-samcon */
static const double SIGMA_LEAST = 0.05, SIGMA_MOST = 3; /* times the first step size */

/* --- life --- */

static tr_status allocate(tr_reconstruction *r) {
    size_t count = (size_t)r->track->count, samples = (size_t)r->parameters.samples;
    r->clip_stage = calloc(count, sizeof *r->clip_stage);
    r->cma = calloc(count, sizeof *r->cma);
    r->window = calloc(count, sizeof *r->window);
    r->levels = calloc(count, sizeof *r->levels);
    r->path = calloc(count, sizeof *r->path);
    r->mean = calloc(count, sizeof *r->mean);
    r->best = calloc(count, sizeof *r->best);
    r->drawn = calloc(samples, sizeof *r->drawn);
    r->lost = calloc(samples, sizeof *r->lost);
    r->order = calloc(samples, sizeof *r->order);
    if (!r->clip_stage || !r->cma || !r->window || !r->levels || !r->path || !r->mean || !r->best ||
        !r->drawn || !r->lost || !r->order)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t k = 0; k < count; k++) {
        r->levels[k].elite = calloc((size_t)r->elites, sizeof *r->levels[k].elite);
        if (!r->levels[k].elite)
            return TR_RESOURCE_EXHAUSTED;
    }
    return TR_OK;
}

/* Resets fragment k's distribution to the first one. */
static void begin_distribution(tr_reconstruction *r, int k) {
    double scale[TR_TRACK_SAMPLE_MAX];
    for (int d = 0; d < TR_TRACK_SAMPLE_MAX; d++)
        scale[d] = 1;
    /* Relative to omega, so that the time scale's first standard deviation is tau. */
    if (r->track->scales_time)
        scale[r->track->map.size] = r->parameters.tau / r->amounts.omega_rad;
    tr_cma_reset(&r->cma[k], r->amounts.omega_rad, scale);
    r->window[k] = (tr_window_stage){0};
}

static tr_status check(const tr_reconstruction *r, tr_error *error) {
    const tr_reconstruct_parameters *p = &r->parameters;
    if (p->samples < 4 || p->samples > SAMPLE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected 4 to %d samples", SAMPLE_MAX);
    if ((double)r->elites * r->track->count > ELITE_TOTAL_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%d elites for %d fragments: expected at most %d in all; draw fewer samples",
                       r->elites, r->track->count, ELITE_TOTAL_MAX);
    return TR_OK;
}

/* --- a ball in the hand --- */

enum { RIGHT = 1, BALL = 0 };
static const double RADIUS_M = 0.12;
static const double GAP_M = 0.08; /* from the middle of the hand, so that ball and hand are apart */

/* Makes what a character carries: a ball of the size of a basketball, on a hinge under the palm of its right
 * hand that does not break. */
static tr_status make_carried(const tr_model *model, const tr_state *start, double mass_kg,
                              tr_rig *out, tr_error *error) {
    const int hand = model->hand[RIGHT];
    if (hand < 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "carried_kg: model '%s' has no right hand",
                       model->name);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, start, bodies);
    const tr_rig_place place = tr_rig_place_under(start);
    /* The ball lies further along the hand, in the hand's frame. */
    const tr_vec3 along = tr_vec3_normalize_or(model->body[hand].com, (tr_vec3){0, 0, -1});
    const tr_vec3 away = tr_vec3_scale(along, RADIUS_M + GAP_M);
    const tr_quat turn = bodies[hand].rot;
    const tr_vec3 at = tr_vec3_add(bodies[hand].com_pos, tr_quat_rotate(turn, away));
    *out = (tr_rig){.object_count = 1, .pin_count = 1};
    /* The rig's frame has the heading of the start and lies under its root. */
    out->object[BALL].state =
        (tr_object_state){.pos = tr_vec3_to_heading(tr_vec3_sub(at, place.pos), place.heading_rad),
                          .rot = tr_quat_mul(tr_quat_from_heading(-place.heading_rad), turn)};
    out->object[BALL].def = (tr_object_def){
        .name = "ball",
        .geom_count = 1,
        .geom = {{.kind = TR_GEOM_SPHERE, .size = {RADIUS_M, 0, 0}, .rot = tr_quat_identity()}},
        .mass = mass_kg};
    /* Hand and ball have one frame, so that the hinge is at its angle zero. */
    out->pin[0] = (tr_rig_pin){{TR_RIG_CHARACTER, BALL},
                               {.kind = TR_PIN_HINGE,
                                .body = {hand, 0},
                                .point = {model->body[hand].com, tr_vec3_scale(away, -1)},
                                .axis = along,
                                .rest = tr_quat_identity()}};
    return TR_OK;
}

/* --- its parts --- */

static tr_status make_worlds(tr_reconstruction *r, const tr_reconstruct_def *def) {
    const tr_reconstruct_parameters *p = &r->parameters;
    const bool carries = r->carried.object_count > 0;
    /* Worlds with objects do not step side by side. */
    tr_ensemble_def ensemble = {.model = r->model,
                                .gain_set = p->gain_set,
                                .step_s = TR_LEARN_STEP_S,
                                .threads = def->threads,
                                .rig = carries ? &r->carried : NULL,
                                .lanes = carries ? 1 : TR_QUARTET_MAX};
    tr_status status = tr_ensemble_create(&ensemble, &r->ensemble);
    return status ? status : tr_ensemble_lay(r->ensemble, &def->steps);
}

static tr_status prepare(tr_reconstruction *r, const tr_reconstruct_def *def, tr_error *error) {
    const tr_reconstruct_parameters *p = &r->parameters;
    r->elites = (int)fmin(p->samples, fmax(4, round(p->samples * r->amounts.elite_share)));
    tr_status status = check(r, error);
    if (!status && p->carried_kg > 0)
        status = make_carried(r->model, &r->track->start, p->carried_kg, &r->carried, error);
    if (status)
        return status;
    status = allocate(r);
    if (!status)
        status = make_worlds(r, def);
    if (status)
        return tr_fail_if(error, status, "worlds to sample in");
    for (int k = 0; k < r->track->count; k++) {
        /* Averaging replaces the track's ends; these remain the motion's own. */
        r->clip_stage[k] = r->track->stage[k];
        status = tr_cma_init(&r->cma[k], r->track->sample_size, r->amounts.omega_rad, NULL);
        if (status)
            return tr_fail_if(error, status, "distributions");
        begin_distribution(r, k);
    }
    r->progress.path_cost = r->progress.cost = (double)NAN;
    return TR_OK;
}

tr_status tr_reconstruct_create(const tr_reconstruct_def *def, tr_reconstruction **out,
                                tr_error *error) {
    const tr_reconstruct_parameters *p = &def->parameters;
    tr_reconstruction *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a reconstruction");
    r->model = def->model;
    r->parameters = *p;
    r->amounts = def->amounts ? *def->amounts : tr_reconstruct_amounts_default();
    r->weights = tr_track_weights_default();
    r->weights.base.velocity = p->weight_velocity;
    r->steps = def->steps;
    snprintf(r->name, sizeof r->name, "%s", def->motion->name);
    tr_track_def track = {p->gain_set, TR_LEARN_STEP_S, FRAGMENT_S,
                          p->cycles,   p->arms != 0,    p->tau > 0};
    tr_status status = tr_track_create(def->model, def->motion, &track, &r->track, error);
    if (!status)
        status = prepare(r, def, error);
    return TR_GIVE(status, r, tr_reconstruct_destroy, out);
}

void tr_reconstruct_destroy(void *work) {
    tr_reconstruction *r = work;
    if (!r)
        return;
    for (int k = 0; r->levels && k < r->track->count; k++)
        free(r->levels[k].elite);
    for (int k = 0; r->cma && k < r->track->count; k++)
        tr_cma_deinit(&r->cma[k]);
    tr_ensemble_destroy(r->ensemble);
    tr_track_destroy(r->track);
    free(r->clip_stage);
    free(r->cma);
    free(r->window);
    free(r->levels);
    free(r->path);
    free(r->mean);
    free(r->best);
    free(r->drawn);
    free(r->lost);
    free(r->order);
    free(r);
}

/* --- adaptation and the window (algorithm 1, lines 13 to 18) --- */

static int by_offspring(const void *a, const void *b, void *context) {
    const tr_elite_level *level = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (tr_elites_better(&level->elite[i], &level->elite[j]))
        return -1;
    return tr_elites_better(&level->elite[j], &level->elite[i]) ? 1 : (i > j) - (i < j);
}

/* Makes pi_{i+1}^k from the elites of fragment k (line 14). */
static tr_status adapt(tr_reconstruction *r, int k) {
    tr_elite_level *level = &r->levels[k];
    double omega = r->amounts.omega_rad;
    const double **samples = malloc((size_t)level->count * sizeof *samples);
    if (!samples)
        return TR_RESOURCE_EXHAUSTED;
    /* The update weighs samples by rank: the deepest trees first, then the cheapest paths. */
    for (int i = 0; i < level->count; i++)
        r->order[i] = i;
    qsort_r(r->order, (size_t)level->count, sizeof *r->order, by_offspring, level);
    for (int i = 0; i < level->count; i++)
        samples[i] = level->elite[r->order[i]].sample;
    tr_status status = tr_cma_update(&r->cma[k], samples, level->count);
    /* Bounds keep the distribution from collapsing and from scattering. */
    r->cma[k].sigma = fmin(fmax(r->cma[k].sigma, SIGMA_LEAST * omega), SIGMA_MOST * omega);
    free(samples);
    if (status ==
        TR_FAILED_PRECONDITION) { /* degenerate: start again from the first distribution */
        begin_distribution(r, k);
        return TR_OK;
    }
    return status;
}

static double window_energy(const tr_reconstruction *r, int from, int end) {
    double sum = 0;
    for (int k = from; k < end; k++)
        sum += r->clip_stage[k].energy;
    return end > from ? sum / (end - from) : 0;
}

/* Keeps only those elites of the level before the window that have the deepest trees: the next
 * samples continue from these. */
static void prune(tr_elite_level *level) {
    int highest = level->elite[tr_elites_best(level)].height, kept = 0;
    for (int i = 0; i < level->count; i++)
        if (level->elite[i].height == highest)
            level->elite[kept++] = level->elite[i];
    level->count = kept;
}

/* Moves a window that makes no progress back, and resets its distributions. */
static void set_back(tr_reconstruction *r) {
    tr_reconstruct_progress *p = &r->progress;
    int end = p->start + r->amounts.window.size;
    /* Each setback goes further back than the one before. */
    int back = ROLLBACK * (1 + p->setbacks);
    p->start = p->start > back ? p->start - back : 0;
    for (int k = p->start; k < end && k < r->track->count; k++)
        begin_distribution(r, k);
    if (p->start > 0)
        prune(&r->levels[p->start - 1]);
    p->setbacks++;
    p->stalls = 0;
    p->furthest = 0;
}

static void move_window(tr_reconstruction *r, int reached) {
    tr_reconstruct_progress *p = &r->progress;
    const tr_window_def *def = &r->amounts.window;
    int end = p->start + def->size < r->track->count ? p->start + def->size : r->track->count;
    /* Lines 16 to 18. */
    int next = tr_window_slide(def, r->window, r->track->count, p->start, reached);
    /* Where the window stays, a trial that reached further or its end is progress too. */
    bool headway = next > p->start || reached > p->furthest || reached == end;
    p->stalls = headway ? 0 : p->stalls + 1;
    p->furthest = reached > p->furthest ? reached : p->furthest;
    if (next > p->start && next < r->track->count) {
        p->start = next;
        prune(&r->levels[next - 1]);
    } else if (next == r->track->count) {
        p->start = next;
    } else if (p->stalls >= r->amounts.stalls_max) {
        set_back(r);
    }
}

/* --- searching --- */

static tr_status finish_search(tr_reconstruction *r) {
    if (r->parameters.rounds > 0)
        return tr_reconstruct_begin_averaging(r);
    r->progress.phase = TR_RECONSTRUCT_DONE;
    return TR_OK;
}

static tr_status search_improved(tr_reconstruction *r) {
    int from = r->progress.start, size = r->amounts.window.size;
    int end = from + size < r->track->count ? from + size : r->track->count;
    /* Algorithm 1: sample the window (lines 5 to 12), adapt what the trial passed (13 to 15). */
    int reached = tr_reconstruct_trial(r, from, size);
    double energy = window_energy(r, from, end);
    for (int k = from; k < reached; k++) {
        tr_status status = adapt(r, k);
        if (status)
            return status;
        tr_window_note(&r->window[k], r->levels[k].elite[0].cost, energy);
    }
    move_window(r, reached);
    if (r->progress.start == r->track->count) {
        tr_reconstruct_keep_path(r);
        return finish_search(r);
    }
    return TR_OK;
}

static tr_status search_plain(tr_reconstruction *r) {
    tr_reconstruct_progress *p = &r->progress;
    const tr_reconstruct_parameters *q = &r->parameters;
    /* The original algorithm begins every trial at the start (section 3). */
    int reached = tr_reconstruct_trial(r, 0, r->track->count);
    p->furthest = reached > p->furthest ? reached : p->furthest;
    if (reached == r->track->count)
        tr_reconstruct_note_success(r);
    bool enough = q->budget > 0 ? p->samples >= q->budget : p->successes >= r->amounts.successes;
    bool ends = p->successes > 0 && (enough || p->trials + 1 >= q->trials_max);
    return ends ? finish_search(r) : TR_OK;
}

static bool is_spent(const tr_reconstruction *r) {
    const tr_reconstruct_parameters *q = &r->parameters;
    return r->progress.trials >= q->trials_max ||
           (q->plain && q->budget > 0 && r->progress.samples >= q->budget);
}

tr_status tr_reconstruct_advance(tr_reconstruction *r, tr_error *error) {
    tr_reconstruct_progress *p = &r->progress;
    tr_status status = TR_OK;
    if (p->phase == TR_RECONSTRUCT_DONE)
        return tr_fail(error, TR_OUT_OF_RANGE, "the reconstruction is done");
    if (p->phase == TR_RECONSTRUCT_AVERAGE) {
        status = tr_reconstruct_average(r);
        return tr_fail_if(error, status, "round %d", p->rounds);
    }
    if (is_spent(r))
        return tr_fail(error, TR_ABORTED,
                       "given up after %d trials; the last passed fragments %d to %d of %d",
                       p->trials, p->from, p->reached, r->track->count);
    status = r->parameters.plain ? search_plain(r) : search_improved(r);
    p->trials++;
    return tr_fail_if(error, status, "trial %d", p->trials);
}

/* --- where it stands --- */

static double search_share(const tr_reconstruction *r) {
    const tr_reconstruct_parameters *q = &r->parameters;
    if (q->plain)
        return q->budget > 0 ? r->progress.samples / q->budget
                             : (double)r->progress.successes / r->amounts.successes;
    double sum = 0;
    for (int k = 0; k < r->track->count; k++)
        sum += k < r->progress.start
                   ? 1
                   : fmin(0.95, (double)r->window[k].updates / r->amounts.window.updates_max);
    return sum / r->track->count;
}

double tr_reconstruct_share(const void *given) {
    const tr_reconstruction *r = given;
    if (r->progress.phase == TR_RECONSTRUCT_DONE)
        return 1;
    if (r->progress.phase == TR_RECONSTRUCT_AVERAGE)
        return 0.8 + 0.2 * r->progress.rounds / r->parameters.rounds;
    return fmin(1, search_share(r)) * (r->parameters.rounds > 0 ? 0.8 : 1);
}

/* --- checkpoints --- */

/* The search needs the levels before its window to continue; later phases need none. */
static int kept_levels(const tr_reconstruct_progress *p) {
    return p->phase == TR_RECONSTRUCT_SEARCH ? p->start : 0;
}

void tr_reconstruct_list(void *reconstruction, tr_blocks *b) {
    tr_reconstruction *r = reconstruction;
    const size_t count = (size_t)r->track->count;
    tr_block(b, "progress", &r->progress, sizeof r->progress);
    if (!tr_block_require(b, "progress",
                          r->progress.start >= 0 && r->progress.start <= r->track->count))
        return;
    tr_block(b, "track", r->track->stage, count * sizeof *r->track->stage);
    for (size_t k = 0; k < count; k++)
        tr_cma_list(&r->cma[k], b);
    tr_block(b, "window", r->window, count * sizeof *r->window);
    tr_block(b, "path", r->path, count * sizeof *r->path);
    tr_block(b, "mean", r->mean, count * sizeof *r->mean);
    for (int k = 0; k < kept_levels(&r->progress); k++) {
        tr_elite_level *level = &r->levels[k];
        const int elites = tr_block_count(b, "elites", &level->count, 1, r->elites);
        tr_block(b, "elites", level->elite, (size_t)elites * sizeof *level->elite);
    }
}
