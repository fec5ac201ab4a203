/* troupe-train gait: state-machine gaits that lean into the forces they feel. */
#include "tools/frame/tool.h"

static const tr_tool_command *const parts[] = {&tr_tool_gait_compare, &tr_tool_gait_evaluate, NULL};

const tr_tool_command tr_tool_gait = {
    .name = "gait",
    .arguments = "learn | compare | evaluate [ARGUMENTS]",
    .summary = "learn and measure walks that lean into the forces they feel",
    .help =
        "A gait is a state machine of four keyframes whose parameters depend on the force that "
        "the\n"
        "character feels (Shum et al.). controllers/guide/gaits.md explains the method.\n\n"
        "  learn      from a walk of motion capture to a curve of gaits over the force\n"
        "  compare    its samples in few dimensions, and ways of interpolating between its gaits\n"
        "  evaluate   what a trained curve survives\n"
        "\n"
        "  troupe-train gait learn walk.json --catalogue mine.troupe --name my-walk "
        "--checkpoint walk.gait\n"
        "  troupe-train gait evaluate my-walk --catalogue mine.troupe\n",
    .parts = parts,
};
