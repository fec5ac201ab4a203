#include "server/training/training_clips.h"

#include <stdlib.h>

enum { FRESH_MS = 2000, WAITING_MAX = 4096 };

static void read_folder(uv_work_t *work) {
    tr_training_clips *clips = work->data;
    clips->count = tr_training_clips_list(clips->folder, clips->name);
}

static void on_read(uv_work_t *work, int status) {
    tr_training_clips *clips = work->data;
    (void)status;
    clips->reading = false;
    clips->read_ms = uv_now(clips->loop);
    for (int i = 0; i < clips->waiting_count; i++)
        clips->answer(clips->context, clips->waiting[i]);
    clips->waiting_count = 0;
}

static bool is_fresh(const tr_training_clips *clips) {
    bool is_kept = clips->read_ms > 0 && uv_now(clips->loop) - clips->read_ms < FRESH_MS;
    return clips->folder[0] == '\0' || (is_kept && !clips->reading);
}

static tr_status wait_for_it(tr_training_clips *clips, tr_asker asker) {
    if (clips->waiting_count == clips->waiting_room) {
        int room = clips->waiting_room > 0 ? 2 * clips->waiting_room : 8;
        tr_asker *more =
            room <= WAITING_MAX ? realloc(clips->waiting, (size_t)room * sizeof *more) : NULL;
        if (!more)
            return TR_RESOURCE_EXHAUSTED;
        clips->waiting = more;
        clips->waiting_room = room;
    }
    clips->waiting[clips->waiting_count++] = asker;
    return TR_OK;
}

tr_status tr_training_clips_ask(tr_training_clips *clips, tr_asker asker) {
    if (is_fresh(clips)) {
        clips->answer(clips->context, asker);
        return TR_OK;
    }
    tr_status status = wait_for_it(clips, asker);
    if (status || clips->reading)
        return status;
    clips->reading = true;
    clips->work.data = clips;
    (void)uv_queue_work(clips->loop, &clips->work, read_folder, on_read); /* refuses no function */
    return TR_OK;
}
