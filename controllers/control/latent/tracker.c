#include "control/latent/tracker.h"

#include "control/chain/chain.h"
#include "control/latent/latent_likely.h"
#include "control/latent/orbit.h"
#include "control/parts/above_ground.h"
#include "control/parts/playback.h"
#include "math/hash.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PULL, SMOOTH, PHASE, AHEAD, LEAP };

static const char SECTION[] = "tracking"; /* "tracker" had no `mirrored` */

/* The state of one tracker.
 *   main      the orbit that is followed; fragment: counted from the first of all orbits
 *   step      next to be simulated, of `steps`: the last ones of the fragment
 *   since     shares of a round, since the orbit could change to the left, and to the right */
typedef struct tracker_state {
    bool started;
    int main, fragment, step, steps;
    double since[2];
    int64_t done;
    double action[TR_ACTION_MAX];
    tr_latent_motion motion; /* of the puppet */
} tracker_state;

static const tr_state_field fields[] = {
    TR_STATE_BOOL_FIELD(tracker_state, started),
    TR_STATE_INT_FIELD(tracker_state, main, 0, TR_TRACKER_ORBIT_MAX - 1),
    TR_STATE_INT_FIELD(tracker_state, fragment, 0, TR_BANK_FRAGMENT_MAX - 1),
    TR_STATE_INT_FIELD(tracker_state, step, 0, TR_FRAGMENT_STEPS_MAX - 1),
    TR_STATE_INT_FIELD(tracker_state, steps, 1, TR_FRAGMENT_STEPS_MAX),
    TR_STATE_DOUBLE_FIELD(tracker_state, since, 0, 1),
    TR_STATE_INT64_FIELD(tracker_state, done, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(tracker_state, action, -TR_STATE_ANY, TR_STATE_ANY),
    {"motion.point", TR_STATE_DOUBLE,
     offsetof(tracker_state, motion.point[TR_LATENT_KNOTS - TR_LATENT_CUBIC]),
     TR_LATENT_CUBIC *TR_LATENT_DIMENSION_MAX, -1e6, 1e6}, /* no pose is shown */
    TR_STATE_DOUBLE_FIELD(tracker_state, motion.phase, 0, 1),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_latent_tracker *tracker = content;
    tr_status status = tr_puppet_kind.check(tracker->puppet, setting, error);
    if (!status)
        status = tr_bank_check(&tracker->bank, setting->model, error);
    if (status)
        return status;
    if (tracker->puppet->policy->task.kind != TR_LATENT_HEADING)
        return tr_fail(error, TR_INVALID_ARGUMENT, "tracker: policy: expected a heading task");
    for (int t = 0; t < tracker->orbit_count; t++)
        if (tracker->count[t] < 1)
            return tr_fail(error, TR_INVALID_ARGUMENT, "tracker: orbit %d: no fragments", t);
    if (tr_orbit_first(tracker, tracker->orbit_count) != tracker->bank.fragment_count ||
        tracker->bank.mirrored || !tracker->bank.cyclic)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "tracker: fragments: expected those of its orbits, without a mirrored half");
    return TR_OK;
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_latent_tracker *tracker = content;
    uint64_t hash = tr_latent_puppet_hash(tracker->puppet, setting);
    uint64_t bank = tr_bank_hash(&tracker->bank, setting) + tracker->mirrored;
    hash = tr_hash_add(hash, &bank, sizeof bank);
    return tr_hash_add(hash, tracker->count, (size_t)tracker->orbit_count * sizeof *tracker->count);
}

static void destroy(void *content) {
    tr_latent_tracker *tracker = content;
    if (!tracker)
        return;
    tr_puppet_kind.destroy(tracker->puppet);
    tr_bank_deinit(&tracker->bank);
    free(tracker->place);
    free(tracker);
}

static tr_status load_parts(const tr_sections *in, const tr_driver_setting *setting,
                            tr_latent_tracker *tracker, tr_error *error) {
    void *puppet = NULL;
    tr_status status = tr_puppet_kind.load(in, setting, &puppet, error);
    tracker->puppet = puppet;
    if (!status)
        status = tr_bank_load(in, setting->model->body_count, &tracker->bank, error);
    if (status)
        return status;
    tr_section_reader r = tr_section_open(in, SECTION);
    tracker->mirrored = tr_section_get_int(&r, 0, 1) != 0;
    tracker->orbit_count = (int)tr_section_get_int(&r, 1, TR_TRACKER_ORBIT_MAX);
    for (int t = 0; t < tracker->orbit_count; t++)
        tracker->count[t] = (int)tr_section_get_int(&r, 1, TR_BANK_FRAGMENT_MAX);
    status = tr_section_close(&r, error);
    if (!status && tr_orbit_first(tracker, tracker->orbit_count) != tracker->bank.fragment_count)
        status = tr_fail(error, TR_DATA_LOSS, "%s: expected orbits of all fragments", SECTION);
    return status ? status : tr_orbit_lay(tracker, setting);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_latent_tracker *tracker = calloc(1, sizeof *tracker);
    tr_status status = tracker ? load_parts(in, setting, tracker, error) : TR_RESOURCE_EXHAUSTED;
    if (status)
        destroy(tracker);
    else
        *out = tracker;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_latent_tracker *tracker = content;
    tr_status status = tr_puppet_kind.save(tracker->puppet, out, error);
    if (status)
        return status;
    out->bank = &tracker->bank;
    tr_section_writer w = tr_section_begin(out, SECTION);
    tr_section_put_int(&w, tracker->mirrored);
    tr_section_put_int(&w, tracker->orbit_count);
    for (int t = 0; t < tracker->orbit_count; t++)
        tr_section_put_int(&w, tracker->count[t]);
    return tr_section_end(&w, error);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_latent_tracker *tracker = content;
    tr_latent_tracker *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    void *puppet = NULL;
    image->mirrored = !tracker->mirrored;
    image->orbit_count = tracker->orbit_count;
    memcpy(image->count, tracker->count, sizeof image->count);
    tr_status status = tr_puppet_kind.mirror(tracker->puppet, setting, &puppet);
    image->puppet = puppet;
    if (!status)
        status = tr_bank_mirror(&tracker->bank, setting->model, &image->bank);
    if (!status)
        status = tr_orbit_lay(image, setting);
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

/* --- what it can do --- */

static tr_bank *bank(void *content) {
    return &((tr_latent_tracker *)content)->bank;
}

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_latent_tracker *tracker = content;
    const tr_bank *b = &tracker->bank;
    *out = (tr_driver_outline){.entry_count = b->fragment_count,
                               .first_count = tracker->count[0],
                               .cyclic = true,
                               .cycle_s = tr_orbit_steps(tracker, 0) * step_s,
                               .duration_s = tr_bank_duration_s(b, step_s),
                               .gain_set = b->gain_set};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_bank *b = &((const tr_latent_tracker *)content)->bank;
    tr_playback_entry(b, index, b->gain_set, out);
}

static const tr_driver_parameter own_parameters[] = {
    {.name = "pull",
     .unit = "",
     .meaning = "by which the point hurries or waits for the body: share of what it is behind",
     .high = 1,
     .count = 1},
    {.name = "smooth",
     .unit = "",
     .meaning = "share of the turn that stays at a change",
     .high = 0.99,
     .initial = 0.3,
     .count = 1},
    {.name = "phase",
     .unit = "",
     .meaning = "share of a round of the first orbit at which it may turn more to the left; half a "
                "round later, more to the right",
     .high = 1,
     .initial = 0.5,
     .count = 1},
    {.name = "ahead",
     .unit = "s",
     .meaning = "in which the body is to turn by what is left to the heading",
     .low = 0.1,
     .high = 10,
     .initial = 1,
     .count = 1},
    {.name = "leap",
     .unit = "",
     .meaning = "steps of the clips between point and body at which the point leaps to the body",
     .low = 0.01,
     .high = 1000,
     .initial = 30,
     .count = 1},
};

enum { PARAMETERS = sizeof own_parameters / sizeof *own_parameters };

static int parameters(const void *content, tr_driver_parameter *out) {
    (void)content;
    memcpy(out, own_parameters, sizeof own_parameters);
    return PARAMETERS;
}

/* Describes what the puppet describes, with other entries, and no faster turns than those of the
 * orbits. */
static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_latent_tracker *tracker = content;
    tr_status status = tr_puppet_kind.describe(tracker->puppet, sheet);
    if (status)
        return status;
    double most = 0;
    for (int t = 0; t < tracker->orbit_count; t++)
        most = fmax(most, fabs(tracker->turn_rad_s[t]));
    sheet->skill[0].count = tracker->bank.fragment_count;
    sheet->skill[0].turn_rad_s = most;
    sheet->skill[0].faster_mps = sheet->skill[0].slower_mps = 0;
    return TR_OK;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_latent_tracker *tracker = content;
    const tracker_state *s = state;
    return s->main < tracker->orbit_count && s->fragment >= tr_orbit_first(tracker, s->main) &&
           s->fragment < tr_orbit_first(tracker, s->main + 1) && s->step < s->steps &&
           s->steps <= tracker->bank.fragment[s->fragment].steps;
}

/* The point begins where the body is when the first step is driven. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)mirrored;
    const tr_latent_tracker *tracker = content;
    tracker_state *s = state;
    *s = (tracker_state){.fragment = entry_index, .done = s->done};
    while (entry_index >= tr_orbit_first(tracker, s->main + 1))
        s->main++;
    s->steps = tracker->bank.fragment[entry_index].steps;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    tr_bank_nearest(&((const tr_latent_tracker *)content)->bank, model, state, out_entry,
                    out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_latent_tracker *tracker = content;
    const tracker_state *s = state;
    const tr_latent_mover mover = {.space = tracker->puppet->space};
    tr_driver_shown at = {.name = "map_at", .unit = "", .count = 3};
    double square = 0;
    for (int i = 0; i < tracker->bank.action.size; i++)
        square += s->action[i] * s->action[i];
    *out = (tr_doing){.entry = s->fragment,
                      .phase = (double)s->step / s->steps,
                      .between = s->step == 0,
                      .entries_done = s->done,
                      .feedback_rad = sqrt(square),
                      .text = ""};
    if (!s->started)
        return;
    if (out->between)
        out->reached = &tracker->bank.fragment[s->fragment].end;
    tr_latent_view_flatten(&tracker->puppet->view, tr_latent_motion_shown(&mover, &s->motion).x, 3,
                           at.value);
    out->shown[out->shown_count++] = at;
}

static void reach(const void *content, tr_driver_reach *out) {
    tr_puppet_kind.reach(((const tr_latent_tracker *)content)->puppet, out);
    out->kinematic = false;
}

/* --- the point --- */

/* Only the control points and the phase of the motion are used. */
static void join(const tr_latent_mover *mover, const tr_state *body, tracker_state *s) {
    tr_latent_motion joined;
    tr_latent_motion_join(mover, body, s->motion.phase, &joined);
    memcpy(s->motion.point, joined.point, sizeof joined.point);
}

/* Moves the point to the fragment's end. Meanwhile the body is assumed to turn as the puppet
 * would. */
static void advance(const tr_latent_mover *mover, const tr_sight *sight, double span_s,
                    tr_latent_motion *motion) {
    const double frame_s = mover->space->learned.dt_s;
    const int parts = (int)ceil(span_s / frame_s);
    const tr_goal_axis *axis = &mover->policy->task.grid.axis[1];
    const double wanted =
        sight->target->speed_mps > 0 ? sight->target->speed_mps : (axis->low + axis->high) / 2;
    tr_goal goal = {{tr_steering_bearing(sight->target, sight->world, sight->state).turn_rad,
                     fmin(fmax(wanted, axis->low), axis->high)}};
    for (int i = 0; i < parts; i++) {
        tr_latent_motion_advance(mover, &goal, span_s / parts, motion);
        const tr_latent_state shown = tr_latent_motion_shown(mover, motion);
        const double turn = tr_latent_space_root_step(mover->space, &shown).turn_rad / frame_s;
        goal.value[0] = tr_angle_wrap(goal.value[0] - turn * span_s / parts);
    }
}

/* --- the turn that is followed --- */

/* Has the body passed a phase of the first orbit in the last fragment? since: the share of a round
 * since that phase at the last call; it is brought up to date. */
static bool passes(const tr_latent_tracker *tracker, const tracker_state *s, double phase,
                   double *since) {
    const int place = tr_orbit_aligned(tracker, s->main, 0, s->fragment * TR_TRACKER_PLACES);
    const double at =
        (double)(place - tr_orbit_first(tracker, 0)) / tr_orbit_places(tracker, 0) - phase;
    const double now = at - floor(at), before = *since;
    *since = now;
    return now < before;
}

static double within_orbits(const tr_latent_tracker *tracker, double turn) {
    double low = 0, high = 0;
    for (int t = 0; t < tracker->orbit_count; t++) {
        low = fmin(low, tracker->turn_rad_s[t]);
        high = fmax(high, tracker->turn_rad_s[t]);
    }
    return fmin(fmax(turn, low), high);
}

static int nearest_orbit(const tr_latent_tracker *tracker, double turn) {
    int best = 0;
    for (int t = 1; t < tracker->orbit_count; t++)
        if (fabs(tracker->turn_rad_s[t] - turn) < fabs(tracker->turn_rad_s[best] - turn))
            best = t;
    return best;
}

/* Returns the orbit to be followed from here on. */
static int follow(const tr_latent_tracker *tracker, const tr_sight *sight, tracker_state *s) {
    const double phase = sight->parameter[PHASE] + (tracker->mirrored ? 0.5 : 0);
    /* Both are asked in every fragment, because asking brings `since` up to date. */
    const bool left = passes(tracker, s, phase, &s->since[0]),
               right = passes(tracker, s, phase + 0.5, &s->since[1]);
    if (!left && !right)
        return s->main;
    const double left_rad = tr_steering_bearing(sight->target, sight->world, sight->state).turn_rad;
    const double now = tracker->turn_rad_s[s->main], stays = sight->parameter[SMOOTH],
                 turn = within_orbits(tracker, left_rad / sight->parameter[AHEAD]);
    /* More to the left only at the phase of left, more to the right only at that of right. */
    const int orbit = nearest_orbit(tracker, stays * now + (1 - stays) * turn);
    return (tracker->turn_rad_s[orbit] > now ? left : right) ? orbit : s->main;
}

/* The orbit continues with its next fragment. Another one takes over at the same phase, even in the
 * middle of a fragment. */
static void choose(const tr_latent_tracker *tracker, int orbit, tracker_state *s) {
    int place = tr_orbit_next(tracker, s->main, s->fragment) * TR_TRACKER_PLACES;
    if (orbit != s->main)
        place = tr_orbit_aligned(tracker, s->main, orbit, place);
    s->main = orbit;
    s->fragment = place / TR_TRACKER_PLACES;
    const int whole = tracker->bank.fragment[s->fragment].steps;
    s->steps = whole - whole * (place % TR_TRACKER_PLACES) / TR_TRACKER_PLACES;
}

/* Returns the steps of the fragment that were left out. */
static int skipped(const tr_latent_tracker *tracker, const tracker_state *s) {
    return tracker->bank.fragment[s->fragment].steps - s->steps;
}

/* --- the point and the body --- */

/* Returns how far the body's phase is ahead of the point's, as a share of a fragment, at most a
 * half. A point that is too far from the body leaps to it. */
static double find_lead(const tr_latent_tracker *tracker, const tr_latent_mover *mover, double leap,
                        const tr_state *body, tracker_state *s) {
    const tr_pose_flow flow = tr_pose_flow_of(mover->space, mover->model, body);
    const tr_latent_state likely = tr_latent_likely(mover->space, &flow),
                          shown = tr_latent_motion_shown(mover, &s->motion);
    if (tr_orbit_distance(mover->space, &likely, &shown) > leap) {
        join(mover, body, s);
        return 0;
    }
    /* The difference of their places on the orbit, the shorter way round. */
    double far;
    const int places = tr_orbit_places(tracker, s->main),
              ahead = tr_orbit_nearest(tracker, &likely, s->main, &far) -
                      tr_orbit_nearest(tracker, &shown, s->main, &far),
              wrapped = (ahead + places + places / 2) % places - places / 2;
    return fmin(fmax((double)wrapped / TR_TRACKER_PLACES, -0.5), 0.5);
}

/* Mixes the feedback of the fragment with that of the next one, by the share that was left out. */
static tr_status decide(const tr_latent_tracker *tracker, const tr_sight *sight, tracker_state *s) {
    const tr_features features = tr_features_above_ground(sight);
    const tr_fragment *all = tracker->bank.fragment;
    const int size = tracker->bank.action.size, next = tr_orbit_next(tracker, s->main, s->fragment);
    const double share = (double)skipped(tracker, s) / all[s->fragment].steps;
    double one[TR_ACTION_MAX], other[TR_ACTION_MAX];
    tr_policy_evaluate(&all[s->fragment].policy, size, &features, one);
    tr_policy_evaluate(&all[next].policy, size, &features, other);
    for (int i = 0; i < size; i++) {
        s->action[i] = (1 - share) * one[i] + share * other[i];
        if (!isfinite(s->action[i]))
            return TR_DATA_LOSS;
    }
    return TR_OK;
}

static tr_status begin_fragment(const tr_latent_tracker *tracker, const tr_sight *sight,
                                tracker_state *s) {
    const tr_latent_puppet *puppet = tracker->puppet;
    const tr_latent_mover mover = {sight->model, puppet->space, puppet->policy};
    const tr_state body = tr_state_above_ground(sight->state, &sight->ground);
    double lead = 0;
    if (s->started)
        lead = find_lead(tracker, &mover, sight->parameter[LEAP], &body, s);
    else
        join(&mover, &body, s);
    /* The first fragment is the one that was entered. */
    if (s->started)
        choose(tracker, follow(tracker, sight, s), s);
    s->started = true;
    /* A point that is behind the body moves farther, one that is ahead less far. */
    const double span_s = s->steps * sight->step_s;
    advance(&mover, sight, span_s * (1 + sight->parameter[PULL] * lead), &s->motion);
    return decide(tracker, sight, s);
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_latent_tracker *tracker = content;
    tracker_state *s = state;
    if (s->step == 0) {
        tr_status status = begin_fragment(tracker, sight, s);
        if (status)
            return status;
    }
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, tracker->bank.gain_set);
    const int bodies = sight->model->body_count, step = skipped(tracker, s) + s->step;
    memcpy(out->target, tracker->bank.fragment[s->fragment].target + (size_t)step * (size_t)bodies,
           (size_t)bodies * sizeof *out->target);
    tr_action_apply(sight->model, &tracker->bank.action, s->action, out->target);
    out->entry = s->fragment;
    out->completes = ++s->step == s->steps;
    if (out->completes)
        s->step = 0;
    s->done += out->completes;
    return TR_OK;
}

const tr_driver_kind tr_tracker_kind = {.name = "tracker",
                                        .check = check,
                                        .hash = hash,
                                        .mirror = mirror,
                                        .destroy = destroy,
                                        .save = save,
                                        .load = load,
                                        .outline = outline,
                                        .entry = entry,
                                        .parameters = parameters,
                                        .describe = describe,
                                        .bank = bank,
                                        .state_size = sizeof(tracker_state),
                                        .field = fields,
                                        .field_count = sizeof fields / sizeof *fields,
                                        .fits = fits,
                                        .enter = enter,
                                        .nearest = nearest,
                                        .look = look,
                                        .reach = reach,
                                        .drive = drive};

/* --- controllers that are trackers --- */

/* Adds the fragments of a chain, and their mirror images where it has a mirrored half. */
static tr_status add_orbit(const tr_chain *chain, const tr_model *model,
                           tr_latent_tracker *tracker) {
    const int once = chain->bank.fragment_count, orbit = tracker->orbit_count++;
    tr_fragment *out = tracker->bank.fragment + tr_orbit_first(tracker, orbit);
    tr_bank image;
    tr_bank_copy_fragments(chain->bank.fragment, once, model->body_count, out);
    tracker->count[orbit] = once * (1 + chain->bank.mirrored);
    if (!chain->bank.mirrored)
        return TR_OK;
    tr_status status = tr_bank_mirror(&chain->bank, model, &image);
    if (status)
        return status;
    tr_bank_copy_fragments(image.fragment, once, model->body_count, out + once);
    tr_bank_deinit(&image);
    return TR_OK;
}

static tr_status find_chains(const tr_controller *const *chain, int count, const tr_model *model,
                             tr_error *error, int *out_fragments, int *out_longest) {
    *out_fragments = *out_longest = 0;
    if (count < 1 || count > TR_TRACKER_ORBIT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%d chains: expected 1 to %d", count,
                       TR_TRACKER_ORBIT_MAX);
    /* NULL where the first is no chain, which the loop refuses before it is read. */
    const tr_chain *first = tr_chain_of(chain[0]);
    for (int t = 0; t < count; t++) {
        const tr_chain *c = tr_chain_of(chain[t]);
        if (chain[t]->model_hash != model->hash)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "'%s' was learned on another body than the puppet: learn it on the "
                           "puppet's model, or choose another chain",
                           chain[t]->name);
        if (!c || !c->bank.cyclic || c->blend_steps > 0 ||
            strcmp(c->bank.gain_set, first->bank.gain_set) != 0 ||
            memcmp(&c->bank.action, &first->bank.action, sizeof first->bank.action) != 0 ||
            chain[t]->step_s != chain[0]->step_s)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "'%s': expected a chain that repeats and does not blend, with the "
                           "gains, the action and the step of the first",
                           chain[t]->name);
        const int longest = tr_fragment_longest(c->bank.fragment, c->bank.fragment_count);
        *out_fragments += c->bank.fragment_count * (1 + c->bank.mirrored);
        *out_longest = longest > *out_longest ? longest : *out_longest;
    }
    return TR_OK;
}

static tr_status gather(const tr_controller *const *chain, int chain_count, const tr_model *model,
                        tr_latent_tracker *tracker, tr_error *error) {
    int fragments = 0, longest = 0;
    tr_status status = find_chains(chain, chain_count, model, error, &fragments, &longest);
    if (!status)
        status = tr_bank_init(&tracker->bank, fragments, longest, model->body_count);
    if (status)
        return status;
    tr_bank_copy_setting(&tr_chain_of(chain[0])->bank, &tracker->bank);
    tracker->bank.cyclic = true;
    for (int t = 0; t < chain_count && !status; t++)
        status = add_orbit(tr_chain_of(chain[t]), model, tracker);
    const tr_driver_setting setting = {.model = model, .step_s = chain[0]->step_s};
    return status ? status : tr_orbit_lay(tracker, &setting);
}

tr_status tr_latent_tracker_create(const tr_controller *puppet, const tr_controller *const *chain,
                                   int chain_count, const tr_model *model, tr_controller **out,
                                   tr_error *error) {
    tr_latent_tracker *tracker = calloc(1, sizeof *tracker);
    const tr_driver_setting setting = tr_controller_setting(puppet, model);
    void *copy = NULL;
    if (!tracker)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status =
        puppet->driver.kind == &tr_puppet_kind
            ? tr_driver_copy(puppet->driver, &setting, &copy)
            : tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected a puppet", puppet->name);
    tracker->puppet = copy;
    if (!status)
        status = gather(chain, chain_count, model, tracker, error);
    if (!status)
        status = tr_controller_create((tr_driver){&tr_tracker_kind, tracker}, out);
    if (status) {
        destroy(tracker);
        return status;
    }
    tr_controller_copy_setting(chain[0], *out);
    (*out)->spawn = chain[0]->spawn;
    return TR_OK;
}
