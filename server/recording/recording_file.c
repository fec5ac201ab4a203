#include "server/recording/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tr_status failed(tr_error *error) {
    tr_status status = errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? TR_RESOURCE_EXHAUSTED
                       : errno == ENOENT                                    ? TR_NOT_FOUND
                       : errno == EEXIST                                    ? TR_ALREADY_EXISTS
                                                                            : TR_UNAVAILABLE;
    return tr_fail(error, status, "recording: %s", strerror(errno));
}

tr_status tr_recording_file_write(int file, const tr_packet *bytes, tr_error *error) {
    for (size_t at = 0; at < bytes->size;) {
        ssize_t written = write(file, bytes->bytes + at, bytes->size - at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return failed(error);
        at += (size_t)written;
    }
    return TR_OK;
}

tr_status tr_recording_file_sync(int file, tr_error *error) {
    return fdatasync(file) == 0 ? TR_OK : failed(error);
}

tr_status tr_recording_file_sync_folder(const char *folder, tr_error *error) {
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return failed(error);
    tr_status status = fsync(file) == 0 ? TR_OK : failed(error);
    close(file);
    return status;
}

tr_status tr_recording_file_extend(const char *path, uint64_t offset, const tr_packet *bytes,
                                   tr_error *error) {
    int flags = O_WRONLY | O_CLOEXEC | (offset == 0 ? O_CREAT | O_TRUNC : 0);
    int file = open(path, flags, 0640);
    if (file < 0)
        return failed(error);
    tr_status status = lseek(file, (off_t)offset, SEEK_SET) < 0
                           ? failed(error)
                           : tr_recording_file_write(file, bytes, error);
    close(file);
    return status;
}

tr_status tr_recording_file_adopt(const char *path, uint64_t size, const char *final_path,
                                  tr_error *error) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return failed(error);
    bool done = ftruncate(file, (off_t)size) == 0 && fdatasync(file) == 0 &&
                renameat2(AT_FDCWD, path, AT_FDCWD, final_path, RENAME_NOREPLACE) == 0;
    tr_status status = done ? TR_OK : failed(error);
    close(file);
    return status;
}

/* Reads as many bytes as there are; *out_size: their number. */
static tr_status read_at(int file, uint64_t offset, tr_packet *into, size_t *out_size,
                         tr_error *error) {
    size_t at = 0;
    while (at < into->size) {
        ssize_t got = pread(file, into->bytes + at, into->size - at, (off_t)(offset + at));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed(error);
        if (got == 0)
            break;
        at += (size_t)got;
    }
    *out_size = at;
    return TR_OK;
}

static tr_status read_part(int file, uint64_t offset, size_t size, tr_packet **out,
                           tr_error *error) {
    tr_packet *packet = tr_packet_create(size);
    size_t got = 0;
    if (!packet)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = read_at(file, offset, packet, &got, error);
    if (status) {
        tr_packet_release(packet);
        return status;
    }
    packet->size = got;
    *out = packet;
    return TR_OK;
}

static tr_status open_file(const char *path, int *out, uint64_t *out_size, tr_error *error) {
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO would wait for a writer */
    if (file < 0)
        return failed(error);
    tr_status status = TR_OK;
    if (fstat(file, &info) != 0)
        status = failed(error);
    else if (!S_ISREG(info.st_mode))
        status = tr_fail(error, TR_OUT_OF_RANGE, "recording: not a regular file");
    else if (info.st_size > TR_RECORDING_BYTES_MAX)
        status = tr_fail(error, TR_OUT_OF_RANGE, "recording: more than %d bytes",
                         TR_RECORDING_BYTES_MAX);
    if (status) {
        close(file);
        return status;
    }
    *out = file;
    *out_size = (uint64_t)info.st_size;
    return TR_OK;
}

tr_status tr_recording_file_read(const char *path, uint64_t offset, size_t size, tr_packet **out,
                                 uint64_t *out_size, tr_error *error) {
    int file = -1;
    tr_status status = open_file(path, &file, out_size, error);
    if (status)
        return status;
    uint64_t left = offset < *out_size ? *out_size - offset : 0;
    status = read_part(file, offset, left < size ? (size_t)left : size, out, error);
    close(file);
    return status;
}

tr_status tr_recording_file_glance(const char *path, tr_recording_info *out, uint64_t *out_size,
                                   tr_error *error) {
    int file = -1;
    tr_packet *head = NULL, *tail = NULL;
    tr_status status = open_file(path, &file, out_size, error);
    if (status)
        return status;
    uint64_t at = *out_size > TR_END_CHUNK_SIZE ? *out_size - TR_END_CHUNK_SIZE : 0;
    status = read_part(file, 0, TR_RECORDING_HEAD_SIZE, &head, error);
    if (!status)
        status = read_part(file, at, TR_END_CHUNK_SIZE, &tail, error);
    if (!status)
        status = tr_recording_glance(head, tail, out, error);
    tr_packet_release(head);
    tr_packet_release(tail);
    close(file);
    return status;
}
