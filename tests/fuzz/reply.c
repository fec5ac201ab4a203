/* The client's reading of what a server sends: from arbitrary bytes to plain structs, every array
 * of which is then read. */
#include "fuzz/target.h"

#include "client/c/reply.h"
#include "proto/message.h"

#include <string.h>

static volatile float float_sink;
static volatile size_t text_sink;

static void read_floats(const float *values, int rows, int columns) {
    for (int i = 0; values && i < rows * columns; i++)
        float_sink = values[i];
}

static void read_scenery(const tr_client_scenery *scenery) {
    const tr_client_heights *field = scenery->height_field;
    const tr_client_mesh *mesh = scenery->mesh;
    if (field)
        read_floats(field->heights, (int)field->rows, (int)field->columns);
    if (mesh)
        read_floats(mesh->vertices, (int)mesh->vertex_count, 3);
    for (uint32_t i = 0; mesh && i < 3 * mesh->triangle_count; i++)
        text_sink = mesh->indices[i];
}

static void read_state(const tr_client_state *state) {
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        text_sink = strlen(c->label) + strlen(c->controller);
        read_floats(c->joint_rot, c->body_count, 4);
        read_floats(c->joint_rate, c->body_count, 3);
        read_floats(c->body_pos, c->body_count, 3);
        read_floats(c->body_rot, c->body_count, 4);
    }
    for (int i = 0; i < state->object_count; i++)
        text_sink = strlen(state->objects[i].name);
    for (int i = 0; i < state->contact_count; i++)
        read_floats(state->contacts[i].impulse, 1, 3);
    for (int i = 0; i < state->scenery_count; i++)
        read_scenery(&state->scenery[i]);
}

static void read_reply(const tr_client_reply *reply) {
    text_sink = strlen(reply->message) + strlen(reply->next_page_token);
    if (reply->kind == TR_CLIENT_REPLY_STATE)
        read_state(&reply->state);
    for (int i = 0; reply->kind == TR_CLIENT_REPLY_CONTROLLERS && i < reply->count; i++)
        text_sink = strlen(reply->controllers[i].name) + strlen(reply->controllers[i].clip);
    for (int i = 0; reply->kind == TR_CLIENT_REPLY_RUN && i < reply->run.metric_count; i++)
        for (size_t k = 0; k < reply->run.metrics[i].count; k++)
            float_sink = (float)reply->run.metrics[i].value[k];
    for (int i = 0; reply->kind == TR_CLIENT_REPLY_MODEL && i < reply->model.body_count; i++)
        text_sink = strlen(reply->model.bodies[i].name);
    for (int i = 0; reply->kind == TR_CLIENT_REPLY_LINEAGE && i < reply->count; i++)
        text_sink = strlen(reply->lineage[i].name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ProtobufCMessage *decoded = NULL;
    if (tr_message_decode(&troupe__server_message__descriptor, data, size, &decoded))
        return 0;
    tr_reply_box *box = tr_reply_box_create((Troupe__ServerMessage *)decoded);
    if (!box)
        return 0;
    const Troupe__ServerMessage *message = box->message;
    tr_client_state state;
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE && !tr_reply_decode(box))
        read_reply(&box->reply);
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_STATE &&
        !tr_reply_state(box, message->state, &state))
        read_state(&state);
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS)
        for (size_t i = 0; i < message->events->n_events; i++)
            text_sink =
                strlen(tr_client_event_name(tr_reply_event(1, message->events->events[i]).kind));
    tr_reply_box_destroy(box);
    return 0;
}
