#include "server/batch/batch.h"

#include "learn/ranks/ranks.h"
#include "server/batch/batch_books.h"
#include "server/match/bout.h"
#include "server/match/match_decode.h"

#include <stdlib.h>

/* Bouts of a round for each rank: enough that a rank with long bouts seldom lets the others wait,
 * and few enough that little is lost when the job ends early. */
enum { ROUND_BOUTS = 32 };

typedef struct batch {
    const tr_batch_def *def;
    tr_contest *contest;
    tr_library *library;
    tr_catalogue *catalogue; /* of the lead; NULL: not open */
    int missing_count;
    int *missing;       /* [missing_count], positions */
    tr_bout_row *round; /* [ROUND_BOUTS * ranks] */
    int first, count;   /* of the round, among the missing */
} batch;

/* --- the cast: fetched as a daemon does it, on a loop that runs for this alone --- */

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
    tr_status status = tr_contest_fetch(f->contest, f->library, on_fetched, f);
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

/* Reads `path`, closes it, and binds the contest to what its match names. The caller releases the
 * contest and destroys the library, on failure too. */
static tr_status load_cast(const char *path, tr_contest *contest, tr_library **out_library,
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

/* --- the match --- */

static tr_status make_contest(batch *b, tr_match_def *match, tr_error *error) {
    tr_status status = tr_decode_match_bytes(b->def->definition, b->def->size, match, error);
    if (status)
        return status;
    if (match->mode == TR_MATCH_HEADLESS) {
        tr_match_row row = tr_contest_row(match, 0);
        b->contest = tr_contest_create(&row, match);
        if (!b->contest)
            status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    } else {
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "mode: expected headless: only a daemon has worlds to watch");
    }
    tr_layout_release(match->world.layout);
    return status;
}

/* Closing it after writing leaves one file without a log, which the ranks of a batch that was
 * killed would else recover all at once. */
static tr_status settle_catalogue(void *context, tr_error *error) {
    const batch *b = context;
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(b->def->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status prepare(batch *b, tr_error *error) {
    tr_match_def *match = calloc(1, sizeof *match);
    size_t bouts = (size_t)ROUND_BOUTS * (size_t)tr_ranks_count();
    tr_status status = match ? make_contest(b, match, error)
                             : tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    free(match);
    if (status)
        return status;
    b->round = calloc(bouts, sizeof *b->round);
    b->missing = calloc((size_t)b->contest->def.bout_count, sizeof *b->missing);
    if (!b->round || !b->missing)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    status = tr_ranks_let_lead(settle_catalogue, b, error);
    return status ? status : load_cast(b->def->catalogue, b->contest, &b->library, error);
}

/* --- the lead --- */

static tr_status open_books(void *context, tr_error *error) {
    batch *b = context;
    return tr_batch_books_open(b->def, b->contest, &b->catalogue, b->missing, &b->missing_count,
                               error);
}

static tr_status store_round(void *context, tr_error *error) {
    batch *b = context;
    int bouts = b->contest->def.bout_count;
    tr_status status =
        tr_matches_add_bouts(b->catalogue, b->contest->row.id, b->round, b->count, error);
    if (!status)
        fprintf(b->def->progress, "%d of %d bouts\n",
                bouts - b->missing_count + b->first + b->count, bouts);
    return status;
}

static tr_status end_books(void *context, tr_error *error) {
    batch *b = context;
    tr_status status = tr_batch_books_end(b->catalogue, b->contest, error);
    return status ? status : tr_batch_books_print(b->catalogue, b->contest, b->def->results, error);
}

/* --- bouts --- */

static void fight_own(batch *b) {
    for (int i = tr_ranks_own(); i < b->count; i += tr_ranks_count()) {
        int position = b->missing[b->first + i];
        tr_bout_result result = {0};
        tr_bout_run(&b->contest->def, tr_match_bout_seed(&b->contest->def, position), &result);
        b->round[i] = tr_contest_bout(&b->contest->def, position, &result);
    }
}

static tr_status fight(batch *b, tr_error *error) {
    const tr_ranks_result results[] = {{b->round, sizeof *b->round}, {NULL, 0}};
    int most = ROUND_BOUTS * tr_ranks_count();
    tr_status status = TR_OK;
    for (; b->first < b->missing_count && !status; b->first += b->count) {
        int left = b->missing_count - b->first;
        b->count = left < most ? left : most;
        fight_own(b);
        tr_ranks_share(b->count, results);
        status = tr_ranks_let_lead(store_round, b, error);
    }
    return status;
}

static tr_status run(batch *b, tr_error *error) {
    tr_status status = prepare(b, error);
    if (status)
        return status;
    tr_ranks_compare("the models and controllers of the match", b->contest->row.cast_hash);
    status = tr_ranks_let_lead(open_books, b, error);
    if (status)
        return status;
    tr_ranks_follow(&b->missing_count, sizeof b->missing_count);
    tr_ranks_follow(b->missing, (size_t)b->missing_count * sizeof *b->missing);
    status = fight(b, error);
    return status ? status : tr_ranks_let_lead(end_books, b, error);
}

tr_status tr_batch_run(const tr_batch_def *def, tr_error *error) {
    batch b = {.def = def};
    tr_status status = run(&b, error);
    tr_catalogue_close(b.catalogue);
    tr_contest_destroy(b.contest);
    tr_library_destroy(b.library);
    free(b.missing);
    free(b.round);
    return status;
}
