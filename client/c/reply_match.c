/* Replies about matches. */
#include "client/c/reply.h"

tr_client_match tr_reply_match_info(const Troupe__MatchInfo *from) {
    if (!from)
        return (tr_client_match){.name = "", .rule = "", .reason = ""};
    return (tr_client_match){.name = from->name,
                             .rule = from->rule,
                             .reason = from->reason,
                             .mode = (tr_client_match_mode)from->mode,
                             .state = (tr_client_match_state)from->state,
                             .seed = from->seed,
                             .bouts = from->bouts,
                             .bouts_done = from->bouts_done,
                             .world = from->world,
                             .created_unix_ns = from->created_unix_ns,
                             .ended_unix_ns = from->ended_unix_ns,
                             .team_count = (int)from->n_teams,
                             .teams = (const char *const *)from->teams};
}

static tr_client_bout bout_row(const Troupe__Bout *from) {
    return (tr_client_bout){.position = from->position,
                            .seed = from->seed,
                            .outcome = (tr_client_bout_outcome)from->outcome,
                            .winner = from->winner,
                            .score_count = (int)from->n_score,
                            .score = from->score,
                            .ticks = from->ticks,
                            .hash = from->hash,
                            .reason = from->reason};
}

static tr_client_interval mean_of(const Troupe__MeanInterval *from) {
    return from ? (tr_client_interval){from->mean, from->low, from->high} : (tr_client_interval){0};
}

static tr_client_team_statistics team_row(const Troupe__TeamStatistics *from) {
    return (tr_client_team_statistics){
        .name = from->name,
        .wins = from->wins,
        .win_rate = {from->win_rate, from->win_rate_low, from->win_rate_high},
        .score = mean_of(from->score)};
}

static void decode_list(tr_reply_box *box, const Troupe__MatchList *list) {
    tr_client_match *matches = tr_reply_array(box, list->n_matches, sizeof *matches);
    for (size_t i = 0; matches && i < list->n_matches; ++i)
        matches[i] = tr_reply_match_info(list->matches[i]);
    box->reply.matches = matches;
    box->reply.count = matches ? (int)list->n_matches : 0;
    box->reply.next_page_token = list->next_page_token;
}

static void decode_detail(tr_reply_box *box, const Troupe__MatchDetail *from) {
    tr_client_bout *bouts = tr_reply_array(box, from->n_bouts, sizeof *bouts);
    tr_client_team_statistics *teams = tr_reply_array(box, from->n_teams, sizeof *teams);
    for (size_t i = 0; bouts && i < from->n_bouts; ++i)
        bouts[i] = bout_row(from->bouts[i]);
    for (size_t i = 0; teams && i < from->n_teams; ++i)
        teams[i] = team_row(from->teams[i]);
    const Troupe__Match *match = from->match;
    box->reply.match_detail =
        (tr_client_match_detail){.info = tr_reply_match_info(from->info),
                                 .time_limit_s = match ? match->time_limit_s : 0,
                                 .step_s = match && match->step_s != 0 ? match->step_s : 0.005,
                                 .team_count = teams ? (int)from->n_teams : 0,
                                 .teams = teams,
                                 .draws = from->draws,
                                 .voids = from->voids,
                                 .ticks = mean_of(from->ticks),
                                 .results_hash = from->results_hash,
                                 .bout_count = bouts ? (int)from->n_bouts : 0,
                                 .bouts = bouts};
    box->reply.next_page_token = from->next_page_token;
}

void tr_reply_match(tr_reply_box *box, const Troupe__Response *response) {
    if (box->reply.kind == TR_CLIENT_REPLY_MATCH)
        box->reply.match = tr_reply_match_info(response->match);
    else if (box->reply.kind == TR_CLIENT_REPLY_MATCHES)
        decode_list(box, response->match_list);
    else
        decode_detail(box, response->match_detail);
}

tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from) {
    tr_client_match_progress progress = {.info = tr_reply_match_info(from->info),
                                         .team_count = (int)from->n_wins,
                                         .wins = from->wins,
                                         .draws = from->draws,
                                         .voids = from->voids,
                                         .has_last = from->last != NULL};
    if (from->last)
        progress.last = bout_row(from->last);
    return progress;
}
