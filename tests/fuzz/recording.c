/* Recordings from arbitrary bytes: an error, or one that can be read through, glanced at, replayed
 * and verified. Checksums are corrected first, because no fuzzer guesses them. */
#include "fuzz/target.h"

#include "fuzz/recorded.h"
#include "server/recording/replay.h"
#include "server/requests/commands/commands.h"

#include <stdlib.h>
#include <string.h>

enum { ADVANCES_MAX = 64, SIZE_MAX_READ = 1 << 20 };

static void seal(tr_packet *bytes) {
    size_t at = TR_RECORDING_MAGIC_SIZE;
    uint32_t size;
    for (; at + TR_CHUNK_HEAD_SIZE < bytes->size; at += TR_CHUNK_HEAD_SIZE + size) {
        memcpy(&size, bytes->bytes + at, sizeof size);
        if (size > bytes->size - at - TR_CHUNK_HEAD_SIZE)
            return;
        uint32_t checksum = tr_chunk_checksum(bytes->bytes + at + TR_CHUNK_HEAD_SIZE, size);
        memcpy(bytes->bytes + at + 4, &checksum, sizeof checksum);
    }
}

static void read_through(const tr_recording *recording) {
    tr_recording_cursor cursor = {TR_RECORDING_MAGIC_SIZE, 0};
    tr_record record;
    int64_t steps = 0;
    while (tr_recording_next(recording, &cursor, &record))
        steps += record.kind == TR_RECORD_STEPS ? record.count : 0;
    if (steps != tr_recording_describe(recording)->length)
        abort();
}

static void replay(tr_recording *recording) {
    tr_replay *shown = NULL;
    tr_world_loop *loop = NULL;
    const tr_replay_def replayed = {
        .recording = recording, .cast = recorded_cast(), .commands = &tr_commands};
    if (tr_replay_create(&replayed, &shown, NULL))
        return;
    tr_world_loop_def *def = calloc(1, sizeof *def);
    if (!def)
        abort();
    def->rate = 1;
    def->paused = true;
    def->world = tr_world_def_default();
    def->world.step_s = tr_recording_describe(recording)->step_s;
    def->commands = &tr_commands;
    def->source = tr_replay_source(shown);
    if (!tr_world_loop_create(def, 0, &loop)) {
        tr_world_loop_admit(loop, tr_command_create(tr_command_find(
                                      &tr_commands, TROUPE__COMMAND__COMMAND_VERIFY)));
        for (int i = 0; i < ADVANCES_MAX && tr_world_loop_advance(loop, 0) <= 0; i++)
            continue;
        tr_world_loop_close(loop);
        tr_world_loop_destroy(loop);
    } else {
        tr_replay_destroy(shown);
    }
    free(def);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tr_packet *bytes = size <= SIZE_MAX_READ ? tr_packet_create(size) : NULL;
    tr_recording *recording = NULL;
    tr_recording_info info;
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes->bytes, data, size);
    seal(bytes);
    (void)!tr_recording_glance(bytes, bytes, &info, NULL);
    if (!tr_recording_read(bytes, &recording, NULL)) {
        read_through(recording);
        replay(recording);
    }
    tr_recording_release(recording);
    tr_packet_release(bytes);
    return 0;
}
