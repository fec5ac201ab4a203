/* Writes a bundle with two hand-made controllers, "hold" and "sway", for the tests that need
 * something to play: make_bundle WORK_DIR BUNDLE. Fails the way a test does. */
#include "cmocka_test.h"

#include "db/bundles/bundle.h"
#include "db/tables/certificates.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "db/tables/runs.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void require(tr_status status, const tr_error *error) {
    if (!status)
        return;
    fprintf(stderr, "make_bundle: %s: %s\n", tr_status_text(status), error->message);
    exit(1);
}

static tr_row_id put_model(tr_catalogue *catalogue, const char *path) {
    static char text[TR_MODEL_TEXT_MAX];
    tr_error error = {0};
    tr_row_id id = 0;
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    require(tr_models_put(catalogue, "humanoid", text, size, &id, &error), &error);
    return id;
}

static tr_row_id put_run(tr_catalogue *catalogue) {
    tr_error error = {0};
    tr_row_id id = 0;
    tr_run_row run = {.name = "by_hand", .seed = 7, .threads = 1, .started_ns = 1, .ended_ns = 2};
    snprintf(run.command, sizeof run.command, "make_bundle %0600d end", 0); /* a long one */
    strcpy(run.parameters, "amplitude 0.05\npush_n = 40\n");
    strcpy(run.code_version, "test");
    strcpy(run.host, "test");
    const tr_run_metric metric[] = {{"cost", 1, 3.5}, {"cost", 2, 2.5}, {"push95_n", 2, 40}};
    tr_run_content metrics = {metric, 3, NULL};
    require(tr_runs_put(catalogue, &run, &metrics, &id, &error), &error);
    return id;
}

static tr_row_id put_clip(tr_catalogue *catalogue) {
    tr_error error = {0};
    tr_row_id id = 0;
    tr_clip_row clip = {.name = "swaying", .frame_count = 10, .frames_per_s = 30, .last_frame = 9};
    strcpy(clip.source, "made by the project");
    strcpy(clip.licence, "CC0");
    strcpy(clip.skeleton, "humanoid");
    require(tr_clips_put(catalogue, &clip, &id, &error), &error);
    return id;
}

/* As if it had been measured. */
static void put_certificate(tr_catalogue *catalogue, tr_row_id controller) {
    tr_error error = {0};
    tr_row_id id = 0;
    tr_certificate_row row = {.controller_id = controller,
                              .method = 1,
                              .seed = 5,
                              .threads = 1,
                              .started_ns = 3,
                              .ended_ns = 4};
    strcpy(row.command, "make_bundle");
    tr_certificate_figure figure[] = {{"resisting_s", "1 N/s", 54.5},
                                      {"nsr", "", 0.25},
                                      {"resisting_trial_s", "1 N/s 000", 54.5}};
    tr_certificate_push push[] = {
        {0, 20, 20, 20}, {0, 40, 20, 19}, {1, 20, 20, 18}, {1, 40, 20, 2}};
    tr_certificate_content content = {3, 4, figure, push};
    require(tr_certificates_put(catalogue, &row, &content, &id, &error), &error);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: make_bundle WORK_DIR BUNDLE\n");
        return 2;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/make_bundle.sqlite", argv[1]);
    unlink(path);
    tr_error error = {0};
    tr_catalogue *catalogue = NULL;
    require(tr_catalogue_open(path, TR_CATALOGUE_CREATE, &catalogue, &error), &error);
    tr_row_id model_id = put_model(catalogue, TR_SOURCE_DIR "/controllers/model/humanoid.xml");
    tr_row_id run_id = put_run(catalogue), clip_id = put_clip(catalogue);
    tr_model *model = puppet_model();
    tr_controller *controller[2] = {puppet_hold(model, 4, 20), puppet_sway(model, 6, 20, 11)};
    tr_row_id id[2];
    for (int i = 0; i < 2; i++) {
        strcpy(controller[i]->model_name, "humanoid");
        tr_controller_entry entry = {controller[i], model_id, run_id, clip_id};
        require(tr_controllers_put(catalogue, &entry, &id[i], &error), &error);
        tr_controller_destroy(controller[i]);
    }
    put_certificate(catalogue, id[1]);
    require(tr_bundle_export(catalogue, id, 2, argv[2], &error), &error);
    tr_model_destroy(model);
    tr_catalogue_close(catalogue);
    unlink(path);
    return 0;
}
