/* Sequences of commands to a world: frames of ClientMessage, as sessions send them, one after the
 * other. Whatever they ask, each is answered once, the world can be stepped, and a snapshot of it can
 * be restored. */
#include "fuzz/target.h"

#include "model/mjcf.h"
#include "proto/frame.h"
#include "proto/message.h"
#include "server/requests/commands/commands.h"
#include "server/world/world_loop.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_MAX = 40, STEP_COUNT = 3 };

static tr_model *model;

static tr_world_loop *make_loop(uint8_t mode) {
    static tr_world_loop_def def;
    memset(&def, 0, sizeof def);
    def.id = 1;
    def.mode = mode % 2 ? TR_MODE_STEPPED : TR_MODE_FAST;
    def.rate = 1;
    def.steppers = 1;
    def.world = tr_world_def_default();
    def.commands = &tr_commands;
    tr_world_loop *loop = NULL;
    if (tr_world_loop_create(&def, 0, &loop))
        abort();
    return loop;
}

/* What the handler would find in the library: one model, and no controllers. */
static const tr_cast *cast(void) {
    static tr_cast one;
    if (one.model_count == 0 && tr_cast_add_model(&one, model, "humanoid"))
        abort();
    return &one;
}

static int answers(const tr_world_loop *loop) {
    int count = 0;
    for (const tr_reply *reply = loop->replies.first; reply; reply = reply->next)
        count++;
    return count;
}

static bool admit(tr_world_loop *loop, const tr_frame_view *frame, uint64_t request) {
    ProtobufCMessage *message = NULL;
    tr_command *command = NULL;
    if (tr_message_decode(&troupe__client_message__descriptor, frame->data, frame->size, &message))
        return false;
    Troupe__ClientMessage *wire = (Troupe__ClientMessage *)message;
    bool admitted = false;
    if (wire->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND) {
        Troupe__Command *taken = wire->command;
        wire->command = NULL;
        wire->request_case = TROUPE__CLIENT_MESSAGE__REQUEST__NOT_SET;
        admitted = !tr_command_decode(&tr_commands, taken, &command, NULL) &&
                   command->kind->number != TROUPE__COMMAND__COMMAND_RESTORE &&
                   command->kind->number != TROUPE__COMMAND__COMMAND_START_RECORDING &&
                   !tr_command_bind(command, cast(), NULL);
    }
    if (admitted) {
        command->stamp.session = 1 + wire->request_id % 3;
        command->stamp.request = request;
        tr_world_loop_admit(loop, command);
    } else {
        tr_command_destroy(command);
    }
    tr_message_destroy(message);
    return admitted;
}

static void advance(tr_world_loop *loop) {
    for (int i = 0; i < STEP_COUNT && tr_world_loop_advance(loop, 0) <= 0; i++)
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
    tr_world_loop *loop = make_loop(data[0]);
    const uint8_t *bytes = data + 1;
    size_t left = size - 1;
    int admitted = 0;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, 1 << 16);
    for (int i = 0; i < COMMAND_MAX && left > 0; i++) {
        tr_frame_view frame = {0};
        if (tr_frame_decoder_take(&decoder, &bytes, &left, &frame) || !frame.data)
            break;
        admitted += admit(loop, &frame, (uint64_t)i + 1);
        advance(loop);
    }
    tr_frame_decoder_deinit(&decoder);
    tr_world_loop_close(loop);
    if (answers(loop) != admitted)
        abort();
    tr_world_loop_destroy(loop);
    return 0;
}
