#include "server/daemon/port_file.h"

#include "proto/sink.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tr_status tr_port_file_write(tr_port_file *file, const char *option, const char *path, int port,
                             tr_error *error) {
    char text[16];
    tr_error inner = {0};
    if (path[0] == '\0')
        return TR_OK;
    snprintf(text, sizeof text, "%d\n", port);
    if (tr_sink_write(path, text, strlen(text), &inner))
        return tr_fail(error, TR_PERMISSION_DENIED, "--%s %s", option, inner.message);
    file->path = path;
    return TR_OK;
}

void tr_port_file_remove(const tr_port_file *file) {
    struct stat about;
    if (file->path && lstat(file->path, &about) == 0 && S_ISREG(about.st_mode))
        (void)unlink(file->path);
}
