#include "proto/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_denied(void) {
    return errno == EACCES || errno == EPERM || errno == EROFS;
}

static tr_status fail(const tr_sink *sink, tr_error *error) {
    tr_status status = errno == ENOENT || errno == ENOTDIR ? TR_NOT_FOUND
                       : is_denied()                       ? TR_PERMISSION_DENIED
                                                           : TR_UNAVAILABLE;
    return tr_fail(error, status, "%s: cannot be written: %s", sink->shown, strerror(errno));
}

/* --- standard output and other open files --- */

/* The descriptor that a path names, or -1: opening such a path again would begin at the start of a
 * file, or fail for a socket. */
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && path[length] &&
            strspn(path + length, "0123456789") == strlen(path + length))
            return atoi(path + length);
    }
    return -1;
}

/* Standard output as it was when the program began. Later prints go to standard error. */
static int take_standard_output(void) {
    static int taken = -1;
    if (taken < 0) {
        (void)fflush(stdout);
        taken = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (taken >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
            return -1;
    }
    return taken;
}

static int open_descriptor(int descriptor) {
    if (descriptor == STDOUT_FILENO)
        descriptor = take_standard_output();
    return descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* --- files --- */

/* A new file in the folder of sink->place, with the rights of the file that it will replace. */
static int open_beside(tr_sink *sink, const struct stat *old) {
    char folder[TR_SINK_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", sink->place);
    const char *within = dirname(folder);
    for (int i = 0; i < 100; i++) {
        int length = snprintf(sink->beside, sizeof sink->beside, "%s/.troupe-%ld-%d.new", within,
                              (long)getpid(), i);
        if (length >= (int)sizeof sink->beside) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(sink->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 && old)
            (void)fchmod(file, old->st_mode & 07777); /* another owner's file keeps no rights */
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Where a replacing file goes: the end of all links. False: write through. */
static bool find_place(tr_sink *sink, const char *path, const struct stat *old) {
    struct stat link;
    if (!old) /* a link to nothing makes the file that it names */
        return lstat(path, &link) != 0 &&
               snprintf(sink->place, sizeof sink->place, "%s", path) < (int)sizeof sink->place;
    if (!S_ISREG(old->st_mode) || old->st_nlink > 1)
        return false;
    char *real = realpath(path, NULL);
    bool found =
        real && snprintf(sink->place, sizeof sink->place, "%s", real) < (int)sizeof sink->place;
    free(real);
    return found;
}

static int open_path(tr_sink *sink, const char *path) {
    struct stat about;
    const struct stat *old = stat(path, &about) == 0 ? &about : NULL;
    int descriptor = descriptor_of(path), file = -1;
    if (descriptor >= 0)
        return open_descriptor(descriptor);
    if (find_place(sink, path, old))
        file = open_beside(sink, old);
    bool closed_folder = file < 0 && old && is_denied();
    if (file >= 0 || (sink->place[0] && !closed_folder))
        return file;
    /* Written through: not a plain file, or one in a folder that takes no new files. */
    sink->place[0] = sink->beside[0] = '\0';
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

tr_status tr_sink_open(tr_sink *sink, const char *path, tr_error *error) {
    *sink = (tr_sink){0};
    snprintf(sink->shown, sizeof sink->shown, "%s", path);
    if (path[0] == '\0')
        return tr_fail(error, TR_INVALID_ARGUMENT, "'': expected the path of a file, or -");
    if (strlen(path) >= TR_SINK_PATH_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s...: the path is too long", sink->shown);
    int file = open_path(sink, path);
    if (file < 0)
        return fail(sink, error);
    sink->file = fdopen(file, "wb");
    if (sink->file)
        return TR_OK;
    tr_status status = fail(sink, error);
    close(file);
    if (sink->place[0])
        (void)unlink(sink->beside);
    return status;
}

/* The new name is on disk when its folder is synced; some file systems sync no folders. */
bool tr_file_replace(const char *partial, const char *path) {
    char folder[TR_SINK_PATH_MAX];
    if (rename(partial, path) != 0)
        return false;
    snprintf(folder, sizeof folder, "%s", path);
    int opened = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        (void)fsync(opened);
        close(opened);
    }
    return true;
}

tr_status tr_sink_close(tr_sink *sink, tr_status so_far, tr_error *error) {
    if (!sink->file)
        return so_far;
    bool written = !ferror(sink->file) && fflush(sink->file) == 0;
    if (written && !so_far && sink->place[0])
        written = fsync(fileno(sink->file)) == 0;
    int reason = errno;
    if (fclose(sink->file) != 0 && written) {
        written = false;
        reason = errno;
    }
    sink->file = NULL;
    if (!so_far && written && (!sink->place[0] || tr_file_replace(sink->beside, sink->place)))
        return TR_OK;
    errno = written && !so_far ? errno : reason;
    tr_status status = so_far ? so_far : fail(sink, error);
    if (sink->place[0])
        (void)unlink(sink->beside);
    return status;
}

tr_status tr_sink_write(const char *path, const void *data, size_t size, tr_error *error) {
    tr_sink sink;
    tr_status status = tr_sink_open(&sink, path, error);
    if (status)
        return status;
    (void)fwrite(data, 1, size, sink.file); /* a failure stays in the file's error flag */
    return tr_sink_close(&sink, TR_OK, error);
}

/* --- the end of standard output --- */

tr_status tr_standard_output_flush(tr_error *error) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return TR_OK;
    return tr_fail(error, TR_UNAVAILABLE, "cannot write to standard output%s%s", errno ? ": " : "",
                   errno ? strerror(errno) : "");
}

int tr_standard_output_end(const char *program, int code) {
    tr_error error = {0};
    if (!tr_standard_output_flush(&error) || code)
        return code;
    fprintf(stderr, "%s: %s\n", program, error.message);
    return TR_EXIT_OUTPUT;
}
