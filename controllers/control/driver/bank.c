#include "control/driver/bank.h"

#include "control/fields/reference_state.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TR_BANK_FRAGMENT_MAX <= (int)TR_DRIVER_ENTRY_MAX, "each fragment is an entry");

static size_t target_count(const tr_fragment *fragment, int body_count) {
    return (size_t)fragment->steps * (size_t)body_count;
}

/* --- making --- */

static tr_status init_fragment(tr_fragment *fragment, int steps, int body_count) {
    *fragment = (tr_fragment){
        .steps = steps, .start = tr_reference_identity(), .end = tr_reference_identity()};
    size_t count = target_count(fragment, body_count);
    fragment->target = malloc(count * sizeof *fragment->target);
    if (!fragment->target)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < count; i++)
        fragment->target[i] = tr_quat_identity();
    return TR_OK;
}

tr_status tr_bank_init(tr_bank *bank, int fragment_count, int steps, int body_count) {
    *bank = (tr_bank){0};
    if (fragment_count < 1 || fragment_count > TR_BANK_FRAGMENT_MAX || steps < 1 ||
        steps > TR_FRAGMENT_STEPS_MAX || body_count < 1 || body_count > TR_BODY_MAX)
        return TR_INVALID_ARGUMENT;
    bank->fragment = calloc((size_t)fragment_count, sizeof *bank->fragment);
    tr_status status = bank->fragment ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (; !status && bank->fragment_count < fragment_count; bank->fragment_count++)
        status = init_fragment(&bank->fragment[bank->fragment_count], steps, body_count);
    if (status)
        tr_bank_deinit(bank);
    return status;
}

void tr_bank_deinit(tr_bank *bank) {
    for (int f = 0; f < bank->fragment_count; f++)
        free(bank->fragment[f].target);
    free(bank->fragment);
    *bank = (tr_bank){0};
}

void tr_bank_copy_fragments(const tr_fragment *from, int count, int body_count, tr_fragment *out) {
    for (int f = 0; f < count; f++) {
        /* The copy keeps its own room for targets. */
        tr_quat *target = out[f].target;
        memcpy(target, from[f].target, target_count(&from[f], body_count) * sizeof *target);
        out[f] = from[f];
        out[f].target = target;
    }
}

static tr_status tr_bank_copy(const tr_bank *from, int body_count, tr_bank *out) {
    tr_bank copy;
    tr_status status =
        tr_bank_init(&copy, from->fragment_count,
                     tr_fragment_longest(from->fragment, from->fragment_count), body_count);
    if (status)
        return status;
    tr_bank_copy_fragments(from->fragment, from->fragment_count, body_count, copy.fragment);
    *out = *from;
    out->fragment = copy.fragment;
    return TR_OK;
}

void tr_bank_copy_setting(const tr_bank *from, tr_bank *to) {
    memcpy(to->gain_set, from->gain_set, sizeof to->gain_set);
    to->action = from->action;
}

bool tr_bank_same_shape(const tr_bank *a, const tr_bank *b) {
    bool same = a->fragment_count == b->fragment_count && a->action.size == b->action.size &&
                a->mirrored == b->mirrored && strcmp(a->gain_set, b->gain_set) == 0;
    for (int k = 0; same && k < a->fragment_count; k++)
        same = a->fragment[k].steps == b->fragment[k].steps;
    return same;
}

static void mirror_targets(const tr_model *model, const tr_fragment *from, tr_quat *out) {
    for (int s = 0; s < from->steps; s++) {
        size_t row = (size_t)s * (size_t)model->body_count;
        for (int b = 0; b < model->body_count; b++)
            out[row + (size_t)model->body[b].mirror] =
                tr_body_mirror_joint(&model->body[b], from->target[row + (size_t)b]);
    }
}

tr_status tr_bank_mirror(const tr_bank *from, const tr_model *model, tr_bank *out) {
    tr_status status = tr_bank_copy(from, model->body_count, out);
    for (int f = 0; !status && f < from->fragment_count; f++) {
        const tr_fragment *one = &from->fragment[f];
        tr_fragment *image = &out->fragment[f];
        mirror_targets(model, one, image->target);
        tr_policy_mirror(model, &from->action, &one->policy, &image->policy);
        image->start = tr_state_mirror(model, &one->start);
        image->end = tr_state_mirror(model, &one->end);
    }
    return status;
}

tr_status tr_bank_load(const tr_sections *in, int body_count, tr_bank *out, tr_error *error) {
    if (!in->bank)
        return tr_fail(error, TR_DATA_LOSS, "fragments: missing");
    return tr_fail_if(error, tr_bank_copy(in->bank, body_count, out), "fragments");
}

/* --- checking --- */

static tr_status reject(tr_error *error, const char *what) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s", what);
}

static tr_status reject_in(tr_error *error, int fragment, const char *what) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "fragment %d: %s", fragment, what);
}

static tr_status check_action(const tr_bank *bank, const tr_model *model, tr_error *error) {
    const tr_action_map *map = &bank->action;
    tr_body_set seen = 0;
    int size = 0;
    if (map->joint_count < 0 || map->joint_count > TR_ACTION_JOINT_MAX)
        return reject(error, "action.joint_count: out of range");
    for (int j = 0; j < map->joint_count; j++) {
        int body = map->body[j];
        if (body < 1 || body >= model->body_count)
            return reject(error, "action.body: expected bodies of the model with a joint");
        if (seen & (TR_BODY_BIT(body)))
            return reject(error, "action.body: named twice");
        seen |= TR_BODY_BIT(body);
        size += model->body[body].joint == TR_JOINT_BALL ? 3 : 1;
    }
    if (size != map->size || size > TR_ACTION_MAX)
        return reject(error, "action.size: expected the sum of its joints' degrees of freedom");
    if (bank->mirrored && !tr_action_map_is_symmetric(model, map))
        return reject(error, "action.body: a mirrored controller needs both sides");
    return TR_OK;
}

static tr_status check_policy(const tr_policy *policy, int size, int at, tr_error *error) {
    if (!tr_all_finite(policy->m[0], sizeof policy->m / sizeof(double)))
        return reject_in(error, at, "policy.m: expected finite numbers");
    if (!tr_all_finite(policy->ground[0], sizeof policy->ground / sizeof(double)))
        return reject_in(error, at, "policy.ground: expected finite numbers");
    if (!tr_all_finite(policy->offset, TR_ACTION_MAX))
        return reject_in(error, at, "policy.offset: expected finite numbers");
    for (int i = 0; i < TR_ACTION_MAX; i++)
        if (!(isfinite(policy->sigma[i]) && policy->sigma[i] >= 0))
            return reject_in(error, at,
                             "policy.sigma: expected finite numbers that are not negative");
    for (int i = size; i < TR_ACTION_MAX; i++)
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            if (policy->m[i][j] != 0)
                return reject_in(error, at, "policy.m: expected zero rows past the action's size");
    for (int i = size; i < TR_ACTION_MAX; i++)
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            if (policy->ground[i][j] != 0)
                return reject_in(error, at,
                                 "policy.ground: expected zero rows past the action's size");
    return TR_OK;
}

static tr_status check_fragment(const tr_bank *bank, const tr_model *model, int at,
                                tr_error *error) {
    static const char sound[] = "expected finite rates and unit quaternions";
    const tr_fragment *fragment = &bank->fragment[at];
    if (fragment->steps < 1 || fragment->steps > TR_FRAGMENT_STEPS_MAX)
        return reject_in(error, at, "steps: out of range");
    if (!fragment->target)
        return reject_in(error, at, "target: missing");
    /* Each step holds a rotation for each joint; the root has none. */
    for (int s = 0; s < fragment->steps; s++)
        for (int b = 1; b < model->body_count; b++)
            if (!tr_reference_is_rotation(fragment->target[s * model->body_count + b]))
                return reject_in(error, at, "target: expected unit quaternions");
    tr_status status = check_policy(&fragment->policy, bank->action.size, at, error);
    if (!status && !tr_reference_is_sound(model, &fragment->start))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "fragment %d: start: %s", at, sound);
    if (!status && !tr_reference_is_sound(model, &fragment->end))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "fragment %d: end: %s", at, sound);
    return status;
}

tr_status tr_bank_check(const tr_bank *bank, const tr_model *model, tr_error *error) {
    if (!memchr(bank->gain_set, 0, TR_NAME_MAX))
        return reject(error, "gain_set: expected terminated text");
    if (model->foot[0] < 0 || model->foot[1] < 0)
        return reject(error, "model: expected one with marked feet");
    if (tr_model_find_gain_set(model, bank->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "gain_set: model '%s' has none named '%s'",
                       model->name, bank->gain_set);
    /* A mirrored half leads into the other half, which a chain does not have. */
    if (bank->mirrored && !bank->cyclic)
        return reject(error, "mirrored: expected only with cyclic");
    if (bank->fragment_count < 1 || bank->fragment_count > TR_BANK_FRAGMENT_MAX || !bank->fragment)
        return reject(error, "fragment_count: out of range");
    tr_status status = check_action(bank, model, error);
    for (int f = 0; !status && f < bank->fragment_count; f++)
        status = check_fragment(bank, model, f, error);
    return status;
}

/* --- identity --- */

/* Adds nothing where K is zero, and its slopes alone where they are all of it. */
static uint64_t hash_ground(uint64_t hash, const tr_policy *policy) {
    int count = tr_policy_ground_count(policy);
    for (int i = 0; i < TR_ACTION_MAX && count > 0; i++)
        hash = tr_hash_add(hash, policy->ground[i], (size_t)count * sizeof(double));
    return hash;
}

static uint64_t hash_fragment(uint64_t hash, const tr_fragment *fragment, int body_count) {
    const tr_policy *policy = &fragment->policy;
    size_t size = target_count(fragment, body_count) * sizeof *fragment->target;
    hash = tr_hash_add(hash, &fragment->steps, sizeof fragment->steps);
    hash = tr_hash_add(hash, fragment->target, size);
    hash = tr_hash_add(hash, policy->m, sizeof policy->m);
    hash = tr_hash_add(hash, policy->offset, sizeof policy->offset);
    hash = hash_ground(hash, policy);
    hash = tr_reference_hash(hash, &fragment->start, body_count);
    return tr_reference_hash(hash, &fragment->end, body_count);
}

uint64_t tr_bank_hash(const tr_bank *bank, const tr_driver_setting *setting) {
    const tr_action_map *map = &bank->action;
    int bodies = setting->model->body_count;
    unsigned char order[2] = {bank->cyclic, bank->mirrored};
    uint64_t hash = tr_hash_add(TR_HASH_START, &setting->model->hash, sizeof(uint64_t));
    hash = tr_hash_add(hash, bank->gain_set, strlen(bank->gain_set));
    hash = tr_hash_add(hash, &setting->step_s, sizeof setting->step_s);
    hash = tr_hash_add(hash, order, sizeof order);
    hash = tr_hash_add(hash, map->body, (size_t)map->joint_count * sizeof *map->body);
    hash = tr_reference_hash(hash, setting->spawn, bodies);
    for (int f = 0; f < bank->fragment_count; f++)
        hash = hash_fragment(hash, &bank->fragment[f], bodies);
    return hash;
}

double tr_bank_duration_s(const tr_bank *bank, double step_s) {
    int steps = 0;
    for (int f = 0; f < bank->fragment_count; f++)
        steps += bank->fragment[f].steps;
    return steps * step_s * (bank->mirrored ? 2 : 1);
}

/* --- nearness --- */

void tr_bank_nearest(const tr_bank *bank, const tr_model *model, const tr_state *state,
                     int *out_fragment, bool *out_mirrored) {
    tr_features here[2] = {tr_features_at(model, state)};
    /* For a mirrored half the mirror image of the state is compared. */
    here[1] = tr_features_mirror(&here[0]);
    double best = INFINITY;
    int fragment = 0, mirrored = 0;
    for (int f = 0; f < bank->fragment_count; f++) {
        tr_features start = tr_features_at(model, &bank->fragment[f].start);
        /* The second pass compares the other half of the cycle. */
        for (int m = 0; m <= bank->mirrored; m++) {
            double distance = tr_features_distance(&here[m], &start);
            if (distance < best) {
                best = distance;
                fragment = f;
                mirrored = m;
            }
        }
    }
    *out_fragment = fragment;
    *out_mirrored = mirrored;
}
