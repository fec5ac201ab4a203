/* The daemon's files, signals and memory: names under /disk are on the disk of
 * tests/faults/disk.h. The linker wraps the calls. */
#include "simulated.h"

#include "faults/disk.h"
#include "scheduler.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FIRST = 1 << 20, OPEN_MAX_COUNT = 256, FOLDER = -2, UNUSED = -1 };

static struct {
    struct {
        int file;
        size_t at;
    } open[OPEN_MAX_COUNT];
    bool begun, log;
    int open_count, list_at;
    struct dirent entry;
    char folder[256];
} files;

static bool is_ours(const char *path) {
    return strncmp(path, "/disk", 5) == 0;
}

static int io_error(bool full) {
    errno = full ? ENOSPC : EIO;
    return -1;
}

static int take(int file) {
    if (!files.begun)
        for (int i = 0; i < OPEN_MAX_COUNT; i++)
            files.open[i].file = UNUSED;
    files.begun = true;
    for (int i = 0; i < OPEN_MAX_COUNT; i++)
        if (files.open[i].file == UNUSED) {
            files.open[i].file = file;
            files.open[i].at = 0;
            files.open_count++;
            return FIRST + i;
        }
    abort();
}

bool simulated_files_closed(void) {
    return files.open_count == 0;
}

void simulated_log(bool on) {
    files.log = on;
}

int __wrap_open(const char *path, int flags, ...);
int __real_open(const char *path, int flags, ...);
int __wrap_close(int file);
int __real_close(int file);
ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __real_write(int file, const void *data, size_t size);
ssize_t __wrap_pwrite(int file, const void *data, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *data, size_t size, off_t at);
int __wrap_fsync(int file);
int __wrap_fdatasync(int file);
int __wrap_ftruncate(int file, off_t size);
off_t __wrap_lseek(int file, off_t at, int whence);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags);
int __wrap_unlink(const char *path);
int __real_unlink(const char *path);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);
int __wrap_symlink(const char *target, const char *path);
int __wrap_lstat(const char *path, struct stat *out);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *folder);
int __real_closedir(DIR *folder);
DIR *__wrap_fdopendir(int file);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_stat(const char *path, struct stat *out);
int __real_stat(const char *path, struct stat *out);
int __wrap_fstat(int file, struct stat *out);
int __real_fstat(int file, struct stat *out);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *folder);
int __wrap_closedir(DIR *folder);
int __wrap_flock(int file, int what);
unsigned __wrap_alarm(unsigned seconds);
_Noreturn void __wrap__exit(int status);

int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!is_ours(path))
        return __real_open(path, flags, mode);
    if ((flags & O_DIRECTORY) != 0)
        return take(FOLDER);
    if ((flags & O_EXCL) != 0 && disk_has(path)) {
        errno = EEXIST;
        return -1;
    }
    int file = disk_open(path, (flags & O_CREAT) != 0);
    if (file < 0) {
        errno = file == -1 ? ENOENT : EIO;
        return -1;
    }
    if ((flags & O_TRUNC) != 0 && !disk_resize(file, 0))
        return io_error(true);
    return take(file);
}

int __wrap_close(int file) {
    if (file < FIRST)
        return __real_close(file);
    if (files.open[file - FIRST].file == UNUSED)
        sim_fail("a file is closed twice");
    files.open[file - FIRST].file = UNUSED;
    files.open_count--;
    return 0;
}

ssize_t __wrap_write(int file, const void *data, size_t size) {
    if (file < FIRST && sim_in_fiber() && memmem(data, size, ".failed", 7) &&
        memmem(data, size, ".c:", 3))
        sim_fail("an invariant does not hold: %.*s", (int)size, (const char *)data);
    if (file < FIRST)
        return sim_in_fiber() && !files.log ? (ssize_t)size : __real_write(file, data, size);
    if (size > 1 && sim_one_in(4)) /* it may write a part */
        size = 1 + (size_t)sim_below((int)size);
    ssize_t done = __wrap_pwrite(file, data, size, (off_t)files.open[file - FIRST].at);
    files.open[file - FIRST].at += done > 0 ? (size_t)done : 0;
    return done;
}

ssize_t __wrap_pwrite(int file, const void *data, size_t size, off_t at) {
    if (!disk_write(files.open[file - FIRST].file, (size_t)at, data, size))
        return io_error(true);
    return (ssize_t)size;
}

ssize_t __wrap_pread(int file, void *data, size_t size, off_t at) {
    return (ssize_t)disk_read(files.open[file - FIRST].file, (size_t)at, data, size);
}

int __wrap_fsync(int file) {
    int at = files.open[file - FIRST].file;
    return (at == FOLDER ? disk_sync_folders() : disk_sync(at)) ? 0 : io_error(false);
}

int __wrap_fdatasync(int file) {
    return __wrap_fsync(file);
}

int __wrap_ftruncate(int file, off_t size) {
    return disk_resize(files.open[file - FIRST].file, (size_t)size) ? 0 : io_error(true);
}

off_t __wrap_lseek(int file, off_t at, int whence) {
    (void)whence;
    files.open[file - FIRST].at = (size_t)at;
    return at;
}

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags) {
    (void)from_folder, (void)to_folder, (void)flags;
    if (disk_has(to)) {
        errno = EEXIST;
        return -1;
    }
    return disk_rename(from, to) ? 0 : io_error(false);
}

int __wrap_unlink(const char *path) {
    if (!is_ours(path))
        return __real_unlink(path);
    if (disk_has(path))
        return disk_delete(path) ? 0 : io_error(false);
    errno = ENOENT;
    return -1;
}

int __wrap_mkdir(const char *path, mode_t mode) {
    (void)path, (void)mode;
    return 0;
}

static int describe(struct stat *out, mode_t mode, size_t size) {
    *out = (struct stat){.st_mode = mode, .st_size = (off_t)size};
    return 0;
}

int __wrap_stat(const char *path, struct stat *out) {
    if (!is_ours(path))
        return __real_stat(path, out);
    if (disk_has(path))
        return describe(out, S_IFREG | 0640, disk_size(disk_open(path, false)));
    errno = ENOENT;
    return -1;
}

int __wrap_fstat(int file, struct stat *out) {
    return file < FIRST ? __real_fstat(file, out)
                        : describe(out, S_IFREG | 0640, disk_size(files.open[file - FIRST].file));
}

/* The folder of a training is kept by no one: nothing continues it. */
FILE *__wrap_fopen(const char *path, const char *mode) {
    errno = ENOENT;
    return !is_ours(path)   ? __real_fopen(path, mode)
           : mode[0] == 'w' ? __real_fopen("/dev/null", mode)
                            : NULL;
}

int __wrap_symlink(const char *target, const char *path) {
    (void)target, (void)path;
    return 0;
}

int __wrap_lstat(const char *path, struct stat *out) {
    return __wrap_stat(path, out);
}

DIR *__wrap_fdopendir(int file) {
    (void)file;
    return NULL;
}

DIR *__wrap_opendir(const char *path) {
    if (!is_ours(path))
        return __real_opendir(path);
    snprintf(files.folder, sizeof files.folder, "%s/", path);
    files.list_at = 0;
    return (DIR *)&files;
}

struct dirent *__wrap_readdir(DIR *folder) {
    size_t length = strlen(files.folder);
    if (folder != (DIR *)&files)
        return __real_readdir(folder);
    for (const char *name; (name = disk_name(files.list_at));) {
        files.list_at++;
        if (strncmp(name, files.folder, length) != 0)
            continue;
        snprintf(files.entry.d_name, sizeof files.entry.d_name, "%.200s", name + length);
        return &files.entry;
    }
    return NULL;
}

int __wrap_closedir(DIR *folder) {
    return folder != (DIR *)&files ? __real_closedir(folder) : 0;
}

int __wrap_flock(int file, int what) {
    (void)file, (void)what;
    return 0;
}

unsigned __wrap_alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}

_Noreturn void __wrap__exit(int status) {
    sim_fail("the daemon abandons its end, with status %d", status);
}
