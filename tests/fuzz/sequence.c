/* Sequences of commands to a world: frames of ClientMessage, as sessions send them, one after the
 * other. Whatever they ask, each is answered once, the world can be stepped, and a snapshot of it can
 * be restored. */
#include "fuzz/target.h"

#include "model/mjcf.h"
#include "proto/frame.h"
#include "proto/message.h"
#include "server/world/decode.h"
#include "server/world/play.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_MAX = 40, STEP_COUNT = 3 };

static tr_model *model;

static tr_play *make_play(uint8_t mode) {
    static tr_play_def def;
    memset(&def, 0, sizeof def);
    def.id = 1;
    def.mode = mode % 2 ? TR_MODE_STEPPED : TR_MODE_FAST;
    def.rate = 1;
    def.steppers = 1;
    def.world = tr_world_def_default();
    tr_play *play = NULL;
    if (tr_play_create(&def, 0, &play))
        abort();
    return play;
}

/* What the handler would find in the library: one model, and no controllers. */
static bool resolve(tr_command *command) {
    if (command->kind == TR_COMMAND_SPAWN_CHARACTER) {
        command->as.spawn_character.model = model;
        return command->as.spawn_character.controller_name[0] == '\0';
    }
    if (command->kind == TR_COMMAND_SET_CONTROLLER)
        return command->as.set_controller.controller_name[0] == '\0';
    return command->kind != TR_COMMAND_RESTORE;
}

static int answers(const tr_play *play) {
    int count = 0;
    for (const tr_reply *reply = play->replies.first; reply; reply = reply->next)
        count++;
    return count;
}

static bool admit(tr_play *play, const tr_frame *frame, uint64_t request) {
    ProtobufCMessage *message = NULL;
    tr_command *command = NULL;
    if (tr_message_decode(&troupe__client_message__descriptor, frame->data, frame->size, &message))
        return false;
    const Troupe__ClientMessage *wire = (const Troupe__ClientMessage *)message;
    bool admitted = wire->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND &&
                    tr_decode_command(wire->command, &command, NULL) == TR_OK && resolve(command);
    if (admitted) {
        command->stamp.session = 1 + wire->request_id % 3;
        command->stamp.request = request;
        tr_play_admit(play, command);
    } else {
        tr_command_destroy(command);
    }
    tr_message_destroy(message);
    return admitted;
}

static void advance(tr_play *play) {
    for (int i = 0; i < STEP_COUNT && tr_play_advance(play, 0) <= 0; i++)
        continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!model) {
        tr_physics_init();
        if (tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, NULL))
            abort();
    }
    if (size == 0)
        return 0;
    tr_play *play = make_play(data[0]);
    const uint8_t *bytes = data + 1;
    size_t left = size - 1;
    int admitted = 0;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, 1 << 16);
    for (int i = 0; i < COMMAND_MAX && left > 0; i++) {
        tr_frame frame = {0};
        if (tr_frame_decoder_take(&decoder, &bytes, &left, &frame) || !frame.data)
            break;
        admitted += admit(play, &frame, (uint64_t)i + 1);
        advance(play);
    }
    tr_frame_decoder_deinit(&decoder);
    tr_play_close(play);
    if (answers(play) != admitted)
        abort();
    tr_play_destroy(play);
    return 0;
}
