#include "server/match/match_inquiry.h"

#include "proto/message.h"
#include "server/match/match_encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pages by number --- */

/* The number after which a page begins; `first`: of the first page. */
static tr_status read_after(tr_inquiry *inquiry, const tr_inquiry_page *page, int64_t first,
                            int64_t *out) {
    char *end = NULL;
    *out = first;
    if (page->after == NULL)
        return TR_OK;
    long long number = strtoll(page->after, &end, 10);
    if (*end != '\0' || number < 0)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "page.token: not one of this daemon");
    *out = number;
    return TR_OK;
}

static char *token(tr_inquiry *inquiry, const tr_inquiry_page *page, int count, int64_t last) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)last);
    return tr_inquiry_token(inquiry, page, count, text);
}

/* --- a match --- */

/* The definition as a message, which the query keeps. NULL: the error tells. */
static const Troupe__Match *read_definition(tr_inquiry *inquiry, tr_row_id id) {
    void *bytes = NULL;
    size_t size = 0;
    ProtobufCMessage *message = NULL;
    if (tr_matches_definition(inquiry->catalogue, id, &bytes, &size, inquiry->error) != TR_OK)
        return NULL;
    tr_status status = tr_message_decode(&troupe__match__descriptor, bytes, size, &message);
    free(bytes);
    if (status == TR_OK && tr_inquiry_keep(inquiry, message))
        return (const Troupe__Match *)message;
    if (status == TR_RESOURCE_EXHAUSTED)
        (void)tr_fail(inquiry->error, status, "out of memory");
    else if (status != TR_OK)
        (void)tr_fail(inquiry->error, TR_DATA_LOSS, "match %lld: its definition is damaged",
                      (long long)id);
    return NULL;
}

static Troupe__MatchInfo *make_info(tr_inquiry *inquiry, const tr_match_row *row,
                                    const Troupe__Match *match) {
    Troupe__MatchInfo *info = tr_inquiry_take(inquiry, sizeof *info);
    char **teams = tr_inquiry_take(inquiry, (match->n_teams + 1) * sizeof *teams);
    if (info == NULL || teams == NULL)
        return NULL;
    tr_encode_match_row(row, info);
    info->mode = match->mode == TROUPE__MATCH_MODE__MATCH_MODE_UNSPECIFIED
                     ? TROUPE__MATCH_MODE__MATCH_MODE_HEADLESS
                     : match->mode;
    info->n_teams = match->n_teams;
    info->teams = teams;
    for (size_t i = 0; i < match->n_teams; i++)
        teams[i] = match->teams[i]->name;
    return info;
}

/* --- the list --- */

tr_status tr_inquiry_list_matches(tr_inquiry *inquiry) {
    const Troupe__ListMatches *m = inquiry->request->list_matches;
    tr_inquiry_page page;
    tr_match_filter filter = {.running = m->running};
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (status == TR_OK)
        status = read_after(inquiry, &page, 0, &filter.after);
    if (status != TR_OK)
        return status;
    int count = page.fetch;
    tr_match_row *rows = tr_inquiry_take(inquiry, (size_t)count * sizeof *rows);
    Troupe__MatchList *list = tr_inquiry_take(inquiry, sizeof *list);
    Troupe__MatchInfo **infos =
        tr_inquiry_take(inquiry, (size_t)count * sizeof(Troupe__MatchInfo *));
    if (rows == NULL || list == NULL || infos == NULL)
        return TR_RESOURCE_EXHAUSTED;
    status = tr_matches_list(inquiry->catalogue, &filter, rows, &count, inquiry->error);
    if (status != TR_OK)
        return status;
    troupe__match_list__init(list);
    list->matches = infos;
    int shown = tr_inquiry_shown(&page, count);
    for (int i = 0; i < shown; i++) {
        const Troupe__Match *match = read_definition(inquiry, rows[i].id);
        if (match == NULL || (infos[i] = make_info(inquiry, &rows[i], match)) == NULL)
            return inquiry->error->status;
        list->n_matches++;
    }
    list->next_page_token = token(inquiry, &page, count, shown > 0 ? rows[shown - 1].id : 0);
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_MATCH_LIST;
    inquiry->response->match_list = list;
    return TR_OK;
}

/* --- statistics --- */

static tr_status gather(tr_inquiry *inquiry, const tr_match_row *row, tr_match_statistics *out) {
    enum { ROOM = 128 };
    tr_bout_row *bout = tr_inquiry_take(inquiry, ROOM * sizeof *bout);
    tr_status status = bout != NULL ? TR_OK : TR_RESOURCE_EXHAUSTED;
    int count = ROOM;
    *out = tr_match_statistics_start(row->team_count);
    for (int first = 0; status == TR_OK && count == ROOM;) {
        status = tr_matches_bouts(inquiry->catalogue, row->id, first, bout, &count, inquiry->error);
        for (int i = 0; i < count && status == TR_OK; i++)
            tr_match_statistics_add(out, &bout[i]);
        first = count > 0 ? bout[count - 1].position + 1 : first;
    }
    return status;
}

static Troupe__MeanInterval *make_mean(tr_inquiry *inquiry, const tr_mean *mean) {
    Troupe__MeanInterval *out = tr_inquiry_take(inquiry, sizeof *out);
    tr_interval interval = tr_interval_of_mean(mean);
    if (out == NULL)
        return NULL;
    troupe__mean_interval__init(out);
    out->mean = interval.value;
    out->low = interval.low;
    out->high = interval.high;
    return out;
}

static Troupe__TeamStatistics *make_team(tr_inquiry *inquiry, const tr_match_statistics *from,
                                         const Troupe__Match *match, int team) {
    Troupe__TeamStatistics *out = tr_inquiry_take(inquiry, sizeof *out);
    tr_interval rate = tr_interval_of_proportion(from->wins[team], from->counted);
    if (out == NULL)
        return NULL;
    troupe__team_statistics__init(out);
    out->name = (size_t)team < match->n_teams ? match->teams[team]->name : out->name;
    out->wins = (uint32_t)from->wins[team];
    out->win_rate = rate.value;
    out->win_rate_low = rate.low;
    out->win_rate_high = rate.high;
    out->score = make_mean(inquiry, &from->score[team]);
    return out;
}

static tr_status fill_statistics(tr_inquiry *inquiry, const tr_match_row *row,
                                 Troupe__MatchDetail *detail) {
    tr_match_statistics statistics;
    tr_status status = gather(inquiry, row, &statistics);
    detail->teams =
        tr_inquiry_take(inquiry, (size_t)row->team_count * sizeof(Troupe__TeamStatistics *));
    if (status != TR_OK || detail->teams == NULL)
        return status != TR_OK ? status : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < row->team_count; i++) {
        detail->teams[i] = make_team(inquiry, &statistics, detail->match, i);
        if (detail->teams[i] == NULL)
            return TR_RESOURCE_EXHAUSTED;
        detail->n_teams++;
    }
    detail->draws = (uint32_t)statistics.draws;
    detail->voids = (uint32_t)statistics.voids;
    detail->ticks = make_mean(inquiry, &statistics.ticks);
    detail->results_hash = statistics.results_hash;
    return TR_OK;
}

/* --- a page of bouts --- */

static tr_status fill_bouts(tr_inquiry *inquiry, const tr_match_row *row,
                            const tr_inquiry_page *page, Troupe__MatchDetail *detail) {
    int count = page->fetch;
    int64_t after = 0;
    tr_status status = read_after(inquiry, page, -1, &after);
    tr_bout_row *rows = tr_inquiry_take(inquiry, (size_t)count * sizeof *rows);
    Troupe__Bout *bouts = tr_inquiry_take(inquiry, (size_t)count * sizeof *bouts);
    detail->bouts = tr_inquiry_take(inquiry, (size_t)count * sizeof(Troupe__Bout *));
    if (rows == NULL || bouts == NULL || detail->bouts == NULL)
        return TR_RESOURCE_EXHAUSTED;
    if (after >= TR_MATCH_BOUT_MAX)
        after = TR_MATCH_BOUT_MAX;
    if (status == TR_OK)
        status = tr_matches_bouts(inquiry->catalogue, row->id, (int)after + 1, rows, &count,
                                  inquiry->error);
    if (status != TR_OK)
        return status;
    int shown = tr_inquiry_shown(page, count);
    for (int i = 0; i < shown; i++) {
        tr_encode_bout(&rows[i], row->team_count, &bouts[i]);
        detail->bouts[detail->n_bouts++] = &bouts[i];
    }
    detail->next_page_token = token(inquiry, page, count, shown > 0 ? rows[shown - 1].position : 0);
    return TR_OK;
}

tr_status tr_inquiry_get_match(tr_inquiry *inquiry) {
    const Troupe__GetMatch *m = inquiry->request->get_match;
    tr_inquiry_page page;
    tr_match_row *row = tr_inquiry_take(inquiry, sizeof *row);
    Troupe__MatchDetail *detail = tr_inquiry_take(inquiry, sizeof *detail);
    if (row == NULL || detail == NULL)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (status == TR_OK)
        status = tr_matches_find(inquiry->catalogue, m->name, row, inquiry->error);
    const Troupe__Match *match = status == TR_OK ? read_definition(inquiry, row->id) : NULL;
    if (match == NULL)
        return status != TR_OK ? status : inquiry->error->status;
    troupe__match_detail__init(detail);
    detail->match = (Troupe__Match *)match; /* only read */
    detail->info = make_info(inquiry, row, match);
    status = detail->info != NULL ? fill_statistics(inquiry, row, detail) : TR_RESOURCE_EXHAUSTED;
    if (status == TR_OK)
        status = fill_bouts(inquiry, row, &page, detail);
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_MATCH_DETAIL;
    inquiry->response->match_detail = detail;
    return status;
}

tr_status tr_inquiry_remove_match(tr_inquiry *inquiry) {
    tr_match_row row;
    tr_status status = tr_matches_find(inquiry->catalogue, inquiry->request->remove_match->name,
                                       &row, inquiry->error);
    return status == TR_OK ? tr_matches_remove(inquiry->catalogue, row.id, inquiry->error) : status;
}
