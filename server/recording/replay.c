#include "server/recording/replay.h"

#include "server/recording/fingerprint.h"
#include "server/recording/replay_keys.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef enum replay_state { SHOWING, SEEKING, VERIFYING, LOCATING } replay_state;

struct tr_replay {
    tr_command_source source; /* first */
    tr_recording *recording;
    const tr_recording_info *info;
    tr_cast cast;
    const tr_command_table *commands;
    bool repeats; /* restarts at the end */
    tr_replay_place place;
    tr_replay_keys keys;
    uint64_t arrivals; /* of requests, for their order */

    replay_state state;
    int64_t target;    /* SEEKING and later phases: the position to reach */
    tr_command *asked; /* the current seek or verify; NULL: the restart of a loop */
    bool verified;     /* no difference in the whole recording since the current work began */
    tr_divergence divergence;

    pthread_mutex_t lock; /* of `description` */
    tr_replay_info description;
};

/* --- its cast --- */

static tr_status miss(tr_error *error, const char *noun, const char *name, bool there) {
    return tr_fail(error, TR_NOT_FOUND, "recording: needs the %s '%s', %s", noun, name,
                   there ? "but the catalogue has a different one with this name"
                         : "which is not in the catalogue");
}

/* Are the catalogue's models and controllers those that it was made with? TR_NOT_FOUND: the cast lacks
 * one, or has a different one; the error names it. */
static tr_status check_cast(const tr_cast *cast, const tr_recording_info *info, tr_error *error) {
    for (int i = 0; i < info->model_count; i++) {
        const tr_model *model = tr_cast_find_model(cast, info->model[i].name);
        if (!model || model->hash != info->model[i].hash)
            return miss(error, "model", info->model[i].name, model != NULL);
    }
    for (int i = 0; i < info->controller_count; i++) {
        const tr_recording_name *need = &info->controller[i];
        const tr_controller *controller = tr_cast_find_controller(cast, need->name);
        const tr_model *model =
            controller ? tr_cast_find_model_by_hash(cast, controller->model_hash) : NULL;
        if (!model || tr_controller_hash(controller, model) != need->hash)
            return miss(error, "controller", need->name, controller != NULL);
    }
    return TR_OK;
}

/* The command of a record, bound to the cast; the caller destroys it. NULL: a recording may not
 * hold this command, or no memory. */
static tr_command *command_of(const tr_cast *cast, const tr_command_table *commands,
                              const tr_record *record) {
    tr_command *command = NULL;
    if (tr_command_unpack(commands, record->data, record->size, &command, NULL))
        return NULL;
    if (command->kind->keeps == TR_KEEP_MESSAGE && !tr_command_bind(command, cast, NULL))
        return command;
    tr_command_destroy(command);
    return NULL;
}

static bool is_working(const tr_replay *replay) {
    return replay->state != SHOWING;
}

static bool is_verifying(const tr_replay *replay) {
    return replay->state == VERIFYING || replay->state == LOCATING;
}

/* --- life --- */

static const tr_command_source_kind kind;

tr_status tr_replay_create(const tr_replay_def *def, tr_replay **out, tr_error *error) {
    const tr_recording_info *info = tr_recording_describe(def->recording);
    if (info->physics != tr_fingerprint())
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "recording: made by a simulation with other results than this daemon's "
                       "(troupe %s, %016llx; here %016llx)",
                       info->daemon, (unsigned long long)info->physics,
                       (unsigned long long)tr_fingerprint());
    tr_status status = check_cast(def->cast, info, error);
    if (status)
        return status;
    tr_replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    replay->source.kind = &kind;
    replay->recording = tr_recording_share(def->recording);
    replay->info = info;
    replay->cast = *def->cast;
    replay->commands = def->commands;
    replay->repeats = def->loop;
    replay->keys = tr_replay_keys_start();
    pthread_mutex_init(&replay->lock, NULL);
    *out = replay;
    return TR_OK;
}

void tr_replay_destroy(tr_replay *replay) {
    if (!replay)
        return;
    tr_command_destroy(replay->asked);
    tr_replay_keys_deinit(&replay->keys);
    tr_recording_release(replay->recording);
    pthread_mutex_destroy(&replay->lock);
    free(replay);
}

static void destroy(tr_command_source *source) {
    tr_replay_destroy((tr_replay *)source);
}

tr_command_source *tr_replay_source(tr_replay *replay) {
    return &replay->source;
}

/* Publishes the description that other threads read. */
static void publish(tr_replay *replay) {
    pthread_mutex_lock(&replay->lock);
    replay->description = (tr_replay_info){.loop = replay->repeats,
                                           .working = is_working(replay),
                                           .verified = replay->verified,
                                           .position = replay->place.position,
                                           .divergence = replay->divergence};
    pthread_mutex_unlock(&replay->lock);
}

tr_replay_info tr_replay_describe(tr_replay *replay) {
    pthread_mutex_lock(&replay->lock);
    tr_replay_info info = replay->description;
    pthread_mutex_unlock(&replay->lock);
    return info;
}

/* --- differences --- */

static tr_divergence_place here(const tr_replay *replay) {
    return (tr_divergence_place){replay->place.position, replay->place.same_at};
}

static void diverge(tr_replay *replay, tr_world_loop *loop, tr_entity_id entity, const char *what) {
    tr_divergence_note(&replay->divergence, loop, here(replay), entity, what);
}

static void compare_check(tr_replay *replay, tr_world_loop *loop, const tr_record *check) {
    tr_divergence *d = &replay->divergence;
    if (d->found && replay->state != LOCATING)
        return;
    if (tr_divergence_compare_check(d, loop, here(replay), check, tr_stage_hash(loop->stage)))
        replay->place.same_at = replay->place.position;
    if (replay->state == LOCATING)
        replay->state = VERIFYING;
}

/* --- places --- */

static bool put_back(tr_replay *replay, tr_world_loop *loop, const uint8_t *snapshot, size_t size,
                     int64_t now_ns) {
    tr_saved *saved = NULL;
    tr_status status = tr_snapshot_read(snapshot, size, &saved, NULL);
    if (!status)
        status = tr_world_loop_put_back(loop, saved, now_ns);
    tr_saved_destroy(saved);
    if (status)
        diverge(replay, loop, 0, "a state in it cannot be restored");
    return !status;
}

/* Is a key frame of the file equal to the present state? */
static bool is_state(const tr_world_loop *loop, const tr_record *key) {
    size_t size = 0, capacity = tr_stage_snapshot_size(loop->stage);
    uint8_t *stage = malloc(capacity);
    tr_saved *saved = NULL;
    bool same = true; /* without memory, assume that it is equal */
    if (stage)
        same = !tr_snapshot_read(key->data, key->size, &saved, NULL) &&
               !tr_stage_snapshot(loop->stage, stage, capacity, &size) &&
               size == saved->stage_size && memcmp(stage, saved->stage, size) == 0;
    tr_saved_destroy(saved);
    free(stage);
    return same;
}

/* A difference was found before this key frame; the key frame shows which body differs by now. The
 * simulated state is no longer needed, so the recorded one is restored into the stage. */
static void locate_by_key(tr_replay *replay, tr_world_loop *loop, const tr_record *key,
                          int64_t now_ns) {
    tr_divergence *d = &replay->divergence;
    tr_state simulated, recorded;
    bool is_character = !tr_world_get_state(tr_stage_world(loop->stage), d->entity, &simulated);
    if (is_character && put_back(replay, loop, key->data, key->size, now_ns) &&
        !tr_world_get_state(tr_stage_world(loop->stage), d->entity, &recorded))
        tr_divergence_compare_states(d, loop, here(replay), &recorded, &simulated);
    if (is_character)
        replay->state = VERIFYING;
}

static void compare_key(tr_replay *replay, tr_world_loop *loop, const tr_record *key,
                        int64_t now_ns) {
    if (replay->state == LOCATING)
        locate_by_key(replay, loop, key, now_ns);
    else if (replay->divergence.found)
        return;
    else if (is_state(loop, key))
        replay->place.same_at = replay->place.position;
    else
        diverge(replay, loop, 0, "a key frame does not match the stage");
}

/* The last state of the file at or before `position`; the first is at 0. Jumps at that position are
 * later in the file. */
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

static bool go_to_file_key(tr_replay *replay, tr_world_loop *loop, const tr_recording_key *key,
                           int64_t now_ns) {
    if (!put_back(replay, loop, key->data, key->size, now_ns))
        return false;
    replay->place =
        (tr_replay_place){.position = key->position, .same_at = key->position, .cursor = key->next};
    return true;
}

/* Restores the nearest known state before `target`, if it is nearer than the present one. */
static bool approach(tr_replay *replay, tr_world_loop *loop, int64_t target, int64_t now_ns) {
    const tr_recording_key *in_file = file_key(replay, target);
    const tr_replay_key *kept = tr_replay_keys_before(&replay->keys, target);
    int64_t best = kept && kept->place.position >= in_file->position ? kept->place.position
                                                                     : in_file->position;
    bool stays = replay->place.position <= target && replay->place.position >= best &&
                 !replay->divergence.found;
    replay->divergence = (tr_divergence){0};
    if (stays)
        return true;
    if (!kept || kept->place.position < in_file->position)
        return go_to_file_key(replay, loop, in_file, now_ns);
    replay->place = kept->place;
    return put_back(replay, loop, kept->snapshot->bytes, kept->snapshot->size, now_ns);
}

static void keep_key(tr_replay *replay, tr_world_loop *loop) {
    tr_packet *picture = NULL;
    if (!tr_replay_keys_wants(&replay->keys, replay->place.position) ||
        tr_world_loop_picture(loop, &picture))
        return;
    tr_replay_keys_add(&replay->keys, &replay->place, picture);
    tr_packet_release(picture);
}

/* --- one step --- */

static void apply_command(tr_replay *replay, tr_world_loop *loop, const tr_record *record,
                          int64_t now_ns) {
    tr_command *command = command_of(&replay->cast, replay->commands, record);
    if (!command) {
        diverge(replay, loop, 0, "invalid command");
        return;
    }
    tr_reply result = {0};
    command->silent = true;
    if (!tr_world_loop_may_apply(loop, command, &result.error))
        tr_world_loop_apply(loop, command, &result, now_ns);
    if (result.error.status || result.entity != record->entity)
        diverge(replay, loop, record->entity, "a command had another result");
    tr_world_loop_answer(loop, command, &result);
}

static void jump(tr_replay *replay, tr_world_loop *loop, const tr_record *record, int64_t now_ns) {
    const uint8_t *data = record->data;
    uint32_t size = record->size;
    if (record->kind == TR_RECORD_AGAIN)
        data = tr_recording_snapshot(replay->recording, record->index, &size);
    if (!put_back(replay, loop, data, size, now_ns))
        return;
    replay->place.same_at = replay->place.position;
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_RESTORED});
}

/* Handles the records before the next step: commands, jumps. False: there is no next step. */
static bool prepare(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    tr_record record;
    bool differed =
        replay->divergence
            .found; /* true: a difference was found earlier, and its body is still unknown */
    while (replay->place.left == 0 && replay->divergence.found == differed) {
        if (!tr_recording_next(replay->recording, &replay->place.cursor, &record))
            return false;
        if (record.kind == TR_RECORD_STEPS) {
            replay->place.traces = record.data;
            replay->place.width = record.width;
            replay->place.left = record.count;
        } else if (record.kind == TR_RECORD_COMMAND) {
            apply_command(replay, loop, &record, now_ns);
        } else if (record.kind == TR_RECORD_SNAPSHOT || record.kind == TR_RECORD_AGAIN) {
            jump(replay, loop, &record, now_ns);
        }
    }
    return replay->place.left > 0;
}

/* Handles the records right after the step. */
static void settle(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    tr_record record;
    tr_recording_cursor cursor = replay->place.cursor;
    while (replay->place.left == 0 && tr_recording_next(replay->recording, &cursor, &record)) {
        if (record.kind == TR_RECORD_STEPS || record.kind == TR_RECORD_COMMAND ||
            record.kind == TR_RECORD_SNAPSHOT || record.kind == TR_RECORD_AGAIN)
            return;
        if (record.kind == TR_RECORD_CHECK)
            compare_check(replay, loop, &record);
        if (record.kind == TR_RECORD_KEY && is_verifying(replay))
            compare_key(replay, loop, &record, now_ns);
        replay->place.cursor = cursor;
    }
}

static bool is_at_end(const tr_replay *replay) {
    return replay->place.position >= replay->info->length;
}

/* False: at the recording's end, or at a difference; no step was made. */
static bool advance_one(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    bool stuck = replay->divergence.found && replay->state != LOCATING;
    if (stuck || is_at_end(replay) || !prepare(replay, loop, now_ns))
        return false;
    tr_world_loop_step(loop, is_working(replay) ? TR_STEP_UNSEEN : TR_STEP_SEEN, now_ns);
    replay->place.position++;
    if (!replay->divergence.found) {
        tr_divergence_compare_step(&replay->divergence, loop, here(replay), replay->place.traces,
                                   replay->place.width);
        if (replay->state == VERIFYING && replay->divergence.entity != 0)
            replay->state = LOCATING;
    }
    replay->place.traces += replay->place.width;
    replay->place.left--;
    settle(replay, loop, now_ns);
    if (!replay->divergence.found)
        keep_key(replay, loop);
    return true;
}

/* --- unseen work --- */

/* Begins to work towards `target`. Takes `asked`, which may be NULL, and answers it at the end. */
static void begin_work(tr_replay *replay, tr_world_loop *loop, replay_state state, int64_t target,
                       tr_command *asked, int64_t now_ns) {
    replay->state = state;
    replay->target = target;
    replay->asked = asked;
    replay->verified = false;
    if (state == VERIFYING) {
        replay->divergence = (tr_divergence){0};
        (void)!go_to_file_key(replay, loop, &replay->info->key[0], now_ns);
    } else {
        (void)!approach(replay, loop, target, now_ns);
    }
}

static void end_work(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    tr_command *asked = replay->asked;
    tr_reply result = {.hash = tr_stage_hash(loop->stage)};
    replay->verified = is_verifying(replay) && !replay->divergence.found;
    replay->state = SHOWING;
    replay->asked = NULL;
    loop->epoch++; /* subscribers see a leap, also where no restored state was on the way */
    tr_pace_resume(&loop->pace, loop->rate, now_ns);
    tr_world_loop_refresh(loop);
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_SOUGHT});
    if (replay->divergence.found) {
        tr_divergence_tell(&replay->divergence, loop);
        tr_divergence_print(&replay->divergence, &result.error);
    }
    if (asked)
        tr_world_loop_answer(loop, asked, &result);
}

static void abort_work(tr_replay *replay, tr_world_loop *loop, const char *why) {
    tr_error error;
    tr_command *asked = replay->asked;
    replay->state = SHOWING;
    replay->asked = NULL;
    (void)tr_fail(&error, TR_ABORTED, "%s", why);
    if (asked)
        tr_world_loop_refuse(loop, asked, &error);
}

/* Continues the work for one slice; events are not reported. */
static void work(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    int reported = loop->events.count;
    bool moved = replay->place.position < replay->target && advance_one(replay, loop, now_ns);
    bool there = replay->place.position >= replay->target && replay->state != LOCATING;
    tr_event_list_cut(&loop->events, reported);
    if (!moved || there)
        end_work(replay, loop, now_ns);
}

/* --- requests --- */

static void refuse_steps(tr_world_loop *loop, tr_status status, const char *why) {
    tr_error error;
    (void)tr_fail(&error, status, "%s", why);
    for (tr_command *command; (command = tr_command_queue_take(&loop->steps));)
        tr_world_loop_refuse(loop, command, &error);
    loop->allowance = 0;
}

static void begin_asked(tr_replay *replay, tr_world_loop *loop, replay_state state, int64_t target,
                        tr_command *command, tr_reply *result) {
    abort_work(replay, loop, "replaced by another seek");
    refuse_steps(loop, TR_ABORTED, "a seek replaced the step");
    begin_work(replay, loop, state, target, command, loop->now_ns);
    result->waits = true;
}

tr_status tr_replay_seek(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_replay *replay = (tr_replay *)loop->source;
    const int64_t position = command->message->seek->position;
    if (position < 0 || position > replay->info->length)
        return tr_fail(&result->error, TR_OUT_OF_RANGE, "position: %lld: expected 0 to %lld",
                       (long long)position, (long long)replay->info->length);
    begin_asked(replay, loop, SEEKING, position, command, result);
    return TR_OK;
}

tr_status tr_replay_verify(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_replay *replay = (tr_replay *)loop->source;
    begin_asked(replay, loop, VERIFYING, replay->info->length, command, result);
    return TR_OK;
}

tr_status tr_replay_step(tr_world_loop *loop, tr_command *command, int64_t count,
                         tr_reply *result) {
    if (!loop->paused)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "this replay is running: pause it first");
    loop->allowance += count;
    command->stamp.tick = ((const tr_replay *)loop->source)->place.position + loop->allowance;
    tr_world_loop_await(loop, command, result);
    return TR_OK;
}

tr_status tr_replay_resume(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_replay *replay = (tr_replay *)loop->source;
    bool was_paused = loop->paused;
    (void)command, (void)result;
    tr_world_loop_resume(loop, loop->now_ns);
    if (was_paused && is_at_end(replay) && !is_working(replay))
        begin_work(replay, loop, SEEKING, 0, NULL, loop->now_ns);
    return TR_OK;
}

tr_status tr_replay_apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    if (!tr_world_loop_may_apply(loop, command, &result->error))
        tr_world_loop_apply(loop, command, result, loop->now_ns);
    return result->error.status;
}

tr_status tr_replay_set_loop(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)result;
    ((tr_replay *)loop->source)->repeats = command->message->set_loop->loop;
    return TR_OK;
}

static tr_status may_wait(const tr_world_loop *loop, const tr_command *command, tr_error *error) {
    if (!command->kind->replay)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "this world replays a recording and cannot be changed");
    if (tr_command_at_tick(command) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "at_tick: expected 0: commands to a replay act on arrival");
    if (loop->queue.count + loop->steps.count >= TR_COMMANDS_PENDING_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "too many commands wait in this world");
    return TR_OK;
}

static void admit(tr_command_source *source, tr_world_loop *loop, tr_command *command) {
    tr_replay *replay = (tr_replay *)source;
    tr_error error;
    if (command->kind->number == 0) { /* commands of the daemon do not wait */
        tr_world_loop_act(loop, command, command->kind->admit);
    } else if (may_wait(loop, command, &error)) {
        tr_world_loop_refuse(loop, command, &error);
    } else {
        command->stamp.order = ++replay->arrivals;
        command->stamp.tick = 0;
        tr_command_queue_insert(&loop->queue, command);
    }
}

/* --- time --- */

/* Stops a replay that cannot continue. */
static void halt(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    bool differs = replay->divergence.found;
    if (differs) {
        tr_divergence_tell(&replay->divergence, loop);
    } else if (replay->repeats && !loop->paused && replay->info->length > 0) {
        begin_work(replay, loop, SEEKING, 0, NULL, now_ns);
        return;
    }
    refuse_steps(loop, TR_OUT_OF_RANGE,
                 differs ? "the recording differs here" : "the recording ends here");
    if (!loop->paused)
        tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_PAUSED});
    loop->paused = true;
    tr_world_loop_refresh(loop);
}

static int64_t show(tr_replay *replay, tr_world_loop *loop, int64_t now_ns) {
    bool due = tr_world_loop_is_due(loop, now_ns);
    bool stepped = due && advance_one(replay, loop, now_ns);
    tr_world_loop_answer_steps(loop, replay->place.position);
    if (due && (!stepped || replay->divergence.found || is_at_end(replay)))
        halt(replay, loop, now_ns);
    tr_world_loop_answer_looks(loop);
    return is_working(replay) ? now_ns : tr_world_loop_next_turn(loop, now_ns, stepped);
}

static int64_t advance(tr_command_source *source, tr_world_loop *loop, int64_t now_ns) {
    tr_replay *replay = (tr_replay *)source;
    int64_t next_ns = now_ns;
    loop->now_ns = now_ns;
    for (tr_command *command; (command = tr_command_queue_take(&loop->queue));)
        tr_world_loop_act(loop, command, command->kind->replay);
    if (is_working(replay))
        work(replay, loop, now_ns);
    else
        next_ns = show(replay, loop, now_ns);
    publish(replay);
    return next_ns;
}

static tr_status begin(tr_command_source *source, tr_world_loop *loop, int64_t now_ns) {
    tr_replay *replay = (tr_replay *)source;
    tr_status status = tr_cast_merge(&loop->cast, &replay->cast);
    if (!status && !go_to_file_key(replay, loop, &replay->info->key[0], now_ns))
        status = TR_INVALID_ARGUMENT;
    loop->epoch = 0;
    publish(replay);
    return status;
}

static void close_replay(tr_command_source *source, tr_world_loop *loop) {
    abort_work((tr_replay *)source, loop, "the world was destroyed");
}

static const tr_command_source_kind kind = {
    .begin = begin, .admit = admit, .advance = advance, .close = close_replay, .destroy = destroy};
