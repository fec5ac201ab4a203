#include "server/recording/recording_cast.h"

/* --- required models and controllers --- */

static tr_status miss(tr_error *error, const char *noun, const char *name, bool there) {
    return tr_fail(error, TR_NOT_FOUND, "recording: needs the %s '%s', %s", noun, name,
                   there ? "but the catalogue has a different one with this name"
                         : "which is not in the catalogue");
}

tr_status tr_recording_cast_check(const tr_cast *cast, const tr_recording_info *info,
                                  tr_error *error) {
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

/* --- models and controllers of its commands --- */

tr_command *tr_recording_cast_command(const tr_cast *cast, const tr_command_table *commands,
                                      const tr_record *record) {
    tr_command *command = NULL;
    if (tr_command_unpack(commands, record->data, record->size, &command, NULL))
        return NULL;
    if (command->kind->keeps == TR_KEEP_MESSAGE && !tr_command_bind(command, cast, NULL))
        return command;
    tr_command_destroy(command);
    return NULL;
}
