#include "server/batch/batch_books.h"

#include "proto/clock.h"
#include "proto/message.h"
#include "server/catalogue/inquiry.h"
#include "server/match/match_inquiry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 128 };

/* --- the beginning --- */

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

tr_status tr_batch_books_open(const tr_batch_def *def, tr_contest *contest, tr_catalogue **out,
                              int *out_missing, int *out_count, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(def->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (!status)
        status = find_or_put(catalogue, def, contest, error);
    if (!status)
        status = list_missing(catalogue, contest, out_missing, out_count, error);
    return TR_GIVE(status, catalogue, tr_catalogue_close, out);
}

/* --- the end --- */

tr_status tr_batch_books_end(tr_catalogue *catalogue, const tr_contest *contest, tr_error *error) {
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

/* Pages follow each other by the position of the last bout; all bouts are stored. */
tr_status tr_batch_books_print(tr_catalogue *catalogue, const tr_contest *contest, FILE *out,
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
