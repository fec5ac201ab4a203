/* Writes a bundle with the toy controllers: make_toy_bundle MODEL WORK_FILE BUNDLE. */
#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "toy/sway/sway.h"
#include "toy/watch/watch.h"

#include <stdio.h>
#include <unistd.h>

typedef tr_status (*toy_create)(const tr_model *model, tr_controller **out);

static tr_status put(tr_catalogue *catalogue, const char *path, toy_create create, tr_row_id *out,
                     tr_error *error) {
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
        status = create(model, &toy);
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
    tr_row_id id[2] = {0};
    if (argc != 4)
        return 2;
    unlink(argv[2]);
    tr_status status = tr_catalogue_open(argv[2], TR_CATALOGUE_CREATE, &catalogue, &error);
    if (!status)
        status = put(catalogue, argv[1], toy_sway_create, &id[0], &error);
    if (!status)
        status = put(catalogue, argv[1], toy_watch_create, &id[1], &error);
    if (!status)
        status = tr_bundle_export(catalogue, id, 2, argv[3], &error);
    tr_catalogue_close(catalogue);
    unlink(argv[2]);
    if (status)
        fprintf(stderr, "make_toy_bundle: %s: %s\n", tr_status_text(status), error.message);
    return status != TR_OK;
}
