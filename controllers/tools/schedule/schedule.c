/* troupe-train schedule: networks that choose which control fragment comes next. */
#include "tools/frame/tool.h"

static const tr_tool_command *const parts[] = {&tr_tool_schedule_test, &tr_tool_schedule_requests,
                                               NULL};

const tr_tool_command tr_tool_schedule = {
    .name = "schedule",
    .arguments = "learn | test | requests [ARGUMENTS]",
    .summary = "learn and test networks that choose the next control fragment",
    .help =
        "A scheduler chooses ten times a second which fragment of a controller comes next\n"
        "(Liu and Hodgins 2017). controllers/guide/scheduling.md explains the\n"
        "method and names a United States patent on it.\n\n"
        "  troupe-train schedule learn locomotion --catalogue mine.troupe --name steady\n"
        "  troupe-train schedule test steady --catalogue mine.troupe --push 100:300:50\n"
        "  troupe-train schedule requests stunts --catalogue mine.troupe --skills stand,backflip\n",
    .parts = parts,
};
