#include "server/daemon/port_file.h"

#include "server/config/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

tr_status tr_port_file_write(const char *option, const char *path, int port, bool *out_written,
                             tr_error *error) {
    char temporary[TR_OPTION_TEXT_MAX + 8];
    if (path[0] == '\0')
        return TR_OK;
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *file = fopen(temporary, "w");
    bool written = file && fprintf(file, "%d\n", port) > 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written || rename(temporary, path) != 0)
        return tr_fail(error, TR_PERMISSION_DENIED, "--%s %s: %s", option, path, strerror(errno));
    *out_written = true;
    return TR_OK;
}
