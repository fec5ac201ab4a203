#include "learn/measure/certify.h"

#include "learn/measure/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Trials of one part of a test: few enough that a part takes seconds. */
enum { HOLD_PART = 4, RESIST_PART = 20 };

/* Purposes of the seed: each test draws from a separate stream. */
enum {
    FOR_HOLD = 1,
    FOR_TRACKING,
    FOR_PUSH,
    FOR_RESIST,
    FOR_GROUND,
    FOR_WALK,
    FOR_LASTING,
    FOR_HEADING,
    FOR_FALLS
};

static const double GROUND_SHARE = 0.95;

static const double DWELL_LOW_S = 2, DWELL_HIGH_S = 6; /* in a skill of a walk */

typedef enum certify_test {
    TRACKING,
    HOLD,
    RESIST,
    PUSH,
    GROUND,
    LASTING,
    HEADING,
    FALLS,
    WALK,
    DONE
} certify_test;

struct tr_certifier {
    tr_ensemble *ensemble;
    const tr_controller *controller;
    tr_certificate result;
    certify_test test; /* in progress */
    int growth;        /* of the resisting times in progress */
    int trial;         /* the next of the test in progress */
    int kind;          /* of the ground in progress */
};

const tr_certify_lasting tr_certify_lasting_rows[TR_CERTIFY_LASTING] = {
    {"constant 130 N", TR_FORCE_CONSTANT, 130}, {"varying 130 N", TR_FORCE_VARYING, 130},
    {"sudden 130 N", TR_FORCE_STEP, 130},       {"constant 200 N", TR_FORCE_CONSTANT, 200},
    {"varying 200 N", TR_FORCE_VARYING, 200},   {"sudden 200 N", TR_FORCE_STEP, 200},
};

/* --- the definition --- */

tr_certify_def tr_certify_def_default(void) {
    tr_certify_def def = {.hold_trials = 100,
                          .hold_s = 600,
                          .resist_trials = 100,
                          .resist_growth_nps = {1, 0.25},
                          .push = tr_push_test_default(),
                          .force_grid_n = 20,
                          .force_limit_n = 1000,
                          .tracking = {.trials = 10, .settle_s = 5},
                          .tracking_s = 20,
                          .ground_trials = 96,
                          .ground_s = 30,
                          .lasting_s = 20,
                          .heading_s = 60,
                          .heading_goal_s = 10.0 / 3,
                          .walk_s = 600,
                          .seed = 1};
    def.push.directions = 16;
    def.push.starts = 16;
    return def;
}

static bool gets_up(const tr_control_graph *graph) {
    for (int n = 0; graph && n < graph->node_count; n++)
        if (tr_control_graph_rises(graph, n))
            return true;
    return false;
}

static tr_status check_walks(const tr_controller *controller, const tr_certify_def *def,
                             tr_error *error) {
    if (!tr_graph_of(controller))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': walks: expected 0; they need the planner of a graph, "
                       "which it has not",
                       controller->name);
    if (def->walks < 0 || def->walks > TR_CERTIFY_TRIAL_MAX || !(def->walk_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "walks: expected 0 to %d", TR_CERTIFY_TRIAL_MAX);
    return TR_OK;
}

bool tr_certify_has_forces(const tr_controller *controller) {
    const tr_driver_outline outline = tr_controller_outline(controller);
    return !outline.cyclic || outline.cycle_s > 0 || tr_graph_of(controller);
}

static tr_status check_headings(const tr_controller *controller, const tr_certify_def *def,
                                tr_error *error) {
    const tr_steering_target ahead = {.aim = TR_AIM_HEADING};
    if (def->heading_trials < 0 || def->heading_trials > TR_CERTIFY_TRIAL_MAX ||
        !(def->heading_goal_s > 0.1 && def->heading_s >= def->heading_goal_s))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "heading_trials: expected 0 to %d, and time for one heading",
                       TR_CERTIFY_TRIAL_MAX);
    if (!tr_certify_has_forces(controller) && def->heading_trials == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': it moves without forces, so that no push can move it: "
                       "expected heading_trials",
                       controller->name);
    if (def->heading_trials > 0 && !tr_driver_follows(controller->driver, &ahead))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': heading_trials: expected 0; it does not follow headings",
                       controller->name);
    return TR_OK;
}

static tr_status check_falls(const tr_controller *controller, const tr_certify_def *def,
                             tr_error *error) {
    if (def->fall_trials < 0 || def->fall_trials > TR_CERTIFY_TRIAL_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "fall_trials: expected 0 to %d",
                       TR_CERTIFY_TRIAL_MAX);
    if (def->fall_trials > 0 && !gets_up(tr_graph_of(controller)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': fall_trials: expected 0; it has no rising skill",
                       controller->name);
    if (def->fall_trials > 0 && def->fall_skill && !tr_rising_can_ask(controller, def->fall_skill))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "controller '%s': fall_trials: '%s' is no cyclic skill that can be asked of it",
            controller->name, def->fall_skill);
    return TR_OK;
}

static tr_status check(const tr_controller *controller, const tr_certify_def *def,
                       tr_error *error) {
    if (def->walks != 0)
        return check_walks(controller, def, error);
    tr_status status = check_headings(controller, def, error);
    if (!status)
        status = check_falls(controller, def, error);
    if (status || !tr_certify_has_forces(controller))
        return status;
    double forces = def->force_limit_n / def->force_grid_n;
    if (!(tr_controller_outline(controller).cycle_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': expected a controller that repeats a cycle; it ends",
                       controller->name);
    if (def->hold_trials < 1 || def->hold_trials > TR_CERTIFY_TRIAL_MAX || !(def->hold_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "hold_trials: expected 1 to %d",
                       TR_CERTIFY_TRIAL_MAX);
    if (def->resist_trials < 1 || def->resist_trials > TR_CERTIFY_TRIAL_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "resist_trials: expected 1 to %d",
                       TR_CERTIFY_TRIAL_MAX);
    for (int g = 0; g < TR_CERTIFY_GROWTHS; g++)
        if (!(def->resist_growth_nps[g] > 0))
            return tr_fail(error, TR_INVALID_ARGUMENT, "resist_growth_nps: expected more than 0");
    if (def->ground_trials < 0 || def->ground_trials > TR_CERTIFY_TRIAL_MAX || !(def->ground_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "ground_trials: expected 0 to %d",
                       TR_CERTIFY_TRIAL_MAX);
    if (def->lasting_trials < 0 || def->lasting_trials > TR_CERTIFY_TRIAL_MAX ||
        !(def->lasting_s > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "lasting_trials: expected 0 to %d",
                       TR_CERTIFY_TRIAL_MAX);
    if (!(forces >= 1 && forces <= TR_CERTIFY_FORCE_MAX))
        return tr_fail(error, TR_INVALID_ARGUMENT, "force_limit_n: expected 1 to %d times the grid",
                       TR_CERTIFY_FORCE_MAX);
    return TR_OK;
}

/* --- the tests --- */

/* Returns the first kind from `kind` on that certificates try. */
static int next_kind(int kind) {
    while (kind < TR_TRIAL_GROUND_KINDS && tr_trial_ground_rows[kind].step == 0)
        kind++;
    return kind;
}

/* Seeds of tests are far apart whatever the seeds of certificates are. */
static uint64_t seed_of(const tr_certifier *c, int purpose) {
    return c->result.def.seed * 0x9e3779b97f4a7c15u + (uint64_t)purpose * 0xbf58476d1ce4e5b9u;
}

static tr_status track(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    tr_tracking_test test = r->def.tracking;
    test.cycles = (int)ceil(r->def.tracking_s / tr_controller_outline(c->controller).cycle_s);
    test.seed = seed_of(c, FOR_TRACKING);
    tr_status status = tr_tracking_watch(c->ensemble, c->controller, &test, &r->tracking);
    /* A controller that never ends a cycle is certified all the same: it tracked nothing. */
    if (status == TR_ABORTED) {
        r->tracking = (tr_tracking){.trials = test.trials};
        status = TR_OK;
    }
    char nsr[TR_NOISE_TEXT_MAX];
    tr_noise_ratio_print(r->tracking.nsr, nsr);
    snprintf(line, capacity, "tracking: %.2f m/s, root %+.1f mm, NSR %s, feet slip %.3f m/s",
             r->tracking.speed_mps, 1000 * r->tracking.root_m, nsr, r->tracking.slip_mps);
    c->test = HOLD;
    return status;
}

static tr_status hold(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    int left = r->def.hold_trials - c->trial;
    /* A part keeps all threads busy for some seconds; trials have their number in the whole test,
     * so that parts draw what the whole would. */
    int part = HOLD_PART * tr_pool_width(c->ensemble->pool);
    tr_hold_test test = {.trials = left < part ? left : part,
                         .cap_s = r->def.hold_s,
                         .seed = seed_of(c, FOR_HOLD),
                         .first = c->trial};
    tr_hold_result result;
    tr_status status = tr_evaluate_hold(c->ensemble, c->controller, &test, &result);
    if (status)
        return status;
    r->held += result.held;
    r->shortest_s = fmin(r->shortest_s, result.shortest_s);
    c->trial += test.trials;
    snprintf(line, capacity, "undisturbed: %d of %d hold %g s", r->held, c->trial, test.cap_s);
    if (c->trial == r->def.hold_trials) {
        c->test = RESIST;
        c->trial = 0;
    }
    return TR_OK;
}

static tr_status resist(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    int left = r->def.resist_trials - c->trial;
    tr_resist_test test = tr_resist_test_default();
    /* A part keeps every thread busy, and is short enough to be interrupted after. */
    int width = HOLD_PART * tr_pool_width(c->ensemble->pool);
    int part = width > RESIST_PART ? width : RESIST_PART;
    test.trials = left < part ? left : part;
    test.growth_nps = r->def.resist_growth_nps[c->growth];
    test.seed = seed_of(c, FOR_RESIST);
    test.first = c->trial;
    double *times = &r->resisting_s[c->growth][c->trial];
    tr_status status = tr_evaluate_resistance(c->ensemble, c->controller, &test, times);
    if (status)
        return status;
    c->trial += test.trials;
    double sum = 0;
    for (int i = 0; i < c->trial; i++)
        sum += r->resisting_s[c->growth][i];
    snprintf(line, capacity, "pushes growing by %g N/s: %.1f s, %d trials", test.growth_nps,
             sum / c->trial, c->trial);
    /* Then the next growth; after the last one, single pushes. */
    if (c->trial == r->def.resist_trials) {
        c->trial = 0;
        if (++c->growth == TR_CERTIFY_GROWTHS)
            c->test = PUSH;
    }
    return TR_OK;
}

/* Returns the first of these tests, from `test` on, that is asked for. */
static certify_test asked_for(const tr_certifier *c, certify_test test) {
    const tr_certify_def *def = &c->result.def;
    if (test == LASTING && def->lasting_trials > 0)
        return LASTING;
    if (test <= HEADING && def->heading_trials > 0)
        return HEADING;
    return test <= FALLS && def->fall_trials > 0 ? FALLS : DONE;
}

static void begin_lasting(tr_certifier *c) {
    c->kind = 0;
    c->test = asked_for(c, LASTING);
}

static tr_status push(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    tr_push_test test = r->def.push;
    tr_push_result result;
    test.force_n = (r->force_count + 1) * r->def.force_grid_n;
    test.seed = seed_of(c, FOR_PUSH);
    tr_status status = tr_evaluate_pushes(c->ensemble, c->controller, &test, &result);
    if (status)
        return status;
    tr_certificate_force *force = &r->force[r->force_count++];
    force->force_n = test.force_n;
    force->trials = test.phases * test.starts;
    memcpy(force->survived, result.by_direction, sizeof force->survived);
    int least = force->trials;
    for (int d = 0; d < test.directions; d++)
        least = force->survived[d] < least ? force->survived[d] : least;
    snprintf(line, capacity, "pushes of %g N: %.1f %% survived, %.1f %% in the worst direction",
             test.force_n, 100.0 * result.survived / result.trials, 100.0 * least / force->trials);
    /* Larger forces than one that most trials do not survive tell nothing more. */
    bool last = (r->force_count + 1) * r->def.force_grid_n > r->def.force_limit_n * (1 + 1e-9);
    if (last || 2 * result.survived < result.trials) {
        if (c->result.def.ground_trials > 0)
            c->test = GROUND;
        else
            begin_lasting(c);
    }
    return TR_OK;
}

static tr_status try_ground(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    c->kind = next_kind(c->kind);
    const tr_trial_ground_row *row = &tr_trial_ground_rows[c->kind];
    int *count = &r->ground_count[c->kind], held = 0;
    tr_ground_test test = {.kind = (tr_trial_ground_kind)c->kind,
                           .amount = row->step * (*count + 1),
                           .trials = r->def.ground_trials,
                           .seconds = r->def.ground_s,
                           .seed = seed_of(c, FOR_GROUND)};
    tr_status status =
        tr_evaluate_ground(c->ensemble->pool, c->ensemble->model, c->controller, &test, &held);
    if (status)
        return status;
    r->ground_held[c->kind][(*count)++] = held;
    snprintf(line, capacity, "%s %g %s: %d of %d stay up for %g s", row->name, test.amount,
             row->unit, held, test.trials, test.seconds);
    /* A kind ends where it does not hold, or at its limit; then the next kind begins. */
    if (held < GROUND_SHARE * test.trials || row->step * (*count + 1) > row->limit * (1 + 1e-9))
        c->kind = next_kind(c->kind + 1);
    if (c->kind == TR_TRIAL_GROUND_KINDS)
        begin_lasting(c);
    return TR_OK;
}

static tr_status try_lasting(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    const tr_certify_lasting *row = &tr_certify_lasting_rows[c->kind];
    const tr_lasting_test test = {.kind = row->kind,
                                  .most_n = row->most_n,
                                  .trials = r->def.lasting_trials,
                                  .seconds = r->def.lasting_s,
                                  .seed = seed_of(c, FOR_LASTING)};
    int *held = &r->lasting_held[c->kind];
    tr_status status = tr_evaluate_lasting(c->ensemble, c->controller, &test, held);
    snprintf(line, capacity, "%s: %d of %d survive %g s", row->name, *held, test.trials,
             test.seconds);
    if (++c->kind == TR_CERTIFY_LASTING)
        c->test = asked_for(c, HEADING);
    return status;
}

static tr_status try_headings(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    const tr_heading_walk walk = {.trials = r->def.heading_trials,
                                  .rises = true,
                                  .seconds = r->def.heading_s,
                                  .goal_s = r->def.heading_goal_s,
                                  .seed = seed_of(c, FOR_HEADING)};
    tr_status status = tr_heading_walk_run(c->ensemble, c->controller, &walk, &r->heading, NULL);
    snprintf(line, capacity, "headings: %d of %d without a fall for %g s, reward %.0f of 1000",
             r->heading.held, walk.trials, walk.seconds, r->heading.heading.reward.median);
    c->test = asked_for(c, FALLS);
    return status;
}

static tr_status try_falls(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    tr_rising_test test = tr_rising_test_default();
    test.trials = r->def.fall_trials;
    test.again = r->def.fall_skill;
    test.seed = seed_of(c, FOR_FALLS);
    tr_rising_trial *trial = calloc((size_t)test.trials, sizeof *trial);
    tr_status status = trial ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status =
            tr_rising_measure(c->ensemble->model, c->controller, &test, c->ensemble->pool, trial);
    if (!status)
        status = tr_rising_add_up(trial, test.trials, &r->falls);
    free(trial);
    snprintf(line, capacity, "falls: %d of %d up again for good, %d at once", r->falls.steady,
             r->falls.fell, r->falls.stands);
    c->test = DONE;
    return status;
}

static tr_status walk(tr_certifier *c, char *line, size_t capacity) {
    tr_certificate *r = &c->result;
    const tr_graph_walk_test test = {.walks = r->def.walks,
                                     .seconds = r->def.walk_s,
                                     .dwell_low_s = DWELL_LOW_S,
                                     .dwell_high_s = DWELL_HIGH_S,
                                     .seed = seed_of(c, FOR_WALK),
                                     .recovers = gets_up(tr_graph_of(c->controller))};
    tr_status status = tr_graph_walk(c->ensemble, c->controller, &test, NULL, NULL, &r->walk);
    snprintf(line, capacity, "walks: %d of %d without a fall for %g s", r->walk.upright, test.walks,
             test.seconds);
    c->test = DONE;
    return status;
}

/* --- the certifier --- */

tr_status tr_certifier_create(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_certify_def *def, tr_certifier **out, tr_error *error) {
    tr_status status = check(controller, def, error);
    if (status)
        return status;
    tr_certifier *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the certificate");
    c->ensemble = ensemble;
    c->controller = controller;
    c->result.def = *def;
    c->result.shortest_s = def->hold_s;
    /* Walks stand alone; a controller that moves without forces has headings only. */
    c->test = def->walks > 0 ? WALK : tr_certify_has_forces(controller) ? TRACKING : HEADING;
    *out = c;
    return TR_OK;
}

void tr_certifier_destroy(tr_certifier *certifier) {
    free(certifier);
}

bool tr_certifier_is_done(const tr_certifier *certifier) {
    return certifier->test == DONE;
}

const tr_certificate *tr_certifier_result(const tr_certifier *certifier) {
    return &certifier->result;
}

tr_status tr_certifier_advance(tr_certifier *c, char *line, size_t capacity, tr_error *error) {
    static tr_status (*const tests[])(tr_certifier *, char *, size_t) = {
        track, hold, resist, push, try_ground, try_lasting, try_headings, try_falls, walk};
    if (c->test == DONE)
        return tr_fail(error, TR_OUT_OF_RANGE, "the certificate is complete");
    return tr_fail_if(error, tests[c->test](c, line, capacity), "controller '%s'",
                      c->controller->name);
}

/* --- what it says --- */

double tr_certificate_largest(const tr_certificate *certificate, int direction, double share,
                              bool sure) {
    double largest = 0;
    int directions = certificate->def.push.directions;
    for (int i = 0; i < certificate->force_count; i++) {
        const tr_certificate_force *force = &certificate->force[i];
        int survived = 0, trials = direction < 0 ? force->trials * directions : force->trials;
        for (int d = 0; d < directions; d++)
            survived += direction < 0 || d == direction ? force->survived[d] : 0;
        double low, high;
        tr_evaluate_wilson(survived, trials, &low, &high);
        /* A larger force that happens to be survived does not count. */
        if ((sure ? low : (double)survived / trials) < share)
            break;
        largest = force->force_n;
    }
    return largest;
}

double tr_certificate_resisting(const tr_certificate *certificate, int growth, double *out_half) {
    const double *times = certificate->resisting_s[growth];
    int count = certificate->def.resist_trials;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += times[i];
    for (int i = 0; i < count; i++)
        squares += (times[i] - sum / count) * (times[i] - sum / count);
    /* 1.96 standard errors of the mean: a normal interval of 95 %. */
    *out_half = count > 1 ? 1.96 * sqrt(squares / (count - 1) / count) : 0;
    return sum / count;
}

double tr_certificate_largest_ground(const tr_certificate *certificate, tr_trial_ground_kind kind) {
    int held = 0;
    while (held < certificate->ground_count[kind] &&
           certificate->ground_held[kind][held] >= GROUND_SHARE * certificate->def.ground_trials)
        held++;
    return held * tr_trial_ground_rows[kind].step;
}
