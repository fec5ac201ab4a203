#include "tools/reproduce/controller_difference.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Larger of `so_far` and the largest difference of two arrays. */
static double widen(double so_far, const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++)
        so_far = fmax(so_far, fabs(a[i] - b[i]));
    return so_far;
}

static double quat_gap(tr_quat a, tr_quat b) {
    const double x[] = {a.w, a.x, a.y, a.z}, y[] = {b.w, b.x, b.y, b.z};
    return widen(0, x, y, 4);
}

static double vec_gap(tr_vec3 a, tr_vec3 b) {
    const double x[] = {a.x, a.y, a.z}, y[] = {b.x, b.y, b.z};
    return widen(0, x, y, 3);
}

static double state_gap(const tr_state *a, const tr_state *b, const tr_model *model) {
    double gap = fmax(vec_gap(a->pose.root_pos, b->pose.root_pos),
                      quat_gap(a->pose.root_rot, b->pose.root_rot));
    gap = fmax(gap, fmax(vec_gap(a->root_vel, b->root_vel), vec_gap(a->root_omega, b->root_omega)));
    for (int i = 1; i < model->body_count; i++)
        gap = fmax(gap, fmax(quat_gap(a->pose.joint[i], b->pose.joint[i]),
                             vec_gap(a->joint_rate[i], b->joint_rate[i])));
    return gap;
}

static bool same_shape(const tr_bank *a, const tr_bank *b) {
    bool same = a->fragment_count == b->fragment_count && a->action.size == b->action.size &&
                a->cyclic == b->cyclic && a->mirrored == b->mirrored &&
                strcmp(a->gain_set, b->gain_set) == 0;
    for (int k = 0; same && k < a->fragment_count; k++)
        same = a->fragment[k].steps == b->fragment[k].steps;
    return same;
}

static void compare_fragments(const tr_fragment *a, const tr_fragment *b, const tr_model *model,
                              tr_controller_difference *out) {
    for (int i = 0; i < a->steps * model->body_count; i++)
        if (i % model->body_count != 0 && quat_gap(a->target[i], b->target[i]) > 0)
            out->target_rad = fmax(out->target_rad, fmax(tr_quat_angle(a->target[i], b->target[i]),
                                                         quat_gap(a->target[i], b->target[i])));
    for (int i = 0; i < TR_ACTION_MAX; i++)
        out->feedback = widen(out->feedback, a->policy.m[i], b->policy.m[i], TR_FEATURE_COUNT);
    out->feedback = widen(out->feedback, a->policy.ground[0], b->policy.ground[0],
                          TR_ACTION_MAX * TR_GROUND_COUNT);
    out->offset_rad = widen(out->offset_rad, a->policy.offset, b->policy.offset, TR_ACTION_MAX);
    out->sigma_rad = widen(out->sigma_rad, a->policy.sigma, b->policy.sigma, TR_ACTION_MAX);
    out->start = fmax(out->start, state_gap(&a->start, &b->start, model));
    out->end = fmax(out->end, state_gap(&a->end, &b->end, model));
}

/* Are the stored bytes of two graphs equal, except their fragments? */
static bool same_graph(const tr_control_graph *a, const tr_control_graph *b) {
    tr_sections one = {0}, other = {0};
    if (!a || !b)
        return a == b;
    bool same = !tr_graph_kind.save(a, &one, NULL) && !tr_graph_kind.save(b, &other, NULL) &&
                one.section[0].size == other.section[0].size &&
                memcmp(one.section[0].bytes, other.section[0].bytes, one.section[0].size) == 0;
    tr_sections_deinit(&one);
    tr_sections_deinit(&other);
    return same;
}

static tr_controller_difference tr_controller_differ(const tr_controller *a, const tr_controller *b,
                                                     const tr_model *model) {
    const tr_bank *one = tr_controller_bank(a), *other = tr_controller_bank(b);
    bool same = a->step_s == b->step_s && a->model_hash == b->model_hash && one && other &&
                same_shape(one, other);
    tr_controller_difference difference = {.shape = !same,
                                           .graph = !same_graph(tr_graph_of(a), tr_graph_of(b))};
    for (int k = 0; !difference.shape && k < one->fragment_count; k++)
        compare_fragments(&one->fragment[k], &other->fragment[k], model, &difference);
    if (!difference.shape)
        difference.spawn = state_gap(&a->spawn, &b->spawn, model);
    return difference;
}

static bool tr_controller_difference_is_none(const tr_controller_difference *d) {
    return !d->shape && !d->graph && d->target_rad == 0 && d->feedback == 0 && d->offset_rad == 0 &&
           d->sigma_rad == 0 && d->start == 0 && d->end == 0 && d->spawn == 0;
}

/* Do fragments and a graph of them make all of it? */
static bool is_of_fragments(const tr_controller *controller) {
    return controller->driver.kind == &tr_chain_kind || controller->driver.kind == &tr_graph_kind;
}

bool tr_controller_difference_print(const tr_controller *was, const tr_controller *again,
                                    const tr_model *model) {
    tr_controller_difference d = tr_controller_differ(was, again, model);
    const uint64_t hash = tr_controller_hash(again, model);
    const bool none = tr_controller_difference_is_none(&d);
    if (tr_controller_hash(was, model) == hash || (none && is_of_fragments(was))) {
        printf("controller '%s': bit-identical, hash %016" PRIx64 "\n", was->name, hash);
        return true;
    }
    if (d.shape || none)
        printf("controller '%s': of another shape, or differs outside its fragments\n", was->name);
    else
        printf("controller '%s' differs%s at most by: targets %g rad, feedback %g, offsets %g rad, "
               "exploration %g rad, starts %g, ends %g, spawn %g\n",
               was->name, d.graph ? " in nodes or edges, and" : "", d.target_rad, d.feedback,
               d.offset_rad, d.sigma_rad, d.start, d.end, d.spawn);
    return false;
}
