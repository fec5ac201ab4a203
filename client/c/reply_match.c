/* Replies about matches. */
#include "client/c/reply.h"

static const tr_record_field info_fields[] = {
    TR_COPY(tr_client_match, Troupe__MatchInfo, name),
    TR_COPY(tr_client_match, Troupe__MatchInfo, rule),
    TR_COPY(tr_client_match, Troupe__MatchInfo, reason),
    TR_COPY(tr_client_match, Troupe__MatchInfo, mode),
    TR_COPY(tr_client_match, Troupe__MatchInfo, state),
    TR_COPY(tr_client_match, Troupe__MatchInfo, seed),
    TR_COPY(tr_client_match, Troupe__MatchInfo, bouts),
    TR_COPY(tr_client_match, Troupe__MatchInfo, bouts_done),
    TR_COPY(tr_client_match, Troupe__MatchInfo, world),
    TR_COPY(tr_client_match, Troupe__MatchInfo, created_unix_ns),
    TR_COPY(tr_client_match, Troupe__MatchInfo, ended_unix_ns),
    TR_COPY_ARRAY(tr_client_match, team_count, teams, Troupe__MatchInfo, teams),
    TR_RECORD_END};
static const tr_record info_record = TR_RECORD(tr_client_match, troupe__match_info, info_fields);

static const tr_record_field matches_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, matches, Troupe__MatchList, matches, info_record),
    TR_COPY(tr_client_reply, Troupe__MatchList, next_page_token), TR_RECORD_END};
static const tr_record matches_record =
    TR_RECORD(tr_client_reply, troupe__match_list, matches_fields);

static const tr_record_field bout_fields[] = {
    TR_COPY(tr_client_bout, Troupe__Bout, position),
    TR_COPY(tr_client_bout, Troupe__Bout, seed),
    TR_COPY(tr_client_bout, Troupe__Bout, outcome),
    TR_COPY(tr_client_bout, Troupe__Bout, winner),
    TR_COPY_ARRAY(tr_client_bout, score_count, score, Troupe__Bout, score),
    TR_COPY(tr_client_bout, Troupe__Bout, ticks),
    TR_COPY(tr_client_bout, Troupe__Bout, hash),
    TR_COPY(tr_client_bout, Troupe__Bout, reason),
    TR_RECORD_END};
static const tr_record bout_record = TR_RECORD(tr_client_bout, troupe__bout, bout_fields);

static const tr_record_field mean_fields[] = {
    TR_COPY_AS(tr_client_interval, value, Troupe__MeanInterval, mean),
    TR_COPY(tr_client_interval, Troupe__MeanInterval, low),
    TR_COPY(tr_client_interval, Troupe__MeanInterval, high), TR_RECORD_END};
static const tr_record mean_record =
    TR_RECORD(tr_client_interval, troupe__mean_interval, mean_fields);

static const tr_record_field team_fields[] = {
    TR_COPY(tr_client_team_statistics, Troupe__TeamStatistics, name),
    TR_COPY(tr_client_team_statistics, Troupe__TeamStatistics, wins),
    TR_COPY_AS(tr_client_team_statistics, win_rate.value, Troupe__TeamStatistics, win_rate),
    TR_COPY_AS(tr_client_team_statistics, win_rate.low, Troupe__TeamStatistics, win_rate_low),
    TR_COPY_AS(tr_client_team_statistics, win_rate.high, Troupe__TeamStatistics, win_rate_high),
    TR_COPY_ONE(tr_client_team_statistics, score, Troupe__TeamStatistics, score, mean_record),
    TR_RECORD_END};
static const tr_record team_record =
    TR_RECORD(tr_client_team_statistics, troupe__team_statistics, team_fields);

/* What a detail shows of the match as it was asked for. */
static const tr_record_field asked_fields[] = {
    TR_COPY(tr_client_match_detail, Troupe__Match, time_limit_s),
    TR_COPY(tr_client_match_detail, Troupe__Match, step_s), TR_RECORD_END};
static const tr_record asked_record =
    TR_RECORD(tr_client_match_detail, troupe__match, asked_fields);

static const tr_record_field detail_fields[] = {
    TR_COPY_ONE(tr_client_match_detail, info, Troupe__MatchDetail, info, info_record),
    TR_COPY_LIST(tr_client_match_detail, team_count, teams, Troupe__MatchDetail, teams,
                 team_record),
    TR_COPY(tr_client_match_detail, Troupe__MatchDetail, draws),
    TR_COPY(tr_client_match_detail, Troupe__MatchDetail, voids),
    TR_COPY_ONE(tr_client_match_detail, ticks, Troupe__MatchDetail, ticks, mean_record),
    TR_COPY(tr_client_match_detail, Troupe__MatchDetail, results_hash),
    TR_COPY_LIST(tr_client_match_detail, bout_count, bouts, Troupe__MatchDetail, bouts,
                 bout_record),
    TR_RECORD_END};
static const tr_record detail_record =
    TR_RECORD(tr_client_match_detail, troupe__match_detail, detail_fields);

static void finish_detail(tr_reply_box *box, const void *message) {
    const Troupe__MatchDetail *from = message;
    tr_client_match_detail *detail = &box->reply.match_detail;
    tr_record_read(&asked_record, from->match, detail, &box->memory);
    if (detail->step_s == 0)
        detail->step_s = 0.005;
    box->reply.next_page_token = from->next_page_token;
}

static const tr_record_field progress_fields[] = {
    TR_COPY_ONE(tr_client_match_progress, info, Troupe__MatchProgress, info, info_record),
    TR_COPY_ARRAY(tr_client_match_progress, team_count, wins, Troupe__MatchProgress, wins),
    TR_COPY(tr_client_match_progress, Troupe__MatchProgress, draws),
    TR_COPY(tr_client_match_progress, Troupe__MatchProgress, voids),
    TR_COPY_PRESENT(tr_client_match_progress, has_last, Troupe__MatchProgress, last),
    TR_COPY_ONE(tr_client_match_progress, last, Troupe__MatchProgress, last, bout_record),
    TR_RECORD_END};
static const tr_record progress_record =
    TR_RECORD(tr_client_match_progress, troupe__match_progress, progress_fields);

tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from) {
    tr_record_memory none = {0}; /* it has no list */
    tr_client_match_progress progress = {0};
    tr_record_read(&progress_record, from, &progress, &none);
    return progress;
}

const tr_result_row tr_match_results[] = {
    TR_RESULT(MATCH, MATCH, match, info_record),
    TR_RESULT_LIST(MATCH_LIST, MATCHES, matches_record),
    TR_RESULT_THEN(MATCH_DETAIL, MATCH_DETAIL, match_detail, detail_record, finish_detail),
    TR_RESULTS_END};
