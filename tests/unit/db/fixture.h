/* A folder for files and a small catalogue to put into it, for the tests of db/. */
#pragma once
#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "db/store/catalogue.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "db/tables/runs.h"

#include <sqlite3.h>

typedef struct fixture {
    char folder[64]; /* removed at the end with all that is in it */
    char path[96];   /* of a catalogue in it */
    tr_catalogue *catalogue;
    tr_error error;
} fixture;

/* Repetitions are thinned out by this factor: 1 in a plain build, 11 under a sanitizer, where each
 * costs ten times as much and the test is about memory. TROUPE_TEST_STRIDE in the environment
 * overrides it, up to 11 (stride.h). */
int fixture_stride(void);

/* cmocka's setup and teardown: a new folder, an empty catalogue open in it for writing. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Closes the catalogue and opens it again. */
void fixture_reopen(fixture *f);

/* Path of a file in the folder; good until the next call but three. */
const char *fixture_file(const fixture *f, const char *name);

/* Fails the test with the message unless the status is TR_OK. */
void fixture_expect_ok(tr_status status, const tr_error *error);
#define assert_ok(expression) fixture_expect_ok((expression), &f->error)
#define assert_status(expected, expression) assert_int_equal((expected), (expression))

/* The shipped humanoid's text; a copy, for the caller to free. */
char *fixture_model_text(size_t *out_size);
tr_row_id fixture_put_model(fixture *f, const char *name);

tr_clip_row fixture_clip(const char *name);
tr_run_row fixture_run(const char *name);

/* A controller of random numbers that fits the model: every field is filled, `seed` decides. */
tr_controller *fixture_controller(const tr_model *model, const char *name, uint64_t seed);

/* Turns a controller that is a chain into a graph with its fragments; nodes and edges are
 * zeroed. */
void fixture_make_graph(tr_controller *controller, const tr_model *model, int nodes, int edges);

/* Puts a controller with a separate run and clip under `name`, on the model. */
tr_row_id fixture_put_controller(fixture *f, const char *name, uint64_t seed, tr_row_id model_id);

/* Runs SQL on a database file by a separate connection, without foreign keys or checks. */
void fixture_sql(const char *path, const char *sql);

/* Whole file; for the caller to free. */
unsigned char *fixture_read(const char *path, size_t *out_size);
void fixture_write(const char *path, const void *data, size_t size);
