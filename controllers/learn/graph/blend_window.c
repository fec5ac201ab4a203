#include "learn/graph/blend_window.h"

#include "control/parts/state_distance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fragment of a skill in the chain: unchanged, or its mirror image. */
typedef struct part {
    const tr_fragment *fragment;
    bool mirrored;
} part;

/* Returns fragment `index` of an endless skill, which may run before its first and past its last. A
 * mirrored skill changes the half with every cycle. */
static part part_at(const tr_bank *skill, int index, bool mirrored) {
    int count = skill->fragment_count, cycles = index / count - (index % count < 0);
    bool other = skill->mirrored && cycles % 2 != 0;
    return (part){&skill->fragment[index - cycles * count], mirrored != other};
}

static tr_state state_of(const tr_model *model, part p, bool end) {
    const tr_state *state = end ? &p.fragment->end : &p.fragment->start;
    return p.mirrored ? tr_state_mirror(model, state) : *state;
}

/* --- windows --- */

static double window_distance(const tr_model *model, const tr_bank *from, const tr_bank *to,
                              const tr_blend_window *w) {
    double sum = 0;
    for (int k = 0; k < w->count; k++) {
        part a = part_at(from, w->from + 1 + k, false);
        part b = part_at(to, w->to - w->count + k, w->flips);
        tr_state x = state_of(model, a, true), y = state_of(model, b, true);
        /* The ends of the fragments, and the start of the first: count + 1 pairs of states. */
        if (k == 0) {
            tr_state u = state_of(model, a, false), v = state_of(model, b, false);
            sum += tr_state_distance(model, &u, &v);
        }
        sum += tr_state_distance(model, &x, &y);
    }
    return sum / (w->count + 1);
}

static int nearer(const void *a, const void *b) {
    const tr_blend_window *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->from != y->from)
        return x->from - y->from;
    if (x->to != y->to)
        return x->to - y->to;
    return x->count != y->count ? x->count - y->count : x->flips - y->flips;
}

tr_status tr_blend_windows(const tr_model *model, const tr_controller *first,
                           const tr_controller *second, int low, int high, tr_blend_window **out,
                           int *out_count) {
    const tr_bank *from = tr_controller_bank(first), *to = tr_controller_bank(second);
    if (!from->cyclic || !to->cyclic || low < 1 || high < low || high > TR_BLEND_FRAGMENT_MAX)
        return TR_INVALID_ARGUMENT;
    size_t room = 2 * (size_t)from->fragment_count * (size_t)to->fragment_count;
    tr_blend_window *list = calloc(room * (size_t)(high - low + 1), sizeof *list);
    if (!list)
        return TR_RESOURCE_EXHAUSTED;
    int n = 0;
    /* If neither skill has two halves, a window cannot flip. */
    bool halves = from->mirrored || to->mirrored;
    for (int f = 0; f < from->fragment_count; f++)
        for (int g = 0; g < to->fragment_count; g++)
            for (int count = low; count <= high; count++)
                for (int flips = 0; flips <= halves; flips++) {
                    list[n] = (tr_blend_window){f, g, count, flips, 0};
                    list[n].distance = window_distance(model, from, to, &list[n]);
                    n++;
                }
    qsort(list, (size_t)n, sizeof *list, nearer);
    *out = list;
    *out_count = n;
    return TR_OK;
}

/* --- filling --- */

/* Returns a weight that rises smoothly from 0 to 1, with slope 0 at both ends. */
static double fade(double t) {
    return t * t * (3 - 2 * t);
}

static tr_state state_between(const tr_model *model, const tr_state *a, const tr_state *b,
                              double t) {
    tr_state out = *a;
    out.pose = tr_pose_between(&a->pose, &b->pose, model->body_count, t);
    out.root_vel = tr_vec3_lerp(a->root_vel, b->root_vel, t);
    out.root_omega = tr_vec3_lerp(a->root_omega, b->root_omega, t);
    for (int i = 1; i < model->body_count; i++)
        out.joint_rate[i] = tr_vec3_lerp(a->joint_rate[i], b->joint_rate[i], t);
    return out;
}

static tr_policy policy_of(const tr_model *model, const tr_action_map *map, part p) {
    tr_policy policy = p.fragment->policy;
    if (p.mirrored)
        tr_policy_mirror(model, map, &p.fragment->policy, &policy);
    return policy;
}

static void policy_between(const tr_policy *a, const tr_policy *b, double t, tr_policy *out) {
    for (int i = 0; i < TR_POLICY_NUMBERS; i++)
        tr_policy_numbers(out)[i] = (1 - t) * tr_policy_numbers(a)[i] + t * tr_policy_numbers(b)[i];
}

/* Returns the target of a body at a share of the fragment's time. */
static tr_quat target_of(const tr_model *model, part p, double share, int body) {
    int step = (int)(share * p.fragment->steps);
    step = step < p.fragment->steps ? step : p.fragment->steps - 1;
    const tr_quat *target = p.fragment->target + (size_t)step * (size_t)model->body_count;
    const tr_body *b = &model->body[body];
    return p.mirrored ? tr_body_mirror_joint(b, target[b->mirror]) : target[body];
}

/* Fades fragment k of the window's `count`: its states by the weight at their time, its policy and
 * its duration by the weight in its middle, each target by its own. */
static void fill_fragment(const tr_model *model, const tr_action_map *map, part a, part b, int k,
                          int count, tr_fragment *out) {
    double begin = fade((double)k / count), middle = fade((k + 0.5) / count),
           end = fade((k + 1.0) / count);
    tr_state x = state_of(model, a, false), y = state_of(model, b, false);
    out->start = state_between(model, &x, &y, begin);
    x = state_of(model, a, true);
    y = state_of(model, b, true);
    out->end = state_between(model, &x, &y, end);
    tr_policy one = policy_of(model, map, a), other = policy_of(model, map, b);
    policy_between(&one, &other, middle, &out->policy);
    out->steps = (int)lround((1 - middle) * a.fragment->steps + middle * b.fragment->steps);
    for (int s = 0; s < out->steps; s++) {
        double share = (s + 0.5) / out->steps, weight = fade((k + share) / count);
        tr_quat *target = out->target + (size_t)s * (size_t)model->body_count;
        for (int i = 0; i < model->body_count; i++)
            target[i] =
                tr_quat_slerp(target_of(model, a, share, i), target_of(model, b, share, i), weight);
    }
}

void tr_blend_window_name(const char *from, const char *to, char out[static TR_NAME_MAX]) {
    memset(out, 0, TR_NAME_MAX);
    snprintf(out, TR_NAME_MAX, "%.20s-to-%.20s", from, to);
}

tr_status tr_blend_window_fill(const tr_model *model, const tr_controller *first,
                               const tr_controller *second, const tr_blend_window *window,
                               tr_controller **out) {
    const tr_bank *from = tr_controller_bank(first), *to = tr_controller_bank(second);
    int one = tr_fragment_longest(from->fragment, from->fragment_count);
    int other = tr_fragment_longest(to->fragment, to->fragment_count);
    int steps = one > other ? one : other;
    tr_controller *chain = NULL;
    tr_status status = tr_chain_create(window->count, steps, model->body_count, &chain);
    if (status)
        return status;
    tr_bank *bank = tr_controller_bank(chain);
    tr_controller_copy_setting(first, chain);
    tr_bank_copy_setting(to, bank); /* it ends as the second */
    tr_blend_window_name(first->skill, second->skill, chain->skill);
    memcpy(chain->name, chain->skill, sizeof chain->name);
    for (int k = 0; k < window->count; k++) {
        part a = part_at(from, window->from + 1 + k, false);
        part b = part_at(to, window->to - window->count + k, window->flips);
        fill_fragment(model, &from->action, a, b, k, window->count, &bank->fragment[k]);
    }
    chain->spawn = bank->fragment[0].start;
    *out = chain;
    return TR_OK;
}

/* --- longer chains --- */

/* Copies the part itself, or its mirror image. */
static void copy_part(const tr_model *model, const tr_action_map *map, part p, tr_fragment *out) {
    out->start = state_of(model, p, false);
    out->end = state_of(model, p, true);
    out->policy = policy_of(model, map, p);
    out->steps = p.fragment->steps;
    for (int s = 0; s < out->steps; s++)
        for (int i = 0; i < model->body_count; i++)
            out->target[(size_t)s * (size_t)model->body_count + (size_t)i] =
                target_of(model, p, (s + 0.5) / out->steps, i);
}

/* Are the references equal? The learned policies may differ. */
static bool has_references_of(const tr_model *model, const tr_fragment *fragment, part p) {
    bool same = fragment->steps == p.fragment->steps;
    for (int s = 0; same && s < fragment->steps; s++)
        for (int i = 0; same && i < model->body_count; i++) {
            tr_quat q = target_of(model, p, (s + 0.5) / fragment->steps, i);
            const tr_quat *own = &fragment->target[s * model->body_count + i];
            same = own->w == q.w && own->x == q.x && own->y == q.y && own->z == q.z;
        }
    return same;
}

/* Counts the fragments at the chain's end that are copies of those before the window's end in `to`;
 * at most `most`. */
static int appended(const tr_model *model, const tr_bank *to, int most,
                    const tr_blend_window *window, const tr_bank *chain) {
    int gone = 0, count = chain->fragment_count;
    while (gone < most && gone + 1 < count &&
           has_references_of(model, &chain->fragment[count - 1 - gone],
                             part_at(to, window->to - 1 - gone, window->flips)))
        gone++;
    return gone;
}

static void move_on(const tr_bank *to, int fragments, tr_blend_window *window) {
    int end = window->to + fragments, cycles = end / to->fragment_count;
    window->to = end % to->fragment_count;
    /* Each whole cycle of a mirrored skill changes the half. */
    window->flips ^= to->mirrored && cycles % 2 != 0;
    window->count += fragments;
}

tr_status tr_blend_window_append(const tr_model *model, const tr_controller *skill, int fragments,
                                 tr_blend_window *window, tr_controller **chain) {
    const tr_bank *to = tr_controller_bank(skill), *old = tr_controller_bank(*chain);
    fragments -= appended(model, to, fragments, window, old);
    if (fragments == 0)
        return TR_OK;
    int count = old->fragment_count, own = tr_fragment_longest(old->fragment, count);
    int others = tr_fragment_longest(to->fragment, to->fragment_count);
    tr_controller *longer = NULL;
    tr_status status =
        tr_chain_create(count + fragments, own > others ? own : others, model->body_count, &longer);
    if (status)
        return status;
    tr_bank *bank = tr_controller_bank(longer);
    for (int k = 0; k < count; k++)
        copy_part(model, &old->action, (part){&old->fragment[k], false}, &bank->fragment[k]);
    for (int k = 0; k < fragments; k++)
        copy_part(model, &old->action, part_at(to, window->to + k, window->flips),
                  &bank->fragment[count + k]);
    tr_controller_copy_setting(*chain, longer);
    tr_bank_copy_setting(old, bank);
    memcpy(longer->name, (*chain)->name, sizeof longer->name);
    memcpy(longer->skill, (*chain)->skill, sizeof longer->skill);
    longer->spawn = (*chain)->spawn;
    move_on(to, fragments, window);
    tr_controller_destroy(*chain);
    *chain = longer;
    return TR_OK;
}

/* --- slopes --- */

/* Counts the fragments of the chain before those that tr_blend_window_append added. */
static int faded(const tr_model *model, const tr_bank *to, const tr_blend_window *window,
                 const tr_fragment *chain) {
    int count = window->count;
    while (count > 1 &&
           has_references_of(model, &chain[count - 1],
                             part_at(to, window->to - window->count + count - 1, window->flips)))
        count--;
    return count;
}

void tr_blend_window_slopes(const tr_model *model, const tr_controller *first,
                            const tr_controller *second, const tr_blend_window *window,
                            tr_fragment *chain) {
    const tr_bank *from = tr_controller_bank(first), *to = tr_controller_bank(second);
    int count = faded(model, to, window, chain);
    for (int k = 0; k < window->count; k++) {
        part a = part_at(from, window->from + 1 + k, false);
        part b = part_at(to, window->to - window->count + k, window->flips);
        tr_policy one = policy_of(model, &from->action, a),
                  other = policy_of(model, &to->action, b);
        tr_policy between;
        /* Appended fragments are the second skill's alone. */
        policy_between(&one, &other, k < count ? fade((k + 0.5) / count) : 1, &between);
        memcpy(chain[k].policy.ground, between.ground, sizeof between.ground);
    }
}
