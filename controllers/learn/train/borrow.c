#include "learn/train/borrow.h"

#include "control/graph/control_graph.h"
#include "learn/train/warm_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 2 };

/* The rounds of trials. The first leaves out what falls soon; together they take some seconds. */
static const struct {
    int candidates, trials;
    double cap_s;
} rounds[] = {{2 * TR_GRAPH_NODE_MAX, 2, 4}, {8, 6, 8}, {2, 16, 20}};

enum { ROUNDS = sizeof rounds / sizeof *rounds };

/* A skill and a way of lending, and how it held in the last round. */
typedef struct candidate {
    int node, way;
    tr_hold_result hold;
} candidate;

typedef struct borrowing {
    tr_ensemble *ensemble;
    const tr_control_graph *lender;
    tr_controller *borrower;
    tr_bank *bank; /* of the borrower */
    uint64_t seed;
    candidate candidate[WAYS * TR_GRAPH_NODE_MAX];
    int count;
} borrowing;

/* --- lending --- */

/* A place in a cycle: fragment k, or its mirror image in the second half of a mirrored one. */
typedef struct place {
    const tr_fragment *fragment;
    bool image;
    tr_features start;
} place;

static int cycle_length(const tr_bank *bank) {
    return bank->fragment_count * (bank->mirrored ? 2 : 1);
}

static place place_of(const tr_model *model, const tr_bank *bank, int k) {
    const bool image = k >= bank->fragment_count;
    const tr_fragment *fragment = &bank->fragment[k % bank->fragment_count];
    const tr_features start = tr_features_at(model, &fragment->start);
    return (place){fragment, image, image ? tr_features_mirror(&start) : start};
}

/* pi(s) = M (s - s_k): at its reference the borrower acts as it did without feedback. */
static void take_gains(const borrowing *b, int k, const place *from, const tr_features *start) {
    tr_policy policy = from->fragment->policy;
    if (from->image)
        tr_policy_mirror(b->ensemble->model, &b->bank->action, &from->fragment->policy, &policy);
    for (int i = 0; i < b->bank->action.size; i++) {
        policy.offset[i] = 0;
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            policy.offset[i] -= policy.m[i][j] * start->s[j];
    }
    b->bank->fragment[k].policy = policy;
}

/* The place that begins most alike. */
static int nearest(const place *cycle, int length, const tr_features *start) {
    int best = 0;
    for (int i = 1; i < length; i++)
        if (tr_features_distance(&cycle[i].start, start) <
            tr_features_distance(&cycle[best].start, start))
            best = i;
    return best;
}

/* The place at the same share of the cycle, from place `shift` on. */
static int across(int k, int own, int shift, int length) {
    return (shift + (int)lround((double)k * length / own)) % length;
}

static int best_shift(const borrowing *b, const place *cycle, int length) {
    const int own = cycle_length(b->bank);
    double least = INFINITY;
    int best = 0;
    for (int shift = 0; shift < length; shift++) {
        double sum = 0;
        for (int k = 0; k < own; k++) {
            const place at = place_of(b->ensemble->model, b->bank, k);
            sum += tr_features_distance(&cycle[across(k, own, shift, length)].start, &at.start);
        }
        if (sum < least) {
            least = sum;
            best = shift;
        }
    }
    return best;
}

/* Gives the borrower the gains of a candidate. */
static tr_status lend(const borrowing *b, const candidate *c) {
    const tr_graph_node *node = &b->lender->node[c->node];
    const tr_bank from = {.fragment = b->lender->bank.fragment + node->first,
                          .fragment_count = node->count,
                          .mirrored = node->mirrored};
    const int length = cycle_length(&from), own = cycle_length(b->bank);
    place *cycle = length > 0 ? calloc((size_t)length, sizeof *cycle) : NULL;
    if (!cycle)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < length; i++)
        cycle[i] = place_of(b->ensemble->model, &from, i);
    const int shift = c->way == 1 ? best_shift(b, cycle, length) : 0;
    for (int k = 0; k < b->bank->fragment_count; k++) {
        const place at = place_of(b->ensemble->model, b->bank, k);
        const int i =
            c->way == 1 ? across(k, own, shift, length) : nearest(cycle, length, &at.start);
        take_gains(b, k, &cycle[i], &at.start);
    }
    free(cycle);
    return TR_OK;
}

/* --- choosing --- */

static bool lends(const borrowing *b, const tr_graph_node *node) {
    const tr_action_map *theirs = &b->lender->bank.action, *own = &b->bank->action;
    bool same = theirs->joint_count == own->joint_count && node->cyclic &&
                strcmp(node->gain_set, b->bank->gain_set) == 0;
    for (int j = 0; same && j < own->joint_count; j++)
        same = theirs->body[j] == own->body[j];
    return same;
}

static tr_status try_out(const borrowing *b, int round, candidate *c) {
    const tr_hold_test test = {.trials = rounds[round].trials,
                               .cap_s = rounds[round].cap_s,
                               .seed = b->seed + (uint64_t)round};
    tr_status status = lend(b, c);
    return !status ? tr_evaluate_hold(b->ensemble, b->borrower, &test, &c->hold) : status;
}

/* Longer first; of equal ones the former. */
static int compare(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->hold.mean_s != y->hold.mean_s)
        return x->hold.mean_s > y->hold.mean_s ? -1 : 1;
    return x->node != y->node ? x->node - y->node : x->way - y->way;
}

static tr_status choose(borrowing *b) {
    tr_status status = TR_OK;
    for (int round = 0; !status && round < ROUNDS; round++) {
        if (b->count > rounds[round].candidates)
            b->count = rounds[round].candidates;
        for (int i = 0; !status && i < b->count; i++)
            status = try_out(b, round, &b->candidate[i]);
        qsort(b->candidate, (size_t)b->count, sizeof *b->candidate, compare);
    }
    return status;
}

tr_status tr_borrow_gains(tr_ensemble *ensemble, const tr_controller *open_loop,
                          const tr_controller *lender, const tr_model *lender_model, uint64_t seed,
                          tr_borrowed *out) {
    borrowing b = {.ensemble = ensemble, .lender = tr_graph_of(lender), .seed = seed};
    if (!b.lender || !tr_controller_bank(open_loop)->cyclic ||
        !tr_warm_start_same_limbs(lender_model, ensemble->model))
        return TR_NOT_FOUND;
    tr_status status = tr_controller_copy(open_loop, ensemble->model, &b.borrower);
    if (status)
        return status;
    b.bank = tr_controller_bank(b.borrower);
    for (int n = 0; n < b.lender->node_count; n++)
        for (int way = 0; way < WAYS && lends(&b, &b.lender->node[n]); way++)
            b.candidate[b.count++] = (candidate){n, way, {0}};
    status = b.count > 0 ? choose(&b) : TR_NOT_FOUND;
    /* The borrower still has the gains that were tried last. */
    if (!status)
        status = lend(&b, &b.candidate[0]);
    if (status) {
        tr_controller_destroy(b.borrower);
        return status;
    }
    memcpy(out->skill, b.lender->node[b.candidate[0].node].skill, sizeof out->skill);
    out->hold = b.candidate[0].hold;
    out->controller = b.borrower;
    return TR_OK;
}
