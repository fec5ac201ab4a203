#include "tools/frame/command_line.h"

#include "tools/frame/circumstances.h"

void tr_command_line_read(tr_command_line *line, int argc, char **argv) {
    line->unfit = (tr_error){0};
    (void)!tr_describe_command(argc, argv, line->text, sizeof line->text, &line->unfit);
}

tr_status tr_command_line_check(const tr_command_line *line, tr_error *error) {
    if (line->unfit.status)
        *error = line->unfit;
    return line->unfit.status;
}
