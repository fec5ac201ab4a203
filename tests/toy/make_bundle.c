/* Writes a bundle with the toy controller: make_toy_bundle MODEL WORK_FILE BUNDLE. */
#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "toy/sway/sway.h"

#include <stdio.h>
#include <unistd.h>

static tr_status put(tr_catalogue *catalogue, const char *path, tr_row_id *out, tr_error *error) {
    static char text[TR_MODEL_TEXT_MAX];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    tr_controller *toy = NULL;
    tr_model *model = NULL;
    tr_controller_entry entry = {0};
    tr_status status = tr_models_put(catalogue, "humanoid", text, size, &entry.model_id, error);
    if (!status)
        status = tr_models_load(catalogue, entry.model_id, &model, error);
    if (!status)
        status = toy_sway_create(model, &toy);
    entry.controller = toy;
    if (!status)
        status = tr_controllers_put(catalogue, &entry, out, error);
    tr_controller_destroy(toy);
    tr_model_destroy(model);
    return status;
}

int main(int argc, char **argv) {
    tr_error error = {0};
    tr_catalogue *catalogue = NULL;
    tr_row_id id = 0;
    if (argc != 4)
        return 2;
    unlink(argv[2]);
    tr_status status = tr_catalogue_open(argv[2], TR_CATALOGUE_CREATE, &catalogue, &error);
    if (!status)
        status = put(catalogue, argv[1], &id, &error);
    if (!status)
        status = tr_bundle_export(catalogue, &id, 1, argv[3], &error);
    tr_catalogue_close(catalogue);
    unlink(argv[2]);
    if (status)
        fprintf(stderr, "make_toy_bundle: %s: %s\n", tr_status_text(status), error.message);
    return status != TR_OK;
}
