/* The driver kind "graph": its row. */
#include "control/graph/catch_step.h"
#include "control/graph/trips.h"
#include "control/parts/above_ground.h"
#include "control/parts/playback.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

/* A character on its way for so many fragments, of about 0.1 s, is late (planner.h). */
enum { LATE = 60 };

/* chooses: the playback's fragment is done; the next is chosen when it begins.
 * under_way: fragments since it was last in the skill that is asked for, at most LATE
 * catches: it was pushed out of rest, and returns there; calm: before that it stood quietly */
typedef struct graph_state {
    tr_playback playback;
    int under_way;
    bool chooses, catches, calm;
} graph_state;

static const tr_state_field fields[] = {
    TR_PLAYBACK_FIELDS(graph_state),
    TR_STATE_BOOL_FIELD(graph_state, chooses),
    TR_STATE_INT_FIELD(graph_state, under_way, 0, LATE),
    TR_STATE_BOOL_FIELD(graph_state, catches),
    TR_STATE_BOOL_FIELD(graph_state, calm),
};

/* The last two are of graphs that step when pushed. */
static const tr_state_field *fields_of(const void *content, int *out_count) {
    *out_count = (int)(sizeof fields / sizeof *fields) -
                 (((const tr_control_graph *)content)->catches.count == 0 ? 2 : 0);
    return fields;
}

/* --- content --- */

static void destroy(void *content) {
    tr_control_graph *graph = content;
    if (!graph)
        return;
    tr_bank_deinit(&graph->bank);
    free(graph->node);
    free(graph->edge);
    free(graph->trip);
    free(graph->catches.row);
    free(graph);
}

/* Creates a graph without a bank. */
static tr_status create(int nodes, int edges, tr_control_graph **out) {
    if (nodes < 1 || nodes > TR_GRAPH_NODE_MAX || edges < 0 || edges > TR_GRAPH_EDGE_MAX)
        return TR_INVALID_ARGUMENT;
    tr_control_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return TR_RESOURCE_EXHAUSTED;
    graph->node_count = nodes;
    graph->edge_count = edges;
    graph->node = calloc((size_t)nodes, sizeof *graph->node);
    /* One more than needed: calloc of nothing may return NULL. */
    graph->edge = calloc((size_t)edges + 1, sizeof *graph->edge);
    if (!graph->node || !graph->edge) {
        destroy(graph);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = graph;
    return TR_OK;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    return tr_control_graph_check(content, setting->model, error);
}

static uint64_t hash_node(uint64_t hash, const tr_graph_node *node) {
    /* Says which limit follows: either alone is one number. */
    unsigned char kind =
        (unsigned char)(node->cyclic | node->mirrored << 1 | (node->steepest_rad > 0) << 2);
    hash = tr_hash_add(hash, node->skill, strlen(node->skill) + 1);
    hash = tr_hash_add(hash, node->gain_set, strlen(node->gain_set) + 1);
    hash = tr_hash_add(hash, &node->first, sizeof node->first);
    hash = tr_hash_add(hash, &node->count, sizeof node->count);
    hash = tr_hash_add(hash, &kind, sizeof kind);
    hash = tr_hash_add(hash, &node->turn_rad, sizeof node->turn_rad);
    if (node->settled > 0)
        hash = tr_hash_add(hash, &node->settled, sizeof node->settled);
    if (node->steepest_rad > 0)
        hash = tr_hash_add(hash, &node->steepest_rad, sizeof node->steepest_rad);
    return tr_hash_add(hash, &node->steering, sizeof node->steering);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_control_graph *graph = content;
    uint64_t sum = tr_bank_hash(&graph->bank, setting);
    for (int n = 0; n < graph->node_count; n++)
        sum = hash_node(sum, &graph->node[n]);
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        unsigned char flips = edge->flips;
        sum = tr_hash_add(sum, &edge->from, sizeof edge->from);
        sum = tr_hash_add(sum, &edge->to, sizeof edge->to);
        sum = tr_hash_add(sum, &flips, sizeof flips);
    }
    for (int i = 0; i < graph->catches.count; i++) {
        const tr_catch_row *row = &graph->catches.row[i];
        const int entry = 2 * row->fragment + row->mirrored;
        sum = tr_hash_add(sum, row->state.s, sizeof row->state.s);
        sum = tr_hash_add(sum, &entry, sizeof entry);
    }
    return graph->catches.count ? tr_hash_add(sum, &graph->catches.beyond, sizeof(double)) : sum;
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_control_graph *graph = content;
    tr_control_graph *image = NULL;
    tr_status status = create(graph->node_count, graph->edge_count, &image);
    if (!status)
        status = tr_bank_mirror(&graph->bank, setting->model, &image->bank);
    if (status) {
        destroy(image);
        return status;
    }
    memcpy(image->edge, graph->edge, (size_t)graph->edge_count * sizeof *graph->edge);
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        image->node[n] = *node;
        /* 0 - x: the -0 of -x would change the hash of a skill without a turn. */
        image->node[n].turn_rad = 0 - node->turn_rad;
        image->node[n].steering =
            tr_steering_mirror(setting->model, &graph->bank.action, &node->steering);
    }
    status = tr_graph_find_trips(image, setting->step_s);
    if (!status)
        status = tr_catch_steps_set(image, &graph->catches);
    for (int i = 0; !status && i < image->catches.count; i++)
        image->catches.row[i].state = tr_features_mirror(&image->catches.row[i].state);
    return TR_GIVE(status, image, destroy, out);
}

static void put_node(tr_section_writer *writer, const tr_graph_node *node) {
    tr_section_put_text(writer, node->skill);
    tr_section_put_text(writer, node->gain_set);
    tr_section_put_int(writer, node->first);
    tr_section_put_int(writer, node->count);
    tr_section_put_int(writer, node->cyclic);
    tr_section_put_int(writer, node->mirrored);
    tr_section_put_doubles(writer, &node->turn_rad, 1);
    tr_steering_put(&node->steering, writer);
}

/* Limits of nodes, one section each, which does not exist where no node has one. */
static const struct {
    const char *section;
    size_t offset;
} limits[] = {{"settled", offsetof(tr_graph_node, settled)},
              {"steepest", offsetof(tr_graph_node, steepest_rad)}};
enum { LIMITS = sizeof limits / sizeof *limits };

static double *limit_of(tr_graph_node *node, int limit) {
    return (double *)((char *)node + limits[limit].offset);
}

static tr_status save_limit(const tr_control_graph *graph, int limit, tr_sections *out,
                            tr_error *error) {
    bool any = false;
    for (int n = 0; n < graph->node_count; n++)
        any |= *limit_of(&graph->node[n], limit) > 0;
    if (!any)
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, limits[limit].section);
    for (int n = 0; n < graph->node_count; n++)
        tr_section_put_doubles(&writer, limit_of(&graph->node[n], limit), 1);
    return tr_section_end(&writer, error);
}

/* The section does not exist in a graph that does not step when pushed. */
static tr_status save_catch_steps(const tr_control_graph *graph, tr_sections *out,
                                  tr_error *error) {
    const tr_catch_steps *steps = &graph->catches;
    if (steps->count == 0)
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, "catch-steps");
    tr_section_put_doubles(&writer, &steps->beyond, 1);
    tr_section_put_int(&writer, steps->count);
    for (int i = 0; i < steps->count; i++) {
        tr_section_put_doubles(&writer, steps->row[i].state.s, TR_FEATURE_COUNT);
        tr_section_put_int(&writer, steps->row[i].fragment);
        tr_section_put_int(&writer, steps->row[i].mirrored);
    }
    return tr_section_end(&writer, error);
}

/* Never change its bytes: the digests of catalogues cover them. */
static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_control_graph *graph = content;
    out->bank = &graph->bank;
    tr_section_writer writer = tr_section_begin(out, "graph");
    tr_section_put_int(&writer, graph->node_count);
    for (int n = 0; n < graph->node_count; n++)
        put_node(&writer, &graph->node[n]);
    tr_section_put_int(&writer, graph->edge_count);
    for (int e = 0; e < graph->edge_count; e++) {
        tr_section_put_int(&writer, graph->edge[e].from);
        tr_section_put_int(&writer, graph->edge[e].to);
        tr_section_put_int(&writer, graph->edge[e].flips);
    }
    tr_status status = tr_section_end(&writer, error);
    for (int i = 0; !status && i < LIMITS; i++)
        status = save_limit(graph, i, out, error);
    return status ? status : save_catch_steps(graph, out, error);
}

static void get_node(tr_section_reader *reader, tr_graph_node *out) {
    tr_section_get_text(reader, out->skill, sizeof out->skill);
    tr_section_get_text(reader, out->gain_set, sizeof out->gain_set);
    out->first = (int)tr_section_get_int(reader, 0, TR_BANK_FRAGMENT_MAX);
    out->count = (int)tr_section_get_int(reader, 0, TR_BANK_FRAGMENT_MAX);
    out->cyclic = tr_section_get_bool(reader);
    out->mirrored = tr_section_get_bool(reader);
    out->turn_rad = tr_section_get_double(reader);
    tr_steering_get(reader, &out->steering);
}

static void get_edge(tr_section_reader *reader, tr_graph_edge *out) {
    out->from = (int)tr_section_get_int(reader, 0, TR_BANK_FRAGMENT_MAX);
    out->to = (int)tr_section_get_int(reader, 0, TR_BANK_FRAGMENT_MAX);
    out->flips = tr_section_get_bool(reader);
}

static tr_status load_limit(const tr_sections *in, int limit, tr_control_graph *graph,
                            tr_error *error) {
    if (!tr_sections_find(in, limits[limit].section))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, limits[limit].section);
    for (int n = 0; n < graph->node_count; n++)
        *limit_of(&graph->node[n], limit) = tr_section_get_double(&reader);
    return tr_section_close(&reader, error);
}

static void get_row(tr_section_reader *reader, const tr_control_graph *graph, tr_catch_row *out) {
    tr_section_get_doubles(reader, out->state.s, TR_FEATURE_COUNT);
    out->fragment = (int)tr_section_get_int(reader, 0, graph->bank.fragment_count - 1);
    out->mirrored = tr_section_get_bool(reader);
}

/* The bank has been read. */
static tr_status load_catch_steps(const tr_sections *in, tr_control_graph *graph, tr_error *error) {
    tr_catch_steps *steps = &graph->catches;
    if (!tr_sections_find(in, "catch-steps"))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, "catch-steps");
    steps->beyond = tr_section_get_double(&reader);
    steps->count = (int)tr_section_get_int(&reader, 1, TR_CATCH_ROW_MAX);
    steps->row = calloc(TR_CATCH_ROW_MAX, sizeof *steps->row);
    if (!steps->row)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < steps->count; i++)
        get_row(&reader, graph, &steps->row[i]);
    return tr_section_close(&reader, error);
}

/* Nodes are read before the number of edges is known, so room for all is made first. */
static tr_status load_graph(const tr_sections *in, tr_control_graph *graph, tr_error *error) {
    tr_section_reader reader = tr_section_open(in, "graph");
    graph->node_count = (int)tr_section_get_int(&reader, 1, TR_GRAPH_NODE_MAX);
    for (int n = 0; n < graph->node_count; n++)
        get_node(&reader, &graph->node[n]);
    graph->edge_count = (int)tr_section_get_int(&reader, 0, TR_GRAPH_EDGE_MAX);
    for (int e = 0; e < graph->edge_count; e++)
        get_edge(&reader, &graph->edge[e]);
    return tr_section_close(&reader, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_control_graph *graph = NULL;
    tr_status status = create(TR_GRAPH_NODE_MAX, TR_GRAPH_EDGE_MAX, &graph);
    if (status)
        return tr_fail(error, status, "graph: no memory");
    status = load_graph(in, graph, error);
    for (int i = 0; !status && i < LIMITS; i++)
        status = load_limit(in, i, graph, error);
    if (!status)
        status = tr_bank_load(in, setting->model->body_count, &graph->bank, error);
    if (!status)
        status = load_catch_steps(in, graph, error);
    /* Trips are found only in a graph that is sound; the caller reports one that is not. */
    if (!status && !tr_control_graph_check(graph, setting->model, NULL) &&
        tr_graph_find_trips(graph, setting->step_s))
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph: no memory");
    return TR_GIVE(status, graph, destroy, out);
}

static tr_bank *bank(void *content) {
    return &((tr_control_graph *)content)->bank;
}

/* --- what it can do --- */

/* Returns the seconds in which a node has run once, both halves when mirrored. */
static double node_s(const tr_control_graph *graph, int node, double step_s) {
    const tr_graph_node *n = &graph->node[node];
    int steps = 0;
    for (int f = n->first; f < n->first + n->count; f++)
        steps += graph->bank.fragment[f].steps;
    return steps * step_s * (n->mirrored ? 2 : 1);
}

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_control_graph *graph = content;
    *out = (tr_driver_outline){.entry_count = graph->bank.fragment_count,
                               .first_count = graph->node[0].count,
                               .cyclic = true,
                               .mirrored = graph->bank.mirrored,
                               .duration_s = tr_bank_duration_s(&graph->bank, step_s),
                               .cycle_s = graph->node[0].cyclic ? node_s(graph, 0, step_s) : 0,
                               .gain_set = graph->bank.gain_set};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_control_graph *graph = content;
    int n = tr_control_graph_node_of(graph, index);
    const tr_graph_node *node = &graph->node[n];
    tr_playback_entry(&graph->bank, index, node->gain_set, out);
    out->skill = n;
    out->rises = index == node->first && tr_control_graph_rises(graph, n);
}

static int parameters(const void *content, tr_driver_parameter *out) {
    out[0] = tr_playback_parameter(&((const tr_control_graph *)content)->bank);
    return 1;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_control_graph *graph = content;
    tr_status status = TR_OK;
    for (int n = 0; !status && n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        tr_driver_skill skill = tr_steering_skill(&node->steering);
        skill.name = node->skill;
        skill.first = node->first;
        skill.count = node->count;
        skill.cyclic = node->cyclic;
        skill.mirrored = node->mirrored;
        skill.turn_rad = node->turn_rad;
        skill.rises = tr_control_graph_rises(graph, n);
        status = tr_driver_sheet_add_skill(sheet, &skill);
    }
    for (int e = 0; !status && e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        status =
            tr_driver_sheet_add_edge(sheet, &(tr_driver_edge){edge->from, edge->to, edge->flips});
    }
    return status;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_control_graph *graph = content;
    const graph_state *s = state;
    return tr_playback_fits(&s->playback, &graph->bank) && (!s->chooses || s->playback.step == 0);
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content;
    graph_state *s = state;
    s->playback.fragment = entry_index;
    s->playback.mirrored = mirrored;
    s->playback.step = 0;
    s->under_way = 0;
    s->chooses = false;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_control_graph *graph = content;
    tr_bank_nearest(&graph->bank, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_control_graph *graph = content;
    const graph_state *s = state;
    tr_playback_look(&s->playback, &graph->bank, out);
    out->skill = tr_control_graph_node_of(graph, s->playback.fragment);
    out->text = graph->node[out->skill].skill;
    if (!s->chooses)
        return;
    out->phase = 1;
    out->reached = &graph->bank.fragment[s->playback.fragment].end;
}

static bool performs(const void *content, const char *skill) {
    return tr_control_graph_find(content, skill) >= 0;
}

static void reach(const void *content, tr_driver_reach *out) {
    const tr_control_graph *graph = content;
    for (int n = 0; n < graph->node_count; n++)
        out->heading |= graph->node[n].steering.turn_rad_s > 0 || graph->node[n].turn_rad != 0;
    out->place = out->heading;
    tr_planner_speeds(graph, &out->slowest_mps, &out->fastest_mps);
    const int rest = tr_control_graph_rest(graph);
    out->rest = rest < 0 ? NULL : graph->node[rest].skill;
}

static int trips(const void *content, const tr_driver_trip **out) {
    const tr_control_graph *graph = content;
    *out = graph->trip;
    return graph->trip_count;
}

/* A finished fragment whose successor is not chosen yet has no step left. */
static bool foresee(const void *content, const void *state, const tr_driver_prospect *prospect,
                    tr_driver_way *out) {
    const tr_control_graph *graph = content;
    const tr_playback *playback = &((const graph_state *)state)->playback;
    bool done = ((const graph_state *)state)->chooses;
    tr_graph_place at = {playback->fragment, playback->mirrored};
    int steps = done ? graph->bank.fragment[at.fragment].steps : playback->step;
    return tr_planner_way(graph, at, steps, prospect, out);
}

/* Returns where the aim lies for the skill that is asked for. */
static tr_bearing bearing_of(const tr_control_graph *graph, const tr_sight *sight) {
    const char *skill = sight->target->skill;
    const int node = skill[0] ? tr_control_graph_find(graph, skill) : -1;
    tr_bearing bearing = tr_steering_bearing(sight->target, sight->world, sight->state);
    return node >= 0 ? tr_bearing_for(tr_control_graph_way(graph, node), bearing) : bearing;
}

/* A character that was pushed out of rest returns there. One on ground too steep for the skill that is asked
 * for rests there, until the ground is less steep or it is asked for another. */
static tr_steering_target target_of(const tr_control_graph *graph, const graph_state *s,
                                    const tr_sight *sight) {
    const tr_steering_target *target = sight->target;
    const int node = tr_control_graph_rest(graph);
    tr_steering_target rest = {0};
    if (!s->catches &&
        (node < 0 || !tr_control_graph_is_too_steep(graph, target->skill, sight->ground.normal)))
        return *target;
    memcpy(rest.skill, graph->node[node].skill, sizeof rest.skill);
    return rest;
}

/* Chooses the next fragment, at the end of the present one. */
static void choose(const tr_control_graph *graph, graph_state *s, const tr_sight *sight) {
    tr_graph_place done = {s->playback.fragment, s->playback.mirrored};
    tr_state state = tr_state_above_ground(sight->state, &sight->ground);
    const double distance = tr_planner_distance(&graph->bank, sight->model, done, &state);
    const int done_node = tr_control_graph_node_of(graph, done.fragment);
    const bool topples = s->catches;
    s->calm = tr_catch_step_calms(graph, done_node, s->calm, s->catches, distance);
    s->catches =
        s->calm && tr_catch_step_lasts(graph, done_node, s->catches, sight->target, distance);
    tr_bearing bearing = bearing_of(graph, sight);
    const tr_steering_target target = target_of(graph, s, sight);
    tr_planner_stance stance = tr_planner_look(graph, sight->model, done, &state);
    const bool level = tr_ground_is_level(&sight->ground);
    if (!level) /* a slope keeps it off its reference */
        stance.tidies = -1;
    /* Chains were made for slopes, jumps were not: in 64 walks on hills with jumps out of standing characters
     * fell 100 times, with chains alone 73 times. */
    stance.late = s->under_way == LATE || !level;
    stance.slopes = !level;
    stance.jumps &= level;
    tr_control_graph_find_steep(graph, sight->ground.normal, stance.steep);
    tr_graph_place next = tr_planner_next(graph, done, &stance, &target, tr_planner_turn(bearing));
    bearing = tr_steering_bearing(sight->target, sight->world, sight->state);
    if (stance.rests)
        next = tr_planner_lean(graph, done, next, bearing.turn_rad);
    if (s->catches && done_node == tr_control_graph_rest(graph) &&
        (topples || distance > graph->catches.beyond))
        next = tr_catch_step_choose(graph, sight->model, &state, next);
    s->playback.fragment = next.fragment;
    s->playback.mirrored = next.mirrored;
    s->chooses = false;
}

/* A skill that is to be left is not steered. */
static tr_status begin(const tr_control_graph *graph, graph_state *s, const tr_sight *sight) {
    static const tr_steering_target nowhere = {0};
    int fragment = s->playback.fragment;
    const tr_graph_node *node = &graph->node[tr_control_graph_node_of(graph, fragment)];
    tr_bearing bearing = bearing_of(graph, sight);
    const tr_steering_target target = target_of(graph, s, sight);
    bool steep[TR_GRAPH_NODE_MAX];
    tr_control_graph_find_steep(graph, sight->ground.normal, steep);
    bool leaves =
        s->catches || tr_planner_leaves(graph, fragment, &target, tr_planner_turn(bearing), steep);
    if (node->cyclic && !leaves)
        s->under_way = 0;
    else if (s->under_way < LATE)
        s->under_way++;
    tr_playback_guide guide = {
        &node->steering, leaves ? &nowhere : sight->target, sight->parameter,
        tr_control_graph_way(graph, tr_control_graph_node_of(graph, fragment))};
    return tr_playback_begin(&s->playback, &graph->bank, sight, &guide);
}

/* The next fragment is chosen at its first step, from the state in which the last one ended. */
bool tr_graph_begins(const tr_control_graph *graph, void *state, const tr_sight *sight,
                     int *out_fragment, bool *out_mirrored) {
    graph_state *s = state;
    if (s->chooses)
        choose(graph, s, sight);
    *out_fragment = s->playback.fragment;
    *out_mirrored = s->playback.mirrored;
    return s->playback.step == 0;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_control_graph *graph = content;
    graph_state *s = state;
    int fragment;
    bool mirrored;
    tr_status status =
        tr_graph_begins(graph, s, sight, &fragment, &mirrored) ? begin(graph, s, sight) : TR_OK;
    if (status)
        return status;
    int node = tr_control_graph_node_of(graph, fragment);
    out->gain_set = tr_model_find_gain_set(sight->model, graph->node[node].gain_set);
    tr_playback_step(&s->playback, &graph->bank, sight, out);
    s->chooses = out->completes;
    return TR_OK;
}

const tr_driver_kind tr_graph_kind = {.name = "graph",
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
                                      .state_size = sizeof(graph_state),
                                      .field = fields,
                                      .field_count = sizeof fields / sizeof *fields,
                                      .fields_of = fields_of,
                                      .fits = fits,
                                      .enter = enter,
                                      .nearest = nearest,
                                      .look = look,
                                      .reach = reach,
                                      .performs = performs,
                                      .foresee = foresee,
                                      .trips = trips,
                                      .drive = drive};

/* --- controllers that are graphs --- */

tr_status tr_graph_create(tr_graph_size size, int body_count, tr_controller **out) {
    tr_control_graph *graph = NULL;
    tr_status status = create(size.nodes, size.edges, &graph);
    if (!status)
        status = tr_bank_init(&graph->bank, size.fragments, size.steps, body_count);
    if (!status) {
        graph->bank.cyclic = true;
        status = tr_controller_create((tr_driver){&tr_graph_kind, graph}, out);
    }
    if (status)
        destroy(graph);
    return status;
}

tr_control_graph *tr_graph_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_graph_kind);
}
