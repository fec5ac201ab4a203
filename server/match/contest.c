#include "server/match/contest.h"

#include "model/name.h"
#include "server/match/match_decode.h"
#include "server/match/rules/rule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TR_BOUT_SCORE_MAX == (int)TR_MATCH_TEAMS_MAX, "a score a team");
_Static_assert((int)TR_MATCH_BOUT_MAX == (int)TR_MATCH_BOUTS_MAX, "the catalogue keeps them all");
_Static_assert((int)TR_BOUT_TEXT_MAX >= (int)TR_BOUT_REASON_MAX, "reasons fit");
_Static_assert(TR_BOUT_WON == 0 && TR_BOUT_DRAWN == 1 && TR_BOUT_VOID == 2,
               "outcomes as the catalogue numbers them");

tr_match_row tr_contest_row(const tr_match_def *def, int64_t now_ns) {
    tr_match_row row = {.seed = def->seed,
                        .bout_count = def->bout_count,
                        .team_count = def->team_count,
                        .created_ns = now_ns};
    tr_name_set(row.name, def->name);
    tr_name_set(row.rule, def->rule->name);
    return row;
}

tr_contest *tr_contest_create(const tr_match_row *row, const tr_match_def *def) {
    tr_contest *contest = calloc(1, sizeof *contest);
    if (!contest)
        return NULL;
    contest->row = *row;
    contest->def = *def;
    contest->taken = calloc(1, (size_t)def->bout_count / 8 + 1);
    contest->statistics = tr_match_statistics_start(def->team_count);
    contest->last.position = -1;
    if (!contest->taken) {
        free(contest);
        return NULL;
    }
    (void)tr_layout_hold(contest->def.world.layout);
    return contest;
}

void tr_contest_destroy(tr_contest *contest) {
    if (!contest)
        return;
    assert(contest->fighting == 0);
    tr_holds_release(&contest->holds);
    tr_layout_release(contest->def.world.layout);
    free(contest->taken);
    free(contest);
}

/* --- positions --- */

static bool is_taken(const tr_contest *contest, int position) {
    return (contest->taken[position / 8] >> (position % 8) & 1) != 0;
}

static void set_taken(tr_contest *contest, int position, bool taken) {
    uint8_t bit = (uint8_t)(1u << (position % 8));
    if (taken)
        contest->taken[position / 8] |= bit;
    else
        contest->taken[position / 8] &= (uint8_t)~bit;
}

static void count_stored(tr_contest *contest, const tr_bout_row *bout) {
    contest->stored++;
    contest->last = *bout;
    tr_match_statistics_add(&contest->statistics, bout);
}

void tr_contest_recall(tr_contest *contest, const tr_bout_row *bout) {
    if (bout->position >= contest->def.bout_count || is_taken(contest, bout->position))
        return;
    set_taken(contest, bout->position, true);
    count_stored(contest, bout);
}

bool tr_contest_hand_out(tr_contest *contest, int *out_position) {
    if (contest->fighting + contest->unsaved_count >= TR_CONTEST_UNSAVED_MAX)
        return false;
    while (contest->lowest < contest->def.bout_count && is_taken(contest, contest->lowest))
        contest->lowest++;
    if (contest->lowest == contest->def.bout_count)
        return false;
    set_taken(contest, contest->lowest, true);
    contest->fighting++;
    *out_position = contest->lowest;
    return true;
}

void tr_contest_hand_back(tr_contest *contest, int position) {
    set_taken(contest, position, false);
    contest->fighting--;
    if (position < contest->lowest)
        contest->lowest = position;
}

tr_bout_row tr_contest_bout(const tr_match_def *def, int position, const tr_bout_result *result) {
    tr_bout_row bout = {.position = position,
                        .seed = tr_match_bout_seed(def, position),
                        .outcome = (int)result->outcome,
                        .winner = result->winner,
                        .ticks = result->ticks,
                        .hash = result->hash};
    memcpy(bout.score, result->score, sizeof bout.score);
    memcpy(bout.reason, result->reason, sizeof result->reason);
    return bout;
}

void tr_contest_add(tr_contest *contest, int position, const tr_bout_result *result) {
    if (contest->unsaved_count == TR_CONTEST_UNSAVED_MAX) {
        tr_contest_hand_back(contest, position);
        return;
    }
    contest->unsaved[contest->unsaved_count++] = tr_contest_bout(&contest->def, position, result);
    contest->fighting--;
}

void tr_contest_saved(tr_contest *contest, int count) {
    TR_MUST_BE(&contest->invariant, count, <=, contest->unsaved_count);
    if (count > contest->unsaved_count)
        return; /* the match fails; there is nothing to move */
    for (int i = 0; i < count; i++)
        count_stored(contest, &contest->unsaved[i]);
    contest->unsaved_count -= count;
    memmove(contest->unsaved, contest->unsaved + count,
            (size_t)contest->unsaved_count * sizeof *contest->unsaved);
}

tr_match_state tr_contest_state(const tr_contest *contest) {
    if (contest->phase == TR_CONTEST_CANCELLED)
        return TR_MATCH_CANCELLED;
    if (contest->phase == TR_CONTEST_FAILED)
        return TR_MATCH_FAILED;
    bool complete = contest->stored + contest->unsaved_count == contest->def.bout_count;
    return complete ? TR_MATCH_DONE : TR_MATCH_RUNNING;
}

bool tr_contest_needs_world(const tr_contest *contest, uint64_t maker) {
    return contest->def.mode != TR_MATCH_HEADLESS && contest->world == 0 &&
           (contest->phase == TR_CONTEST_RUNNING || contest->phase == TR_CONTEST_COMING) &&
           contest->maker == maker;
}

/* --- what it keeps of the library --- */

tr_status tr_contest_fetch(tr_contest *contest, tr_library *library, tr_library_fetched fetched,
                           void *context) {
    tr_status status = tr_match_needs(&contest->def, &contest->needs);
    return status ? status : tr_library_fetch(library, &contest->needs, fetched, context);
}

tr_status tr_contest_bind(tr_contest *contest, tr_library *library, tr_error *error) {
    tr_status status = tr_match_resolve(&contest->def, library, error);
    if (status)
        return status;
    uint64_t hash = tr_match_cast_hash(&contest->def);
    if (contest->row.cast_hash == 0)
        contest->row.cast_hash = hash;
    if (contest->row.cast_hash != hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "match '%s': a controller or model has changed since the match began",
                       contest->row.name);
    contest->holds.library = library;
    status = tr_match_needs(&contest->def, &contest->needs);
    if (!status)
        status = tr_holds_add_all(&contest->holds, &contest->needs);
    return !status ? TR_OK : tr_fail(error, status, "teams: too many names");
}

void tr_contest_must_hold(tr_contest *contest) {
    int taken = 0, used = contest->stored + contest->unsaved_count + contest->fighting;
    for (int i = 0; i <= contest->def.bout_count / 8; i++)
        taken += __builtin_popcount(contest->taken[i]);
    TR_MUST_BE(&contest->invariant, taken, ==, used);
    TR_MUST_BE(&contest->invariant, contest->fighting, >=, 0);
    TR_MUST_BE(&contest->invariant, contest->stored, <=, contest->def.bout_count);
    TR_MUST(&contest->invariant,
            contest->unsaved_count >= 0 && contest->unsaved_count <= TR_CONTEST_UNSAVED_MAX);
    TR_MUST(&contest->invariant, contest->lowest == 0 || is_taken(contest, contest->lowest - 1));
}
