/* troupe-train graph: control graphs from skills of the catalogue, and random walks over them. */
#include "db/catalogue.h"
#include "db/controllers.h"
#include "db/models.h"
#include "learn/graph_build.h"
#include "learn/graph_season.h"
#include "learn/graph_walk.h"
#include "model/mjcf.h"
#include "tools/connectivity.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/tool.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MAX = 8 }; /* graphs extended at once */

typedef struct verb verb;

typedef struct options {
    const verb *verb;
    const char *name, *catalogue, *connectivity, *extends, *becomes;
    int candidates, trials, edges, walks, threads, windows, longest, rounds;
    bool learns;
    double seconds;
    uint64_t seed;
} options;

typedef struct subject subject;

/* connects, becomes: it wants --connectivity, --as, and nobody else does. */
struct verb {
    const char *name;
    bool connects, becomes;
    tr_catalogue_mode mode;
    tr_status (*work)(const options *o, subject *s, tr_error *error);
};

static tr_status build(const options *o, subject *s, tr_error *error);
static tr_status season(const options *o, subject *s, tr_error *error);
static tr_status walk(const options *o, subject *s, tr_error *error);

static const verb *find_verb(const char *name) {
    static const verb verbs[] = {
        {"build", true, false, TR_CATALOGUE_WRITE, build},
        {"season", false, true, TR_CATALOGUE_WRITE, season},
        {"walk", false, false, TR_CATALOGUE_READ, walk},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    return NULL;
}

static bool parse(int argc, char **argv, options *o) {
    tr_graph_build_def build = tr_graph_build_default();
    tr_transition_def learn = tr_transition_default();
    *o = (options){.windows = learn.windows,
                   .longest = learn.high,
                   .rounds = learn.rounds,
                   .candidates = build.candidates,
                   .trials = build.trials,
                   .edges = build.edges,
                   .walks = 20,
                   .seconds = 600,
                   .seed = 20150815};
    o->threads = tr_option_default_threads();
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"connectivity", TR_OPTION_TEXT, &o->connectivity, 0, 0},
        {"candidates", TR_OPTION_COUNT, &o->candidates, 1, TR_GRAPH_CANDIDATE_MAX},
        {"trials", TR_OPTION_COUNT, &o->trials, 1, 1000},
        {"edges", TR_OPTION_COUNT, &o->edges, 1, 100},
        {"extend", TR_OPTION_TEXT, &o->extends, 0, 0},
        {"as", TR_OPTION_TEXT, &o->becomes, 0, 0},
        {"learn", TR_OPTION_FLAG, &o->learns, 0, 0},
        {"windows", TR_OPTION_COUNT, &o->windows, 1, 10000},
        {"longest", TR_OPTION_COUNT, &o->longest, learn.low, TR_BLEND_FRAGMENT_MAX},
        {"rounds", TR_OPTION_COUNT, &o->rounds, 1, 100},
        {"walks", TR_OPTION_COUNT, &o->walks, 1, 10000},
        {"seconds", TR_OPTION_NUMBER, &o->seconds, 1, 1e6},
        {"seed", TR_OPTION_SEED, &o->seed, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    if (!tr_options_take("graph", argc, argv, table, sizeof table / sizeof *table))
        return false;
    if (optind + 2 == argc && o->catalogue) {
        o->verb = find_verb(argv[optind]);
        o->name = argv[optind + 1];
        if (o->verb && o->verb->connects == (o->connectivity != NULL) &&
            o->verb->becomes == (o->becomes != NULL))
            return true;
    }
    fputs("troupe-train graph: expected build NAME --connectivity FILE, season NAME --as NEW or "
          "walk NAME, and --catalogue\n",
          stderr);
    return false;
}

/* --- what is worked on --- */

struct subject {
    tr_catalogue *catalogue;
    tr_row_id model_id;
    tr_model *model;
    tr_ensemble *ensemble;
    int trials; /* to hold */
    int count;
    tr_controller *controller[TR_GRAPH_NODE_MAX + KNOWN_MAX];
};

static void close_subject(subject *s) {
    tr_ensemble_destroy(s->ensemble);
    for (int i = 0; i < s->count; i++)
        tr_controller_destroy(s->controller[i]);
    tr_model_destroy(s->model);
    tr_catalogue_close(s->catalogue);
}

static tr_status load_controller(subject *s, const char *name, tr_error *error) {
    tr_controller_row row;
    tr_status status = tr_controllers_find(s->catalogue, name, &row, error);
    if (status == TR_OK && !s->model) {
        s->model_id = row.model_id;
        status = tr_models_load(s->catalogue, row.model_id, &s->model, error);
    }
    if (status == TR_OK)
        status =
            tr_controllers_load(s->catalogue, row.id, s->model, &s->controller[s->count], error);
    s->count += status == TR_OK;
    return status;
}

static tr_status open_worlds(const options *o, subject *s, tr_error *error) {
    const tr_controller *first = s->controller[0];
    tr_ensemble_def def = {s->model, first->gain_set, first->step_s, o->threads};
    tr_status status = tr_ensemble_create(&def, &s->ensemble);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "worlds: %s", tr_status_text(status));
}

/* The graph that is named, in worlds of its own. */
static tr_status load_graph(const options *o, subject *s, tr_error *error) {
    tr_status status = load_controller(s, o->name, error);
    if (status == TR_OK && !s->controller[0]->graph)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "controller '%s': not a graph", o->name);
    return status == TR_OK ? open_worlds(o, s, error) : status;
}

static tr_status put_graph(subject *s, const tr_controller *graph, tr_error *error) {
    tr_row_id id = 0;
    tr_controller_entry entry = {graph, s->model_id, 0, 0};
    tr_status status = tr_controllers_put(s->catalogue, &entry, &id, error);
    if (status == TR_OK)
        printf("%s: %d skills, %d fragments, %d edges\n", graph->name, graph->graph->node_count,
               graph->fragment_count, graph->graph->edge_count);
    return status;
}

/* --- building --- */

static void tell_link(void *context, tr_graph_link link, const tr_graph_candidate *candidates,
                      int count) {
    const subject *s = context;
    const char *from = s->controller[link.from]->skill, *to = s->controller[link.to]->skill;
    int held = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        const tr_graph_candidate *c = &candidates[i];
        held += c->held == s->trials;
        kept += c->kept;
        printf("  %s fragment %d -> %s fragment %d%s  distance %.2f  held %d of %d%s\n", from,
               c->edge.from, to, c->edge.to, c->edge.flips ? ", mirrored" : "", c->distance,
               c->held, c->trials, c->kept ? "  kept" : "");
    }
    printf("%s -> %s: %d candidates, %d hold, %d kept\n", from, to, count, held, kept);
    (void)fflush(stdout);
}

static void tell_window(void *context, const char *skill, const tr_transition_window *w) {
    (void)context;
    printf(
        "  %s: learned over %d fragments after fragment %d to %d%s  distance %.2f  turn %.0f deg  "
        "%d rounds  held %d of %d\n",
        skill, w->window.count, w->window.from, w->window.to, w->window.flips ? ", mirrored" : "",
        w->window.distance, w->count.turn_rad * 180 / TR_PI, w->rounds, w->count.held, w->trials);
    (void)fflush(stdout);
}

/* The graphs that are extended, names between commas, behind the skills. */
static tr_status load_known(const options *o, subject *s, tr_error *error) {
    tr_status status = TR_OK;
    const char *at = o->extends;
    for (int i = 0; status == TR_OK && *at; i++) {
        char name[TR_NAME_MAX];
        int length = (int)strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length, at);
        at += length + (at[length] == ',');
        status = i < KNOWN_MAX ? load_controller(s, name, error)
                               : tr_fail(error, TR_INVALID_ARGUMENT, "--extend: at most %d graphs",
                                         KNOWN_MAX);
        if (status == TR_OK && !s->controller[s->count - 1]->graph)
            status = tr_fail(error, TR_INVALID_ARGUMENT, "--extend %s: not a graph", name);
    }
    return status;
}

/* The skills of the file, and behind them the graphs that are extended. */
static tr_status load_skills(const options *o, subject *s, const tr_connectivity *connectivity,
                             tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; status == TR_OK && i < connectivity->skill_count; i++) {
        status = load_controller(s, connectivity->skill[i], error);
        if (status == TR_OK)
            memcpy(s->controller[i]->skill, connectivity->skill[i], TR_NAME_MAX);
    }
    if (status == TR_OK && o->extends)
        status = load_known(o, s, error);
    return status;
}

static tr_status build_graph(const options *o, subject *s, const tr_connectivity *connectivity,
                             tr_controller **out, tr_error *error) {
    tr_transition_def learn = tr_transition_default();
    learn.windows = o->windows;
    learn.high = o->longest;
    learn.rounds = o->rounds;
    tr_graph_build_def def = tr_graph_build_default();
    def.name = o->name;
    def.controllers = (const tr_controller *const *)s->controller;
    def.count = connectivity->skill_count;
    def.links = connectivity->link;
    def.link_count = connectivity->link_count;
    def.candidates = o->candidates;
    def.trials = s->trials = o->trials;
    def.edges = o->edges;
    def.seed = o->seed;
    def.learn = o->learns ? &learn : NULL;
    def.known = def.controllers + def.count;
    def.known_count = s->count - def.count;
    const tr_graph_listener listener = {s, tell_link, tell_window};
    return tr_graph_build(s->ensemble, &def, &listener, out, error);
}

static tr_status build(const options *o, subject *s, tr_error *error) {
    static tr_connectivity connectivity;
    tr_controller *graph = NULL;
    tr_status status = tr_connectivity_read(o->connectivity, &connectivity, error);
    if (status == TR_OK)
        status = load_skills(o, s, &connectivity, error);
    if (status == TR_OK)
        status = open_worlds(o, s, error);
    if (status == TR_OK)
        status = build_graph(o, s, &connectivity, &graph, error);
    if (status == TR_OK)
        status = put_graph(s, graph, error);
    tr_controller_destroy(graph);
    return status;
}

/* --- seasoning --- */

static void tell_season(void *context, const tr_graph_season_row *row) {
    (void)context;
    printf("  season %d  %s to %s: held %d of %d who came", row->round, row->passage.from,
           row->passage.to, row->before.held, row->before.came);
    if (row->after.came > 0)
        printf(", then %d of %d", row->after.held, row->after.came);
    printf("  (%.0f core-s in all)\n", tr_processor_seconds());
    (void)fflush(stdout);
}

static tr_status season(const options *o, subject *s, tr_error *error) {
    tr_controller *graph = NULL;
    tr_graph_season_def def = tr_graph_season_default();
    def.rounds = o->rounds;
    def.test.seed = o->seed;
    def.test.trials = o->trials;
    tr_status status = load_graph(o, s, error);
    if (status == TR_OK)
        status = tr_controller_copy(s->controller[0], s->model, &graph);
    if (status != TR_OK)
        return status;
    snprintf(graph->name, sizeof graph->name, "%s", o->becomes);
    status = tr_graph_season(s->ensemble, &def, tell_season, NULL, graph);
    if (status != TR_OK)
        tr_fail(error, status, "season: %s", tr_status_text(status));
    else
        status = put_graph(s, graph, error);
    tr_controller_destroy(graph);
    return status;
}

/* --- walking --- */

static tr_status walk(const options *o, subject *s, tr_error *error) {
    tr_graph_walk_result result;
    tr_status status = load_graph(o, s, error);
    if (status != TR_OK)
        return status;
    tr_graph_walk_test test = {.walks = o->walks,
                               .seconds = o->seconds,
                               .stay_low_s = 2,
                               .stay_high_s = 6,
                               .seed = o->seed};
    status = tr_graph_walk(s->ensemble, s->controller[0], &test, &result);
    if (status != TR_OK)
        return tr_fail(error, status, "walk: %s", tr_status_text(status));
    printf(
        "%s: %d of %d walks of %g s without a fall, the shortest %.1f s; %lld edges taken, %.1f s "
        "the longest from a wish to its skill\n",
        o->name, result.upright, result.walks, o->seconds, result.shortest_s,
        (long long)result.crossings, result.longest_way_s);
    for (int n = 0; n < s->controller[0]->graph->node_count; n++)
        printf("  %-30s %lld visits, %d falls\n", s->controller[0]->graph->node[n].skill,
               (long long)result.visits[n], result.falls[n]);
    return TR_OK;
}

static int exec(int argc, char **argv) {
    options o;
    subject s = {0};
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    tr_physics_init();
    tr_status status = tr_catalogue_open(o.catalogue, o.verb->mode, &s.catalogue, &error);
    if (status == TR_OK)
        status = o.verb->work(&o, &s, &error);
    close_subject(&s);
    if (status == TR_OK)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train graph: %s\n", error.message);
    return TR_TOOL_FAILED;
}

const tr_tool_command tr_tool_graph = {
    .name = "graph",
    .arguments =
        "build NAME --connectivity FILE --catalogue F [--learn] [--extend GRAPH,...] "
        "[--candidates N] [--trials N] [--edges N] [--windows N] [--longest N] [--rounds N] | "
        "season NAME --as NEW --catalogue F [--rounds N] [--trials N] | "
        "walk NAME --catalogue F [--walks N] [--seconds S]   [--seed S] [--threads N]",
    .summary = "joins skills into a control graph, and walks over it at random",
    .help =
        "build: reads which skills may follow which, and finds ways from each to the next, all of "
        "which are\n"
        "printed. Without --learn the ends of the one's fragments are compared with the starts of "
        "the other's by\n"
        "pose and velocity, the nearest tried in simulation, and those kept that hold in every "
        "trial. With it\n"
        "chains are learned between cyclic skills, faded from both and hardened, until every "
        "trial holds.\n"
        "season: hardens the chains of a graph where they are used, on random walks over it (Liu "
        "et al. 2015,\n"
        "Guided Learning of Control Graphs, section 5.4).\n"
        "walk: random walks that visit all skills evenly (section 6.2); prints how many end "
        "without a fall.\n"
        "A graph is a controller of the catalogue like any other: spawn it, and steer it to a "
        "skill, a speed, a place.\n"
        "\n"
        "The connectivity file, line by line:\n"
        "  skill NAME       a controller of the catalogue; the first is where the graph begins\n"
        "  edge FROM TO     one may follow the other\n"
        "  both ONE OTHER   ... in either order; without any edge every skill follows every other\n"
        "\n"
        "  --catalogue FILE      holds the controllers; what is made is put into it\n"
        "  --learn               learns chains between cyclic skills\n"
        "  --extend GRAPH,...    takes over their chains between skills that are the same to the "
        "bit\n"
        "  --windows N           blend windows tried for each chain, the nearest (default 40)\n"
        "  --longest N           fragments of a blend window, at most (default 8)\n"
        "  --rounds N            build: of hardening of a chain, at most; season: over all chains "
        "(default 4)\n"
        "  --candidates N        of direct ways tried of each pair of skills (default 60)\n"
        "  --trials N            that a way must hold, all of them; season: that tell how often a "
        "chain "
        "holds (default 200)\n"
        "  --edges N             direct ways kept of each pair (default 6)\n"
        "  --as NEW              name of the seasoned graph\n"
        "  --walks N             (default 20)\n"
        "  --seconds S           of each walk (default 600)\n"
        "  --seed S              of all that is drawn\n"
        "  --threads N           default: all cores\n"
        "\n"
        "example:\n"
        "  printf 'skill walk\\nskill run\\n' > gaits.txt\n"
        "  troupe-train graph build ways --connectivity gaits.txt --catalogue mine.troupe --learn\n"
        "  troupe-train graph season ways --as gaits --catalogue mine.troupe\n"
        "  troupe-train graph walk gaits --catalogue mine.troupe\n",
    .exec = exec};
