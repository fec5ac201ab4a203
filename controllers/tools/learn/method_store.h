/* The result of a work, into a catalogue: the controller, and all that it derives from. */
#pragma once

#include "tools/learn/method_log.h"
#include "tools/learn/method_sources.h"

/* replaces: the result of an earlier call under the same name; preview: it gets no run */
typedef struct tr_method_result {
    const tr_method_options *options;
    const tr_method_sources *sources;
    const tr_method_log *log;
    const tr_controller *controller; /* its name is not read */
    const tr_motion *source;         /* as the method's row says; NULL: none */
    bool replaces, preview;
} tr_method_result;

/* Puts model, clip, run and controller into the catalogue, which is made when missing: all of them
 * or nothing. */
tr_status tr_method_store(const tr_method_result *result, tr_error *error) TR_NODISCARD;

/* Puts the model of an MJCF file; statuses as tr_models_put. */
tr_status tr_method_store_model(tr_catalogue *catalogue, const char *path, const tr_model *model,
                                tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* Whether model and clip of a result can be put; changes nothing. TR_ALREADY_EXISTS: the catalogue has
 * another model or clip of that name. */
tr_status tr_method_store_check(const tr_method_result *result, tr_error *error) TR_NODISCARD;

/* TR_ALREADY_EXISTS: the catalogue of that path has a controller or a run of this name. A catalogue
 * that does not exist has neither. */
tr_status tr_method_store_check_name(const char *catalogue, const char *name,
                                     tr_error *error) TR_NODISCARD;
