/* troupe-train balance: feedback that keeps a character on an object that rolls. */
#include "tools/frame/tool.h"

static const tr_tool_command *const parts[] = {&tr_tool_balance_test, NULL};

const tr_tool_command tr_tool_balance = {
    .name = "balance",
    .arguments = "learn | momentum | skate | board | walk | test [ARGUMENTS]",
    .summary = "learn and test feedback that balances on boards and balls",
    .help = "A balance holds one stance on an object that its characters bring along, and turns\n"
            "ankles, hips and waist by linear feedback a hundred times a second.\n"
            "Those that momentum, skate, board and walk make compute torques instead, and learn\n"
            "nothing. controllers/guide/balance.md explains the methods.\n\n"
            "  troupe-train balance learn --catalogue mine.troupe --name bongo \\\n"
            "    --task controllers/recipes/balance/bongo.task\n"
            "  troupe-train balance test bongo --catalogue mine.troupe --push 0:10:5\n",
    .parts = parts,
};
