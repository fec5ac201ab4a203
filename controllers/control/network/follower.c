/* The driver kind "network": when and how the network acts, and its row. */
#include "control/network/follower.h"

#include "control/graph/planner.h"
#include "control/parts/above_ground.h"
#include "control/parts/driver_holder.h"
#include "control/parts/playback.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEVIATION_MAX = 10, REFERENCE_MAX = 5;
static const double SPREAD_LEAST = 1e-6;

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_follower_state, skill, 0, TR_GRAPH_NODE_MAX - 1),
    TR_STATE_INT_FIELD(tr_follower_state, since, 0, TR_FOLLOWER_BLEND_MAX),
    TR_STATE_BOOL_FIELD(tr_follower_state, changes),
};

static tr_control_graph *graph_of(const tr_follower *follower) {
    return follower->inner.content;
}

/* --- cycles --- */

int tr_follower_ahead(const tr_control_graph *graph, int fragment, int count, bool *flips) {
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, fragment)];
    const int place = fragment - node->first + count;
    *flips = node->mirrored && place / node->count % 2 == 1;
    return node->first + place % node->count;
}

static bool is_known(const tr_follower *follower, int fragment) {
    const tr_control_graph *graph = graph_of(follower);
    bool any = false;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        any |= follower->mean[fragment][i] != 0;
    return any && graph->node[tr_control_graph_node_of(graph, fragment)].cyclic;
}

static bool has_feedback(const tr_policy *policy) {
    for (int i = 0; i < TR_ACTION_MAX; i++)
        for (int k = 0; k < TR_FEATURE_COUNT; k++)
            if (policy->m[i][k] != 0)
                return true;
    return false;
}

/* The numbers of r before they are scaled. */
static void describe_cycle(const tr_follower *follower, int fragment,
                           float out[TR_FOLLOWER_REFERENCE]) {
    static const int ahead[TR_FOLLOWER_AHEAD] = {0, 1, 2, 4};
    const tr_control_graph *graph = graph_of(follower);
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, fragment)];
    float *next = out;
    bool flips;
    for (int k = 0; k < TR_FOLLOWER_AHEAD; k++) {
        tr_features seen = {0};
        memcpy(seen.s, follower->mean[tr_follower_ahead(graph, fragment, ahead[k], &flips)],
               sizeof seen.s);
        seen = flips ? tr_features_mirror(&seen) : seen;
        for (int i = 0; i < TR_FEATURE_COUNT; i++)
            *next++ = (float)seen.s[i];
    }
    /* The mirror image of the graph turns to the other side than what was learned. */
    for (int k = 0; k < 2; k++) {
        const tr_fragment *it =
            &graph->bank.fragment[tr_follower_ahead(graph, fragment, k, &flips)];
        const double turn = tr_quat_heading(it->end.pose.root_rot);
        *next++ = (float)(flips != follower->reflected ? -turn : turn);
    }
    *next++ = (float)graph->bank.fragment[fragment].steps;
    *next = strcmp(node->gain_set, graph->bank.gain_set) == 0;
}

/* Makes number i of all r a number less its mean over the cycles, over its spread. */
static void scale(tr_follower *follower, int i) {
    /* As the deviation has fewer numbers, the reference is kept from outweighing it. */
    const double weight = sqrt((double)TR_FEATURE_COUNT / TR_FOLLOWER_REFERENCE);
    const tr_control_graph *graph = graph_of(follower);
    tr_follower_known *known = follower->known;
    double sum = 0, square = 0, count = 0;
    for (int f = 0; f < graph->bank.fragment_count; f++) {
        const double it = (double)known[f].reference[i];
        const bool counts = known[f].known;
        sum += counts ? it : 0;
        square += counts ? it * it : 0;
        count += counts;
    }
    const double mean = sum / fmax(1, count),
                 spread = sqrt(fmax(0, square / fmax(1, count) - mean * mean));
    for (int f = 0; f < graph->bank.fragment_count; f++)
        known[f].reference[i] =
            spread < SPREAD_LEAST
                ? 0
                : (float)(weight * tr_within(((double)known[f].reference[i] - mean) / spread,
                                             REFERENCE_MAX));
}

void tr_follower_input(const tr_follower *follower, int fragment, const float *deviation,
                       float out[TR_FOLLOWER_INPUT]) {
    const tr_follower_known *known = &follower->known[fragment];
    memset(out, 0, TR_FEATURE_COUNT * sizeof *out);
    if (deviation)
        memcpy(out, deviation, TR_FEATURE_COUNT * sizeof *out);
    memcpy(out + TR_FEATURE_COUNT, known->reference, sizeof known->reference);
}

void tr_follower_evaluate(const tr_follower *follower, const tr_network *network, int fragment,
                          const float *deviation, float *out) {
    float input[TR_FOLLOWER_INPUT];
    tr_follower_input(follower, fragment, deviation, input);
    tr_network_forward(network, input, out);
}

void tr_follower_learn_cycles(tr_follower *follower) {
    const tr_control_graph *graph = graph_of(follower);
    for (int f = 0; f < graph->bank.fragment_count; f++) {
        follower->known[f].known = is_known(follower, f);
        follower->known[f].settles =
            follower->known[f].known && has_feedback(&graph->bank.fragment[f].policy);
        describe_cycle(follower, f, follower->known[f].reference);
    }
    for (int i = 0; i < TR_FOLLOWER_REFERENCE; i++)
        scale(follower, i);
    for (int f = 0; f < graph->bank.fragment_count; f++)
        tr_follower_evaluate(follower, &follower->network, f, NULL, follower->known[f].still);
}

/* --- acting --- */

void tr_follower_deviation(const tr_follower *follower, int fragment, const tr_features *features,
                           float out[TR_FEATURE_COUNT]) {
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        out[i] = (float)tr_within(
            (features->s[i] - follower->mean[fragment][i]) / follower->spread[i], DEVIATION_MAX);
}

/* Turns the policy's action into the network's: adds a_usual + f(d, r) - f(0, r), less what the policy
 * does, to the action offset. */
static void act(const tr_follower *follower, int fragment, bool mirrored, const tr_sight *sight,
                double *offset) {
    const tr_bank *bank = &graph_of(follower)->bank;
    const tr_action_map *map = &bank->action;
    const tr_follower_known *known = &follower->known[fragment];
    double own[TR_ACTION_MAX], action[TR_ACTION_MAX], image[TR_ACTION_MAX];
    float deviation[TR_FEATURE_COUNT], moved[TR_ACTION_MAX];
    const tr_features features = tr_features_above_ground(sight),
                      other = tr_features_mirror(&features);
    tr_features level = mirrored ? other : features;
    const bool mirrors = mirrored != follower->reflected;
    /* The policy is of this graph; the network is of the one that was learned. K g stays. */
    memset(level.ground, 0, sizeof level.ground);
    tr_policy_evaluate(&bank->fragment[fragment].policy, map->size, &level, own);
    tr_action_mirror(sight->model, map, own, image);
    const double *policy = follower->reflected ? image : own;
    tr_follower_deviation(follower, fragment, mirrors ? &other : &features, deviation);
    tr_follower_evaluate(follower, &follower->network, fragment, deviation, moved);
    for (int i = 0; i < map->size; i++)
        action[i] =
            (double)(moved[i] - known->still[i]) + (follower->usual[fragment][i] - policy[i]);
    tr_action_mirror(sight->model, map, action, image);
    for (int i = 0; i < map->size; i++)
        offset[i] += mirrors ? image[i] : action[i];
}

static void *inner_state(const tr_follower *follower, const void *state) {
    const tr_driver driver = {&tr_network_kind, (void *)follower};
    return tr_driver_held_state(driver, state, 0);
}

/* Does an edge lead from the end of one fragment to another? */
static bool is_edge(const tr_control_graph *graph, int from, int to) {
    int count = 0;
    const tr_graph_edge *edge = tr_control_graph_edges(graph, from, &count);
    bool found = false;
    for (int i = 0; i < count; i++)
        found |= edge[i].to == to;
    return found;
}

/* Is the character settled at the end of the fragment that was just done? */
static bool is_settled(const tr_control_graph *graph, const tr_sight *sight, const tr_doing *was) {
    const tr_state state = tr_state_above_ground(sight->state, &sight->ground);
    return tr_planner_is_settled(&graph->bank, sight->model,
                                 (tr_graph_place){was->entry, was->mirrored}, &state);
}

/* Notes a change of skill, and when the character is settled in it. was: what the graph did before the
 * fragment that begins */
static void note(const tr_follower *follower, tr_follower_state *s, const tr_sight *sight,
                 const tr_doing *was, int fragment) {
    const tr_control_graph *graph = graph_of(follower);
    const int skill = tr_control_graph_node_of(graph, fragment), last = graph->node[s->skill].first;
    if (was->entries_done == 0) {
        /* The first skill of all has none to change from. */
        s->since = TR_FOLLOWER_BLEND_MAX;
        s->changes = false;
    } else if (skill != s->skill) {
        /* Chains and steps that catch a push (catch_step.h) were found with the policies. Such steps are no
         * edges, but may go where one does; then the character does not stand still. */
        const bool stood = !was->reached || s->skill != tr_control_graph_rest(graph) ||
                           is_settled(graph, sight, was);
        s->changes = follower->known[fragment].known && graph->node[s->skill].cyclic && stood &&
                     (!was->reached || is_edge(graph, was->entry, fragment));
        /* Without a policy that could settle it the network acts always, and blends every change. */
        if (s->changes || (follower->known[fragment].known && follower->known[last].known &&
                           !follower->known[fragment].settles))
            s->since = 0;
    } else if (s->changes && was->reached)
        s->changes = !is_settled(graph, sight, was);
    s->skill = skill;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_follower *follower = content;
    tr_follower_state *s = state;
    const tr_control_graph *graph = graph_of(follower);
    void *inner = inner_state(follower, state);
    double offset[TR_ACTION_MAX];
    tr_sight seen = *sight;
    tr_doing was;
    int fragment;
    bool mirrored;
    tr_graph_kind.look(graph, inner, &was);
    if (tr_graph_begins(graph, inner, sight, &fragment, &mirrored)) {
        const tr_follower_known *known = &follower->known[fragment];
        note(follower, s, sight, &was, fragment);
        memcpy(offset, sight->parameter, (size_t)graph->bank.action.size * sizeof *offset);
        if (known->known && (s->changes || !known->settles || !tr_ground_is_level(&sight->ground)))
            act(follower, fragment, mirrored, sight, offset);
        seen.parameter = offset;
    }
    tr_status status = tr_graph_kind.drive(graph, inner, &seen, out);
    if (status || s->since == TR_FOLLOWER_BLEND_MAX)
        return status;
    tr_playback_blend(sight, s->since, follower->blend_steps, out->target);
    s->since++;
    return TR_OK;
}

/* --- content --- */

static void destroy(void *content) {
    tr_follower *follower = content;
    if (!follower)
        return;
    if (follower->inner.kind)
        follower->inner.kind->destroy(follower->inner.content);
    free(follower->mean);
    free(follower->usual);
    tr_network_deinit(&follower->network);
    free(follower->known);
    free(follower);
}

/* Creates a follower of `fragments` fragments without a graph and a network. */
static tr_follower *create(int fragments) {
    tr_follower *follower = calloc(1, sizeof *follower);
    if (!follower)
        return NULL;
    follower->mean = calloc((size_t)fragments, sizeof *follower->mean);
    follower->usual = calloc((size_t)fragments, sizeof *follower->usual);
    follower->known = calloc((size_t)fragments, sizeof *follower->known);
    if (follower->mean && follower->usual && follower->known)
        return follower;
    destroy(follower);
    return NULL;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_follower *follower = content;
    const tr_bank *bank = &graph_of(follower)->bank;
    const tr_network *network = &follower->network;
    tr_status status = follower->inner.kind->check(follower->inner.content, setting, error);
    if (status)
        return status;
    if (follower->blend_steps < 0 || follower->blend_steps > TR_FOLLOWER_BLEND_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "network: blend_steps: expected 0 to %d",
                       TR_FOLLOWER_BLEND_MAX);
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        if (!isfinite(follower->spread[i]) || follower->spread[i] < SPREAD_LEAST)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "network: spread %d: expected a finite number of at least %g", i,
                           SPREAD_LEAST);
    if (!tr_all_finite(follower->mean[0], bank->fragment_count * TR_FEATURE_COUNT))
        return tr_fail(error, TR_INVALID_ARGUMENT, "network: mean: expected finite numbers");
    if (!tr_network_shape_is_valid(network) || network->width[0] != TR_FOLLOWER_INPUT ||
        network->width[network->layers] != bank->action.size || !network->weight)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "network: expected %d inputs and %d outputs, the numbers of an action",
                       TR_FOLLOWER_INPUT, bank->action.size);
    if (!tr_all_finite(follower->usual[0], bank->fragment_count * TR_ACTION_MAX))
        return tr_fail(error, TR_INVALID_ARGUMENT, "network: usual: expected finite numbers");
    const int64_t broken = tr_network_find_broken(network);
    return broken < 0 ? TR_OK
                      : tr_fail(error, TR_INVALID_ARGUMENT, "network: weight %lld is not finite",
                                (long long)broken);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_follower *follower = content;
    const size_t fragments = (size_t)graph_of(follower)->bank.fragment_count;
    const unsigned char reflected = follower->reflected;
    uint64_t sum = follower->inner.kind->hash(follower->inner.content, setting);
    sum = tr_hash_add(sum, &reflected, sizeof reflected);
    sum = tr_hash_add(sum, &follower->blend_steps, sizeof follower->blend_steps);
    sum = tr_hash_add(sum, follower->spread, sizeof follower->spread);
    sum = tr_hash_add(sum, follower->mean, fragments * sizeof *follower->mean);
    sum = tr_hash_add(sum, follower->usual, fragments * sizeof *follower->usual);
    return tr_network_hash(&follower->network, sum);
}

/* The weights stay as they were learned; what the network sees is mirrored instead. */
static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_follower *follower = content;
    const int fragments = graph_of(follower)->bank.fragment_count;
    tr_follower *image = create(fragments);
    void *graph = NULL;
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    image->reflected = !follower->reflected;
    image->blend_steps = follower->blend_steps;
    memcpy(image->spread, follower->spread, sizeof image->spread);
    memcpy(image->mean, follower->mean, (size_t)fragments * sizeof *image->mean);
    memcpy(image->usual, follower->usual, (size_t)fragments * sizeof *image->usual);
    tr_status status = tr_network_copy(&image->network, &follower->network);
    if (!status)
        status = follower->inner.kind->mirror(follower->inner.content, setting, &graph);
    if (status) {
        destroy(image);
        return status;
    }
    image->inner = (tr_driver){follower->inner.kind, graph};
    tr_follower_learn_cycles(image);
    *out = image;
    return TR_OK;
}

/* --- sections: "network", and those of the graph --- */

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_follower *follower = content;
    const size_t fragments = (size_t)graph_of(follower)->bank.fragment_count;
    tr_section_writer writer = tr_section_begin(out, "network");
    tr_section_put_int(&writer, follower->reflected);
    tr_section_put_int(&writer, follower->blend_steps);
    tr_section_put_doubles(&writer, follower->spread, TR_FEATURE_COUNT);
    tr_section_put_doubles(&writer, follower->mean[0], fragments * TR_FEATURE_COUNT);
    tr_section_put_doubles(&writer, follower->usual[0], fragments * TR_ACTION_MAX);
    tr_network_put(&follower->network, &writer);
    tr_status status = tr_section_end(&writer, error);
    return status ? status : follower->inner.kind->save(follower->inner.content, out, error);
}

/* The graph is read first: it says how many fragments have means. */
static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    void *graph = NULL;
    tr_status status = tr_graph_kind.load(in, setting, &graph, error);
    if (status)
        return status;
    const int fragments = ((const tr_control_graph *)graph)->bank.fragment_count;
    tr_follower *follower = create(fragments);
    if (!follower) {
        tr_graph_kind.destroy(graph);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "network: no memory");
    }
    follower->inner = (tr_driver){&tr_graph_kind, graph};
    tr_section_reader reader = tr_section_open(in, "network");
    follower->reflected = tr_section_get_bool(&reader);
    follower->blend_steps = (int)tr_section_get_int(&reader, 0, TR_FOLLOWER_BLEND_MAX);
    tr_section_get_doubles(&reader, follower->spread, TR_FEATURE_COUNT);
    tr_section_get_doubles(&reader, follower->mean[0], (size_t)fragments * TR_FEATURE_COUNT);
    tr_section_get_doubles(&reader, follower->usual[0], (size_t)fragments * TR_ACTION_MAX);
    status = tr_network_get(&reader, &follower->network);
    if (!status)
        status = tr_section_close(&reader, error);
    /* What is not sound is refused by the caller. */
    if (!status && !check(follower, setting, NULL))
        tr_follower_learn_cycles(follower);
    return TR_GIVE(status, follower, destroy, out);
}

/* --- the graph's --- */

static bool fits(const void *content, const void *state) {
    return ((const tr_follower_state *)state)->skill < graph_of(content)->node_count;
}

static void enter(const void *content, void *state, int entry, bool mirrored) {
    tr_graph_kind.enter(graph_of(content), inner_state(content, state), entry, mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    tr_graph_kind.look(graph_of(content), inner_state(content, state), out);
}

static bool foresee(const void *content, const void *state, const tr_driver_prospect *prospect,
                    tr_driver_way *out) {
    return tr_graph_kind.foresee(graph_of(content), inner_state(content, state), prospect, out);
}

const tr_driver_kind tr_network_kind = {.name = "network",
                                        .check = check,
                                        .hash = hash,
                                        .mirror = mirror,
                                        .destroy = destroy,
                                        .save = save,
                                        .load = load,
                                        TR_DRIVER_HOLDER_WHOLE_ROW,
                                        .state_size = sizeof(tr_follower_state),
                                        .field = fields,
                                        .field_count = sizeof fields / sizeof *fields,
                                        .fits = fits,
                                        .enter = enter,
                                        .look = look,
                                        .foresee = foresee,
                                        .drive = drive};

/* --- making --- */

tr_status tr_follower_add(tr_controller *controller, const int *hidden, int count,
                          tr_follower **out) {
    tr_network shape = {.layers = count + 1, .width = {TR_FOLLOWER_INPUT}};
    if (controller->driver.kind != &tr_graph_kind || count < 0 || count >= TR_NETWORK_LAYER_MAX)
        return TR_INVALID_ARGUMENT;
    const tr_bank *bank = tr_controller_bank(controller);
    for (int l = 0; l < count; l++)
        shape.width[l + 1] = hidden[l];
    shape.width[shape.layers] = bank->action.size;
    tr_follower *follower = create(bank->fragment_count);
    tr_status status =
        follower ? tr_network_init(&follower->network, &shape) : TR_RESOURCE_EXHAUSTED;
    if (status) {
        destroy(follower);
        return status;
    }
    memcpy(follower->spread, tr_feature_spread, sizeof follower->spread);
    follower->inner = controller->driver;
    tr_follower_learn_cycles(follower);
    controller->driver = (tr_driver){&tr_network_kind, follower};
    *out = follower;
    return TR_OK;
}
