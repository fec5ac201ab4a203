/* stop_recording: ends the recording of a world, for a client or because its file can no longer be
 * written. */
#include "server/requests/commands/stop_recording.h"

#include "server/recording/recorder_part.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

#include <string.h>

typedef struct stop {
    tr_status status; /* TR_OK from a client */
    char why[TR_RECORDING_TEXT_MAX];
} stop;

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const stop *order = (const stop *)command->data;
    return tr_recorder_part_stop(loop, order->status, order->status ? order->why : "stopped",
                                 &result->error);
}

TR_COMMAND_ROW(STOP_RECORDING, stop_recording, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
               .for_spectators = true, .data_size = sizeof(stop), .apply = apply)

void tr_stop_failed_recording(tr_worlds *worlds, uint32_t world, tr_status status,
                              const char *why) {
    tr_hosted *hosted = tr_worlds_find(worlds, world);
    tr_command *command = hosted ? tr_command_create(&tr_command_stop_recording) : NULL;
    if (!command)
        return;
    stop *order = (stop *)command->data;
    command->silent = true;
    order->status = status;
    memcpy(order->why, why, strnlen(why, sizeof order->why - 1));
    if (tr_hosted_post(hosted, command))
        tr_command_destroy(command);
}
