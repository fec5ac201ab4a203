/* Recordings from arbitrary bytes: an error, or one that can be read through, glanced at, replayed
 * and verified. Checksums are made right first, for no fuzzer guesses them. */
#include "fuzz/target.h"

#include "fuzz/recorded.h"
#include "server/world/command.h"
#include "server/world/play.h"

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
    tr_play *play = NULL;
    if (tr_replay_create(recording, recorded_cast(), false, &shown, NULL))
        return;
    tr_play_def *def = calloc(1, sizeof *def);
    if (!def)
        abort();
    def->rate = 1;
    def->paused = true;
    def->world = tr_world_def_default();
    def->world.step_s = tr_recording_describe(recording)->step_s;
    def->replay = shown;
    if (tr_play_create(def, 0, &play) == TR_OK) {
        tr_play_admit(play, tr_command_create(TR_COMMAND_VERIFY));
        for (int i = 0; i < ADVANCES_MAX && tr_play_advance(play, 0) <= 0; ++i)
            continue;
        tr_play_close(play);
        tr_play_destroy(play);
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
    if (tr_recording_read(bytes, &recording, NULL) == TR_OK) {
        read_through(recording);
        replay(recording);
    }
    tr_recording_release(recording);
    tr_packet_release(bytes);
    return 0;
}
