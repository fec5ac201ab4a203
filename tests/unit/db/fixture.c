#include "fixture.h"

#include "math/random.h"
#include "model/mjcf.h"
#include "stride.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fixture_stride(void) {
    return suite_stride(11);
}

/* --- folder and catalogue --- */

int fixture_setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    bool in_memory = access("/dev/shm", W_OK) == 0; /* where syncing costs nothing */
    snprintf(f->folder, sizeof f->folder, "%s/troupe-db-XXXXXX", in_memory ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/catalogue", f->folder);
    *state = f;
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_CREATE, &f->catalogue, &f->error));
    return 0;
}

int fixture_teardown(void **state) {
    fixture *f = *state;
    tr_catalogue_close(f->catalogue);
    DIR *folder = opendir(f->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlink(fixture_file(f, entry->d_name));
    if (folder)
        closedir(folder);
    rmdir(f->folder);
    free(f);
    return 0;
}

void fixture_reopen(fixture *f) {
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
}

const char *fixture_file(const fixture *f, const char *name) {
    static char paths[4][384];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", f->folder, name);
    return path;
}

void fixture_expect_ok(tr_status status, const tr_error *error) {
    if (status)
        fail_msg("%s: %s", tr_status_name(status), error->message);
}

/* --- content --- */

char *fixture_model_text(size_t *out_size) {
    return (char *)fixture_read(TR_MODEL_DIR "/humanoid.xml", out_size);
}

tr_row_id fixture_put_model(fixture *f, const char *name) {
    size_t size;
    char *text = fixture_model_text(&size);
    tr_row_id id = 0;
    assert_ok(tr_models_put(f->catalogue, name, text, size, &id, &f->error));
    free(text);
    return id;
}

tr_clip_row fixture_clip(const char *name) {
    tr_clip_row clip = {.source = "run.bvh of a collection",
                        .licence = "Apache License 2.0, to the Körper project",
                        .skeleton = "mass",
                        .frame_count = 240,
                        .frames_per_s = 119.99999999999999,
                        .first_frame = 12,
                        .last_frame = 97,
                        .cyclic = true};
    snprintf(clip.name, sizeof clip.name, "%s", name);
    for (int i = 0; i < 32; i++)
        clip.file_digest.byte[i] = (uint8_t)(i * 7);
    return clip;
}

tr_run_row fixture_run(const char *name) {
    tr_run_row run = {.command = "troupe-train learn run.bvh --seed 7",
                      .parameters = "iterations 20\nsamples 1000\n",
                      .seed = 0xfedcba9876543210u,
                      .threads = 2,
                      .code_version = "0.1.0",
                      .host = "x86_64, two cores",
                      .started_ns = 1700000000123456789,
                      .ended_ns = 1700000400000000001};
    snprintf(run.name, sizeof run.name, "%s", name);
    return run;
}

static tr_vec3 random_vector(tr_random *random) {
    return (tr_vec3){tr_random_normal(random), tr_random_normal(random), tr_random_normal(random)};
}

static tr_state random_state(tr_random *random, int body_count, const tr_state *blank) {
    tr_state state = *blank;
    state.pose.root_pos = random_vector(random);
    state.pose.root_rot = tr_quat_exp(random_vector(random));
    state.root_vel = random_vector(random);
    state.root_omega = random_vector(random);
    for (int b = 1; b < body_count; b++) {
        state.pose.joint[b] = tr_quat_exp(random_vector(random));
        state.joint_rate[b] = random_vector(random);
    }
    return state;
}

static void fill_fragment(tr_fragment *fragment, const tr_model *model, int size,
                          tr_random *random) {
    tr_state blank = fragment->start;
    for (int s = 0; s < fragment->steps; s++)
        for (int b = 1; b < model->body_count; b++)
            fragment->target[s * model->body_count + b] = tr_quat_exp(random_vector(random));
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            fragment->policy.m[i][j] = tr_random_normal(random) * 1e-3;
        fragment->policy.offset[i] = tr_random_normal(random);
        fragment->policy.sigma[i] = tr_random_uniform(random);
    }
    fragment->policy.offset[0] = -0.0;
    fragment->policy.m[0][0] = 5e-324;
    fragment->start = random_state(random, model->body_count, &blank);
    fragment->end = random_state(random, model->body_count, &blank);
}

tr_controller *fixture_controller(const tr_model *model, const char *name, uint64_t seed) {
    tr_random random = tr_random_split(seed, 1, 2);
    tr_controller *controller = NULL;
    assert_int_equal(TR_OK, tr_chain_create(3, 6, model->body_count, &controller));
    snprintf(controller->name, sizeof controller->name, "%s", name);
    snprintf(controller->skill, sizeof controller->skill, "run_slow");
    tr_bank *bank = tr_controller_bank(controller);
    snprintf(bank->gain_set, sizeof bank->gain_set, "%s", model->gain_set[0].name);
    snprintf(controller->model_name, sizeof controller->model_name, "humanoid");
    controller->model_hash = model->hash;
    controller->step_s = 0.005;
    bank->cyclic = bank->mirrored = true;
    assert_int_equal(TR_OK, tr_action_map_default(model, false, &bank->action, NULL));
    bank->fragment[1].steps = 4; /* not all alike */
    for (int i = 0; i < bank->fragment_count; i++)
        fill_fragment(&bank->fragment[i], model, bank->action.size, &random);
    controller->spawn = random_state(&random, model->body_count, &controller->spawn);
    return controller;
}

void fixture_make_graph(tr_controller *controller, const tr_model *model, int nodes, int edges) {
    tr_chain *chain = tr_chain_of(controller);
    tr_controller *other = NULL;
    const tr_graph_size size = {1, 1, nodes, edges};
    assert_int_equal(TR_OK, tr_graph_create(size, model->body_count, &other));
    tr_control_graph *graph = tr_graph_of(other);
    tr_bank bank = graph->bank;
    graph->bank = chain->bank;
    chain->bank = bank;
    tr_driver driver = controller->driver;
    controller->driver = other->driver;
    other->driver = driver;
    tr_controller_destroy(other);
}

tr_row_id fixture_put_controller(fixture *f, const char *name, uint64_t seed, tr_row_id model_id) {
    tr_model *model = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    tr_controller *controller = fixture_controller(model, name, seed);
    tr_controller_entry entry = {.controller = controller, .model_id = model_id};

    tr_clip_row clip = fixture_clip(name);
    clip.last_frame += (int)(seed % 100);
    assert_ok(tr_clips_put(f->catalogue, &clip, &entry.clip_id, &f->error));
    tr_run_row run = fixture_run(name);
    run.seed = seed;
    tr_run_metric metrics[] = {{"push95_n", 2, 150.0}, {"cost", 1, 0.1}, {"cost", 2, 1.0 / 3.0}};
    char starts[] = "where it began";
    const tr_sections inputs = {
        1, {{"starts", false, (unsigned char *)starts, sizeof starts - 1}}, NULL};
    assert_ok(tr_runs_put(f->catalogue, &run, &(tr_run_content){metrics, 3, &inputs}, &entry.run_id,
                          &f->error));
    tr_row_id id = 0;
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return id;
}

/* --- files --- */

void fixture_sql(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(SQLITE_OK, sqlite3_open(path, &db));
    assert_int_equal(SQLITE_OK, sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", 0, 0, 0));
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
}

unsigned char *fixture_read(const char *path, size_t *out_size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(size + 1);
    assert_non_null(data);
    assert_int_equal(size, fread(data, 1, size, file));
    fclose(file);
    *out_size = size;
    return data;
}

void fixture_write(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(size, fwrite(data, 1, size, file));
    assert_int_equal(0, fclose(file));
}
