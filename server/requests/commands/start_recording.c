/* start_recording: records the world to a file from here on. The file is made before the command is
 * posted, and removed if the recording does not start. */
#include "server/recording/recorder_part.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"
#include "server/requests/dispatch.h"

#include "model/name.h"
#include "server/config/version.h"

#include <string.h>
#include <time.h>

static const tr_field fields[] = {
    TR_NAME(Troupe__StartRecording, name),
    TR_NUMBER(Troupe__StartRecording, check_every, 0, TR_AT_TICK_AHEAD_MAX),
    TR_NUMBER(Troupe__StartRecording, key_every, 0, TR_AT_TICK_AHEAD_MAX), TR_FIELDS_END};

static void deliver(tr_delivery *delivery) {
    tr_recorded *recorded = (tr_recorded *)delivery;
    tr_recordings *recordings = recorded->context;
    if (recorded->bytes)
        tr_recordings_append(recordings, recorded->id, recorded->bytes);
    recorded->bytes = NULL;
    if (recorded->ended)
        tr_recordings_end(recordings, recorded->id, recorded->length, recorded->status,
                          recorded->why);
    tr_recorded_destroy(recorded);
}

static tr_status prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                         tr_error *error) {
    const Troupe__StartRecording *m = command->message->start_recording;
    tr_recordings *recordings = request->server->recordings;
    tr_recorder_part_def *def = (tr_recorder_part_def *)command->data;
    tr_recording_entry entry = {.created_unix = (int64_t)time(NULL),
                                .step_s = tr_hosted_describe(hosted).step_s};
    tr_name_set(entry.name, m->name);
    tr_name_set(entry.world, tr_hosted_name(hosted));
    memcpy(entry.daemon, TR_SERVER_VERSION, sizeof TR_SERVER_VERSION);
    *def = (tr_recorder_part_def){.created_unix = entry.created_unix,
                                  .check_every = (int)m->check_every,
                                  .key_every = (int)m->key_every,
                                  .deliver = deliver,
                                  .context = recordings};
    tr_name_set(def->world, entry.world);
    tr_status status =
        tr_recordings_begin(recordings, &entry, tr_hosted_id(hosted), &def->id, error);
    command->reply->ticket = def->id;
    return status;
}

static void abandon(tr_server *server, const tr_command *command) {
    tr_recordings_abandon(server->recordings, command->reply->ticket);
}

static void answered(tr_server *server, const tr_reply *reply) {
    if (reply->error.status)
        tr_recordings_abandon(server->recordings, reply->ticket);
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_status status =
        tr_recorder_part_start(loop, (const tr_recorder_part_def *)command->data, &result->error);
    tr_apply_hash(loop, status, result);
    return status;
}

TR_COMMAND_ROW(START_RECORDING, start_recording, .unsaved = true,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .for_spectators = true, .fields = fields,
               .data_size = sizeof(tr_recorder_part_def), .prepare = prepare, .abandon = abandon,
               .answered = answered, .apply = apply)
