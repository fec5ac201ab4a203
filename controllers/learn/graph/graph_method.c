#include "learn/method/method.h"

#include "learn/graph/graph_bank.h"
#include "learn/graph/graph_making.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* harden: borrows texts of the making. progress: of hardening, kept by checkpoints. graph: what is
 * hardened, from the first; otherwise NULL until it is made */
typedef struct work {
    tr_graph_making making;
    bool hardens;
    tr_graph_harden_def harden;
    struct {
        tr_graph_harden_place place;
        int rows;
    } progress;
    tr_controller *graph;
} work;

static void destroy(void *given) {
    work *w = given;
    if (!w)
        return;
    tr_controller_destroy(w->graph);
    tr_ensemble_destroy(w->making.ensemble);
    free(w);
}

/* Everything that can be checked before the work. */
static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    work *w = given;
    tr_graph_making *m = &w->making;
    const tr_method_given *parts = tr_graph_parts_of(def), *file = &def->given[0];
    m->settings = *(const tr_graph_settings *)def->settings;
    m->model = def->model;
    m->part = parts->part;
    m->part_count = parts->part_count;
    m->say = def->say;
    snprintf(m->name, sizeof m->name, "%s", def->name);
    w->hardens = strcmp(m->settings.change, "season") == 0;
    tr_status status = TR_OK;
    if (parts != file)
        status =
            tr_connectivity_parse(file->content, file->size, file->name, &m->connectivity, error);
    const bool refits = strcmp(m->settings.change, "refit") == 0;
    const int skills = refits ? parts->part_count - 1 : m->connectivity.skill_count;
    if (!status)
        status = tr_graph_parts_check(&m->settings, parts, skills, error);
    if (!status)
        status = tr_ensemble_create_for(m->model, m->part[0].controller, def->threads, &m->ensemble,
                                        error);
    if (status || !w->hardens)
        return status;
    w->harden = tr_graph_making_hardening(m);
    status = tr_graph_make(m, &w->graph, error);
    if (!status && (status = tr_graph_harden_check(&w->harden, w->graph)))
        status = tr_fail(error, status, "harden: %s", tr_status_text(status));
    return status;
}

/* --- rows --- */

static tr_status make(work *w, tr_method_row *out, tr_error *error) {
    tr_status status = tr_graph_make(&w->making, &w->graph, error);
    if (status)
        return status;
    const tr_control_graph *graph = tr_graph_of(w->graph);
    *out = (tr_method_row){.phase = "made", .iteration = 1, .best = true};
    snprintf(out->text, sizeof out->text, "%s: %d skills, %d fragments, %d edges", w->making.name,
             graph->node_count, graph->bank.fragment_count, graph->edge_count);
    return TR_OK;
}

/* Better: more trials hold than before. What holds less often is undone. */
static tr_status harden(work *w, tr_method_row *out, tr_error *error) {
    tr_graph_harden_row row;
    tr_status status =
        tr_graph_harden(w->making.ensemble, &w->harden, &w->progress.place, w->graph, &row);
    if (status)
        return tr_fail(error, status, "harden: %s", tr_status_text(status));
    tr_graph_making_say_hardened(&w->making, &row);
    *out = (tr_method_row){.phase = "hardened",
                           .iteration = ++w->progress.rows,
                           .best = tr_polish_is_better(row.after, row.before)};
    tr_method_row_add(out, "came", row.before.came);
    tr_method_row_add(out, "held", row.before.held);
    tr_method_row_add(out, "then_came", row.after.came);
    tr_method_row_add(out, "then_held", row.after.held);
    return TR_OK;
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    work *w = given;
    return w->hardens ? harden(w, out, error) : make(w, out, error);
}

static bool is_done(const void *given) {
    const work *w = given;
    tr_graph_harden_place place = w->progress.place;
    tr_graph_transition next;
    return w->hardens ? !tr_graph_harden_next(&w->harden, tr_graph_of(w->graph), &place, &next)
                      : w->graph != NULL;
}

static double share(const void *given) {
    const work *w = given;
    return w->hardens ? tr_graph_harden_share(&w->harden, tr_graph_of(w->graph), w->progress.place)
                      : w->graph != NULL;
}

static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    const work *w = given;
    *out = w->graph;
    return w->graph ? TR_OK : tr_fail(error, TR_FAILED_PRECONDITION, "the graph is not made yet");
}

/* Hardening changes policies alone. Another making begins anew. */
static void list(void *given, tr_blocks *blocks) {
    work *w = given;
    tr_block(blocks, "progress", &w->progress, sizeof w->progress);
    (void)tr_block_require(blocks, "progress",
                           w->progress.place.round >= 0 && w->progress.place.item >= 0);
    const tr_bank *bank = w->hardens ? tr_controller_bank(w->graph) : NULL;
    for (int k = 0; bank && k < bank->fragment_count; k++)
        tr_block(blocks, "policy", &bank->fragment[k].policy, sizeof bank->fragment[k].policy);
}

/* --- commands --- */

static const tr_method_input of_skills[] = {
    {.role = "connectivity",
     .option = "connectivity",
     .word = "FILE",
     .meaning = "which skill follows which",
     .kind = TR_INPUT_FILE,
     .needed = true},
    {.role = "parts", .kind = TR_INPUT_PARTS, .gives_model = true}};
static const tr_method_input of_graph[] = {{.role = "parts",
                                            .word = "GRAPH",
                                            .meaning = "a graph of the catalogue",
                                            .kind = TR_INPUT_PARTS,
                                            .needed = true,
                                            .gives_model = true,
                                            .implies = {"of", NULL}}};

/* Records from before list no short losses. */
#define GRAPH                                                                                      \
    .name = "graph", .settings = &tr_graph_settings_table, .unrecorded = "short-loss = 1",         \
    .skill = TR_GRAPH_BANK_SKILL, .part = tr_graph_parts_name, .size = sizeof(work),               \
    .begin = begin, .advance = advance, .is_done = is_done, .share = share, .best = best,          \
    .list = list, .destroy = destroy
#define CHANGED GRAPH, .named = "--as NEW", .input = of_graph, .input_count = 1

const tr_method tr_graph_build_method = {
    .command = "graph build",
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
    .example = "ways --connectivity gaits.txt --catalogue mine.troupe --learn",
    .preset = "graph = build",
    .options = "learn extend candidates edges failing trials hold windows shortest longest rounds "
               "draws rate short-loss seed",
    .named = "[NAME]",
    .input = of_skills,
    .input_count = 2,
    GRAPH,
};

const tr_method tr_graph_harden_method = {
    .command = "graph harden",
    .summary = "train a graph's transitions on random walks over it",
    .help = "Liu et al. 2015, Guided Learning of Control Graphs, section 5.4.\n",
    .example = "ways --as gaits --catalogue mine.troupe",
    .preset = "graph = season",
    .options = "skills after stay slope rounds trials hold draws rate short-loss seed",
    CHANGED,
};

const tr_method tr_graph_slopes_method = {
    .command = "graph slopes",
    .summary = "give a graph slope terms; on level ground it keeps its bits",
    .help = "Skills take the slope terms of the controllers of their names, transitions those of\n"
            "their skills. 'graph harden --slope' trains them.\n",
    .example = "gaits --as sloping --catalogue mine.troupe",
    .preset = "graph = slopes",
    CHANGED,
};

const tr_method tr_graph_refit_method = {
    .command = "graph refit",
    .summary = "give a graph other controllers for its skills, or skills of another graph",
    .help = "Controllers take the places of skills. A cyclic one has the fragments of the skill;\n"
            "one that rises may be of another length. They are of one model, the graph's or one\n"
            "of the same body, as one with limits of torque. The rest is copied, limits set by\n"
            "'graph loosen' too; on another model, harden it afterwards.\n"
            "\n"
            "A graph adds all skills and transitions that the first one lacks, for example a new\n"
            "skill and its transitions from and to a skill that both have.\n",
    .example = "gaits --as weak --with walk=walk-limited --catalogue mine.troupe",
    .preset = "graph = refit",
    .options = "with without",
    CHANGED,
};

const tr_method tr_graph_loosen_method = {
    .command = "graph loosen",
    .summary = "set how far off characters may leave skills and take transitions",
    .help =
        "A character leaves a skill once it is within 0.15 of the reference, and\n"
        "otherwise waits for another cycle. A wider limit saves this wait; use 'graph walk' or\n"
        "'schedule requests' to see that no transition falls from there.\n"
        "\n"
        "A transition with a limit is taken only within that distance of where it begins.\n"
        "Farther off the character waits for a later cycle; out of a skill at rest the planner\n"
        "goes around the transition.\n",
    .example = "gaits --as sooner --limits walk=0.2 --catalogue mine.troupe",
    .preset = "graph = loosen",
    .options = "limits",
    CHANGED,
};

const tr_method tr_graph_shorten_method = {
    .command = "graph shorten",
    .summary = "add direct jumps between skills of a graph",
    .help =
        "The ends of the first skill's fragments are compared with the starts of the second's, "
        "and\n"
        "of the chains that lead there. Those that are alike are tried, and those that hold in\n"
        "every trial become transitions. The planner takes them into the skill that is\n"
        "requested; on the way to another skill it takes the learned transition.\n"
        "With --skills the old jumps out of these go. Nothing else changes.\n"
        "With --stay most trials play other skills first, as a game does.\n",
    .example = "gaits --as sooner --links stand=walk --catalogue mine.troupe",
    .preset = "graph = shorten",
    .options =
        "links skills without spread settled straight stay candidates edges trials hold seed",
    CHANGED,
};

const tr_method tr_graph_catch_method = {
    .command = "graph catch",
    .summary = "let a standing character step when it is pushed",
    .help =
        "Characters that stand are pushed, and continue in each fragment of --skills in turn.\n"
        "What keeps them up is noted beside their state. A character in a state like that does\n"
        "the same, and returns to standing. Nothing else changes. --trials: pushes.\n",
    .example = "gaits --as steadier --skills walk-slow,walk --trials 300 --catalogue mine.troupe",
    .preset = "graph = catch",
    .options = "skills trials seed",
    CHANGED,
};
