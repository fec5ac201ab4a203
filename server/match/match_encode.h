/* Matches on the wire: structs of what clients are shown, and how they become messages. What a
 * struct points to is the caller's and outlives it. */
#pragma once

#include "proto/mapping.h"
#include "server/match/contest.h"
#include "server/net/packet.h"

/* A MatchInfo. row: its state, reason and stored bouts are those shown. */
typedef struct tr_match_info {
    tr_match_row row;
    tr_match_mode mode;
    uint32_t world; /* 0: none */
    int team_count;
    const char *team[TR_MATCH_TEAMS_MAX];
    char token[24]; /* in lists: of the page that begins after it */
} tr_match_info;
extern const tr_mapping tr_match_info_mapping;

tr_match_info tr_match_info_of(const tr_contest *contest, tr_match_state state);

/* A Bout. score: [team_count] of the row. */
typedef struct tr_bout_info {
    tr_bout_row row;
    int team_count;
} tr_bout_info;
extern const tr_mapping tr_bout_info_mapping;

/* Encodes a whole frame with a MatchProgress. Statuses as in encode.h. */
tr_status tr_encode_progress(const tr_contest *contest, tr_match_state state,
                             tr_packet **out) TR_NODISCARD;
