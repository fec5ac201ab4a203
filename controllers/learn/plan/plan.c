#include "learn/plan/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double DEG = 180 / TR_PI;

/* The way back takes a second for a gap of this many rad, or m/s, between a quarter and a whole
 * second; it is left out for smaller gaps. */
static const double RETURN_RAD_S = 120 * TR_PI / 180, RETURN_MPS2 = 3;
static const double RETURN_MIN_S = 0.25, RETURN_MAX_S = 1.0;
static const double NEAR_RAD = 10 * TR_PI / 180, NEAR_MPS = 0.3;

/* Ends that differ by more cannot be joined. */
static const double FAR_MPS = 2, TILT_RAD = 60 * TR_PI / 180;

/* A gait whose halves differ by less is made symmetric; so is a motion that differs from its own
 * mirror image by less. */
static const double SYMMETRIC_RAD = 28 * TR_PI / 180, ALIKE_RAD = 30 * TR_PI / 180;

/* A skill lasts at most LONGEST_S; ends that are slower stand; gaits that are faster run. */
static const double LONGEST_S = 10, STANDING_MPS = 0.35, RUNNING_MPS = 2.2;

const char *tr_plan_kind_name(tr_plan_kind kind) {
    static const char *const names[] = {"gait", "stride", "turn", "alike", "loop", "chain"};
    return names[kind];
}

static const char *const EFFORTS[] = {"quick", "normal", "thorough"};
enum { EFFORT_COUNT = sizeof EFFORTS / sizeof *EFFORTS };

const char *tr_plan_effort_name(tr_plan_effort effort) {
    return EFFORTS[effort];
}

bool tr_plan_effort_find(const char *name, tr_plan_effort *out) {
    for (int i = 0; i < EFFORT_COUNT; i++)
        if (strcmp(name, EFFORTS[i]) == 0) {
            *out = (tr_plan_effort)i;
            return true;
        }
    return false;
}

/* A plan in the making. */
typedef struct planner {
    const tr_plan_def *def;
    tr_motion_trait trait;
    tr_error *error;
    tr_plan *plan;
} planner;

static void reason(planner *p, const char *format, ...) TR_PRINTF(2, 3);

static void reason(planner *p, const char *format, ...) {
    if (p->plan->reason_count == TR_PLAN_REASON_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->plan->reason[p->plan->reason_count++], TR_PLAN_TEXT_MAX, format, arguments);
    va_end(arguments);
}

/* ---- The kind, and how it is closed ---- */

static bool is_found(const tr_motion_cycle_found *cycle) {
    return cycle->last > cycle->first;
}

static bool ends_standing(const planner *p) {
    return p->trait.ends_upright && p->trait.speed_end_mps < STANDING_MPS;
}

static double seconds(const planner *p, const tr_motion_cycle_found *cycle) {
    return (cycle->last - cycle->first) * p->def->motion->dt_s;
}

/* Returns the clip's frame at a frame of the motion. */
static int clip_frame(const planner *p, int frame) {
    const tr_import_account *a = p->def->account;
    double clip_s = frame * p->def->motion->dt_s / a->stretch;
    int at = a->first + (int)lround(clip_s / a->clip->dt_s);
    return at > a->last ? a->last : at;
}

static void take_frames(planner *p, const tr_motion_cycle_found *cycle) {
    tr_import *import = &p->plan->import;
    import->first = clip_frame(p, cycle->first);
    import->last = clip_frame(p, cycle->last);
    import->frame_count = 0;
    p->plan->turn_rad = cycle->turn_rad;
    reason(p, "frames %d to %d of the clip, %.2f s", import->first, import->last,
           seconds(p, cycle));
}

static void plan_gait(planner *p, const tr_motion_cycle_found *gait) {
    /* A walk that turns cannot be the same on both sides. */
    bool symmetric =
        gait->asymmetry_rad <= SYMMETRIC_RAD && fabs(gait->turn_rad) <= TR_MOTION_STRAIGHT_RAD;
    p->plan->kind = symmetric ? TR_PLAN_GAIT : TR_PLAN_STRIDE;
    p->plan->import.symmetric = symmetric;
    p->plan->import.cyclic = !symmetric;
    reason(p,
           "a stride: legs alternate, it turns by %.0f deg, its ends differ by %.0f, its halves by "
           "%.0f",
           gait->turn_rad * DEG, gait->gap.angle_rad * DEG, gait->asymmetry_rad * DEG);
    if (!symmetric)
        reason(p, "%s: not made symmetric",
               fabs(gait->turn_rad) > TR_MOTION_STRAIGHT_RAD ? "it turns" : "its halves differ");
    take_frames(p, gait);
    p->plan->path_mps = tr_vec3_distance(p->def->motion->poses[gait->first].root_pos,
                                         p->def->motion->poses[gait->last].root_pos) /
                        seconds(p, gait);
}

/* A turn is repeated from stride to stride, so that it begins and ends as the walk does to which it is
 * joined. */
static void plan_turn(planner *p) {
    const tr_motion_cycle_found *turn = &p->trait.turn;
    p->plan->kind = TR_PLAN_TURN;
    p->plan->import.cyclic = true;
    reason(
        p,
        "a turn: legs alternate, it turns by %.0f deg between two strides, its ends differ by %.0f",
        turn->turn_rad * DEG, turn->gap.angle_rad * DEG);
    take_frames(p, turn);
}

/* Returns the seconds in which a gap can be bridged; longer where the motion was lost before. */
static double return_time(const planner *p, const tr_motion_cycle_found *whole) {
    double bridged = fmax(whole->gap.angle_rad / RETURN_RAD_S, whole->speed_gap_mps / RETURN_MPS2);
    double longer = p->def->harder > 2 ? 0.3 * (p->def->harder - 2) : 0;
    return fmin(fmax(bridged, RETURN_MIN_S), RETURN_MAX_S) + longer;
}

static void plan_loop(planner *p) {
    const tr_motion_cycle_found *whole = &p->trait.whole;
    tr_import *import = &p->plan->import;
    bool alike = !p->trait.alternates && whole->alikeness_rad <= ALIKE_RAD &&
                 fabs(whole->turn_rad) <= TR_MOTION_STRAIGHT_RAD;
    /* Ends that nearly meet need no way back, unless the motion was lost again and again. */
    bool near = whole->gap.angle_rad <= NEAR_RAD && whole->speed_gap_mps <= NEAR_MPS;
    p->plan->kind = alike ? TR_PLAN_ALIKE : TR_PLAN_LOOP;
    import->alike = alike;
    import->cyclic = !alike && near;
    /* Rounded to 10 ms, so that the record is short. */
    import->return_s = near && p->def->harder <= 2 ? 0 : round(return_time(p, whole) / 0.01) * 0.01;
    reason(p, "not a gait: learned as one movement%s%s", alike ? ", the same on both sides" : "",
           p->trait.flight ? ", with flight" : "");
    take_frames(p, whole);
    if (import->return_s > 0)
        reason(p, "its ends differ by %.0f deg at '%s' and %.1f m/s: %.2f s lead back",
               whole->gap.angle_rad * DEG, p->def->model->body[whole->gap.body].name,
               whole->speed_gap_mps, import->return_s);
    else
        reason(p, "its ends nearly meet (%.0f deg, %.1f m/s): closed over the whole cycle",
               whole->gap.angle_rad * DEG, whole->speed_gap_mps);
}

/* A get-up begins as the clip lies, and ends where it is up even if the clip moves on. From a crouch the
 * way to the rest pose takes longer. */
static void plan_chain(planner *p) {
    tr_import *import = &p->plan->import;
    const tr_motion *motion = p->def->motion;
    const int end = ends_standing(p) ? motion->frame_count - 1 : p->trait.risen;
    double low_m = tr_pose_rest(p->def->model).root_pos.z - motion->poses[end].root_pos.z;
    p->plan->kind = TR_PLAN_CHAIN;
    import->to_rest_s = round(fmin(0.4 + 2 * fmax(low_m - 0.1, 0), 1.2) / 0.1) * 0.1;
    import->first = p->def->account->first;
    import->last = clip_frame(p, end);
    reason(p, "%s and %s: a chain, not repeated, that ends in the rest pose",
           p->trait.begins_lying              ? "begins lying"
           : p->trait.tilt_gap_rad > TILT_RAD ? "begins in another posture"
                                              : "begins in motion",
           ends_standing(p) ? "ends standing" : "gets up");
    if (end < motion->frame_count - 1)
        reason(p, "it is up at frame %d of the clip, where it ends; then the clip moves on",
               import->last);
}

static tr_status refuse(const planner *p, const char *why, const char *remedy) {
    return tr_fail(p->error, TR_FAILED_PRECONDITION, "%s: %s; %s", p->def->motion->name, why,
                   remedy);
}

/* Takes one stride of a motion that neither returns nor ends standing: it may be repeated. */
static tr_status plan_part(planner *p) {
    char text[120];
    if (!p->trait.ends_upright)
        return refuse(p, "it ends lying or bent down, and began otherwise",
                      "choose a part that ends standing, or as it began");
    snprintf(text, sizeof text, "it begins at %.1f m/s and ends at %.1f", p->trait.speed_begin_mps,
             p->trait.speed_end_mps);
    /* Without a stride nothing in it repeats. */
    if (!is_found(&p->trait.stride))
        return refuse(
            p, text,
            "no skill can repeat that: choose a part that ends standing, or as fast as it "
            "begins, by --from and --to (troupe-train strip shows it)");
    reason(p, "%s, which no skill can repeat: one stride of it is taken", text);
    plan_gait(p, &p->trait.stride);
    return TR_OK;
}

static tr_status refuse_raised(const planner *p) {
    const tr_motion_trait *t = &p->trait;
    const int count = (int)lround(t->raised_s / p->def->motion->dt_s);
    char text[120];
    snprintf(text, sizeof text, "for %.1f s, frames %d to %d, it stands on something %.0f cm high",
             t->raised_s, clip_frame(p, t->raised_first), clip_frame(p, t->raised_first + count),
             100 * t->raised_m);
    return refuse(p, text,
                  "choose a part on level ground by --from and --to, or give the steps to "
                  "'troupe-train reconstruct --steps'");
}

static tr_status refuse_long(const planner *p) {
    char text[120];
    snprintf(text, sizeof text, "%.1f s are more than the %.0f that can be learned as one skill",
             seconds(p, &p->trait.whole), LONGEST_S);
    return refuse(
        p, text,
        "choose one of its parts by --part N, learn all by --all, or give --from and --to");
}

static bool returns(const planner *p) {
    return !p->trait.begins_lying && p->trait.tilt_gap_rad <= TILT_RAD &&
           fabs(p->trait.speed_begin_mps - p->trait.speed_end_mps) <= FAR_MPS;
}

static tr_status choose_kind(planner *p) {
    /* The first kind that fits is taken; one stride of the motion is the last resort. */
    if (p->trait.raised_s > 0)
        return refuse_raised(p);
    if (is_found(&p->trait.turn))
        plan_turn(p);
    else if (is_found(&p->trait.gait))
        plan_gait(p, &p->trait.gait);
    else if (seconds(p, &p->trait.whole) > LONGEST_S)
        return refuse_long(p);
    else if (returns(p))
        plan_loop(p);
    else if (ends_standing(p) || p->trait.risen > 0)
        plan_chain(p);
    else
        return plan_part(p);
    return TR_OK;
}

/* ---- The parameters ---- */

/* The worth of an effort: processor time, and the push at which a training ends, of gaits and of
 * others. */
typedef struct budget {
    double gait_core_s, core_s, gait_n, other_n;
    int rounds;
} budget;

static void set_common(planner *p, const budget *b) {
    tr_learn_parameters *q = &p->plan->parameters;
    tr_parameter_reset(&tr_learn_parameter_table, q);
    q->paired = q->adapt = 1;
    q->seed = p->def->seed + (uint64_t)p->def->harder;
    q->refine_skipped = 2;
    q->push_n = 80;
    q->harden_updates = 8;
    q->harden_directions = 32;
    q->harden_best = 16;
    q->harden_trials = 16;
    q->harden_rounds = b->rounds;
    q->stop_after = 4;
    q->test_trials = 16;
}

/* Gaits hold soon: few samples, and from the first round the pushes that they are to survive. */
static void set_gait(planner *p, const budget *b) {
    tr_learn_parameters *q = &p->plan->parameters;
    bool runs = p->trait.path_mps > RUNNING_MPS;
    snprintf(q->gain_set, sizeof q->gain_set, "a");
    q->weight_velocity = 1;
    q->refine_visits = 20;
    q->refine_samples = 250;
    q->first_samples = 200;
    q->samples = 100;
    q->visits = 100;
    q->iterations = 3;
    q->push_n = 100;
    q->push_ramp = 2;
    q->harden_push_n = runs ? 240 : 150;
    q->adapt_push_n = q->harden_push_n;
    /* A turn is as long as three cycles of a gait or more, and so are its trials. */
    p->plan->core_s = p->plan->kind == TR_PLAN_TURN ? b->core_s : b->gait_core_s;
    p->plan->target_n = b->gait_n;
    reason(p, "learned as gaits are: gains a, few samples, pushes of %.0f N", q->harden_push_n);
}

/* Skills and chains hold late: pushes grow from small ones, and a round has its mean as a second
 * candidate, which gaits never chose. */
static void set_growing(planner *p, const budget *b) {
    tr_learn_parameters *q = &p->plan->parameters;
    q->harden_averaged = 6;
    q->harden_push_n = 150;
    q->adapt_push_n = 20;
    p->plan->core_s = b->core_s;
    p->plan->target_n = b->other_n;
}

static void set_other(planner *p, const budget *b) {
    tr_learn_parameters *q = &p->plan->parameters;
    snprintf(q->gain_set, sizeof q->gain_set, "b");
    q->refine_rounds = 4;
    q->refine_visits = 8;
    q->refine_samples = 150;
    q->first_samples = 125;
    q->samples = 125;
    q->visits = 60;
    q->iterations = 1;
    set_growing(p, b);
    reason(p, "learned as stunts are: gains b, one iteration, hardened from 20 N on as it holds");
}

/* A chain is reconstructed, then hardened, and tested from its start to a while after its end, where
 * it is pushed when it reaches that in every trial. */
static void set_chain(planner *p, const budget *b) {
    tr_learn_parameters *q = &p->plan->parameters;
    tr_reconstruct_parameters *control = &p->plan->control;
    double length_s = tr_motion_duration(p->def->motion);
    snprintf(q->gain_set, sizeof q->gain_set, "b");
    /* The reconstruction takes the place of these. */
    q->refine_rounds = q->iterations = 0;
    q->harden_after_s = fmin(length_s + 2, 6);
    q->test_trials = 100;
    q->test_cap_s = ceil(length_s + 5);
    tr_parameter_reset(&tr_reconstruct_parameter_table, control);
    snprintf(control->gain_set, sizeof control->gain_set, "b");
    control->arms = p->trait.begins_lying;
    control->samples = 200;
    control->trials_max = 200; /* about 20 suffice */
    control->seed = q->seed;
    set_growing(p, b);
    reason(p, "learned as chains are: gains b, reconstructed with %d samples, then hardened",
           control->samples);
}

/* What was lost with few samples may be found with more. */
static void set_harder(planner *p) {
    tr_learn_parameters *q = &p->plan->parameters;
    int times = 1 << (p->def->harder < 2 ? p->def->harder : 2);
    q->refine_samples *= times;
    q->first_samples *= times;
    q->samples *= times;
    p->plan->control.samples *= times;
    if (p->def->harder > 0)
        reason(p, "lost before: %d times the samples, seed %llu", times,
               (unsigned long long)q->seed);
}

static void choose_parameters(planner *p) {
    static const budget budgets[EFFORT_COUNT] = {
        [TR_EFFORT_QUICK] = {150, 360, 60, 20, 5},
        [TR_EFFORT_NORMAL] = {600, 1200, 120, 80, 40},
        [TR_EFFORT_THOROUGH] = {2400, 4800, 200, 140, 100},
    };
    budget b = budgets[p->def->effort];
    const char *effort = tr_plan_effort_name(p->def->effort);
    bool gait = p->plan->kind <= TR_PLAN_TURN;
    bool chain = p->plan->kind == TR_PLAN_CHAIN;
    /* What is common comes first, then the kind; a retry multiplies its samples last. */
    set_common(p, &b);
    if (gait)
        set_gait(p, &b);
    else if (chain)
        set_chain(p, &b);
    else
        set_other(p, &b);
    p->plan->parameters.stop_at_n = p->plan->target_n;
    set_harder(p);
    reason(p, "effort '%s': ends at pushes of %.0f N, or after %.0f core-minutes", effort,
           p->plan->target_n, p->plan->core_s / 60);
}

tr_status tr_plan_make(const tr_plan_def *def, tr_plan *out, tr_error *error) {
    tr_plan plan = {.import = *def->import};
    planner p = {.def = def, .error = error, .plan = &plan};
    tr_status status = tr_motion_measure_trait(def->model, def->motion, &p.trait);
    if (status)
        return tr_fail(error, status, "%s: %s", def->motion->name,
                       status == TR_INVALID_ARGUMENT ? "expected an open motion of 0.2 s or more"
                                                     : tr_status_text(status));
    plan.path_mps = p.trait.path_mps;
    plan.begins_lying = p.trait.begins_lying;
    status = choose_kind(&p);
    if (status)
        return status;
    choose_parameters(&p);
    *out = plan;
    return TR_OK;
}
