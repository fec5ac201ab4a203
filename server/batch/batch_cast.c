#include "server/batch/batch_cast.h"

#include "server/match/match_decode.h"

#include <stdlib.h>

typedef struct fetching {
    tr_contest *contest;
    tr_library *library;
    tr_error *error;
    bool is_over;
} fetching;

static void on_fetched(void *context, const tr_error *found) {
    fetching *f = context;
    *f->error = *found;
    if (!f->error->status)
        f->error->status = tr_contest_bind(f->contest, f->library, f->error);
    f->is_over = true;
}

/* Runs the loop until the items are there. */
static tr_status fetch(uv_loop_t *loop, fetching *f) {
    tr_library_needs *needs = calloc(1, sizeof *needs);
    tr_status status = needs ? tr_match_needs(&f->contest->def, needs) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_library_fetch(f->library, needs, on_fetched, f);
    free(needs);
    if (status)
        return tr_fail(f->error, status, "teams: too many names, or no memory for them");
    while (!f->is_over)
        uv_run(loop, UV_RUN_ONCE);
    return f->error->status;
}

static tr_status load(uv_loop_t *loop, tr_catalogue *take_catalogue, fetching *f) {
    tr_catalogue_thread *thread = NULL;
    tr_status status = tr_catalogue_thread_start(loop, take_catalogue, &thread);
    if (status) {
        tr_catalogue_close(take_catalogue);
        return tr_fail(f->error, status, "cannot start a thread");
    }
    status = tr_library_create(thread, &f->library);
    status = status ? tr_fail(f->error, status, "out of memory") : fetch(loop, f);
    tr_catalogue_thread_stop(thread);
    uv_run(loop, UV_RUN_DEFAULT);
    return status;
}

tr_status tr_batch_load_cast(const char *path, tr_contest *contest, tr_library **out_library,
                             tr_error *error) {
    tr_catalogue *catalogue = NULL;
    fetching f = {.contest = contest, .error = error};
    uv_loop_t loop;
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_READ, &catalogue, error);
    if (status)
        return status;
    if (uv_loop_init(&loop) != 0) {
        tr_catalogue_close(catalogue);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "cannot make an event loop");
    }
    status = load(&loop, catalogue, &f);
    uv_loop_close(&loop);
    *out_library = f.library;
    return status;
}
