#include "server/match/match_encode.h"

#include "server/world/encode.h"

#include <stdio.h>

static const uint32_t states[] = {[TR_MATCH_RUNNING] = TROUPE__MATCH_STATE__MATCH_STATE_RUNNING,
                                  [TR_MATCH_DONE] = TROUPE__MATCH_STATE__MATCH_STATE_DONE,
                                  [TR_MATCH_CANCELLED] = TROUPE__MATCH_STATE__MATCH_STATE_CANCELLED,
                                  [TR_MATCH_FAILED] = TROUPE__MATCH_STATE__MATCH_STATE_FAILED};
static const uint32_t modes[] = {[TR_MATCH_HEADLESS] = TROUPE__MATCH_MODE__MATCH_MODE_HEADLESS,
                                 [TR_MATCH_REAL_TIME] = TROUPE__MATCH_MODE__MATCH_MODE_REAL_TIME,
                                 [TR_MATCH_STEPPED] = TROUPE__MATCH_MODE__MATCH_MODE_STEPPED};
static const uint32_t outcomes[] = {[TR_BOUT_WON] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_WON,
                                    [TR_BOUT_DRAWN] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_DRAWN,
                                    [TR_BOUT_VOID] = TROUPE__BOUT_OUTCOME__BOUT_OUTCOME_VOID};

const tr_mapping tr_match_info_mapping = TR_MAPPING(
    tr_match_info, MatchInfo, match_info, TR_COPY_IN(row, name, rule),
    TR_COPY_CHOICE_AS(row.state, state, states), TR_COPY_IN(row, reason, seed),
    TR_COPY_AS(row.bout_count, bouts), TR_COPY_AS(row.bouts_stored, bouts_done),
    TR_COPY_AS(row.created_ns, created_unix_ns), TR_COPY_AS(row.ended_ns, ended_unix_ns),
    TR_COPY_CHOICE(mode, modes), TR_COPY(world), TR_COPY_ARRAY_WITHIN_AS(team_count, team, teams));

const tr_mapping tr_bout_info_mapping = TR_MAPPING(
    tr_bout_info, Bout, bout, TR_COPY_IN(row, position, seed),
    TR_COPY_CHOICE_AS(row.outcome, outcome, outcomes), TR_COPY_IN(row, winner),
    TR_COPY_ARRAY_WITHIN_AS(team_count, row.score, score), TR_COPY_IN(row, ticks, hash, reason));

tr_match_info tr_match_info_of(const tr_contest *contest, tr_match_state state) {
    tr_match_info info = {.row = contest->row,
                          .mode = contest->def.mode,
                          .world = contest->world,
                          .team_count = contest->def.team_count};
    info.row.state = state;
    info.row.bouts_stored = contest->stored;
    snprintf(info.row.reason, sizeof info.row.reason, "%s", contest->reason);
    for (int i = 0; i < info.team_count; i++)
        info.team[i] = contest->def.team[i].name;
    return info;
}

typedef struct progress {
    tr_match_info info;
    tr_match_statistics statistics;
    const tr_bout_info *last; /* NULL: none is stored */
} progress;

static const tr_mapping progress_mapping =
    TR_MAPPING(progress, MatchProgress, match_progress, TR_COPY_ONE(info, tr_match_info_mapping),
               TR_COPY_ARRAY_WITHIN_AS(info.team_count, statistics.wins, wins),
               TR_COPY_IN(statistics, draws, voids), TR_COPY_POINTER(last, tr_bout_info_mapping));

tr_status tr_encode_progress(const tr_contest *contest, tr_match_state state, tr_packet **out) {
    tr_mapping_memory memory = {0};
    tr_bout_info last = {contest->last, contest->def.team_count};
    progress from = {tr_match_info_of(contest, state), contest->statistics,
                     contest->last.position >= 0 ? &last : NULL};
    void *message = tr_mapping_write(&progress_mapping, &from, &memory);
    tr_status status = memory.failed ? TR_RESOURCE_EXHAUSTED : tr_encode_message(message, out);
    tr_mapping_free(&memory);
    return status;
}
