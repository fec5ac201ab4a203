/* Replies about matches. */
#include "client/c/reply.h"

const tr_mapping tr_client_match_mapping =
    TR_MAPPING(tr_client_match, troupe__match_info,
               TR_COPY(tr_client_match, Troupe__MatchInfo, name, rule, reason, mode, state, seed,
                       bouts, bouts_done, world, created_unix_ns, ended_unix_ns),
               TR_COPY_ARRAY(tr_client_match, team_count, teams, Troupe__MatchInfo, teams));

static const tr_mapping matches_mapping =
    TR_MAPPING(tr_client_reply, troupe__match_list,
               TR_COPY_LIST(tr_client_reply, count, matches, Troupe__MatchList, matches,
                            tr_client_match_mapping),
               TR_COPY(tr_client_reply, Troupe__MatchList, next_page_token));

const tr_mapping tr_client_bout_mapping =
    TR_MAPPING(tr_client_bout, troupe__bout,
               TR_COPY(tr_client_bout, Troupe__Bout, position, seed, outcome, winner),
               TR_COPY_ARRAY(tr_client_bout, score_count, score, Troupe__Bout, score),
               TR_COPY(tr_client_bout, Troupe__Bout, ticks, hash, reason));

static const tr_mapping mean_mapping =
    TR_MAPPING(tr_client_interval, troupe__mean_interval,
               TR_COPY_AS(tr_client_interval, value, Troupe__MeanInterval, mean),
               TR_COPY(tr_client_interval, Troupe__MeanInterval, low, high));

const tr_mapping tr_client_team_statistics_mapping = TR_MAPPING(
    tr_client_team_statistics, troupe__team_statistics,
    TR_COPY(tr_client_team_statistics, Troupe__TeamStatistics, name, wins),
    TR_COPY_AS(tr_client_team_statistics, win_rate.value, Troupe__TeamStatistics, win_rate),
    TR_COPY_AS(tr_client_team_statistics, win_rate.low, Troupe__TeamStatistics, win_rate_low),
    TR_COPY_AS(tr_client_team_statistics, win_rate.high, Troupe__TeamStatistics, win_rate_high),
    TR_COPY_ONE(tr_client_team_statistics, score, Troupe__TeamStatistics, score, mean_mapping));

/* The definition of the match in a detail. */
static const tr_mapping asked_mapping =
    TR_MAPPING(tr_client_match_detail, troupe__match,
               TR_COPY(tr_client_match_detail, Troupe__Match, time_limit_s, step_s));

const tr_mapping tr_client_match_detail_mapping = TR_MAPPING(
    tr_client_match_detail, troupe__match_detail,
    TR_COPY_ONE(tr_client_match_detail, info, Troupe__MatchDetail, info, tr_client_match_mapping),
    TR_COPY_LIST(tr_client_match_detail, team_count, teams, Troupe__MatchDetail, teams,
                 tr_client_team_statistics_mapping),
    TR_COPY(tr_client_match_detail, Troupe__MatchDetail, draws, voids),
    TR_COPY_ONE(tr_client_match_detail, ticks, Troupe__MatchDetail, ticks, mean_mapping),
    TR_COPY(tr_client_match_detail, Troupe__MatchDetail, results_hash),
    TR_COPY_LIST(tr_client_match_detail, bout_count, bouts, Troupe__MatchDetail, bouts,
                 tr_client_bout_mapping));

static void finish_detail(tr_reply_box *box, const void *message) {
    const Troupe__MatchDetail *from = message;
    tr_client_match_detail *detail = &box->reply.match_detail;
    tr_mapping_read(&asked_mapping, from->match, detail, &box->memory);
    if (detail->step_s == 0)
        detail->step_s = 0.005;
    box->reply.next_page_token = from->next_page_token;
}

const tr_mapping tr_client_match_progress_mapping = TR_MAPPING(
    tr_client_match_progress, troupe__match_progress,
    TR_COPY_ONE(tr_client_match_progress, info, Troupe__MatchProgress, info,
                tr_client_match_mapping),
    TR_COPY_ARRAY(tr_client_match_progress, team_count, wins, Troupe__MatchProgress, wins),
    TR_COPY(tr_client_match_progress, Troupe__MatchProgress, draws, voids),
    TR_COPY_PRESENT(tr_client_match_progress, has_last, Troupe__MatchProgress, last),
    TR_COPY_ONE(tr_client_match_progress, last, Troupe__MatchProgress, last,
                tr_client_bout_mapping));

tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from) {
    tr_mapping_memory none = {0}; /* it has no list */
    tr_client_match_progress progress = {0};
    tr_mapping_read(&tr_client_match_progress_mapping, from, &progress, &none);
    return progress;
}

const tr_result_row tr_match_results[] = {TR_RESULT(MATCH, MATCH, match, tr_client_match_mapping),
                                          TR_RESULT_LIST(MATCH_LIST, MATCHES, matches_mapping),
                                          TR_RESULT_THEN(MATCH_DETAIL, MATCH_DETAIL, match_detail,
                                                         tr_client_match_detail_mapping,
                                                         finish_detail),
                                          TR_RESULTS_END};
