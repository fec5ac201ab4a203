#include "server/match/match_inquiry.h"

#include "proto/message.h"
#include "server/match/match_encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pages by number --- */

/* The number after which a page begins; `first`: of the first page. */
static tr_status read_after(tr_inquiry *inquiry, const char *after, int64_t first, int64_t *out) {
    char *end = NULL;
    *out = first;
    if (!after)
        return TR_OK;
    long long number = strtoll(after, &end, 10);
    if (*end || number < 0)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT,
                       "page.token: not a token of this daemon");
    *out = number;
    return TR_OK;
}

/* --- a match --- */

/* The definition as a message, which the caller destroys. */
static tr_status read_definition(tr_inquiry *inquiry, tr_row_id id, Troupe__Match **out) {
    void *bytes = NULL;
    size_t size = 0;
    ProtobufCMessage *message = NULL;
    tr_status status = tr_matches_definition(inquiry->catalogue, id, &bytes, &size, inquiry->error);
    if (status)
        return status;
    status = tr_message_decode(&troupe__match__descriptor, bytes, size, &message);
    free(bytes);
    if (status == TR_RESOURCE_EXHAUSTED)
        return tr_fail(inquiry->error, status, "out of memory");
    if (status)
        return tr_fail(inquiry->error, TR_DATA_LOSS, "match %lld: its definition is damaged",
                       (long long)id);
    *out = (Troupe__Match *)message;
    return TR_OK;
}

static tr_match_info info_of(const tr_match_row *row, const Troupe__Match *match) {
    static const tr_match_mode modes[] = {
        [TROUPE__MATCH_MODE__MATCH_MODE_UNSPECIFIED] = TR_MATCH_HEADLESS,
        [TROUPE__MATCH_MODE__MATCH_MODE_HEADLESS] = TR_MATCH_HEADLESS,
        [TROUPE__MATCH_MODE__MATCH_MODE_REAL_TIME] = TR_MATCH_REAL_TIME,
        [TROUPE__MATCH_MODE__MATCH_MODE_STEPPED] = TR_MATCH_STEPPED};
    tr_match_mode mode = (unsigned)match->mode < 4 ? modes[match->mode] : TR_MATCH_HEADLESS;
    tr_match_info info = {.row = *row, .mode = mode};
    for (size_t i = 0; i < match->n_teams && i < TR_MATCH_TEAMS_MAX; i++)
        info.team[info.team_count++] = match->teams[i]->name;
    return info;
}

/* --- the list --- */

static const tr_mapping matches_mapping =
    TR_INQUIRY_ROWS(MatchList, match_list, matches, tr_match_info_mapping);

/* The names outlive the definition that they come from. */
static tr_status list_one(tr_inquiry *inquiry, const tr_match_row *row, tr_match_info *out) {
    Troupe__Match *match = NULL;
    char(*name)[TR_NAME_MAX] = tr_inquiry_take(inquiry, TR_MATCH_TEAMS_MAX, sizeof *name);
    tr_status status = name ? read_definition(inquiry, row->id, &match) : TR_RESOURCE_EXHAUSTED;
    if (status)
        return status;
    *out = info_of(row, match);
    for (int i = 0; i < out->team_count; i++) {
        snprintf(name[i], sizeof name[i], "%s", out->team[i]);
        out->team[i] = name[i];
    }
    snprintf(out->token, sizeof out->token, "%lld", (long long)row->id);
    tr_message_destroy(&match->base);
    return TR_OK;
}

static tr_status fetch(tr_inquiry *inquiry, const char *after, void *rows, int *count) {
    tr_match_filter filter = {.running = inquiry->request->list_matches->running};
    tr_match_row *row = tr_inquiry_take(inquiry, (size_t)*count, sizeof *row);
    tr_match_info *out = rows;
    tr_status status = row ? read_after(inquiry, after, 0, &filter.after) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_matches_list(inquiry->catalogue, &filter, row, count, inquiry->error);
    for (int i = 0; i < *count && !status; i++)
        status = list_one(inquiry, &row[i], &out[i]);
    return status;
}

tr_status tr_inquiry_list_matches(tr_inquiry *inquiry) {
    const tr_inquiry_list list = {TROUPE__RESPONSE__RESULT_MATCH_LIST, &matches_mapping,
                                  sizeof(tr_match_info), offsetof(tr_match_info, token), fetch};
    return tr_inquiry_answer_list(inquiry, inquiry->request->list_matches->page, &list);
}

/* --- one match --- */

typedef struct team {
    const char *name;
    int wins;
    tr_interval rate, score;
} team;

typedef struct detail {
    tr_match_info info;
    const Troupe__Match *match;
    tr_match_statistics statistics;
    tr_interval ticks;
    int team_count, bout_count;
    team *teams;
    tr_bout_info *bouts;
    char next_page_token[24];
} detail;

static const tr_mapping mean_mapping = TR_MAPPING(tr_interval, MeanInterval, mean_interval,
                                                  TR_COPY_AS(value, mean), TR_COPY(low, high));

static const tr_mapping team_mapping =
    TR_MAPPING(team, TeamStatistics, team_statistics, TR_COPY(name, wins),
               TR_COPY_AS(rate.value, win_rate), TR_COPY_AS(rate.low, win_rate_low),
               TR_COPY_AS(rate.high, win_rate_high), TR_COPY_ONE(score, mean_mapping));

static const tr_mapping detail_mapping =
    TR_MAPPING(detail, MatchDetail, match_detail, TR_COPY_ONE(info, tr_match_info_mapping),
               TR_COPY_MESSAGE(match), TR_COPY_LIST(team_count, teams, team_mapping),
               TR_COPY_IN(statistics, draws, voids, results_hash), TR_COPY_ONE(ticks, mean_mapping),
               TR_COPY_LIST(bout_count, bouts, tr_bout_info_mapping), TR_COPY(next_page_token));

static tr_status gather(tr_inquiry *inquiry, detail *out) {
    enum { ROOM = 128 };
    tr_bout_row *bout = tr_inquiry_take(inquiry, ROOM, sizeof *bout);
    tr_status status = bout ? TR_OK : TR_RESOURCE_EXHAUSTED;
    int count = ROOM;
    out->statistics = tr_match_statistics_start(out->info.row.team_count);
    for (int first = 0; !status && count == ROOM;) {
        status = tr_matches_bouts(inquiry->catalogue, out->info.row.id, first, bout, &count,
                                  inquiry->error);
        for (int i = 0; i < count && !status; i++)
            tr_match_statistics_add(&out->statistics, &bout[i]);
        first = count > 0 ? bout[count - 1].position + 1 : first;
    }
    return status;
}

static tr_status describe_teams(tr_inquiry *inquiry, detail *out) {
    const tr_match_statistics *from = &out->statistics;
    tr_status status = gather(inquiry, out);
    out->team_count = out->info.row.team_count;
    out->teams = tr_inquiry_take(inquiry, (size_t)out->team_count, sizeof *out->teams);
    if (status || !out->teams)
        return status ? status : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < out->team_count; i++)
        out->teams[i] = (team){.name = out->info.team[i],
                               .wins = from->wins[i],
                               .rate = tr_interval_of_proportion(from->wins[i], from->counted),
                               .score = tr_interval_of_mean(&from->score[i])};
    out->ticks = tr_interval_of_mean(&from->ticks);
    return TR_OK;
}

static tr_status list_bouts(tr_inquiry *inquiry, const tr_inquiry_page *page, detail *out) {
    int count = page->fetch;
    int64_t after = 0;
    tr_status status = read_after(inquiry, page->after, -1, &after);
    tr_bout_row *rows = tr_inquiry_take(inquiry, (size_t)count, sizeof *rows);
    out->bouts = tr_inquiry_take(inquiry, (size_t)count, sizeof *out->bouts);
    if (!rows || !out->bouts)
        return TR_RESOURCE_EXHAUSTED;
    if (after >= TR_MATCH_BOUT_MAX)
        after = TR_MATCH_BOUT_MAX;
    if (!status)
        status = tr_matches_bouts(inquiry->catalogue, out->info.row.id, (int)after + 1, rows,
                                  &count, inquiry->error);
    if (status)
        return status;
    out->bout_count = tr_inquiry_shown(page, count);
    for (int i = 0; i < out->bout_count; i++)
        out->bouts[i] = (tr_bout_info){rows[i], out->info.row.team_count};
    if (count > out->bout_count)
        snprintf(out->next_page_token, sizeof out->next_page_token, "%d",
                 rows[out->bout_count - 1].position);
    return TR_OK;
}

tr_status tr_inquiry_get_match(tr_inquiry *inquiry) {
    const Troupe__GetMatch *m = inquiry->request->get_match;
    Troupe__Match *match = NULL;
    tr_inquiry_page page;
    tr_match_row row;
    detail out = {.match = NULL};
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (!status)
        status = tr_matches_find(inquiry->catalogue, m->name, &row, inquiry->error);
    if (!status)
        status = read_definition(inquiry, row.id, &match);
    if (status)
        return status;
    out.match = match;
    out.info = info_of(&row, match);
    status = describe_teams(inquiry, &out);
    if (!status)
        status = list_bouts(inquiry, &page, &out);
    if (!status)
        status = tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_MATCH_DETAIL, &detail_mapping,
                                   &out);
    tr_message_destroy(&match->base);
    return status;
}

tr_status tr_inquiry_remove_match(tr_inquiry *inquiry) {
    tr_match_row row;
    tr_status status = tr_matches_find(inquiry->catalogue, inquiry->request->remove_match->name,
                                       &row, inquiry->error);
    return status ? status : tr_matches_remove(inquiry->catalogue, row.id, inquiry->error);
}
