#include "server/catalogue/cast.h"

#include "model/name.h"

#include <string.h>

tr_status tr_cast_add_model(tr_cast *cast, const tr_model *model, const char *name) {
    for (int i = 0; i < cast->model_count; i++)
        if (cast->model[i] == model)
            return TR_OK;
    if (!model)
        return TR_OK;
    if (cast->model_count == TR_CAST_MODEL_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_name_set(cast->model_name[cast->model_count], name);
    cast->model[cast->model_count++] = model;
    return TR_OK;
}

tr_status tr_cast_add_controller(tr_cast *cast, const tr_controller *controller) {
    for (int i = 0; i < cast->controller_count; i++)
        if (cast->controller[i] == controller)
            return TR_OK;
    if (!controller)
        return TR_OK;
    if (cast->controller_count == TR_CAST_CONTROLLER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    cast->controller[cast->controller_count++] = controller;
    return TR_OK;
}

static const tr_controller *find_former(const tr_cast *cast, const char *name) {
    for (int i = 0; i < cast->former_count; i++)
        if (strcmp(cast->former[i].name, name) == 0)
            return cast->former[i].controller;
    return NULL;
}

tr_status tr_cast_add_former(tr_cast *cast, const char *name, const tr_controller *controller) {
    if (strcmp(controller->name, name) == 0 || find_former(cast, name))
        return TR_OK;
    if (cast->former_count == TR_CAST_FORMER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    struct tr_cast_former *former = &cast->former[cast->former_count++];
    tr_name_set(former->name, name);
    former->controller = controller;
    return TR_OK;
}

const tr_controller *tr_cast_find_controller(const tr_cast *cast, const char *name) {
    for (int i = 0; i < cast->controller_count; i++)
        if (strcmp(cast->controller[i]->name, name) == 0)
            return cast->controller[i];
    return find_former(cast, name);
}

const tr_model *tr_cast_find_model(const tr_cast *cast, const char *name) {
    for (int i = 0; i < cast->model_count; i++)
        if (strcmp(cast->model_name[i], name) == 0)
            return cast->model[i];
    return NULL;
}

const tr_model *tr_cast_find_model_by_hash(const tr_cast *cast, uint64_t hash) {
    for (int i = 0; i < cast->model_count; i++)
        if (cast->model[i]->hash == hash)
            return cast->model[i];
    return NULL;
}

tr_status tr_cast_bind_model(const tr_cast *cast, const char *name, const tr_model **out,
                             tr_error *error) {
    *out = name[0] != '\0' ? tr_cast_find_model(cast, name) : NULL;
    return *out || name[0] == '\0'
               ? TR_OK
               : tr_fail(error, TR_NOT_FOUND, "model '%s': not in the catalogue", name);
}

tr_status tr_cast_bind_controller(const tr_cast *cast, const char *name, const tr_controller **out,
                                  tr_error *error) {
    *out = name[0] != '\0' ? tr_cast_find_controller(cast, name) : NULL;
    return *out || name[0] == '\0'
               ? TR_OK
               : tr_fail(error, TR_NOT_FOUND, "controller '%s': not in the catalogue", name);
}

const char *tr_cast_model_name(const tr_cast *cast, const tr_model *model) {
    for (int i = 0; i < cast->model_count; i++)
        if (cast->model[i] == model)
            return cast->model_name[i];
    return model->name;
}

tr_status tr_cast_merge(tr_cast *cast, const tr_cast *from) {
    tr_status status = TR_OK;
    for (int i = 0; i < from->model_count && !status; i++)
        status = tr_cast_add_model(cast, from->model[i], from->model_name[i]);
    for (int i = 0; i < from->controller_count && !status; i++)
        status = tr_cast_add_controller(cast, from->controller[i]);
    for (int i = 0; i < from->former_count && !status; i++)
        status = tr_cast_add_former(cast, from->former[i].name, from->former[i].controller);
    return status;
}

tr_stage_library tr_cast_library(const tr_cast *cast) {
    return (tr_stage_library){.models = cast->model,
                              .model_count = cast->model_count,
                              .controllers = cast->controller,
                              .controller_count = cast->controller_count};
}
