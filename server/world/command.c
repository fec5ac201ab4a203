#include "server/world/command.h"

#include <stdlib.h>

static const struct {
    const char *name;
    bool at_once;
} kinds[] = {
#define AT_ONCE true
#define IN_ORDER false
#define X(name, text, when) {text, when},
    TR_COMMAND_LIST(X)
#undef X
#undef AT_ONCE
#undef IN_ORDER
};

tr_command *tr_command_create(tr_command_kind kind) {
    tr_command *command = calloc(1, sizeof *command);
    tr_reply *reply = calloc(1, sizeof *reply);
    if (command == NULL || reply == NULL) {
        free(command);
        free(reply);
        return NULL;
    }
    command->kind = kind;
    command->reply = reply;
    return command;
}

void tr_command_destroy(tr_command *command) {
    if (command == NULL)
        return;
    tr_packet_release(command->wire);
    tr_reply_destroy(command->reply);
    if (command->kind == TR_COMMAND_RESTORE) {
        tr_saved_destroy(command->as.restore.saved);
        free(command->as.restore.cast);
        tr_command_destroy_all(command->as.restore.pending);
    }
    if (command->kind == TR_COMMAND_ADVANCE) {
        tr_command_destroy_all(command->as.advance.orders);
        free(command->as.advance.refusal);
    }
    free(command);
}

void tr_command_destroy_all(tr_command *first) {
    while (first != NULL) {
        tr_command *next = first->next;
        tr_command_destroy(first);
        first = next;
    }
}

const char *tr_command_name(tr_command_kind kind) {
    return kinds[kind].name;
}

bool tr_command_is_at_once(tr_command_kind kind) {
    return kinds[kind].at_once;
}

bool tr_command_is_recorded(tr_command_kind kind) {
    static const bool left_out[TR_COMMAND_KIND_COUNT] = {
        [TR_COMMAND_PAUSE] = true,          [TR_COMMAND_RESUME] = true,
        [TR_COMMAND_SET_RATE] = true,       [TR_COMMAND_MARK] = true,
        [TR_COMMAND_SNAPSHOT] = true,       [TR_COMMAND_RESET] = true,
        [TR_COMMAND_RESTORE] = true,        [TR_COMMAND_START_RECORDING] = true,
        [TR_COMMAND_STOP_RECORDING] = true,
    };
    return !kinds[kind].at_once && !left_out[kind];
}

tr_entity_id tr_command_entity(const tr_command *command) {
    switch (command->kind) {
    case TR_COMMAND_DESPAWN:
        return command->as.despawn;
    case TR_COMMAND_SET_CONTROLLER:
        return command->as.set_controller.entity;
    case TR_COMMAND_SET_LIMP:
        return command->as.set_limp.entity;
    case TR_COMMAND_SET_OFFSET:
        return command->as.set_offset.entity;
    case TR_COMMAND_SET_FRAGMENT:
        return command->as.set_fragment.entity;
    case TR_COMMAND_STEER:
        return command->as.steer.entity;
    case TR_COMMAND_PUSH:
        return command->as.push.entity;
    case TR_COMMAND_THROW:
        return command->as.throw_order.entity;
    default:
        return 0;
    }
}

size_t tr_command_size(const tr_command *command) {
    size_t size = sizeof *command + sizeof *command->reply;
    if (command->wire != NULL)
        size += command->wire->size;
    if (command->kind == TR_COMMAND_RESTORE && command->as.restore.saved != NULL) {
        const tr_saved *saved = command->as.restore.saved;
        size += sizeof(tr_cast) + saved->bytes->size;
        size += (size_t)saved->pending_count *
                (sizeof(tr_command) + sizeof(tr_reply) + sizeof(tr_saved_command));
    }
    if (command->kind == TR_COMMAND_ADVANCE)
        for (const tr_command *o = command->as.advance.orders; o != NULL; o = o->next)
            size += tr_command_size(o);
    return size;
}

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
    while (*at != NULL && tr_stamp_compare(&(*at)->stamp, &command->stamp) <= 0)
        at = &(*at)->next;
    command->next = *at;
    *at = command;
    queue->count++;
    queue->bytes += tr_command_size(command);
}

tr_command *tr_command_queue_take(tr_command_queue *queue) {
    tr_command *command = queue->first;
    if (command == NULL)
        return NULL;
    queue->first = command->next;
    queue->count--;
    queue->bytes -= tr_command_size(command);
    command->next = NULL;
    return command;
}

void tr_reply_destroy(tr_reply *reply) {
    if (reply == NULL)
        return;
    tr_packet_release(reply->data);
    free(reply->refusal);
    free(reply);
}
