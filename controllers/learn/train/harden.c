#include "learn/train/harden.h"

#include "learn/train/harden_course.h"
#include "learn/train/harden_scene.h"
#include "learn/train/hardening.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct search {
    tr_hardening h;
    tr_harden_scene *scenes; /* [trials] */
    tr_policy *shifts;       /* [directions][fragment_count] */
    tr_controller **shifted; /* [room of the ensemble], scratch */
    double *costs;           /* [directions][2][trials]; NAN: its world failed */
    double *returns;         /* [directions][2]: minus the mean of the costs, forth and back */
    double *sizes;           /* [directions], scratch */
    tr_policy *mean;         /* [fragment_count], of the last updates */
} search;

/* --- means of policies (Polyak and Juditsky 1992): of M, K and a_hat --- */

/* mean += (policy - mean) / number: the mean of `number` policies from that of those before. */
static void join_mean(tr_policy *mean, const tr_policy *policy, int number) {
    double *to = tr_policy_numbers(mean);
    for (int i = 0; i < TR_POLICY_MOVED; i++)
        to[i] += (tr_policy_numbers(policy)[i] - to[i]) / number;
}

/* Returns `policy` with the mean's M, K and a_hat. */
static tr_policy mean_of(const tr_policy *mean, const tr_policy *policy) {
    tr_policy out = *mean;
    memcpy(out.sigma, policy->sigma, sizeof out.sigma);
    return out;
}

/* --- shifts: directions in which hardening moves the policies of all fragments at once ---
 *
 * A shift turns pi(s) = M s + a_hat by dM (s - s_k) + da, s_k the features at the reference start
 * of fragment k, so that at the reference start it changes the action by da alone. Entry j of dM is
 * drawn with a spread of sigma over the typical spread of feature j (features.h), da with sigma,
 * rad: each alone turns the action by about sigma. On other ground it also turns K g, g the ground
 * under the character (fragment.h).
 *
 * Half of the variance is common to all fragments. The other half is drawn for every `spacing`-th
 * fragment, x and y; a fragment at the share b of the way from one to the next has
 * ((1 - b) x + b y) / sqrt((1 - b)^2 + b^2), which varies as much as x and y do.
 * dM, da and dK of a fragment are a policy, whose sigma is not used. */

static void draw_policy(const tr_hardening *h, tr_random *random, double scale, tr_policy *out) {
    double share = h->def->ground.share;
    for (int i = 0; i < h->bank->action.size; i++) {
        for (int j = 0; j < TR_GROUND_COUNT && share > 0; j++)
            if (tr_harden_ground_teaches(&h->def->ground, j))
                out->ground[i][j] = scale / tr_ground_spread[j] * tr_random_normal(random);
        /* With all trials on other ground the answer to it alone is learned. */
        if (share == 1)
            continue;
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            out->m[i][j] = scale / tr_feature_spread[j] * tr_random_normal(random);
        out->offset[i] = scale * tr_random_normal(random);
    }
}

/* Blends the shifts between own[0] and own[span], which are drawn, so that each varies as much. */
static void blend(tr_policy *own, int span) {
    for (int k = 1; k < span; k++) {
        double after = (double)k / span, before = 1 - after, size = hypot(before, after);
        const double *first = tr_policy_numbers(&own[0]), *last = tr_policy_numbers(&own[span]);
        for (int i = 0; i < TR_POLICY_MOVED; i++)
            tr_policy_numbers(&own[k])[i] = (before * first[i] + after * last[i]) / size;
    }
}

/* Draws the individual parts of the shifts of `count` fragments. */
static void draw_own(const tr_hardening *h, tr_random *random, double scale, tr_policy *own,
                     int count) {
    draw_policy(h, random, scale, &own[0]);
    for (int k = 0; k < count - 1;) {
        int span = h->def->spacing < count - 1 - k ? h->def->spacing : count - 1 - k;
        draw_policy(h, random, scale, &own[k + span]);
        blend(&own[k], span);
        k += span;
    }
}

/* Draws shift `number` of the update, for each fragment; out: [fragment_count]. Fragments that do not learn
 * keep what `out` had, zeros. */
static void draw_shift(const tr_hardening *h, int number, tr_policy *out) {
    const tr_graph_transition *transition = h->def->transition;
    int first = transition ? transition->learns : h->def->first;
    int count = transition ? transition->learns_count : h->bank->fragment_count - first;
    /* Half of the variance is common to all fragments, half is each one's own. */
    const double part = h->def->sigma_rad / sqrt(2);
    uint64_t stream = (uint64_t)h->update * TR_HARDEN_DIRECTION_MAX + (uint64_t)number;
    tr_random random = tr_random_split(h->def->seed, TR_HARDEN_FOR_SHIFT, stream);
    tr_policy common = {0}, *own = &out[first];
    draw_policy(h, &random, part, &common);
    draw_own(h, &random, part, own, count);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < TR_POLICY_MOVED; i++)
            tr_policy_numbers(&own[k])[i] += tr_policy_numbers(&common)[i];
}

/* policy += amount * shift, turned about the features of the reference start. */
static void apply_shift(const tr_policy *shift, const tr_features *origin, double amount,
                        tr_policy *policy) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        double at_origin = 0;
        for (int j = 0; j < TR_FEATURE_COUNT; j++) {
            policy->m[i][j] += amount * shift->m[i][j];
            at_origin += shift->m[i][j] * origin->s[j];
        }
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            policy->ground[i][j] += amount * shift->ground[i][j];
        /* dM turns about s_k: M (s - s_k) leaves the action at the reference start to da. */
        policy->offset[i] += amount * (shift->offset[i] - at_origin);
    }
}

/* --- scenes --- */

/* Returns the cost of a scene for the unshifted controller. A scene in which the motion was lost
 * before the push costs less than any other, because it teaches nothing. */
static double challenge(const search *s, const tr_harden_scene *scene, tr_rehearsal *rehearsal) {
    if (scene->trial.lost)
        return -1;
    tr_harden_courses alone = {.h = &s->h};
    tr_harden_courses_begin(&alone, scene, s->h.controller, rehearsal);
    tr_harden_courses_run(&alone);
    return tr_harden_courses_cost(&alone, 0);
}

/* Draws the scene of a trial: the first, or the hardest of all candidates where a trial is to be
 * chosen. */
static void choose_scene(const search *s, int item, tr_rehearsal *rehearsal, tr_harden_scene *out) {
    const int candidates = s->h.def->candidates;
    tr_harden_scene_draw(&s->h, item, 0, rehearsal, out);
    if (candidates < 2 || !tr_harden_scene_is_chosen(&s->h, out, item))
        return;
    /* Most pushes are survived by a good controller: the hardest scene tells shifts apart. */
    double hardest = challenge(s, out, rehearsal);
    for (int draw = 1; draw < candidates; draw++) {
        tr_harden_scene other;
        tr_harden_scene_draw(&s->h, item, draw, rehearsal, &other);
        double cost = challenge(s, &other, rehearsal);
        if (cost > hardest) {
            hardest = cost;
            *out = other;
        }
    }
}

static void set_scene(void *context, int item, tr_rehearsal *rehearsal) {
    search *s = context;
    tr_trial_place own;
    tr_rehearsal *in;
    tr_status status = tr_harden_scene_enter(&s->h, item, rehearsal, &own, &in);
    if (status)
        s->scenes[item] = (tr_harden_scene){.failed = status};
    else
        choose_scene(s, item, in, &s->scenes[item]);
    tr_trial_place_close(&own);
}

static tr_status set_scenes(search *s) {
    const int trials = s->h.def->trials;
    tr_status status = TR_OK;
    tr_ensemble_share(s->h.ensemble, set_scene, s, trials,
                      (const tr_ranks_result[]){{s->scenes, sizeof *s->scenes}, {0}});
    for (int t = 0; t < trials; t++) {
        s->scenes[t].trial.runner.controller =
            s->h.controller; /* another rank's points elsewhere */
        status = status ? status : s->scenes[t].failed;
    }
    return status;
}

/* --- trials of the shifts --- */

static tr_policy *shift_of(const search *s, int pair) {
    return &s->shifts[(size_t)pair * (size_t)s->h.bank->fragment_count];
}

/* Gives `out` the shifted policies of an item. That is done again for each trial, which takes a
 * thousandth of the trial's time. */
static void shift_controller(const search *s, int item, tr_controller *out) {
    const int side = item / s->h.def->trials;
    const tr_bank *bank = s->h.bank;
    const tr_policy *shift = shift_of(s, side / 2);
    for (int k = 0; k < bank->fragment_count; k++) {
        tr_policy *policy = &tr_controller_bank(out)->fragment[k].policy;
        *policy = bank->fragment[k].policy;
        /* Even sides go forth, odd ones back. */
        apply_shift(&shift[k], &s->h.origin[k], side % 2 ? -1 : 1, policy);
    }
}

/* Runs the courses of some items. Those whose motion was lost before they began cost 1. */
static void try_shifts_of(void *context, const int *item, int count,
                          const tr_rehearsal_group *group) {
    search *s = context;
    tr_trial_place own[TR_QUARTET_MAX];
    tr_harden_courses courses = {.h = &s->h, .in.quartet = group->quartet};
    int course_of[TR_QUARTET_MAX];
    for (int k = 0; k < count; k++) {
        const int trial = item[k] % s->h.def->trials; /* item: (pair * 2 + side) * trials + trial */
        const tr_harden_scene *from = &s->scenes[trial];
        tr_controller *controller = s->shifted[group->rehearsal[k] - s->h.ensemble->rehearsal];
        tr_rehearsal *in;
        shift_controller(s, item[k], controller);
        /* All items of a trial meet the same world, the same scene and the same push. */
        tr_status status = tr_harden_scene_enter(&s->h, trial, group->rehearsal[k], &own[k], &in);
        s->costs[item[k]] = status ? (double)NAN : 1;
        course_of[k] = status || from->trial.lost ? -1 : courses.in.count;
        if (course_of[k] >= 0)
            tr_harden_courses_begin(&courses, from, controller, in);
    }
    tr_harden_courses_run(&courses);
    for (int k = 0; k < count; k++) {
        if (course_of[k] >= 0)
            s->costs[item[k]] = tr_harden_courses_cost(&courses, course_of[k]);
        tr_trial_place_close(&own[k]);
    }
}

/* Lets all pairs meet all trials. The worlds could be opened for the scenes, so one that fails now
 * lacks memory. */
static tr_status run_trials(search *s) {
    const tr_harden_def *def = s->h.def;
    int count = 2 * def->directions * def->trials, failed = 0;
    tr_ensemble_share_groups(s->h.ensemble, try_shifts_of, s, count,
                             (const tr_ranks_result[]){{s->costs, sizeof *s->costs}, {0}});
    for (int side = 0; side < 2 * def->directions; side++) {
        double sum = 0;
        for (int t = 0; t < def->trials; t++) {
            const double cost = s->costs[side * def->trials + t];
            failed += isnan(cost);
            sum += cost;
        }
        s->returns[side] = -sum / def->trials;
    }
    return failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

/* --- an update --- */

static double difference(const search *s, int pair) {
    return s->returns[2 * pair] - s->returns[2 * pair + 1];
}

static int by_size_falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Returns the least size of a difference among the `best` largest ones. */
static double threshold(search *s) {
    const int pairs = s->h.def->directions;
    for (int i = 0; i < pairs; i++)
        s->sizes[i] = fabs(difference(s, i));
    qsort(s->sizes, (size_t)pairs, sizeof *s->sizes, by_size_falling);
    return s->sizes[s->h.def->best - 1];
}

static double mean_return(const search *s) {
    const int sides = 2 * s->h.def->directions;
    double sum = 0;
    for (int i = 0; i < sides; i++)
        sum += s->returns[i];
    return sum / sides;
}

/* Returns the standard deviation of the returns, the unit of the steps (Mania et al. 2018). */
static double deviation(const search *s) {
    const int sides = 2 * s->h.def->directions;
    double mean = mean_return(s), squares = 0;
    for (int i = 0; i < sides; i++) {
        double off = s->returns[i] - mean;
        squares += off * off;
    }
    return sqrt(squares / sides);
}

/* Includes the new parameters of an update in the mean if it is among the last ones to average;
 * after the last of all, writes the mean into the controller, or beside it. */
static void average(search *s) {
    const tr_harden_def *def = s->h.def;
    int number = s->h.update + 1 - (def->updates - def->averaged);
    bool last = s->h.update + 1 == def->updates;
    /* number: of this update among the last ones. */
    if (def->averaged < 2 || number < 1)
        return;
    for (int k = 0; k < s->h.bank->fragment_count; k++) {
        tr_policy *policy = &s->h.bank->fragment[k].policy;
        join_mean(&s->mean[k], policy, number);
        if (last)
            *(def->mean ? &def->mean[k] : policy) = mean_of(&s->mean[k], policy);
    }
}

static tr_status update(search *s) {
    tr_status status = set_scenes(s);
    if (status)
        return status;
    /* Antithetic pairs: each direction is tried forth and back on the same scenes (Salimans et al.
     * 2017). */
    for (int d = 0; d < s->h.def->directions; d++)
        draw_shift(&s->h, d, shift_of(s, d));
    status = run_trials(s);
    if (status)
        return status;
    const tr_harden_def *def = s->h.def;
    tr_bank *bank = s->h.bank;
    double least = threshold(s), unit = deviation(s);
    /* Returns without spread say nothing of the directions: then no step is taken. */
    for (int i = 0; i < def->directions && unit > 0; i++) {
        /* rate / (best * sigma_R) * (R+ - R-), sigma_R the deviation (Mania et al. 2018). */
        const double gain = difference(s, i), amount = def->rate * gain / (def->best * unit);
        for (int k = 0; k < bank->fragment_count && fabs(gain) >= least; k++)
            apply_shift(&shift_of(s, i)[k], &s->h.origin[k], amount, &bank->fragment[k].policy);
    }
    average(s);
    return TR_OK;
}

/* --- the whole --- */

/* Are the numbers sound? The place of a transition's trials is not known in advance: they meet no
 * kerbs. Nor do chains, which may begin lying. */
static bool sound(const tr_harden_def *def, bool chain) {
    const tr_harden_ground *g = &def->ground;
    bool meets = g->share == 0 || !(chain || def->transition) || g->kerb_m + g->uneven_m == 0;
    return meets && def->updates >= 1 && def->directions >= 1 &&
           def->directions <= TR_HARDEN_DIRECTION_MAX && def->best >= 1 &&
           def->best <= def->directions && def->averaged >= (def->mean ? 2 : 0) &&
           def->averaged <= def->updates && def->candidates >= 1 && def->spacing >= 1 &&
           def->trials >= 1 && def->trials <= TR_HARDEN_TRIAL_MAX && def->after_s > 0 &&
           def->push_n >= 0 && def->strike >= 0 && def->vary >= 0 && def->vary < 1 &&
           def->extra[0] > -1 && def->extra[1] > -1 && tr_harden_ground_is_sound(&def->ground);
}

static tr_status open_search(search *s) {
    const tr_harden_def *def = s->h.def;
    size_t fragments = (size_t)s->h.bank->fragment_count;
    size_t directions = (size_t)def->directions;
    int room = s->h.ensemble->room;
    tr_status status = TR_OK;
    s->scenes = calloc((size_t)def->trials, sizeof *s->scenes);
    s->shifts = calloc(directions * fragments, sizeof *s->shifts);
    s->costs = calloc(2 * directions * (size_t)def->trials, sizeof *s->costs);
    s->returns = calloc(2 * directions, sizeof *s->returns);
    s->sizes = calloc(directions, sizeof *s->sizes);
    s->mean = calloc(fragments, sizeof *s->mean);
    s->shifted = calloc((size_t)room, sizeof(tr_controller *));
    if (!s->scenes || !s->shifts || !s->costs || !s->returns || !s->sizes || !s->mean ||
        !s->shifted)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < room && !status; i++)
        status = tr_controller_copy(s->h.controller, s->h.ensemble->model, &s->shifted[i]);
    return status ? status : tr_hardening_open(&s->h);
}

static void close_search(search *s) {
    tr_hardening_close(&s->h);
    for (int i = 0; s->shifted && i < s->h.ensemble->room; i++)
        tr_controller_destroy(s->shifted[i]);
    free(s->shifted);
    free(s->mean);
    free(s->sizes);
    free(s->returns);
    free(s->costs);
    free(s->shifts);
    free(s->scenes);
}

tr_status tr_harden(tr_ensemble *ensemble, const tr_harden_def *def, tr_controller *controller,
                    double *out_return) {
    tr_bank *bank = tr_controller_bank(controller);
    bool chain = !bank->cyclic && !def->transition;
    if (!sound(def, chain) ||
        (def->transition && !tr_graph_transition_fits(def->transition, controller)) ||
        def->first < 0 || def->first >= (chain ? bank->fragment_count : 1))
        return TR_INVALID_ARGUMENT;
    search s = {.h = {.def = def, .ensemble = ensemble, .controller = controller, .bank = bank}};
    tr_status status = open_search(&s);
    for (; s.h.update < def->updates && !status; s.h.update++)
        status = update(&s);
    if (!status)
        *out_return = mean_return(&s);
    close_search(&s);
    return status;
}
