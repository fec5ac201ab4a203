#include "server/recording/replay.h"

#include "server/recording/fingerprint.h"
#include "server/recording/recording_cast.h"
#include "server/recording/replay_keys.h"
#include "server/world/play.h"

#include <stdlib.h>
#include <string.h>

struct tr_replay {
    tr_recording *recording;
    const tr_recording_info *info;
    tr_cast cast;
    bool loop;
    tr_replay_place place;
    tr_replay_keys keys;
    uint64_t arrivals; /* of requests, for their order */

    bool working; /* towards `target`, unseen */
    int64_t target;
    tr_command *asked; /* the seek or verify that is being worked on; NULL: a loop's return */
    bool verifying, locating, verified;
    tr_divergence divergence;
};

/* --- life --- */

tr_status tr_replay_create(tr_recording *recording, const tr_cast *cast, bool loop, tr_replay **out,
                           tr_error *error) {
    const tr_recording_info *info = tr_recording_describe(recording);
    if (info->physics != tr_fingerprint())
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "recording: made by a simulation that moves otherwise than this daemon's "
                       "(troupe %s, %016llx; here %016llx)",
                       info->daemon, (unsigned long long)info->physics,
                       (unsigned long long)tr_fingerprint());
    tr_status status = tr_recording_cast_check(cast, info, error);
    if (status != TR_OK)
        return status;
    tr_replay *replay = calloc(1, sizeof *replay);
    if (replay == NULL)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    replay->recording = tr_recording_share(recording);
    replay->info = info;
    replay->cast = *cast;
    replay->loop = loop;
    replay->keys = tr_replay_keys_start();
    *out = replay;
    return TR_OK;
}

void tr_replay_destroy(tr_replay *replay) {
    if (replay == NULL)
        return;
    tr_command_destroy(replay->asked);
    tr_replay_keys_deinit(&replay->keys);
    tr_recording_release(replay->recording);
    free(replay);
}

/* --- differences --- */

static tr_divergence_place here(const tr_replay *replay) {
    return (tr_divergence_place){replay->place.position, replay->place.same_at};
}

static void diverge(tr_play *play, tr_entity_id entity, const char *what) {
    tr_replay *replay = play->replay;
    tr_divergence_note(&replay->divergence, play, here(replay), entity, what);
}

static void compare_check(tr_play *play, const tr_record *check) {
    tr_replay *replay = play->replay;
    tr_divergence *d = &replay->divergence;
    if (d->found && !replay->locating)
        return;
    if (tr_divergence_compare_check(d, play, here(replay), check))
        replay->place.same_at = replay->place.position;
    replay->locating = false;
}

/* --- places --- */

static bool put_back(tr_play *play, tr_packet *snapshot, int64_t now_ns) {
    tr_saved *saved = NULL;
    tr_status status = tr_snapshot_read(snapshot, &saved, NULL);
    if (status == TR_OK)
        status = tr_play_put_back(play, saved, now_ns);
    tr_saved_destroy(saved);
    if (status != TR_OK)
        diverge(play, 0, "a state in it cannot be restored");
    return status == TR_OK;
}

static bool put_back_bytes(tr_play *play, const uint8_t *data, uint32_t size, int64_t now_ns) {
    tr_packet *snapshot = tr_packet_create(size);
    if (snapshot == NULL) {
        diverge(play, 0, "no memory for a state");
        return false;
    }
    if (size > 0)
        memcpy(snapshot->bytes, data, size);
    bool done = put_back(play, snapshot, now_ns);
    tr_packet_release(snapshot);
    return done;
}

/* A key frame of the file must be the state that is there. */
static bool is_state(const tr_play *play, const tr_record *key) {
    size_t size = 0, capacity = tr_stage_snapshot_size(play->stage);
    tr_packet *bytes = tr_packet_create(key->size);
    uint8_t *stage = malloc(capacity);
    tr_saved *saved = NULL;
    bool same = true; /* without memory nothing is said against it */
    if (bytes != NULL && stage != NULL) {
        memcpy(bytes->bytes, key->data, key->size);
        same = tr_snapshot_read(bytes, &saved, NULL) == TR_OK &&
               tr_stage_snapshot(play->stage, stage, capacity, &size) == TR_OK &&
               size == saved->stage_size && memcmp(stage, saved->stage, size) == 0;
    }
    tr_saved_destroy(saved);
    tr_packet_release(bytes);
    free(stage);
    return same;
}

/* What differs was found before this key frame, which tells in which body it is by now. The simulated
 * state is not needed any more: the stage is put to the recorded one. */
static void locate_by_key(tr_play *play, const tr_record *key, int64_t now_ns) {
    tr_replay *replay = play->replay;
    tr_divergence *d = &replay->divergence;
    tr_state simulated, recorded;
    bool is_character =
        tr_world_get_state(tr_stage_world(play->stage), d->entity, &simulated) == TR_OK;
    if (is_character && put_back_bytes(play, key->data, key->size, now_ns) &&
        tr_world_get_state(tr_stage_world(play->stage), d->entity, &recorded) == TR_OK)
        tr_divergence_compare_states(d, play, here(replay), &recorded, &simulated);
    replay->locating = !is_character;
}

static void compare_key(tr_play *play, const tr_record *key, int64_t now_ns) {
    tr_replay *replay = play->replay;
    if (replay->locating)
        locate_by_key(play, key, now_ns);
    else if (!replay->divergence.found && is_state(play, key))
        replay->place.same_at = replay->place.position;
    else if (!replay->divergence.found)
        diverge(play, 0, "a key frame is of another state");
}

/* The last state of the file at or before `position`: the first is at 0. What the world was put to
 * at that position comes after it. */
static const tr_recording_key *file_key(const tr_replay *replay, int64_t position) {
    int low = 0, high = replay->info->key_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (replay->info->key[middle].position <= position)
            low = middle;
        else
            high = middle;
    }
    while (low > 0 && replay->info->key[low].is_jump && replay->info->key[low].position == position)
        low--;
    return &replay->info->key[low];
}

static bool go_to_file_key(tr_play *play, const tr_recording_key *key, int64_t now_ns) {
    if (!put_back_bytes(play, key->data, key->size, now_ns))
        return false;
    play->replay->place =
        (tr_replay_place){.position = key->position, .same_at = key->position, .cursor = key->next};
    return true;
}

/* Moves to the nearest known state before `target`, if that is nearer than where it is. */
static bool approach(tr_play *play, int64_t target, int64_t now_ns) {
    tr_replay *replay = play->replay;
    const tr_recording_key *in_file = file_key(replay, target);
    const tr_replay_key *kept = tr_replay_keys_before(&replay->keys, target);
    int64_t best = kept != NULL && kept->place.position >= in_file->position ? kept->place.position
                                                                             : in_file->position;
    bool stays = replay->place.position <= target && replay->place.position >= best &&
                 !replay->divergence.found;
    replay->divergence = (tr_divergence){0};
    if (stays)
        return true;
    if (kept == NULL || kept->place.position < in_file->position)
        return go_to_file_key(play, in_file, now_ns);
    replay->place = kept->place;
    return put_back(play, kept->snapshot, now_ns);
}

static void keep_key(tr_play *play) {
    tr_replay *replay = play->replay;
    tr_packet *picture = NULL;
    if (!tr_replay_keys_wants(&replay->keys, replay->place.position) ||
        tr_play_picture(play, &picture) != TR_OK)
        return;
    tr_replay_keys_add(&replay->keys, &replay->place, picture);
    tr_packet_release(picture);
}

/* --- one step on --- */

static void apply_command(tr_play *play, const tr_record *record, int64_t now_ns) {
    tr_command *command = tr_recording_cast_command(&play->replay->cast, record);
    if (command == NULL) {
        diverge(play, 0, "a command in it makes no sense");
        return;
    }
    tr_reply result = {0};
    command->silent = true;
    tr_play_apply(play, command, &result, now_ns);
    if (result.error.status != TR_OK || result.entity != record->entity)
        diverge(play, record->entity, "a command did not do what it did");
    tr_play_answer(play, command, &result);
}

static void jump(tr_play *play, const tr_record *record, int64_t now_ns) {
    const uint8_t *data = record->data;
    uint32_t size = record->size;
    if (record->kind == TR_RECORD_AGAIN)
        data = tr_recording_snapshot(play->replay->recording, record->index, &size);
    if (!put_back_bytes(play, data, size, now_ns))
        return;
    play->replay->place.same_at = play->replay->place.position;
    tr_play_tell(play, TR_EVENT_RESTORED);
}

/* What comes before the next step: commands, jumps. False: there is no next step. */
static bool prepare(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    tr_record record;
    bool differed = replay->divergence.found; /* before: its body is being looked for */
    while (replay->place.left == 0 && replay->divergence.found == differed) {
        if (!tr_recording_next(replay->recording, &replay->place.cursor, &record))
            return false;
        if (record.kind == TR_RECORD_STEPS) {
            replay->place.traces = record.data;
            replay->place.width = record.width;
            replay->place.left = record.count;
        } else if (record.kind == TR_RECORD_COMMAND) {
            apply_command(play, &record, now_ns);
        } else if (record.kind == TR_RECORD_SNAPSHOT || record.kind == TR_RECORD_AGAIN) {
            jump(play, &record, now_ns);
        }
    }
    return replay->place.left > 0;
}

/* What was written right after the step. */
static void settle(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    tr_record record;
    tr_recording_cursor cursor = replay->place.cursor;
    while (replay->place.left == 0 && tr_recording_next(replay->recording, &cursor, &record)) {
        if (record.kind == TR_RECORD_STEPS || record.kind == TR_RECORD_COMMAND ||
            record.kind == TR_RECORD_SNAPSHOT || record.kind == TR_RECORD_AGAIN)
            return;
        if (record.kind == TR_RECORD_CHECK)
            compare_check(play, &record);
        if (record.kind == TR_RECORD_KEY && replay->verifying)
            compare_key(play, &record, now_ns);
        replay->place.cursor = cursor;
    }
}

static bool is_at_end(const tr_replay *replay) {
    return replay->place.position >= replay->info->length;
}

/* False: the recording's end, or a difference, and nothing has moved on. */
static bool advance_one(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    bool stuck = replay->divergence.found && !replay->locating;
    if (stuck || is_at_end(replay) || !prepare(play, now_ns))
        return false;
    if (replay->working)
        tr_play_simulate(play);
    else
        tr_play_step(play, now_ns);
    replay->place.position++;
    if (!replay->divergence.found) {
        tr_divergence_compare_step(&replay->divergence, play, here(replay), replay->place.traces,
                                   replay->place.width);
        replay->locating = replay->verifying && replay->divergence.entity != 0;
    }
    replay->place.traces += replay->place.width;
    replay->place.left--;
    settle(play, now_ns);
    if (!replay->divergence.found)
        keep_key(play);
    return true;
}

/* --- work that is not seen --- */

/* Begins to work towards `target`; `asked` is answered at the end, may be NULL, and is taken. */
static void begin_work(tr_play *play, int64_t target, tr_command *asked, int64_t now_ns) {
    tr_replay *replay = play->replay;
    replay->working = true;
    replay->target = target;
    replay->asked = asked;
    replay->verifying = asked != NULL && asked->kind == TR_COMMAND_VERIFY;
    replay->verified = false;
    replay->locating = false;
    if (replay->verifying) {
        replay->divergence = (tr_divergence){0};
        (void)!go_to_file_key(play, &replay->info->key[0], now_ns);
    } else {
        (void)!approach(play, target, now_ns);
    }
}

static void end_work(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    tr_command *asked = replay->asked;
    tr_reply result = {.hash = tr_stage_hash(play->stage)};
    replay->verified = replay->verifying && !replay->divergence.found;
    replay->working = replay->verifying = replay->locating = false;
    replay->asked = NULL;
    tr_pace_resume(&play->pace, play->rate, now_ns);
    tr_publisher_refresh(&play->publisher);
    tr_play_tell(play, TR_EVENT_SOUGHT);
    if (replay->divergence.found) {
        tr_divergence_tell(&replay->divergence, play);
        tr_divergence_print(&replay->divergence, &result.error);
    }
    if (asked != NULL)
        tr_play_answer(play, asked, &result);
}

static void abort_work(tr_play *play, const char *why) {
    tr_error error;
    tr_replay *replay = play->replay;
    tr_command *asked = replay->asked;
    replay->working = replay->verifying = replay->locating = false;
    replay->asked = NULL;
    (void)tr_fail(&error, TR_ABORTED, "%s", why);
    if (asked != NULL)
        tr_play_refuse(play, asked, &error);
}

static void work(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    int told = play->events.count;
    bool goes_on = replay->place.position < replay->target && advance_one(play, now_ns);
    play->events.count = told;
    if (!goes_on || (replay->place.position >= replay->target && !replay->locating))
        end_work(play, now_ns);
}

/* --- requests --- */

static void refuse_steps(tr_play *play, tr_status status, const char *why) {
    tr_error error;
    (void)tr_fail(&error, status, "%s", why);
    for (tr_command *command; (command = tr_command_queue_take(&play->steps)) != NULL;)
        tr_play_refuse(play, command, &error);
    play->allowance = 0;
}

static tr_status do_seek(tr_play *play, tr_command *command, int64_t now_ns, tr_error *error) {
    int64_t length = play->replay->info->length, target = command->as.position;
    if (command->kind == TR_COMMAND_VERIFY)
        target = length;
    if (target < 0 || target > length)
        return tr_fail(error, TR_OUT_OF_RANGE, "position: %lld: expected 0 to %lld",
                       (long long)target, (long long)length);
    abort_work(play, "another seek came");
    refuse_steps(play, TR_ABORTED, "a seek came before the step");
    begin_work(play, target, command, now_ns);
    return TR_OK;
}

static tr_status do_step(tr_play *play, tr_command *command, tr_error *error) {
    if (!play->paused)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "this replay moves by itself: pause it first");
    play->allowance += command->as.step_count;
    command->stamp.tick = play->replay->place.position + play->allowance;
    tr_play_await(play, command);
    return TR_OK;
}

static void resume(tr_play *play, int64_t now_ns) {
    if (!play->paused)
        return;
    tr_play_resume(play, now_ns);
    if (is_at_end(play->replay) && !play->replay->working)
        begin_work(play, 0, NULL, now_ns);
}

/* Answers at once, or keeps the command: seek, verify, step. */
static void obey(tr_play *play, tr_command *command, int64_t now_ns) {
    tr_reply result = {0};
    tr_status status = TR_OK;
    if (command->kind == TR_COMMAND_SEEK || command->kind == TR_COMMAND_VERIFY)
        status = do_seek(play, command, now_ns, &result.error);
    else if (command->kind == TR_COMMAND_STEP)
        status = do_step(play, command, &result.error);
    else if (command->kind == TR_COMMAND_SET_LOOP)
        play->replay->loop = command->as.loop;
    else if (command->kind == TR_COMMAND_RESUME)
        resume(play, now_ns);
    else if (command->kind == TR_COMMAND_SNAPSHOT)
        result.error.status = tr_play_picture(play, &result.data);
    else
        tr_play_apply(play, command, &result, now_ns); /* pause, set_rate */
    bool kept = command->kind == TR_COMMAND_SEEK || command->kind == TR_COMMAND_VERIFY ||
                command->kind == TR_COMMAND_STEP;
    if (status != TR_OK || !kept)
        tr_play_answer(play, command, &result);
}

static bool is_understood(tr_command_kind kind) {
    static const bool understood[TR_COMMAND_KIND_COUNT] = {
        [TR_COMMAND_PAUSE] = true,    [TR_COMMAND_RESUME] = true, [TR_COMMAND_SET_RATE] = true,
        [TR_COMMAND_STEP] = true,     [TR_COMMAND_SEEK] = true,   [TR_COMMAND_SET_LOOP] = true,
        [TR_COMMAND_SNAPSHOT] = true, [TR_COMMAND_VERIFY] = true,
    };
    return understood[kind];
}

void tr_replay_admit(tr_play *play, tr_command *command) {
    tr_error error;
    if (command->kind == TR_COMMAND_GET_STATE) {
        tr_command_queue_insert(&play->looks, command);
        return;
    }
    if (command->kind == TR_COMMAND_PART)
        command->silent = true;
    if (!is_understood(command->kind))
        (void)tr_fail(&error, TR_FAILED_PRECONDITION,
                      "this world replays a recording: nothing changes it");
    else if (command->at_tick != 0)
        (void)tr_fail(&error, TR_FAILED_PRECONDITION,
                      "at_tick: a replay obeys at once: expected 0");
    else if (play->queue.count + play->steps.count >= TR_COMMANDS_PENDING_MAX)
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "too many commands wait in this world");
    else {
        command->stamp.order = ++play->replay->arrivals;
        command->stamp.tick = 0;
        tr_command_queue_insert(&play->queue, command);
        return;
    }
    tr_play_refuse(play, command, &error);
}

/* --- time --- */

static void answer_steps(tr_play *play) {
    int64_t position = play->replay->place.position;
    while (play->steps.first != NULL && play->steps.first->stamp.tick <= position) {
        tr_reply result = {.hash = tr_stage_hash(play->stage)};
        tr_play_answer(play, tr_command_queue_take(&play->steps), &result);
    }
}

/* It can go no further. */
static void halt(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    if (replay->divergence.found)
        tr_divergence_tell(&replay->divergence, play);
    else if (replay->loop && !play->paused && replay->info->length > 0) {
        begin_work(play, 0, NULL, now_ns);
        return;
    }
    refuse_steps(play, TR_OUT_OF_RANGE,
                 replay->divergence.found ? "the recording differs here"
                                          : "the recording ends here");
    if (!play->paused)
        tr_play_tell(play, TR_EVENT_PAUSED);
    play->paused = true;
    tr_publisher_refresh(&play->publisher);
}

int64_t tr_replay_advance(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    for (tr_command *command; (command = tr_command_queue_take(&play->queue)) != NULL;)
        obey(play, command, now_ns);
    if (replay->working) {
        work(play, now_ns);
        return now_ns;
    }
    bool due = tr_play_is_due(play, now_ns);
    bool stepped = due && advance_one(play, now_ns);
    answer_steps(play);
    if (due && (!stepped || replay->divergence.found || is_at_end(replay)))
        halt(play, now_ns);
    tr_play_answer_looks(play);
    return replay->working ? now_ns : tr_play_next_turn(play, now_ns, stepped);
}

tr_status tr_replay_begin(tr_play *play, int64_t now_ns) {
    tr_replay *replay = play->replay;
    tr_status status = tr_cast_merge(&play->cast, &replay->cast);
    if (status == TR_OK && !go_to_file_key(play, &replay->info->key[0], now_ns))
        status = TR_INVALID_ARGUMENT;
    play->epoch = 0;
    return status;
}

void tr_replay_close(tr_play *play) {
    if (play->replay != NULL)
        abort_work(play, "the world was destroyed");
}

tr_replay_info tr_replay_describe(const tr_play *play) {
    const tr_replay *replay = play->replay;
    if (replay == NULL)
        return (tr_replay_info){0};
    return (tr_replay_info){.active = true,
                            .loop = replay->loop,
                            .working = replay->working,
                            .verified = replay->verified,
                            .position = replay->place.position,
                            .divergence = replay->divergence};
}
