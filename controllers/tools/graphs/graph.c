/* troupe-train graph: control graphs from skills of the catalogue, and random walks over them. */
#include "db/store/catalogue.h"
#include "learn/graph/graph_bank.h"
#include "learn/measure/graph_walk.h"
#include "learn/ranks/ranks.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"
#include "tools/graphs/graph_record.h"
#include "tools/graphs/requests.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct verb verb;

typedef struct options {
    const verb *verb;
    const char *name, *catalogue, *connectivity, *becomes, *takes, *from, *to;
    int walks, requests, threads;
    double seconds, hills_deg;
    bool recovers;
    tr_graph_recipe recipe;
    tr_run_row run;     /* circumstances, for the record */
    tr_error described; /* of the command, if it does not fit */
} options;

/* connects, becomes, takes, refits: requires --connectivity, --as, --skill, --with; the other verbs
 * refuse it. change: of the recipe. */
struct verb {
    const char *name;
    bool connects, becomes, takes, refits;
    tr_graph_change change;
    tr_status (*work)(const options *o, tr_error *error);
};

static tr_status make(const options *o, tr_error *error);
static tr_status walk(const options *o, tr_error *error);
static tr_status ask(const options *o, tr_error *error);
static tr_status take(const options *o, tr_error *error);

static const verb *find_verb(const char *name) {
    static const verb verbs[] = {
        {"build", .connects = true, .work = make},
        {"harden", .becomes = true, .work = make},
        {"season", .becomes = true, .work = make}, /* the older name of harden */
        {"slopes", .becomes = true, .change = TR_GRAPH_SLOPED, .work = make},
        {"refit", .becomes = true, .refits = true, .change = TR_GRAPH_REFITTED, .work = make},
        {"walk", .work = walk},
        {"requests", .work = ask},
        {"take", .becomes = true, .takes = true, .work = take},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    return NULL;
}

/* Returns what tr_options_take does. */
static int take_options(int argc, char **argv, options *o) {
    const tr_option own[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"connectivity", TR_OPTION_TEXT, &o->connectivity, 0, 0},
        {"as", TR_OPTION_TEXT, &o->becomes, 0, 0},
        {"skill", TR_OPTION_TEXT, &o->takes, 0, 0},
        {"walks", TR_OPTION_COUNT, &o->walks, 1, 10000},
        {"requests", TR_OPTION_COUNT, &o->requests, 1, 1000},
        {"from", TR_OPTION_TEXT, &o->from, 0, 0},
        {"to", TR_OPTION_TEXT, &o->to, 0, 0},
        {"seconds", TR_OPTION_NUMBER, &o->seconds, 1, 1e6},
        {"hills", TR_OPTION_NUMBER, &o->hills_deg, 0, 30},
        {"recover", TR_OPTION_FLAG, &o->recovers, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    enum { OWN = sizeof own / sizeof *own };
    tr_option table[OWN + TR_GRAPH_RECIPE_OPTIONS];
    memcpy(table, own, sizeof own);
    tr_graph_recipe_options(&o->recipe, table + OWN);
    return tr_options_take("graph", argc, argv, table, sizeof table / sizeof *table);
}

static tr_status describe(int argc, char **argv, tr_run_row *run, tr_error *error) {
    *run = (tr_run_row){.started_ns = tr_now_ns()};
    tr_describe_host(run->host, sizeof run->host);
    snprintf(run->code_version, sizeof run->code_version, "%s", TR_CODE_VERSION);
    return tr_describe_command(argc, argv, run->command, sizeof run->command, error);
}

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o =
        (options){.walks = 20, .requests = 20, .seconds = 600, .recipe = tr_graph_recipe_default()};
    o->threads = tr_option_default_threads();
    /* Before the words are put into another order. */
    (void)!describe(argc, argv, &o->run, &o->described);
    int first = take_options(argc, argv, o);
    if (!first)
        return false;
    o->run.threads = o->threads;
    if (first + 2 == argc && o->catalogue) {
        o->verb = find_verb(argv[first]);
        o->name = argv[first + 1];
        if (o->verb && o->verb->connects == (o->connectivity != NULL) &&
            o->verb->becomes == (o->becomes != NULL) && o->verb->takes == (o->takes != NULL) &&
            o->verb->refits == (o->recipe.with != NULL) && (o->verb->refits || !o->recipe.without))
            return true;
    }
    fputs("troupe-train graph: expected build NAME --connectivity FILE, harden NAME --as NEW, "
          "slopes NAME --as NEW, refit NAME --as NEW --with SKILL=CONTROLLER,..., "
          "take NAME --skill SKILL --as NEW, walk NAME or requests NAME, "
          "and --catalogue\n",
          stderr);
    return false;
}

/* --- building and hardening --- */

/* The file is kept with the graph; what it says goes to the parts. */
static tr_status read_connectivity(const options *o, tr_run_inputs *inputs, tr_connectivity *out,
                                   tr_error *error) {
    if (!o->connectivity)
        return TR_OK;
    tr_status status = tr_run_read_input(o->connectivity, TR_GRAPH_CONNECTIVITY, inputs, error);
    if (status)
        return status;
    const tr_run_input *file = &inputs->input[0];
    return tr_connectivity_parse(file->content, file->size, o->connectivity, out, error);
}

/* The catalogue is not locked while the graph is made. A name that is taken is reported before the
 * work, not after it. */
static tr_status load_parts(const options *o, const tr_graph_recipe *recipe, tr_graph_parts *parts,
                            tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_graph_record_check_name(catalogue, o->becomes ? o->becomes : o->name, error);
    if (!status)
        status = tr_graph_parts_load(catalogue, recipe, o->threads, parts, error);
    tr_catalogue_close(catalogue);
    return status;
}

typedef struct storing {
    const options *o;
    tr_graph_made *made;
} storing;

static tr_status store(void *context, tr_error *error) {
    const storing *s = context;
    const options *o = s->o;
    tr_graph_made *made = s->made;
    tr_catalogue *catalogue = NULL;
    made->run.ended_ns = tr_now_ns();
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (!status)
        status = tr_graph_record_put(catalogue, made, error);
    tr_catalogue_close(catalogue);
    const tr_control_graph *graph = tr_graph_of(made->graph);
    if (!status)
        printf("%s: %d skills, %d fragments, %d edges\n", made->graph->name, graph->node_count,
               graph->bank.fragment_count, graph->edge_count);
    return status;
}

static tr_status make_of(const options *o, tr_graph_parts *parts, tr_error *error) {
    tr_graph_recipe recipe = o->recipe;
    tr_run_inputs inputs = {0};
    tr_controller *graph = NULL;
    recipe.of = o->becomes ? o->name : NULL;
    recipe.change = o->verb->change;
    tr_status status = read_connectivity(o, &inputs, &parts->connectivity, error);
    if (!status)
        status = load_parts(o, &recipe, parts, error);
    if (!status)
        status = tr_graph_make(&recipe, o->becomes ? o->becomes : o->name, parts, &graph, error);
    if (!status) {
        tr_graph_made made = {&recipe, parts, &inputs, graph, o->run, tr_processor_seconds()};
        status = tr_ranks_let_lead(store, &(storing){o, &made}, error);
    }
    tr_controller_destroy(graph);
    tr_run_inputs_deinit(&inputs);
    return status;
}

static tr_status make(const options *o, tr_error *error) {
    tr_graph_parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the parts of the graph");
    tr_status status = make_of(o, parts, error);
    tr_graph_parts_deinit(parts);
    free(parts);
    return status;
}

/* --- walking --- */

static tr_status load_graph(const options *o, tr_subject *s, tr_error *error) {
    tr_status status = tr_subject_read(o->catalogue, o->name, s, error);
    if (!status && !tr_graph_of(s->controller))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "controller '%s': not a graph", o->name);
    return !status ? tr_subject_make_worlds(s, o->threads, error) : status;
}

static void print_fall(void *context, const tr_graph_walk_fall *fall) {
    const tr_control_graph *graph = context;
    printf("  walk %d fell after %.1f s:", fall->walk + 1, fall->at_s);
    for (int i = 0; i < fall->count; i++)
        printf("%s %s %.1f s", i > 0 ? "," : "", graph->node[fall->stage[i].node].skill,
               fall->stage[i].seconds);
    printf("\n");
}

static void print_walks(const options *o, const tr_control_graph *graph,
                        const tr_graph_walk_result *result) {
    printf(
        "%s: %d of %d walks of %g s without a fall, the shortest %.1f s; %lld edges taken, %.1f s "
        "the longest from a request to its skill\n",
        o->name, result->upright, result->walks, o->seconds, result->shortest_s,
        (long long)result->crossings, result->longest_way_s);
    if (o->recovers)
        printf("  %d walks had no fall, or each fall followed by getting up within %d s; up again "
               "after %d falls\n",
               result->ended, TR_GRAPH_WALK_RISE_S, result->risen);
    for (int n = 0; n < graph->node_count; n++)
        printf("  %-30s %lld visits, %d falls\n", graph->node[n].skill,
               (long long)result->visits[n], result->falls[n]);
}

static tr_status walk(const options *o, tr_error *error) {
    tr_subject s = {0};
    tr_graph_walk_result result;
    const tr_graph_walk_test test = {.walks = o->walks,
                                     .seconds = o->seconds,
                                     .dwell_low_s = 2,
                                     .dwell_high_s = 6,
                                     .seed = o->recipe.seed,
                                     .hills_deg = o->hills_deg,
                                     .recovers = o->recovers};
    tr_status status = load_graph(o, &s, error);
    if (!status && (status = tr_graph_walk(s.ensemble, s.controller, &test, print_fall,
                                           tr_graph_of(s.controller), &result)))
        status = tr_fail(error, status, "walk: %s", tr_status_text(status));
    if (!status)
        print_walks(o, tr_graph_of(s.controller), &result);
    tr_subject_deinit(&s);
    return status;
}

/* --- asking for skills --- */

static tr_status ask(const options *o, tr_error *error) {
    tr_subject s = {0};
    const tr_requests_options requests = {
        o->from, o->to, {o->requests, o->recipe.seed, o->hills_deg}};
    tr_status status = load_graph(o, &s, error);
    if (!status)
        status = tr_requests_report(&s, &requests, error);
    tr_subject_deinit(&s);
    return status;
}

/* --- taking --- */

/* Stores the skill with the run of the graph. */
static tr_status take_of(const options *o, tr_catalogue *catalogue, tr_subject *s,
                         tr_error *error) {
    tr_controller *skill = NULL;
    tr_row_id id = 0;
    tr_status status = tr_subject_load(catalogue, o->name, s, error);
    if (status)
        return status;
    const tr_control_graph *graph = tr_graph_of(s->controller);
    int node = graph ? tr_control_graph_find(graph, o->takes) : -1;
    if (strlen(o->becomes) >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--as: expected at most %d bytes",
                       TR_NAME_MAX - 1);
    if (node < 0 || !graph->node[node].cyclic)
        return tr_fail(error, TR_NOT_FOUND, "controller '%s': no graph with a cyclic skill '%s'",
                       o->name, o->takes);
    status = tr_graph_bank_take(s->model, s->controller, node, &skill);
    if (status)
        return tr_fail(error, status, "take: %s", tr_status_text(status));
    snprintf(skill->name, sizeof skill->name, "%s", o->becomes);
    snprintf(skill->skill, sizeof skill->skill, "%s", o->becomes);
    tr_controller_entry entry = {skill, s->row.model_id, s->row.run_id, 0};
    status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', '%s' of '%s', is in %s\n", skill->name, o->takes, o->name,
               o->catalogue);
    tr_controller_destroy(skill);
    return status;
}

static tr_status take_alone(void *context, tr_error *error) {
    const options *o = context;
    tr_subject s = {0};
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (!status)
        status = take_of(o, catalogue, &s, error);
    tr_subject_deinit(&s);
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status take(const options *o, tr_error *error) {
    options copy = *o;
    return tr_ranks_let_lead(take_alone, &copy, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->described.status) {
        *error = o->described;
        return error->status;
    }
    return o->verb->work(o, error);
}

const tr_tool_command tr_tool_graph = {
    .name = "graph",
    .arguments =
        "build NAME --connectivity FILE --catalogue F [--learn] [--extend GRAPH,...] "
        "[--candidates N] [--trials N] [--edges N] [--windows N] [--shortest N] "
        "[--longest N] [--rounds "
        "N] [--hold S] [--draws N] "
        "[--rate R] | harden NAME --as NEW --catalogue F [--skills NAME,...] [--after "
        "NAME,...] [--stay S] [--rounds N] "
        "[--trials "
        "N] [--hold S] [--draws N] [--rate R] | "
        "take NAME --skill SKILL --as NEW --catalogue F | "
        "walk NAME --catalogue F [--walks N] [--seconds S] [--hills DEG] [--recover] "
        "[--seed S] [--threads N] | "
        "requests NAME --catalogue F [--from SKILL,...] [--to SKILL,...] [--requests N] "
        "[--hills DEG] [--seed S] [--threads N] | slopes NAME --as NEW --catalogue F | "
        "refit NAME --as NEW --catalogue F --with SKILL=CONTROLLER,... [--without SKILL,...]",
    .summary = "join skills into a control graph, train it, and test it by random walks",
    .help =
        "build   find transitions from each skill to the next, as the connectivity file allows.\n"
        "        Without --learn, fragments whose ends and starts are alike are tried, and those\n"
        "        that hold in every trial are kept. With --learn, chains between cyclic skills "
        "are\n"
        "        blended from both and hardened until every trial holds.\n"
        "harden  train a graph's transitions on random walks over it (Liu et al. 2015, Guided\n"
        "        Learning of Control Graphs, section 5.4).\n"
        "take    make a skill of a graph a controller again, to be joined to others.\n"
        "walk    count the random walks without a fall; they visit all skills evenly.\n"
        "requests  measure how soon a skill begins that is asked for, and where the time goes.\n"
        "slopes  give a graph slope terms; on level ground it keeps its bits.\n"
        "refit   move a graph to another model of the same body, as one with limits of torque.\n"
        "        Controllers of that model take the places of skills; the rest is copied, to be "
        "hardened.\n"
        "\n"
        "Results go into the catalogue with a record of how they were made.\n"
        "controllers/learn/STEERING.md explains more.\n"
        "\n"
        "The connectivity file, line by line:\n"
        "  skill NAME       a controller of the catalogue; a graph begins with the first\n"
        "  turn NAME        a skill; the graph uses it for far headings\n"
        "  edge FROM TO     TO may follow FROM\n"
        "  both ONE OTHER   either may follow the other; without edges every skill follows every "
        "other\n"
        "  stay NAME N      add N fragments of the skill NAME to the learned transitions to it\n"
        "\n"
        "  --catalogue FILE      read controllers from here, and store results\n"
        "  --learn               learn chains between cyclic skills\n"
        "  --extend GRAPH,...    reuse transitions of these graphs between unchanged skills\n"
        "  --windows N           blend windows tried for each chain, the nearest first (40)\n"
        "  --shortest N          least fragments of a blend window (2)\n"
        "  --longest N           most fragments of a blend window (8)\n"
        "  --rounds N            build: most hardening rounds of a chain; harden: rounds over all "
        "chains (4)\n"
        "  --candidates N        direct transitions tried for each pair of skills (60)\n"
        "  --trials N            build: trials that a transition must hold; harden: trials of a "
        "test (200)\n"
        "  --hold S              seconds that the second skill must hold afterwards (6; harden: "
        "3);\n"
        "                        while a chain is hardened it is watched for as long (2.5)\n"
        "  --draws N             start states drawn for a trial, which meets the hardest (1)\n"
        "  --rate R              size of hardening steps (1; harden: 0.3)\n"
        "  --skills NAME,...     harden: only these transitions; a cyclic skill named here is "
        "hardened itself\n"
        "  --after NAME,...      harden: start trials in these cyclic skills\n"
        "  --slope DEG           harden: on slopes of up to DEG degrees; only slope terms change\n"
        "  --stay S              harden: most seconds in each skill before (3)\n"
        "  --with SKILL=CONTROLLER,...  refit: the controllers and whose places they take\n"
        "  --without SKILL,...   refit: leave out these cyclic skills and their transitions\n"
        "  --edges N             direct transitions kept for each pair (6)\n"
        "  --as NEW              name of the trained graph, or of the skill taken\n"
        "  --skill SKILL         cyclic skill to take\n"
        "  --walks N             number of walks (20)\n"
        "  --requests N          requests from each skill to each other (20)\n"
        "  --from SKILL,...      ask only while in these skills (all)\n"
        "  --to SKILL,...        ask only for these skills (all)\n"
        "  --seconds S           length of each walk (600)\n"
        "  --hills DEG           walk, requests: on hills so steep at most, others each time (the "
        "plane)\n"
        "  --recover             continue after falls that the character gets up from within 30 s\n"
        "  --seed S              seed of everything drawn\n"
        "  --threads N           threads (all cores); does not change the result\n"
        "\n"
        "example:\n"
        "  printf 'skill walk\\nskill run\\n' > gaits.txt\n"
        "  troupe-train graph build ways --connectivity gaits.txt --catalogue mine.troupe --learn\n"
        "  troupe-train graph harden ways --as gaits --catalogue mine.troupe\n"
        "  troupe-train graph walk gaits --catalogue mine.troupe\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
