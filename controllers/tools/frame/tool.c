#include "tools/frame/tool.h"

#include <stdio.h>

int tr_tool_end(const char *command, tr_status status, const tr_error *error) {
    if (!status)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train %s: %s\n", command, error->message);
    return TR_TOOL_FAILED;
}
