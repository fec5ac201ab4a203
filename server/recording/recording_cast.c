#include "server/recording/recording_cast.h"

#include "proto/message.h"
#include "server/catalogue/name.h"
#include "server/world/decode.h"

/* --- what it needs --- */

static tr_status miss(tr_error *error, const char *noun, const char *name, bool there) {
    return tr_fail(error, TR_NOT_FOUND, "recording: it needs %s '%s', %s", noun, name,
                   there ? "and the catalogue has another one of this name"
                         : "which is not in the catalogue");
}

tr_status tr_recording_cast_check(const tr_cast *cast, const tr_recording_info *info,
                                  tr_error *error) {
    for (int i = 0; i < info->model_count; i++) {
        const tr_model *model = tr_cast_find_model(cast, info->model[i].name);
        if (model == NULL || model->hash != info->model[i].hash)
            return miss(error, "model", info->model[i].name, model != NULL);
    }
    for (int i = 0; i < info->controller_count; i++) {
        const tr_recording_name *need = &info->controller[i];
        const tr_controller *controller = tr_cast_find_controller(cast, need->name);
        const tr_model *model =
            controller != NULL ? tr_cast_find_model_by_hash(cast, controller->model_hash) : NULL;
        if (model == NULL || tr_controller_hash(controller, model) != need->hash)
            return miss(error, "controller", need->name, controller != NULL);
    }
    return TR_OK;
}

/* --- what its commands mean --- */

static tr_status resolve(const tr_cast *cast, tr_command *command) {
    if (command->kind == TR_COMMAND_SPAWN_CHARACTER) {
        tr_spawn_character *spawn = &command->as.spawn_character;
        spawn->controller = tr_cast_find_controller(cast, spawn->controller_name);
        if (spawn->controller == NULL && spawn->controller_name[0] != '\0')
            return TR_NOT_FOUND;
        if (spawn->model_name[0] == '\0' && spawn->controller != NULL)
            tr_name_set(spawn->model_name, spawn->controller->model_name);
        spawn->model = tr_cast_find_model(cast, spawn->model_name);
        return spawn->model != NULL ? TR_OK : TR_NOT_FOUND;
    }
    if (command->kind == TR_COMMAND_SET_CONTROLLER) {
        tr_set_controller *set = &command->as.set_controller;
        set->controller = tr_cast_find_controller(cast, set->controller_name);
        return set->controller != NULL || set->controller_name[0] == '\0' ? TR_OK : TR_NOT_FOUND;
    }
    return TR_OK;
}

tr_command *tr_recording_cast_command(const tr_cast *cast, const tr_record *record) {
    ProtobufCMessage *message = NULL;
    tr_command *command = NULL;
    if (tr_message_decode(&troupe__command__descriptor, record->data, record->size, &message) !=
        TR_OK)
        return NULL;
    tr_status status = tr_decode_command((const Troupe__Command *)message, &command, NULL);
    tr_message_destroy(message);
    if (status == TR_OK && tr_command_is_recorded(command->kind) && resolve(cast, command) == TR_OK)
        return command;
    tr_command_destroy(command);
    return NULL;
}
