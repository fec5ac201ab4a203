#include "server/batch/batch.h"

#include "learn/ranks/ranks.h"
#include "proto/clock.h"
#include "proto/message.h"
#include "server/catalogue/inquiry.h"
#include "server/match/bout.h"
#include "server/match/contest.h"
#include "server/match/match_decode.h"
#include "server/match/match_inquiry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bouts of a round for each rank: enough that a rank with long bouts seldom lets the others wait,
 * and few enough that little is lost when the job ends early. */
enum { ROUND_BOUTS = 32, PAGE = 128 };

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

/* --- the books: the match and its results in the catalogue, by the lead alone --- */

static tr_status compare_definition(tr_catalogue *catalogue, const tr_batch_def *def, tr_row_id id,
                                    bool *out_same, tr_error *error) {
    void *stored = NULL;
    size_t size = 0;
    tr_status status = tr_matches_definition(catalogue, id, &stored, &size, error);
    if (status)
        return status;
    *out_same = size == def->size && memcmp(stored, def->definition, size) == 0;
    free(stored);
    return TR_OK;
}

/* A match with this name is in the catalogue: if it is this one, it continues, or it is done and is
 * shown again. */
static tr_status continue_match(tr_catalogue *catalogue, const tr_batch_def *def,
                                const tr_match_row *stored, tr_contest *contest, tr_error *error) {
    bool same = false;
    tr_status status = compare_definition(catalogue, def, stored->id, &same, error);
    if (status)
        return status;
    bool done = stored->state == TR_MATCH_DONE;
    if (!same || (!done && stored->state != TR_MATCH_RUNNING))
        return tr_fail(
            error, TR_ALREADY_EXISTS,
            "match '%s': %s; give this one another --name, or remove that one", stored->name,
            same ? "it was ended early" : "the catalogue has another match with this name");
    if (!done && stored->cast_hash != contest->row.cast_hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "match '%s': a controller or model has changed since the match began",
                       stored->name);
    contest->row = *stored;
    return TR_OK;
}

static tr_status find_or_put(tr_catalogue *catalogue, const tr_batch_def *def, tr_contest *contest,
                             tr_error *error) {
    tr_match_row stored;
    tr_status status = tr_matches_find(catalogue, contest->row.name, &stored, error);
    if (!status)
        return continue_match(catalogue, def, &stored, contest, error);
    if (status != TR_NOT_FOUND)
        return status;
    contest->row.created_ns = tr_clock_ns(CLOCK_REALTIME);
    return tr_matches_put(catalogue, &contest->row, def->definition, def->size, &contest->row.id,
                          error);
}

static tr_status list_missing(tr_catalogue *catalogue, const tr_contest *contest, int *out_missing,
                              int *out_count, tr_error *error) {
    tr_bout_row bout[PAGE];
    int position = 0, missing = 0;
    for (int count = PAGE; count == PAGE;) {
        tr_status status =
            tr_matches_bouts(catalogue, contest->row.id, position, bout, &count, error);
        if (status)
            return status;
        for (int i = 0; i < count; i++, position++) {
            if (bout[i].position >= contest->def.bout_count)
                return tr_fail(error, TR_DATA_LOSS,
                               "match '%s': it has a bout %d, expected at most %d",
                               contest->row.name, bout[i].position + 1, contest->def.bout_count);
            for (; position < bout[i].position; position++)
                out_missing[missing++] = position;
        }
    }
    for (; position < contest->def.bout_count; position++)
        out_missing[missing++] = position;
    *out_count = missing;
    return TR_OK;
}

/* Stores the match, or finds it interrupted, with the positions that have no result, rising. */
static tr_status open_books(void *context, tr_error *error) {
    batch *b = context;
    tr_status status =
        tr_catalogue_open(b->def->catalogue, TR_CATALOGUE_WRITE, &b->catalogue, error);
    if (!status)
        status = find_or_put(b->catalogue, b->def, b->contest, error);
    return status ? status
                  : list_missing(b->catalogue, b->contest, b->missing, &b->missing_count, error);
}

/* All bouts are stored. */
static tr_status end_match(tr_catalogue *catalogue, const tr_contest *contest, tr_error *error) {
    if (contest->row.state == TR_MATCH_DONE)
        return TR_OK;
    return tr_matches_end(catalogue, contest->row.id, TR_MATCH_DONE, "",
                          tr_clock_ns(CLOCK_REALTIME), error);
}

/* Asks as a client would. */
static tr_status ask_page(tr_catalogue *catalogue, tr_contest const *contest, char *token,
                          tr_packet **out, tr_error *error) {
    Troupe__Page page = TROUPE__PAGE__INIT;
    Troupe__GetMatch get = TROUPE__GET_MATCH__INIT;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    char name[TR_NAME_MAX];
    memcpy(name, contest->row.name, sizeof name);
    page.size = TR_PAGE_MAX;
    page.token = token;
    get.name = name;
    get.page = &page;
    tr_message_choose(&request.base, &get.base);
    tr_inquiry inquiry = {.catalogue = catalogue, .request = &request, .error = error};
    tr_status status = tr_inquiry_run(&inquiry, tr_inquiry_get_match);
    if (!status)
        *out = inquiry.answer;
    return status;
}

/* Writes the results in frames, a page each; these follow each other by the position of the last bout. */
static tr_status print_results(tr_catalogue *catalogue, const tr_contest *contest, FILE *out,
                               tr_error *error) {
    for (int first = 0; first < contest->def.bout_count; first += TR_PAGE_MAX) {
        char token[24] = "";
        tr_packet *packet = NULL;
        if (first > 0)
            snprintf(token, sizeof token, "%d", first - 1);
        tr_status status = ask_page(catalogue, contest, token, &packet, error);
        if (status)
            return status;
        bool written = fwrite(packet->bytes, packet->size, 1, out) == 1 && fflush(out) == 0;
        tr_packet_release(packet);
        if (!written)
            return tr_fail(error, TR_UNAVAILABLE, "the results cannot be written: %s",
                           strerror(errno));
    }
    return TR_OK;
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
    tr_status status = end_match(b->catalogue, b->contest, error);
    return status ? status : print_results(b->catalogue, b->contest, b->def->results, error);
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
