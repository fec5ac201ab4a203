/* Replies about matches. */
#include "client/c/reply.h"

const tr_mapping tr_client_match_mapping =
    TR_MAPPING(tr_client_match, MatchInfo, match_info,
               TR_COPY(name, rule, reason, mode, state, seed, bouts, bouts_done, world,
                       created_unix_ns, ended_unix_ns),
               TR_COPY_ARRAY(team_count, teams));

const tr_mapping tr_client_bout_mapping =
    TR_MAPPING(tr_client_bout, Bout, bout, TR_COPY(position, seed, outcome, winner),
               TR_COPY_ARRAY(score_count, score), TR_COPY(ticks, hash, reason));

static const tr_mapping mean_mapping = TR_MAPPING(tr_client_interval, MeanInterval, mean_interval,
                                                  TR_COPY_AS(value, mean), TR_COPY(low, high));

const tr_mapping tr_client_team_statistics_mapping =
    TR_MAPPING(tr_client_team_statistics, TeamStatistics, team_statistics, TR_COPY(name, wins),
               TR_COPY_AS(win_rate.value, win_rate), TR_COPY_AS(win_rate.low, win_rate_low),
               TR_COPY_AS(win_rate.high, win_rate_high), TR_COPY_ONE(score, mean_mapping));

/* The definition of the match in a detail. */
static const tr_mapping asked_mapping =
    TR_MAPPING(tr_client_match_detail, Match, match, TR_COPY(time_limit_s, step_s));

const tr_mapping tr_client_match_detail_mapping = TR_MAPPING(
    tr_client_match_detail, MatchDetail, match_detail, TR_COPY_ONE(info, tr_client_match_mapping),
    TR_COPY_LIST(team_count, teams, tr_client_team_statistics_mapping), TR_COPY(draws, voids),
    TR_COPY_ONE(ticks, mean_mapping), TR_COPY(results_hash),
    TR_COPY_LIST(bout_count, bouts, tr_client_bout_mapping));

static void finish_detail(tr_reply_box *box, const void *message) {
    const Troupe__MatchDetail *from = message;
    tr_client_match_detail *detail = &box->reply.match_detail;
    tr_mapping_read(&asked_mapping, from->match, detail, &box->memory);
    if (detail->step_s == 0)
        detail->step_s = 0.005;
    box->reply.next_page_token = from->next_page_token;
}

const tr_mapping tr_client_match_progress_mapping =
    TR_MAPPING(tr_client_match_progress, MatchProgress, match_progress,
               TR_COPY_ONE(info, tr_client_match_mapping), TR_COPY_ARRAY(team_count, wins),
               TR_COPY(draws, voids), TR_COPY_PRESENT(has_last, last),
               TR_COPY_ONE(last, tr_client_bout_mapping));

tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from) {
    tr_mapping_memory none = {0}; /* it has no list */
    tr_client_match_progress progress = {0};
    tr_mapping_read(&tr_client_match_progress_mapping, from, &progress, &none);
    return progress;
}

const tr_result_row tr_match_results[] = {
    TR_RESULT(MATCH, MATCH, match, tr_client_match_mapping),
    TR_RESULT_PAGE(MATCH_LIST, MATCHES, MatchList, match_list, matches, tr_client_match_mapping),
    TR_RESULT_THEN(MATCH_DETAIL, MATCH_DETAIL, match_detail, tr_client_match_detail_mapping,
                   finish_detail),
    TR_RESULTS_END};
