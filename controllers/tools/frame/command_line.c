#include "tools/frame/command_line.h"

#include <stdio.h>

void tr_command_line_read(tr_command_line *line, int argc, char **argv) {
    const size_t capacity = sizeof line->text;
    size_t used = (size_t)snprintf(line->text, capacity, "troupe-train");
    for (int i = 0; i < argc && used < capacity; i++)
        used += (size_t)snprintf(line->text + used, capacity - used, " %s", argv[i]);
    line->unfit = (tr_error){0};
    if (used >= capacity)
        tr_fail(&line->unfit, TR_INVALID_ARGUMENT,
                "the command has more than %zu bytes, too long for its record; use shorter paths",
                capacity - 1);
}

tr_status tr_command_line_check(const tr_command_line *line, tr_error *error) {
    if (line->unfit.status)
        *error = line->unfit;
    return line->unfit.status;
}
