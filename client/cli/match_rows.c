#include "cli/match_rows.h"

#include "cli/view.h"

json_t *tr_cli_match_object(const void *match) {
    return tr_view(&tr_client_match_mapping, match,
                   "match=name state rule mode teams bouts done=bouts_done seed "
                   "began=created_unix_ns ended=ended_unix_ns ?world ?reason");
}

json_t *tr_cli_match_bout_row(const tr_client_match_detail *d, const tr_client_bout *b) {
    json_t *row = tr_view(&tr_client_bout_mapping, b,
                          "bout=position outcome winner score seconds=ticks why=reason seed hash");
    bool named = b->winner >= 0 && b->winner < d->info.team_count;
    json_object_set_new(row, "winner", json_string(named ? d->info.teams[b->winner] : ""));
    json_object_set_new(row, "seconds", json_real((double)b->ticks * d->step_s));
    return row;
}

json_t *tr_cli_match_progress_object(const tr_client_match_progress *p) {
    json_t *wins = json_object();
    for (int i = 0; i < p->team_count && i < p->info.team_count; i++)
        json_object_set_new(wins, p->info.teams[i], json_integer(p->wins[i]));
    json_t *object = tr_view(&tr_client_match_progress_mapping, p,
                             "match=info.name state=info.state done=info.bouts_done "
                             "bouts=info.bouts wins draws voids");
    json_object_set_new(object, "wins", wins);
    return object;
}
