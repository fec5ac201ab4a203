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

static void describe(const tr_command_line *command, tr_run_row *run) {
    *run = (tr_run_row){.started_ns = tr_now_ns()};
    tr_describe_host(run->host, sizeof run->host);
    snprintf(run->code_version, sizeof run->code_version, "%s", TR_CODE_VERSION);
    memcpy(run->command, command->text, sizeof run->command);
}

static tr_status check(void *given, tr_error *error) {
    options *o = given;
    (void)error;
    describe(&o->command, &o->run);
    o->run.threads = o->threads;
    o->recipe.of = o->becomes ? o->name : NULL;
    return TR_OK;
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

/* Rows that several commands have. */
#define CATALOGUE                                                                                  \
    {                                                                                              \
        "--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),                          \
            "read controllers from here, and store the graph", .needed = true                      \
    }
#define AS                                                                                         \
    {                                                                                              \
        "--as NEW", TR_OPTION_TEXT, offsetof(options, becomes), "name of the new graph", 1,        \
            TR_NAME_MAX - 1, .needed = true                                                        \
    }
#define CANDIDATES                                                                                 \
    {                                                                                              \
        "--candidates N", TR_OPTION_COUNT, offsetof(options, recipe.candidates),                   \
            "direct transitions tried for each pair of skills (60)", 1, TR_GRAPH_CANDIDATE_MAX     \
    }
#define EDGES                                                                                      \
    {                                                                                              \
        "--edges N", TR_OPTION_COUNT, offsetof(options, recipe.edges),                             \
            "direct transitions kept for each pair (6)", 1, 100                                    \
    }
#define TRIALS                                                                                     \
    {                                                                                              \
        "--trials N", TR_OPTION_COUNT, offsetof(options, recipe.trials),                           \
            "trials that a transition must hold, or of a test (200)", 1, 1000                      \
    }
#define DRAWS                                                                                      \
    {                                                                                              \
        "--draws N", TR_OPTION_COUNT, offsetof(options, recipe.draws),                             \
            "start states drawn for a trial, which meets the hardest (1)", 1, 1000                 \
    }
#define SHORT_LOSS                                                                                 \
    {                                                                                              \
        "--short-loss", TR_OPTION_FLAG, offsetof(options, recipe.short_loss),                      \
            "a loss costs less in hardening, as in graphs that do not record this"                 \
    }
#define SEED                                                                                       \
    { "--seed S", TR_OPTION_SEED, offsetof(options, recipe.seed), "seed of everything drawn" }

static void preset_build(void *out) {
    options *o = out;
    o->recipe = tr_graph_recipe_default();
}

static const tr_argument build_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "of the new graph", 1, TR_NAME_MAX - 1},
    CATALOGUE,
    {"--connectivity FILE", TR_OPTION_TEXT, offsetof(options, connectivity),
     "which skill follows which", .needed = true},
    {"--learn", TR_OPTION_FLAG, offsetof(options, recipe.learns),
     "learn chains between cyclic skills"},
    {"--extend GRAPH,...", TR_OPTION_TEXT, offsetof(options, recipe.extends),
     "reuse transitions of these graphs between unchanged skills"},
    CANDIDATES,
    EDGES,
    {"--failing N", TR_OPTION_COUNT, offsetof(options, recipe.failing),
     "where none holds, keep the N that held most often, to be hardened (0)", 0, 100},
    TRIALS,
    {"--hold S", TR_OPTION_NUMBER, offsetof(options, recipe.hold_s),
     "seconds that the second skill must hold afterwards (6); while a chain is hardened it is "
     "watched for as long (2.5)",
     0.1, 600},
    {"--windows N", TR_OPTION_COUNT, offsetof(options, recipe.windows),
     "blend windows tried for each chain, the nearest first (40)", 1, 10000},
    {"--shortest N", TR_OPTION_COUNT, offsetof(options, recipe.shortest),
     "least fragments of a blend window (2)", 1, TR_BLEND_FRAGMENT_MAX},
    {"--longest N", TR_OPTION_COUNT, offsetof(options, recipe.longest),
     "most fragments of a blend window (8)", 1, TR_BLEND_FRAGMENT_MAX},
    {"--rounds N", TR_OPTION_COUNT, offsetof(options, recipe.rounds),
     "most hardening rounds of a chain; 0: as blended (4)", 0, 100},
    DRAWS,
    {"--rate R", TR_OPTION_NUMBER, offsetof(options, recipe.rate), "size of hardening steps (1)",
     0.01, 10},
    SHORT_LOSS,
    SEED,
    TR_TOOL_THREADS(options, threads),
    {0}};

static const tr_argument harden_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph that is trained", 1,
     TR_NAME_MAX - 1},
    CATALOGUE,
    AS,
    {"--skills NAME,...", TR_OPTION_TEXT, offsetof(options, recipe.skills),
     "train only these transitions. A cyclic skill named here is trained itself: after the chains "
     "that lead to it or, if there are none, after the direct jumps to it"},
    {"--after NAME,...", TR_OPTION_TEXT, offsetof(options, recipe.after),
     "start trials in these cyclic skills"},
    {"--stay S", TR_OPTION_NUMBER, offsetof(options, recipe.dwell_s),
     "most seconds in each skill before (3)", 0.1, 60},
    {"--slope DEG", TR_OPTION_NUMBER, offsetof(options, recipe.slope_deg),
     "on slopes of up to DEG degrees; only slope terms change", 0.1, 30},
    {"--rounds N", TR_OPTION_COUNT, offsetof(options, recipe.rounds), "rounds over all chains (4)",
     1, 100},
    TRIALS,
    {"--hold S", TR_OPTION_NUMBER, offsetof(options, recipe.hold_s),
     "seconds that the second skill must hold afterwards (3)", 0.1, 600},
    DRAWS,
    {"--rate R", TR_OPTION_NUMBER, offsetof(options, recipe.rate), "size of the steps (0.3)", 0.01,
     10},
    SHORT_LOSS,
    SEED,
    TR_TOOL_THREADS(options, threads),
    {0}};

static void preset_slopes(void *out) {
    options *o = out;
    o->recipe = tr_graph_recipe_default();
    o->recipe.change = TR_GRAPH_SLOPED;
}

static const tr_argument slopes_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph", 1, TR_NAME_MAX - 1},
    CATALOGUE,
    AS,
    TR_TOOL_THREADS(options, threads),
    {0}};

static void preset_refit(void *out) {
    options *o = out;
    o->recipe = tr_graph_recipe_default();
    o->recipe.change = TR_GRAPH_REFITTED;
}

static const tr_argument refit_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph", 1, TR_NAME_MAX - 1},
    CATALOGUE,
    AS,
    {"--with SKILL=CONTROLLER,...", TR_OPTION_TEXT, offsetof(options, recipe.with),
     "the controllers, and whose places they take", .needed = true},
    {"--without SKILL,...", TR_OPTION_TEXT, offsetof(options, recipe.without),
     "leave out these cyclic skills and their transitions"},
    TR_TOOL_THREADS(options, threads),
    {0}};

static void preset_loosen(void *out) {
    options *o = out;
    o->recipe = tr_graph_recipe_default();
    o->recipe.change = TR_GRAPH_LOOSENED;
}

static const tr_argument loosen_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph", 1, TR_NAME_MAX - 1},
    CATALOGUE,
    AS,
    {"--limits NAME=DISTANCE,...", TR_OPTION_TEXT, offsetof(options, recipe.limits),
     "cyclic skills and transitions, and their limits", .needed = true},
    TR_TOOL_THREADS(options, threads),
    {0}};

static void preset_shorten(void *out) {
    options *o = out;
    o->recipe = tr_graph_recipe_default();
    o->recipe.change = TR_GRAPH_SHORTENED;
}

static const tr_argument shorten_rows[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph", 1, TR_NAME_MAX - 1},
    CATALOGUE,
    AS,
    {"--links FROM=TO,...", TR_OPTION_TEXT, offsetof(options, recipe.links),
     "pairs of cyclic skills (all ordered pairs; those that find no jump stay as they are)"},
    {"--spread", TR_OPTION_FLAG, offsetof(options, recipe.spread),
     "try jumps out of every part of a skill, not only where the skills are nearest"},
    CANDIDATES,
    EDGES,
    TRIALS,
    {"--hold S", TR_OPTION_NUMBER, offsetof(options, recipe.hold_s),
     "seconds that the second skill must hold afterwards (6)", 0.1, 600},
    SEED,
    TR_TOOL_THREADS(options, threads),
    {0}};

const tr_tool_command tr_tool_graph_build = {
    .name = "build",
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
        "  stay NAME N      add N fragments of the skill NAME to the learned transitions to it\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = build_rows,
    .preset = preset_build,
    .check = check,
    .run = run,
};

const tr_tool_command tr_tool_graph_harden = {
    .name = "harden",
    .summary = "train a graph's transitions on random walks over it",
    .help = "Liu et al. 2015, Guided Learning of Control Graphs, section 5.4.\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = harden_rows,
    .preset = preset_build,
    .check = check,
    .run = run,
};

const tr_tool_command tr_tool_graph_slopes = {
    .name = "slopes",
    .summary = "give a graph slope terms; on level ground it keeps its bits",
    .help = "Skills take the slope terms of the controllers of their names, transitions those of\n"
            "their skills. 'graph harden --slope' trains them.\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = slopes_rows,
    .preset = preset_slopes,
    .check = check,
    .run = run,
};

const tr_tool_command tr_tool_graph_refit = {
    .name = "refit",
    .summary = "give a graph other controllers for its skills, on the same model or another",
    .help = "Controllers take the places of skills. A cyclic one has the fragments of the skill;\n"
            "one that rises may be of another length. They are of one model, the graph's or one\n"
            "of the same body, as one with limits of torque. The rest is copied, limits set by\n"
            "'graph loosen' too; on another model, harden it afterwards.\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = refit_rows,
    .preset = preset_refit,
    .check = check,
    .run = run,
};

const tr_tool_command tr_tool_graph_loosen = {
    .name = "loosen",
    .summary = "set how far off characters may leave skills and take transitions",
    .help =
        "A character leaves a skill once it is within 0.15 of the reference, and\n"
        "otherwise waits for another cycle. A wider limit saves this wait; use 'graph walk' or\n"
        "'graph requests' to see that no transition falls from there.\n"
        "\n"
        "A transition with a limit is taken only within that distance of where it begins.\n"
        "Farther off the character waits for a later cycle; out of a skill at rest the planner\n"
        "goes around the transition.\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = loosen_rows,
    .preset = preset_loosen,
    .check = check,
    .run = run,
};

const tr_tool_command tr_tool_graph_shorten = {
    .name = "shorten",
    .summary = "add direct jumps between skills of a graph",
    .help =
        "Fragments of the two skills whose ends and starts are alike are tried, and those that\n"
        "hold in every trial become transitions. The planner takes them into the skill that\n"
        "is requested; on the way to another skill it takes the learned transition.\n"
        "Nothing else changes. Use 'graph walk' to see that no walk falls more often.\n",
    .shares = true,
    .options = sizeof(options),
    .line = offsetof(options, command),
    .argument = shorten_rows,
    .preset = preset_shorten,
    .check = check,
    .run = run,
};
