/* restore: replaces the world's state by a snapshot, with the commands that waited in it. */
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

#include <stdlib.h>

static tr_restoration *restoration_of(const tr_command *command) {
    return (tr_restoration *)command->data;
}

/* --- reading --- */

static tr_status refuse_pending(const tr_command *pending, tr_error *error) {
    if (pending->kind->at_once)
        return tr_field_refuse(error, "data", "no waiting command that acts on arrival");
    if (pending->kind->unsaved)
        return tr_field_refuse(error, "data", "no waiting restore or start_recording");
    return TR_OK;
}

static tr_status read_pending(const tr_saved_command *saved, const tr_command_table *table,
                              tr_command **out, tr_error *error) {
    tr_command *pending = NULL;
    tr_status status = tr_command_unpack(table, saved->message, saved->size, &pending, error);
    if (!status)
        status = refuse_pending(pending, error);
    if (status) {
        tr_command_destroy(pending);
        return status;
    }
    pending->stamp = (tr_stamp){saved->tick, saved->order, saved->request, saved->session};
    pending->account = saved->account;
    *out = pending;
    return TR_OK;
}

static tr_status read_all_pending(tr_restoration *order, const tr_command_table *table,
                                  tr_error *error) {
    tr_command **end = &order->pending;
    for (int i = 0; i < order->saved->pending_count; i++) {
        tr_status status = read_pending(&order->saved->pending[i], table, end, error);
        if (status)
            return status;
        end = &(*end)->next;
    }
    return TR_OK;
}

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    tr_restoration *order = restoration_of(command);
    const ProtobufCBinaryData *data = &command->message->restore->data;
    order->cast = calloc(1, sizeof *order->cast);
    if (!order->cast)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_snapshot_read(data->data, data->len, &order->saved, error);
    return status ? status : read_all_pending(order, table, error);
}

/* --- names --- */

/* A name that nothing in the snapshot uses may be missing; the stage reports missing items. */
static tr_status names(const tr_command *command, tr_library_needs *needs) {
    const tr_restoration *order = restoration_of(command);
    const tr_saved *saved = order->saved;
    tr_status status = TR_OK;
    needs->lenient = true;
    for (int i = 0; i < saved->model_count && !status; i++)
        status = tr_library_need_model(needs, saved->model[i]);
    for (int i = 0; i < saved->controller_count && !status; i++)
        status = tr_library_need_controller(needs, saved->controller[i]);
    for (const tr_command *p = order->pending; p && !status; p = p->next)
        if (p->kind->names)
            status = p->kind->names(p, needs);
    return status;
}

static tr_status bind_names(tr_command *command, const tr_cast *cast, tr_error *error) {
    tr_restoration *order = restoration_of(command);
    tr_status status = TR_OK;
    *order->cast = *cast;
    for (tr_command *p = order->pending; p && !status; p = p->next)
        status = tr_command_bind(p, cast, error);
    return status;
}

/* --- the rest --- */

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_status status = tr_world_loop_restore(loop, restoration_of(command), loop->now_ns);
    tr_apply_hash(loop, status, result);
    return tr_apply_status(result, status, "restore");
}

static size_t memory(const tr_command *command) {
    const tr_restoration *order = restoration_of(command);
    size_t size = sizeof *order->cast;
    if (order->saved)
        size += (size_t)order->saved->pending_count * sizeof *order->saved->pending;
    for (const tr_command *p = order->pending; p; p = p->next)
        size += tr_command_size(p);
    return size;
}

static void destroy(tr_command *command) {
    tr_restoration *order = restoration_of(command);
    tr_saved_destroy(order->saved);
    free(order->cast);
    tr_command_destroy_all(order->pending);
}

TR_COMMAND_ROW(RESTORE, restore, .keeps = TR_KEEP_STATE, .unsaved = true, .fills = true,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .data_size = sizeof(tr_restoration),
               .check = check, .names = names, .bind = bind_names, .apply = apply, .memory = memory,
               .destroy = destroy)
