#include "cli/match_rows.h"

#include <string.h>

static const char *mode_name(tr_client_match_mode mode) {
    static const char *const names[] = {"", "headless", "real-time", "stepped"};
    return (unsigned)mode < 4 ? names[mode] : "";
}

static const char *state_name(tr_client_match_state state) {
    static const char *const names[] = {"", "running", "done", "cancelled", "failed"};
    return (unsigned)state < 5 ? names[state] : "";
}

static const char *outcome_name(tr_client_bout_outcome outcome) {
    static const char *const names[] = {"", "won", "drawn", "void"};
    return (unsigned)outcome < 4 ? names[outcome] : "";
}

json_t *tr_cli_match_object(const tr_client_match *m) {
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:o, s:o, s:o}", "match", m->name, "state",
                  state_name(m->state), "rule", m->rule, "mode", mode_name(m->mode), "teams",
                  tr_output_texts(m->teams, m->team_count), "bouts", (json_int_t)m->bouts, "done",
                  (json_int_t)m->bouts_done, "seed", tr_output_unsigned(m->seed), "began",
                  tr_output_time(m->created_unix_ns), "ended", tr_output_time(m->ended_unix_ns));
    if (m->world)
        json_object_set_new(object, "world", json_integer(m->world));
    if (m->reason[0])
        json_object_set_new(object, "reason", json_string(m->reason));
    return object;
}

json_t *tr_cli_match_team_rows(const tr_client_match_detail *d) {
    json_t *rows = json_array();
    for (int i = 0; i < d->team_count; ++i) {
        const tr_client_team_statistics *t = &d->teams[i];
        json_array_append_new(
            rows, json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "team", t->name, "wins",
                            (json_int_t)t->wins, "win_rate", t->win_rate.value, "from",
                            t->win_rate.low, "to", t->win_rate.high, "score", t->score.value,
                            "score_from", t->score.low, "score_to", t->score.high));
    }
    return rows;
}

json_t *tr_cli_match_bout_row(const tr_client_match_detail *d, const tr_client_bout *b) {
    json_t *scores = json_array();
    for (int i = 0; i < b->score_count; ++i)
        json_array_append_new(scores, json_real(b->score[i]));
    bool named = b->winner >= 0 && b->winner < d->info.team_count;
    return json_pack("{s:I, s:s, s:s, s:o, s:f, s:s, s:o, s:o}", "bout", (json_int_t)b->position,
                     "outcome", outcome_name(b->outcome), "winner",
                     named ? d->info.teams[b->winner] : "", "score", scores, "seconds",
                     (double)b->ticks * d->step_s, "why", b->reason, "seed",
                     tr_output_unsigned(b->seed), "hash", tr_output_hash(b->hash));
}

json_t *tr_cli_match_progress_object(const tr_client_match_progress *p) {
    json_t *wins = json_object();
    for (int i = 0; i < p->team_count && i < p->info.team_count; ++i)
        json_object_set_new(wins, p->info.teams[i], json_integer(p->wins[i]));
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:I, s:I}", "match", p->info.name, "state",
                     state_name(p->info.state), "done", (json_int_t)p->info.bouts_done, "bouts",
                     (json_int_t)p->info.bouts, "wins", wins, "draws", (json_int_t)p->draws,
                     "voids", (json_int_t)p->voids);
}
