#include "cmocka_test.h"

#include "db/tables/controllers.h"
#include "db/tables/guides.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "model/name.h"
#include "server/catalogue/library.h"
#include "unit/control/puppet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTROLLERS = 70 }; /* more than the library keeps without a user */

typedef struct fixture {
    char path[64];
    uv_loop_t loop;
    tr_catalogue_thread *thread;
    tr_library *library;
    int fetched;
    tr_error error;
} fixture;

static void fill(tr_catalogue *catalogue) {
    static char text[TR_MODEL_TEXT_MAX];
    tr_row_id model_id = 0, id = 0;
    FILE *file = fopen(TR_SOURCE_DIR "/controllers/model/humanoid.xml", "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(tr_models_put(catalogue, "humanoid", text, size, &model_id, NULL), TR_OK);
    OWN(tr_model) *model = puppet_model();
    for (int i = 0; i < CONTROLLERS; i++) {
        OWN(tr_controller) *controller = puppet_sway(model, 1, 2, (uint64_t)i);
        snprintf(controller->name, sizeof controller->name, "sway %d", i);
        tr_name_set(controller->model_name, "humanoid");
        tr_controller_entry entry = {.controller = controller, .model_id = model_id};
        assert_int_equal(tr_controllers_put(catalogue, &entry, &id, NULL), TR_OK);
    }
}

FIXTURE(set_up) {
    fixture *f = calloc(1, sizeof *f);
    tr_catalogue *catalogue = NULL;
    strcpy(f->path, "/tmp/troupe-library-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    strcat(f->path, "/c.sqlite");
    assert_int_equal(tr_catalogue_open(f->path, TR_CATALOGUE_CREATE, &catalogue, NULL), TR_OK);
    assert_int_equal(tr_catalogue_begin(catalogue, NULL), TR_OK);
    fill(catalogue);
    assert_int_equal(tr_catalogue_commit(catalogue, NULL), TR_OK);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    assert_int_equal(tr_catalogue_thread_start(&f->loop, catalogue, &f->thread), TR_OK);
    assert_int_equal(tr_library_create(f->thread, &f->library), TR_OK);
    *given = f;
}

FIXTURE(tear_down) {
    OWN_MEMORY fixture *f = *given;
    tr_catalogue_thread_stop(f->thread);
    tr_library_destroy(f->library);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s%s", f->path, ends[i]);
        unlink(path);
    }
    *strrchr(f->path, '/') = '\0';
    rmdir(f->path);
}

static void on_fetched(void *context, const tr_error *error) {
    fixture *f = context;
    f->fetched++;
    f->error = *error;
}

static void fetch(fixture *f, const tr_library_needs *needs) {
    int before = f->fetched;
    assert_int_equal(tr_library_fetch(f->library, needs, on_fetched, f), TR_OK);
    while (f->fetched == before)
        uv_run(&f->loop, UV_RUN_ONCE);
}

TEST_WITH(test_a_controller_brings_its_model, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, "sway 3"), TR_OK);
    assert_false(tr_library_has(f->library, &needs));
    fetch(f, &needs);
    assert_int_equal(f->error.status, TR_OK);
    assert_true(tr_library_has(f->library, &needs));
    const tr_library_item *item = tr_library_find_controller(f->library, "sway 3");
    assert_ptr_equal(tr_library_model(item),
                     tr_library_model(tr_library_find_model(f->library, "humanoid")));
    assert_true(tr_library_controller(item)->model_hash == tr_library_model(item)->hash);
}

TEST_WITH(test_unknown_names, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, "absent"), TR_OK);
    assert_int_equal(tr_library_need_controller(&needs, "sway 1"), TR_OK);
    fetch(f, &needs);
    assert_int_equal(f->error.status, TR_NOT_FOUND);
    assert_null(tr_library_find_controller(f->library, "sway 1"));
    needs.lenient = true;
    fetch(f, &needs);
    assert_int_equal(f->error.status, TR_OK);
    assert_non_null(tr_library_find_controller(f->library, "sway 1"));
}

TEST_WITH(test_two_requests_for_the_same_controller, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, "sway 1"), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &needs, on_fetched, f), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &needs, on_fetched, f), TR_OK);
    while (f->fetched < 2)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(f->error.status, TR_OK);
    assert_non_null(tr_library_find_controller(f->library, "sway 1"));
}

TEST_WITH(test_held_entries_stay_and_the_oldest_unused_leaves, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs one = {0};
    assert_int_equal(tr_library_need_controller(&one, "sway 0"), TR_OK);
    fetch(f, &one);
    tr_library_item *held = tr_library_find_controller(f->library, "sway 0");
    tr_library_hold(f->library, held);
    for (int i = 1; i < CONTROLLERS; i++) {
        tr_library_needs needs = {0};
        char name[TR_NAME_MAX];
        snprintf(name, sizeof name, "sway %d", i);
        assert_int_equal(tr_library_need_controller(&needs, name), TR_OK);
        fetch(f, &needs);
    }
    assert_ptr_equal(tr_library_find_controller(f->library, "sway 0"), held);
    assert_null(tr_library_find_controller(f->library, "sway 1"));
    assert_non_null(tr_library_find_controller(f->library, "sway 69"));
    assert_non_null(tr_library_find_model(f->library, "humanoid"));
    tr_library_release(f->library, held);
    assert_non_null(
        tr_library_find_controller(f->library, "sway 0")); /* the newest of those let go */
}

/* A requester sees all its items, though others have fetched more than is kept. */
static void on_whole(void *context, const tr_error *error) {
    fixture *f = context;
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, "sway 0"), TR_OK);
    assert_int_equal(tr_library_need_controller(&needs, "sway 69"), TR_OK);
    assert_int_equal(error->status, TR_OK);
    assert_true(tr_library_has(f->library, &needs));
    f->fetched++;
}

TEST_WITH(test_present_entries_stay_until_the_rest_has_arrived, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs one = {0}, many = {0}, both = {0};
    assert_int_equal(tr_library_need_controller(&one, "sway 0"), TR_OK);
    fetch(f, &one);
    for (int i = 1; i < CONTROLLERS; i++) {
        char name[TR_NAME_MAX];
        snprintf(name, sizeof name, "sway %d", i);
        assert_int_equal(tr_library_need_controller(&many, name), TR_OK);
    }
    assert_int_equal(tr_library_need_controller(&both, "sway 0"), TR_OK);
    assert_int_equal(tr_library_need_controller(&both, "sway 69"), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &many, on_fetched, f), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &both, on_whole, f), TR_OK);
    while (f->fetched < 3)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_false(tr_library_has(f->library, &many)); /* they were too many to be kept */
}

/* The fetch would never be answered: the thread has ended. */
static void on_fetched_at_the_end(void *context, const tr_error *error) {
    fixture *f = context;
    tr_library_needs needs = {0};
    assert_int_equal(error->status, TR_OK);
    assert_int_equal(tr_library_need_controller(&needs, "sway 2"), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &needs, on_fetched, f), TR_UNAVAILABLE);
    f->fetched++;
}

TEST_WITH(test_nothing_is_asked_of_a_thread_that_ends, set_up, tear_down) {
    fixture *f = *given;
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, "sway 1"), TR_OK);
    assert_int_equal(tr_library_fetch(f->library, &needs, on_fetched_at_the_end, f), TR_OK);
    tr_catalogue_thread_stop(f->thread);
    f->thread = NULL;
    assert_int_equal(f->fetched, 1);
}

/* Writes to the catalogue while the library is in use, as a training does. */
typedef struct writing {
    tr_catalogue_job job;
    const char *former; /* of "sway 0"; NULL: a new controller is named "old" */
    bool done;
} writing;

static void write_guide(tr_catalogue *catalogue, const char *former) {
    tr_guide guide = {.section = "skills", .summary = "sways", .former_count = 1};
    tr_controller_row row;
    tr_name_set(guide.former[0], former);
    assert_int_equal(tr_controllers_find(catalogue, "sway 0", &row, NULL), TR_OK);
    assert_int_equal(tr_guides_put(catalogue, row.id, &guide, NULL), TR_OK);
}

static void write_controller(tr_catalogue *catalogue) {
    tr_model_row row;
    tr_row_id id = 0;
    OWN(tr_model) *model = puppet_model();
    OWN(tr_controller) *controller = puppet_sway(model, 1, 2, 100);
    strcpy(controller->name, "old");
    tr_name_set(controller->model_name, "humanoid");
    assert_int_equal(tr_models_find(catalogue, "humanoid", &row, NULL), TR_OK);
    tr_controller_entry entry = {.controller = controller, .model_id = row.id};
    assert_int_equal(tr_controllers_put(catalogue, &entry, &id, NULL), TR_OK);
}

static void query_writing(tr_catalogue_job *job, tr_catalogue *catalogue) {
    const writing *w = (const writing *)job;
    if (w->former)
        write_guide(catalogue, w->former);
    else
        write_controller(catalogue);
}

static void done_writing(tr_catalogue_job *job) {
    ((writing *)job)->done = true;
}

static void write_catalogue(fixture *f, const char *former) {
    writing w = {.job = {.query = query_writing, .done = done_writing}, .former = former};
    assert_int_equal(tr_catalogue_thread_submit(f->thread, &w.job), TR_OK);
    while (!w.done)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static const char *found_as(fixture *f, const char *name) {
    tr_library_needs needs = {0};
    assert_int_equal(tr_library_need_controller(&needs, name), TR_OK);
    if (!tr_library_has(f->library, &needs))
        fetch(f, &needs);
    assert_int_equal(f->error.status, TR_OK);
    return tr_library_controller(tr_library_find_controller(f->library, name))->name;
}

TEST_WITH(test_a_controller_that_takes_a_former_name_has_it, set_up, tear_down) {
    fixture *f = *given;
    write_catalogue(f, "old");
    assert_string_equal(found_as(f, "old"), "sway 0");
    assert_string_equal(found_as(f, "old"), "sway 0");
    write_catalogue(f, NULL);
    assert_string_equal(found_as(f, "old"), "old");
    assert_string_equal(found_as(f, "sway 0"), "sway 0");
}

TEST(test_full_needs_are_refused) {
    tr_library_needs needs = {0};
    char name[TR_NAME_MAX];
    for (int i = 0; i < TR_CAST_CONTROLLER_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(tr_library_need_controller(&needs, name), TR_OK);
    }
    assert_int_equal(tr_library_need_controller(&needs, "0"), TR_OK);
    assert_int_equal(tr_library_need_controller(&needs, ""), TR_OK);
    assert_int_equal(tr_library_need_controller(&needs, "more"), TR_RESOURCE_EXHAUSTED);
}
