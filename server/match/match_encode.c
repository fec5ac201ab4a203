#include "server/match/match_encode.h"

#include "server/world/encode.h"

static Troupe__MatchState wire_state(tr_match_state state) {
    static const Troupe__MatchState states[] = {
        [TR_MATCH_RUNNING] = TROUPE__MATCH_STATE__MATCH_STATE_RUNNING,
        [TR_MATCH_DONE] = TROUPE__MATCH_STATE__MATCH_STATE_DONE,
        [TR_MATCH_CANCELLED] = TROUPE__MATCH_STATE__MATCH_STATE_CANCELLED,
        [TR_MATCH_FAILED] = TROUPE__MATCH_STATE__MATCH_STATE_FAILED};
    return states[state];
}

static Troupe__MatchMode wire_mode(tr_match_mode mode) {
    static const Troupe__MatchMode modes[] = {
        [TR_MATCH_HEADLESS] = TROUPE__MATCH_MODE__MATCH_MODE_HEADLESS,
        [TR_MATCH_REAL_TIME] = TROUPE__MATCH_MODE__MATCH_MODE_REAL_TIME,
        [TR_MATCH_STEPPED] = TROUPE__MATCH_MODE__MATCH_MODE_STEPPED};
    return modes[mode];
}

void tr_encode_match_row(const tr_match_row *row, Troupe__MatchInfo *out) {
    troupe__match_info__init(out);
    out->name = tr_wire_text(row->name);
    out->rule = tr_wire_text(row->rule);
    out->state = wire_state(row->state);
    out->reason = tr_wire_text(row->reason);
    out->seed = row->seed;
    out->bouts = (uint32_t)row->bout_count;
    out->bouts_done = (uint32_t)row->bouts_stored;
    out->created_unix_ns = row->created_ns;
    out->ended_unix_ns = row->ended_ns;
}

void tr_encode_contest(const tr_contest *contest, tr_match_state state,
                       tr_match_info_message *out) {
    tr_encode_match_row(&contest->row, &out->info);
    out->info.state = wire_state(state);
    out->info.reason = tr_wire_text(contest->reason);
    out->info.mode = wire_mode(contest->def.mode);
    out->info.bouts_done = (uint32_t)contest->stored;
    out->info.world = contest->world;
    out->info.n_teams = (size_t)contest->def.team_count;
    out->info.teams = out->team;
    for (int i = 0; i < contest->def.team_count; i++)
        out->team[i] = tr_wire_text(contest->def.team[i].name);
}

void tr_encode_bout(const tr_bout_row *bout, int team_count, Troupe__Bout *out) {
    static const Troupe__BoutOutcome outcomes[] = {
        [TR_BOUT_WON] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_WON,
        [TR_BOUT_DRAWN] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_DRAWN,
        [TR_BOUT_VOID] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_VOID};
    troupe__bout__init(out);
    out->position = (uint32_t)bout->position;
    out->seed = bout->seed;
    out->outcome = outcomes[bout->outcome];
    out->winner = bout->winner;
    out->n_score = (size_t)team_count;
    out->score = (double *)bout->score; /* only read */
    out->ticks = (uint64_t)bout->ticks;
    out->hash = bout->hash;
    out->reason = tr_wire_text(bout->reason);
}

tr_status tr_encode_progress(const tr_contest *contest, tr_match_state state, tr_packet **out) {
    tr_match_info_message info;
    uint32_t wins[TR_MATCH_TEAMS_MAX];
    Troupe__Bout last;
    Troupe__MatchProgress progress = TROUPE__MATCH_PROGRESS__INIT;
    tr_encode_contest(contest, state, &info);
    progress.info = &info.info;
    progress.n_wins = (size_t)contest->def.team_count;
    progress.wins = wins;
    for (int i = 0; i < contest->def.team_count; i++)
        wins[i] = (uint32_t)contest->statistics.wins[i];
    progress.draws = (uint32_t)contest->statistics.draws;
    progress.voids = (uint32_t)contest->statistics.voids;
    if (contest->last.position >= 0) {
        tr_encode_bout(&contest->last, contest->def.team_count, &last);
        progress.last = &last;
    }
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_MATCH_PROGRESS;
    message.match_progress = &progress;
    return tr_encode_server_message(&message, out);
}
