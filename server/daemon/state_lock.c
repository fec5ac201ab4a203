#include "server/daemon/state_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static long holder_of(int fd) {
    char text[32] = {0};
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    return size > 0 ? strtol(text, NULL, 10) : 0;
}

tr_status tr_state_lock_take(const char *folder, int *out, tr_error *error) {
    char path[2048], text[32];
    if (snprintf(path, sizeof path, "%s/lock", folder) >= (int)sizeof path)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--state-dir: the path is too long");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd < 0)
        return tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", path, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        long holder = holder_of(fd);
        close(fd);
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "--state-dir %s: in use by another trouped, process %ld", folder, holder);
    }
    int size = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)size, 0) != size) {
        tr_status status = tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", path, strerror(errno));
        close(fd);
        return status;
    }
    *out = fd;
    return TR_OK;
}

void tr_state_lock_release(int lock) {
    if (lock >= 0)
        close(lock);
}
