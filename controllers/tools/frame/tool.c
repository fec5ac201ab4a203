#include "tools/frame/tool.h"

#include "physics/world.h"

#include <stdio.h>
#include <stdlib.h>

int tr_tool_end(const char *command, tr_status status, const tr_error *error) {
    if (!status)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train %s: %s\n", command, error->message);
    return TR_TOOL_FAILED;
}

int tr_tool_exec(const tr_tool_command *command, int argc, char **argv) {
    tr_error error = {0};
    if (command->exec)
        return command->exec(argc, argv);
    void *options = calloc(1, command->options);
    if (!options) {
        fprintf(stderr, "troupe-train %s: no memory\n", argv[0]);
        return TR_TOOL_FAILED;
    }
    int code = TR_TOOL_USAGE;
    tr_physics_init();
    if (command->parse(argc, argv, options))
        code = tr_tool_end(argv[0], command->run(options, &error), &error);
    free(options);
    return code;
}
