#include "server/world/command.h"

#include "proto/message.h"

#include <stdlib.h>

/* --- kinds --- */

const tr_command_kind *tr_command_find(const tr_command_table *table, unsigned number) {
    for (int i = 0; i < table->count; i++)
        if (table->kind[i]->number == number)
            return table->kind[i];
    return NULL;
}

/* --- life --- */

tr_command *tr_command_create(const tr_command_kind *kind) {
    tr_command *command = calloc(1, sizeof *command + kind->data_size);
    tr_reply *reply = calloc(1, sizeof *reply);
    if (!command || !reply) {
        free(command);
        free(reply);
        return NULL;
    }
    command->kind = kind;
    command->reply = reply;
    return command;
}

void tr_command_destroy(tr_command *command) {
    if (!command)
        return;
    if (command->kind->destroy)
        command->kind->destroy(command);
    if (command->message)
        tr_message_destroy(&command->message->base);
    tr_reply_destroy(command->reply);
    free(command->refusal);
    free(command);
}

void tr_command_destroy_all(tr_command *first) {
    while (first) {
        tr_command *next = first->next;
        tr_command_destroy(first);
        first = next;
    }
}

/* --- from the wire and back --- */

/* The message that the oneof of a Command points to. */
static void *body_of(const tr_command *command) {
    return command->message->push;
}

/* Its entity; NULL: none. */
static uint32_t *entity_of(const tr_command *command) {
    if (!command->kind->entity || !command->message)
        return NULL;
    return (uint32_t *)(void *)((uint8_t *)body_of(command) + command->kind->entity);
}

static tr_status check_name(tr_command *command, tr_error *error) {
    uint32_t *entity = entity_of(command);
    if (command->message->entity_name[0] == '\0')
        return TR_OK;
    if (!entity || *entity != 0)
        return tr_field_refuse(error, "entity_name", "a command with an entity that is 0");
    *entity = TR_ENTITY_NAMED;
    return TR_OK;
}

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    const tr_command_kind *kind = command->kind;
    int64_t at_tick = command->message->at_tick;
    if (at_tick < 0)
        return tr_field_refuse(error, "at_tick", "0 or a tick");
    if (at_tick != 0 && kind->at_once)
        return tr_fail(error, TR_INVALID_ARGUMENT, "at_tick: expected 0: a %s acts on arrival",
                       kind->name);
    tr_status status = check_name(command, error);
    if (!status)
        status = tr_fields_check(body_of(command), kind->fields, error);
    return !status && kind->check ? kind->check(command, table, error) : status;
}

tr_status tr_command_decode(const tr_command_table *table, Troupe__Command *take_message,
                            tr_command **out, tr_error *error) {
    const tr_command_kind *kind = tr_command_find(table, (unsigned)take_message->command_case);
    tr_command *command = kind ? tr_command_create(kind) : NULL;
    if (!command) {
        tr_message_destroy(&take_message->base);
        return kind ? tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory")
                    : tr_fail(error, TR_UNIMPLEMENTED, "unknown command");
    }
    command->message = take_message;
    tr_status status = check(command, table, error);
    if (status) {
        tr_command_destroy(command);
        return status;
    }
    command->message_memory = tr_message_memory(&take_message->base);
    *out = command;
    return TR_OK;
}

tr_status tr_command_unpack(const tr_command_table *table, const uint8_t *bytes, size_t size,
                            tr_command **out, tr_error *error) {
    ProtobufCMessage *message = NULL;
    tr_status status = tr_message_decode(&troupe__command__descriptor, bytes, size, &message);
    if (status)
        return tr_fail(error, status, "not a command");
    return tr_command_decode(table, (Troupe__Command *)message, out, error);
}

tr_packet *tr_command_pack(const tr_command *command) {
    if (!command->message)
        return NULL;
    tr_packet *packet = tr_packet_create(troupe__command__get_packed_size(command->message));
    if (packet)
        troupe__command__pack(command->message, packet->bytes);
    return packet;
}

tr_status tr_command_bind(tr_command *command, const tr_cast *cast, tr_error *error) {
    return command->kind->bind ? command->kind->bind(command, cast, error) : TR_OK;
}

/* --- properties of every command --- */

tr_entity_id tr_command_entity(const tr_command *command) {
    const uint32_t *entity = entity_of(command);
    return entity ? *entity : 0;
}

void tr_command_set_entity(tr_command *command, tr_entity_id entity) {
    *entity_of(command) = entity;
    command->message->entity_name[0] = '\0'; /* not empty, so it is the message's own */
}

int64_t tr_command_at_tick(const tr_command *command) {
    return command->message ? command->message->at_tick : 0;
}

size_t tr_command_size(const tr_command *command) {
    size_t size = sizeof *command + command->kind->data_size + sizeof *command->reply +
                  command->message_memory;
    if (command->refusal)
        size += sizeof *command->refusal;
    return size + (command->kind->memory ? command->kind->memory(command) : 0);
}

/* --- the command queue --- */

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

int tr_stamp_compare(const tr_stamp *a, const tr_stamp *b) {
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    if (a->order != b->order)
        return compare(a->order, b->order);
    if (a->request != b->request)
        return compare(a->request, b->request);
    return compare(a->session, b->session);
}

void tr_command_queue_insert(tr_command_queue *queue, tr_command *command) {
    tr_command **at = &queue->first;
    while (*at && tr_stamp_compare(&(*at)->stamp, &command->stamp) <= 0)
        at = &(*at)->next;
    command->next = *at;
    *at = command;
    queue->count++;
    queue->bytes += tr_command_size(command);
}

tr_command *tr_command_queue_take(tr_command_queue *queue) {
    tr_command *command = queue->first;
    if (!command)
        return NULL;
    queue->first = command->next;
    queue->count--;
    queue->bytes -= tr_command_size(command);
    command->next = NULL;
    return command;
}

/* --- replies --- */

void tr_reply_destroy(tr_reply *reply) {
    if (!reply)
        return;
    tr_packet_release(reply->data);
    free(reply->refusal);
    free(reply);
}

void tr_reply_destroy_all(tr_reply *first) {
    for (tr_reply *next, *reply = first; reply; reply = next) {
        next = reply->next;
        tr_reply_destroy(reply);
    }
}

void tr_command_queue_must_hold(const tr_command_queue *queue, tr_invariant *broken) {
    const tr_command *first = queue->first, *second = first ? first->next : NULL;
    TR_MUST(broken, first ? queue->count > 0 : queue->count == 0 && queue->bytes == 0);
    TR_MUST(broken, !second || tr_stamp_compare(&first->stamp, &second->stamp) <= 0);
}
