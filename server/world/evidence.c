#include "server/world/evidence.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool write_all(int file, const tr_packet *bytes) {
    size_t at = 0;
    while (at < bytes->size) {
        ssize_t written = write(file, bytes->bytes + at, bytes->size - at);
        if (written <= 0)
            return false;
        at += (size_t)written;
    }
    return true;
}

void tr_evidence_keep(const char *folder, uint32_t world, const tr_packet *snapshot,
                      char out_path[TR_EVIDENCE_PATH_MAX]) {
    snprintf(out_path, TR_EVIDENCE_PATH_MAX, "%s/fault-%u.snapshot", folder,
             world % TR_EVIDENCE_MAX);
    int file = open(out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (file < 0 || !write_all(file, snapshot))
        out_path[0] = '\0';
    if (file >= 0)
        close(file);
}
