/* A cast: pointers to the models and controllers that a world uses. Borrowed from the library,
 * which keeps them as long as the world exists. Plain data. */
#pragma once

#include "control/stage/stage.h"

enum { TR_CAST_MODEL_MAX = 16, TR_CAST_CONTROLLER_MAX = 256, TR_CAST_FORMER_MAX = 256 };

typedef struct tr_cast {
    int model_count, controller_count;
    const tr_model *model[TR_CAST_MODEL_MAX];
    char model_name[TR_CAST_MODEL_MAX][TR_NAME_MAX]; /* in the catalogue */
    const tr_controller *controller[TR_CAST_CONTROLLER_MAX];
    int former_count; /* former names by which controllers were asked for */
    struct tr_cast_former {
        char name[TR_NAME_MAX];
        const tr_controller *controller;
    } former[TR_CAST_FORMER_MAX];
} tr_cast;

/* No effect for items that it already has, or for NULL. TR_RESOURCE_EXHAUSTED: full. */
tr_status tr_cast_add_model(tr_cast *cast, const tr_model *model, const char *name) TR_NODISCARD;
tr_status tr_cast_add_controller(tr_cast *cast, const tr_controller *controller) TR_NODISCARD;

/* Lets a former name lead to a controller. No effect if `name` is its present one. */
tr_status tr_cast_add_former(tr_cast *cast, const char *name,
                             const tr_controller *controller) TR_NODISCARD;

/* NULL: it has none with this name, or hash. */
const tr_controller *tr_cast_find_controller(const tr_cast *cast, const char *name);
const tr_model *tr_cast_find_model(const tr_cast *cast, const char *name);
const tr_model *tr_cast_find_model_by_hash(const tr_cast *cast, uint64_t hash);

/* Finds the item with a name; *out is NULL for "". TR_NOT_FOUND: the cast does not have it. */
tr_status tr_cast_bind_model(const tr_cast *cast, const char *name, const tr_model **out,
                             tr_error *error) TR_NODISCARD;
tr_status tr_cast_bind_controller(const tr_cast *cast, const char *name, const tr_controller **out,
                                  tr_error *error) TR_NODISCARD;

/* Name of a model in the catalogue; the name in the model if the cast does not have it. */
const char *tr_cast_model_name(const tr_cast *cast, const tr_model *model);

/* Adds everything from `from`. TR_RESOURCE_EXHAUSTED: full; the cast may have some of it. */
tr_status tr_cast_merge(tr_cast *cast, const tr_cast *from) TR_NODISCARD;

/* The items in the form that a stage takes; valid as long as `cast`. */
tr_stage_library tr_cast_library(const tr_cast *cast);
