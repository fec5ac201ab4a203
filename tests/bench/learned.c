#include "bench/learned.h"

#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"

#include <stdio.h>

char *const tr_bench_skill[TR_BENCH_SKILLS] = {
    "run",    "run-striding", "walk",  "walk-slow",  "walk-fast", "stand",    "kick",      "punch",
    "karate", "spin-kick",    "dance", "dance-spin", "cartwheel", "backflip", "rise-prone"};

bool tr_bench_load_controller(const char *bundle, const char *name, tr_model **out_model,
                              tr_controller **out_controller) {
    tr_catalogue *catalogue = NULL;
    tr_model *model = NULL;
    tr_controller_row row;
    tr_error error = {0};
    tr_status status = tr_catalogue_open(bundle, TR_CATALOGUE_READ, &catalogue, &error);
    if (!status)
        status = tr_controllers_find(catalogue, name, &row, &error);
    if (!status)
        status = tr_models_load(catalogue, row.model_id, &model, &error);
    if (!status)
        status = tr_controllers_load(catalogue, row.id, model, out_controller, &error);
    tr_catalogue_close(catalogue);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        tr_model_destroy(model);
        return false;
    }
    *out_model = model;
    return true;
}

char *tr_bench_load_mjcf(const char *bundle, const char *name) {
    tr_catalogue *catalogue = NULL;
    tr_controller_row row;
    tr_error error = {0};
    char *mjcf = NULL;
    tr_status status = tr_catalogue_open(bundle, TR_CATALOGUE_READ, &catalogue, &error);
    if (!status)
        status = tr_controllers_find(catalogue, name, &row, &error);
    if (!status)
        status = tr_models_text(catalogue, row.model_id, &mjcf, NULL, &error);
    tr_catalogue_close(catalogue);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    return mjcf;
}
