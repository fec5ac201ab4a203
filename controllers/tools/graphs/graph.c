/* troupe-train graph: control graphs from skills of the catalogue, and random walks over them. */
#include "tools/graphs/graph_tool.h"

static const tr_tool_command *const parts[] = {&tr_tool_graph_walk, &tr_tool_graph_take, NULL};

const tr_tool_command tr_tool_graph = {
    .name = "graph",
    .arguments = "walk | take | build | harden | slopes | refit | loosen | shorten | prune | catch "
                 "[ARGUMENTS]",
    .summary = "join skills into a control graph, train it, and test it by random walks",
    .help =
        "  build     find transitions from each skill to the next\n"
        "  harden    train the transitions on random walks\n"
        "  walk      count the random walks without a fall\n"
        "  slopes    give a graph slope terms\n"
        "  refit     give a graph other controllers for its skills, on the same model or another\n"
        "  loosen    set how far off skills are left and transitions are taken\n"
        "  shorten   add direct jumps between skills\n"
        "  prune     take away the jumps after which characters fall\n"
        "  catch     let a standing character step when it is pushed\n"
        "  take      make a skill of a graph a controller again\n"
        "\n"
        "Graphs go into the catalogue with a record of how they were made.\n"
        "controllers/guide/graphs.md explains more.\n"
        "\n"
        "  printf 'skill walk\\nskill run\\n' > gaits.txt\n"
        "  troupe-train graph build ways --connectivity gaits.txt --catalogue mine.troupe --learn\n"
        "  troupe-train graph harden ways --as gaits --catalogue mine.troupe\n"
        "  troupe-train graph walk gaits --catalogue mine.troupe\n",
    .parts = parts,
};
