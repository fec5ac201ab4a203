#include "db/store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The new name is on disk when its folder is synced. */
tr_status tr_file_replace(const char *partial, const char *path, tr_error *error) {
    if (rename(partial, path) != 0)
        return tr_fail(error, TR_UNAVAILABLE, "%s: %s", path, strerror(errno));
    char *copy = strdup(path);
    int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    free(copy);
    return synced ? TR_OK : tr_fail(error, TR_UNAVAILABLE, "%s: its folder cannot be synced", path);
}
