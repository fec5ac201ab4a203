/* Matches on the wire: rows, results and progress as messages. What they point to is the caller's
 * and outlives them. */
#ifndef TROUPE_SERVER_MATCH_ENCODE_H
#define TROUPE_SERVER_MATCH_ENCODE_H

#include "server/match/contest.h"
#include "server/net/packet.h"

#include <troupe/envelope.pb-c.h>

/* A MatchInfo with the texts it needs; may be copied only before it is filled. */
typedef struct tr_match_info_message {
    Troupe__MatchInfo info;
    char *team[TR_MATCH_TEAMS_MAX];
} tr_match_info_message;

/* Without a world and without teams. */
void tr_encode_match_row(const tr_match_row *row, Troupe__MatchInfo *out);

void tr_encode_contest(const tr_contest *contest, tr_match_state state, tr_match_info_message *out);

/* score: [team_count] of the row, pointed to. */
void tr_encode_bout(const tr_bout_row *bout, int team_count, Troupe__Bout *out);

/* A whole frame of a MatchProgress. Statuses as encode.h. */
tr_status tr_encode_progress(const tr_contest *contest, tr_match_state state,
                             tr_packet **out) TR_NODISCARD;

#endif
