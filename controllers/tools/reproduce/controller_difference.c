#include "tools/reproduce/controller_difference.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The parts of a fragment's numbers, and the spawn state. */
enum { TARGETS, FEEDBACK, OFFSETS, EXPLORATION, STATES, PARTS };

/* Widens to the largest difference of two arrays. */
static void widen(double *most, const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        *most = fmax(*most, fabs(a[i] - b[i]));
}

static void widen_by_states(double *most, const tr_state *a, const tr_state *b, int bodies) {
    const size_t joints = (size_t)bodies - 1;
    widen(most, &a->pose.root_pos.x, &b->pose.root_pos.x, 3);
    widen(most, &a->pose.root_rot.w, &b->pose.root_rot.w, 4);
    widen(most, &a->pose.joint[1].w, &b->pose.joint[1].w, 4 * joints);
    widen(most, &a->root_vel.x, &b->root_vel.x, 3);
    widen(most, &a->root_omega.x, &b->root_omega.x, 3);
    widen(most, &a->joint_rate[1].x, &b->joint_rate[1].x, 3 * joints);
}

static void widen_by_fragments(double most[PARTS], const tr_fragment *a, const tr_fragment *b,
                               int bodies) {
    for (int i = 0; i < a->steps; i++)
        widen(&most[TARGETS], &a->target[i * bodies + 1].w, &b->target[i * bodies + 1].w,
              4 * (size_t)(bodies - 1));
    widen(&most[FEEDBACK], a->policy.m[0], b->policy.m[0], TR_ACTION_MAX * TR_FEATURE_COUNT);
    widen(&most[FEEDBACK], a->policy.ground[0], b->policy.ground[0],
          TR_ACTION_MAX * TR_GROUND_COUNT);
    widen(&most[OFFSETS], a->policy.offset, b->policy.offset, TR_ACTION_MAX);
    widen(&most[EXPLORATION], a->policy.sigma, b->policy.sigma, TR_ACTION_MAX);
    widen_by_states(&most[STATES], &a->start, &b->start, bodies);
    widen_by_states(&most[STATES], &a->end, &b->end, bodies);
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

bool tr_controller_difference_print(const tr_controller *was, const tr_controller *again,
                                    const tr_model *model) {
    const tr_bank *a = tr_controller_bank(was), *b = tr_controller_bank(again);
    const uint64_t hash = tr_controller_hash(again, model);
    const bool shaped = was->step_s == again->step_s && was->model_hash == again->model_hash && a &&
                        b && a->cyclic == b->cyclic && tr_bank_same_shape(a, b);
    const bool same = same_graph(tr_graph_of(was), tr_graph_of(again));
    double most[PARTS] = {0}, largest = 0;
    for (int k = 0; shaped && k < a->fragment_count; k++)
        widen_by_fragments(most, &a->fragment[k], &b->fragment[k], model->body_count);
    if (shaped)
        widen_by_states(&most[STATES], &was->spawn, &again->spawn, model->body_count);
    for (int i = 0; i < PARTS; i++)
        largest = fmax(largest, most[i]);
    /* Fragments, or a graph of them, are all of such a controller: only signs of zeros are left. */
    const bool whole = was->driver.kind == &tr_chain_kind || was->driver.kind == &tr_graph_kind;
    if (tr_controller_hash(was, model) == hash || (whole && shaped && same && largest == 0)) {
        printf("controller '%s': bit-identical, hash %016" PRIx64 "\n", was->name, hash);
        return true;
    }
    if (!shaped || (same && largest == 0))
        printf("controller '%s': of another shape, or differs outside its fragments\n", was->name);
    else
        printf("controller '%s' differs%s at most by: targets %g, feedback %g, offsets %g rad, "
               "exploration %g rad, states %g\n",
               was->name, same ? "" : " in nodes or edges, and", most[TARGETS], most[FEEDBACK],
               most[OFFSETS], most[EXPLORATION], most[STATES]);
    return false;
}
