/* troupe-train graph build, harden, slopes, refit, loosen and shorten: a graph from skills, or from another
 * graph. */
#include "db/store/catalogue.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/command_line.h"
#include "tools/frame/lead.h"
#include "tools/frame/progress.h"
#include "tools/graphs/graph_record.h"
#include "tools/graphs/graph_tool.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *name, *catalogue, *connectivity, *becomes;
    int threads;
    tr_graph_recipe recipe;
    tr_run_row run; /* circumstances, for the record */
    tr_command_line command;
} options;

/* The differences between the six commands. takes: names of the recipe's options, each after a
 * space. changes: expected is NAME --as NEW, not NAME --connectivity FILE. */
typedef struct maker {
    const char *takes;
    bool changes;
    tr_graph_change change;
} maker;

static bool takes(const maker *m, const char *name) {
    const size_t size = strlen(name);
    const char *at = m->takes;
    while ((at = strstr(at, name)) && (at[-1] != ' ' || (at[size] != ' ' && at[size])))
        at++;
    return at;
}

/* Returns what tr_options_take does. */
static int take_options(int argc, char **argv, const maker *m, options *o) {
    enum { OWN = 3 };
    tr_option recipe[TR_GRAPH_RECIPE_OPTIONS];
    tr_option table[OWN + TR_GRAPH_RECIPE_OPTIONS] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        tr_option_threads(&o->threads),
        {"connectivity", TR_OPTION_TEXT, &o->connectivity, 0, 0}};
    if (m->changes)
        table[OWN - 1] = (tr_option){"as", TR_OPTION_TEXT, &o->becomes, 0, 0};
    size_t count = OWN;
    tr_graph_recipe_options(&o->recipe, recipe);
    for (int i = 0; i < TR_GRAPH_RECIPE_OPTIONS; i++) {
        if (m->changes && strcmp(recipe[i].name, "rounds") == 0)
            recipe[i].low = 1;
        if (takes(m, recipe[i].name))
            table[count++] = recipe[i];
    }
    return tr_options_take(argv[0], argc, argv, table, count);
}

static void describe(const tr_command_line *command, tr_run_row *run) {
    *run = (tr_run_row){.started_ns = tr_now_ns()};
    tr_describe_host(run->host, sizeof run->host);
    snprintf(run->code_version, sizeof run->code_version, "%s", TR_CODE_VERSION);
    memcpy(run->command, command->text, sizeof run->command);
}

static bool parse(int argc, char **argv, const maker *m, options *o) {
    *o = (options){.recipe = tr_graph_recipe_default()};
    o->recipe.change = m->change;
    tr_command_line_read(&o->command, argc, argv);
    describe(&o->command, &o->run);
    int first = take_options(argc, argv, m, o);
    if (!first)
        return false;
    const char *needs = m->change == TR_GRAPH_REFITTED    ? ", --with"
                        : m->change == TR_GRAPH_LOOSENED  ? ", --limits"
                        : m->change == TR_GRAPH_SHORTENED ? ", --links"
                                                          : "";
    if (first + 1 != argc || !o->catalogue || !(m->changes ? o->becomes : o->connectivity) ||
        (m->change == TR_GRAPH_REFITTED && !o->recipe.with) ||
        (m->change == TR_GRAPH_LOOSENED && !o->recipe.limits) ||
        (m->change == TR_GRAPH_SHORTENED && !o->recipe.links)) {
        fprintf(stderr, "troupe-train %s: expected NAME, %s%s and --catalogue\n", argv[0],
                m->changes ? "--as" : "--connectivity", needs);
        return false;
    }
    o->run.threads = o->threads;
    o->name = argv[first];
    o->recipe.of = m->changes ? o->name : NULL;
    return true;
}

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

static const char *made_name(const options *o) {
    return o->becomes ? o->becomes : o->name;
}

/* The catalogue is not locked while the graph is made. A name that is taken is reported before the
 * work, not after it. */
static tr_status load_parts(const options *o, tr_graph_parts *parts, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_graph_record_check_name(catalogue, made_name(o), error);
    if (!status)
        status = tr_graph_parts_load(catalogue, &o->recipe, o->threads, parts, error);
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status store(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const tr_graph_made *made = context;
    tr_status status = tr_graph_record_put(catalogue, made, error);
    const tr_control_graph *graph = tr_graph_of(made->graph);
    if (!status)
        printf("%s: %d skills, %d fragments, %d edges\n", made->graph->name, graph->node_count,
               graph->bank.fragment_count, graph->edge_count);
    return status;
}

static tr_status make(const options *o, tr_graph_parts *parts, tr_error *error) {
    tr_run_inputs inputs = {0};
    tr_controller *graph = NULL;
    tr_status status = read_connectivity(o, &inputs, &parts->connectivity, error);
    if (!status)
        status = load_parts(o, parts, error);
    if (!status)
        status = tr_graph_make(&o->recipe, made_name(o), parts, &graph, error);
    if (!status) {
        tr_graph_made made = {&o->recipe, parts, &inputs, graph, o->run, tr_processor_seconds()};
        made.run.ended_ns = tr_now_ns();
        status = tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, store, &made, error);
    }
    tr_controller_destroy(graph);
    tr_run_inputs_deinit(&inputs);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_status status = tr_command_line_check(&o->command, error);
    if (status)
        return status;
    tr_graph_parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the parts of the graph");
    status = make(o, parts, error);
    tr_graph_parts_deinit(parts);
    free(parts);
    return status;
}

static bool parse_build(int argc, char **argv, void *out) {
    static const maker build = {.takes = " extend candidates trials edges failing learn windows "
                                         "shortest longest rounds hold draws rate short-loss seed"};
    return parse(argc, argv, &build, out);
}

static bool parse_harden(int argc, char **argv, void *out) {
    static const maker harden = {
        .takes = " skills after stay slope trials rounds hold draws rate short-loss seed",
        .changes = true};
    return parse(argc, argv, &harden, out);
}

static bool parse_slopes(int argc, char **argv, void *out) {
    static const maker slopes = {.takes = "", .changes = true, .change = TR_GRAPH_SLOPED};
    return parse(argc, argv, &slopes, out);
}

static bool parse_refit(int argc, char **argv, void *out) {
    static const maker refit = {
        .takes = " with without", .changes = true, .change = TR_GRAPH_REFITTED};
    return parse(argc, argv, &refit, out);
}

static bool parse_loosen(int argc, char **argv, void *out) {
    static const maker loosen = {.takes = " limits", .changes = true, .change = TR_GRAPH_LOOSENED};
    return parse(argc, argv, &loosen, out);
}

static bool parse_shorten(int argc, char **argv, void *out) {
    static const maker shorten = {.takes = " links candidates trials edges hold seed",
                                  .changes = true,
                                  .change = TR_GRAPH_SHORTENED};
    return parse(argc, argv, &shorten, out);
}

#define THREADS "  --threads N           threads (all cores); does not change the result\n"
#define SHORT_LOSS                                                                                 \
    "  --short-loss          a loss costs less in hardening, as in graphs that do not record "     \
    "this\n"
#define CATALOGUE "  --catalogue FILE      read controllers from here, and store the graph\n"

const tr_tool_command tr_tool_graph_build = {
    .name = "build",
    .arguments = "NAME --connectivity FILE --catalogue FILE [--learn] [options]",
    .summary = "find transitions from each skill to the next, as the connectivity file allows",
    .help =
        "Without --learn, fragments whose ends and starts are alike are tried, and those that hold "
        "in\n"
        "every trial are kept. With --learn, chains between cyclic skills are blended from both "
        "and\n"
        "hardened until every trial holds.\n"
        "\n"
        "The connectivity file, line by line:\n"
        "  skill NAME       a controller of the catalogue; a graph begins with the first\n"
        "  turn NAME        a skill; the graph uses it for far headings\n"
        "  edge FROM TO     TO may follow FROM\n"
        "  both ONE OTHER   either may follow the other; without edges every skill follows every "
        "other\n"
        "  stay NAME N      add N fragments of the skill NAME to the learned transitions to it\n"
        "\n" CATALOGUE "  --learn               learn chains between cyclic skills\n"
        "  --extend GRAPH,...    reuse transitions of these graphs between unchanged skills\n"
        "  --candidates N        direct transitions tried for each pair of skills (60)\n"
        "  --edges N             direct transitions kept for each pair (6)\n"
        "  --failing N           where none holds, keep the N that held most often, to be\n"
        "                        hardened (0)\n"
        "  --trials N            trials that a transition must hold (200)\n"
        "  --hold S              seconds that the second skill must hold afterwards (6); while a\n"
        "                        chain is hardened it is watched for as long (2.5)\n"
        "  --windows N           blend windows tried for each chain, the nearest first (40)\n"
        "  --shortest N          least fragments of a blend window (2)\n"
        "  --longest N           most fragments of a blend window (8)\n"
        "  --rounds N            most hardening rounds of a chain; 0: as blended (4)\n"
        "  --draws N             start states drawn for a trial, which meets the hardest (1)\n"
        "  --rate R              size of hardening steps (1)\n" SHORT_LOSS
        "  --seed S              seed of everything drawn\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_build,
    .run = run,
};

const tr_tool_command tr_tool_graph_harden = {
    .name = "harden",
    .arguments = "NAME --as NEW --catalogue FILE [--skills NAME,...] [--after NAME,...] [options]",
    .summary = "train a graph's transitions on random walks over it",
    .help =
        "Liu et al. 2015, Guided Learning of Control Graphs, section 5.4.\n"
        "\n" CATALOGUE "  --as NEW              name of the trained graph\n"
        "  --skills NAME,...     train only these transitions. A cyclic skill named here is "
        "trained\n"
        "                        itself: after the chains that lead to it or, if there are none,\n"
        "                        after the direct jumps to it\n"
        "  --after NAME,...      start trials in these cyclic skills\n"
        "  --stay S              most seconds in each skill before (3)\n"
        "  --slope DEG           on slopes of up to DEG degrees; only slope terms change\n"
        "  --rounds N            rounds over all chains (4)\n"
        "  --trials N            trials of a test (200)\n"
        "  --hold S              seconds that the second skill must hold afterwards (3)\n"
        "  --draws N             start states drawn for a trial, which meets the hardest (1)\n"
        "  --rate R              size of the steps (0.3)\n" SHORT_LOSS
        "  --seed S              seed of everything drawn\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_harden,
    .run = run,
};

const tr_tool_command tr_tool_graph_slopes = {
    .name = "slopes",
    .arguments = "NAME --as NEW --catalogue FILE",
    .summary = "give a graph slope terms; on level ground it keeps its bits",
    .help = "Skills take the slope terms of the controllers of their names, transitions those of\n"
            "their skills. 'graph harden --slope' trains them.\n"
            "\n" CATALOGUE "  --as NEW              name of the graph that has them\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_slopes,
    .run = run,
};

const tr_tool_command tr_tool_graph_refit = {
    .name = "refit",
    .arguments = "NAME --as NEW --catalogue FILE --with SKILL=CONTROLLER,... [--without SKILL,...]",
    .summary = "give a graph other controllers for its skills, on the same model or another",
    .help = "Controllers take the places of skills. A cyclic one has the fragments of the skill;\n"
            "one that rises may be of another length. They are of one model, the graph's or one\n"
            "of the same body, as one with limits of torque. The rest is copied, limits set by\n"
            "'graph loosen' too; on another model, harden it afterwards.\n"
            "\n" CATALOGUE "  --as NEW              name of the graph on that model\n"
            "  --with SKILL=CONTROLLER,...  the controllers, and whose places they take\n"
            "  --without SKILL,...   leave out these cyclic skills and their transitions\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_refit,
    .run = run,
};

const tr_tool_command tr_tool_graph_loosen = {
    .name = "loosen",
    .arguments = "NAME --as NEW --catalogue FILE --limits NAME=DISTANCE,...",
    .summary = "set how far off characters may leave skills and take transitions",
    .help =
        "A character leaves a skill once it is within 0.15 of the reference, and\n"
        "otherwise waits for another cycle. A wider limit saves this wait; use 'graph walk' or\n"
        "'graph requests' to see that no transition falls from there.\n"
        "\n"
        "A transition with a limit is taken only within that distance of where it begins.\n"
        "Farther off the character waits for a later cycle; out of a skill at rest the planner\n"
        "goes around the transition.\n"
        "\n" CATALOGUE "  --as NEW              name of the graph that has the limits\n"
        "  --limits NAME=DISTANCE,...  cyclic skills and transitions, and their limits\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_loosen,
    .run = run,
};

const tr_tool_command tr_tool_graph_shorten = {
    .name = "shorten",
    .arguments = "NAME --as NEW --catalogue FILE --links FROM=TO,... [options]",
    .summary = "add direct jumps between skills of a graph",
    .help =
        "Fragments of the two skills whose ends and starts are alike are tried, and those that\n"
        "hold in every trial become transitions. The planner takes them into the skill that\n"
        "is requested; on the way to another skill it takes the learned transition.\n"
        "Nothing else changes. Use 'graph walk' to see that no walk falls more often.\n"
        "\n" CATALOGUE "  --as NEW              name of the graph that has the jumps\n"
        "  --links FROM=TO,...   cyclic skills\n"
        "  --candidates N        direct transitions tried for each pair of skills (60)\n"
        "  --edges N             direct transitions kept for each pair (6)\n"
        "  --trials N            trials that a transition must hold (200)\n"
        "  --hold S              seconds that the second skill must hold afterwards (6)\n"
        "  --seed S              seed of everything drawn\n" THREADS,
    .shares = true,
    .options = sizeof(options),
    .parse = parse_shorten,
    .run = run,
};
