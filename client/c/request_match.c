/* Requests about matches. */
#include "client/c/scene.h"

enum { PARAMETER_MAX = 32 };

/* --- a match as a message --- */

static const tr_mapping member_mapping =
    TR_MAPPING(tr_client_member, Member, member, TR_COPY(controller, model, pos, heading_rad));

static const tr_mapping team_mapping =
    TR_MAPPING(tr_client_team, Team, team, TR_COPY(name, external),
               TR_COPY_LIST(member_count, members, member_mapping));

static const tr_mapping parameter_mapping =
    TR_MAPPING(tr_client_rule_parameter, RuleParameter, rule_parameter, TR_COPY(name, value));

static const tr_mapping variation_mapping = TR_MAPPING(
    tr_client_variation, Variation, variation, TR_COPY(pos_m, heading_rad, pose_rad, phase));

static const tr_mapping match_mapping = TR_MAPPING(
    tr_client_match_def, Match, match, TR_COPY(name, mode, seed, bouts, time_limit_s, rule),
    TR_COPY_LIST(parameter_count, parameters, parameter_mapping),
    TR_COPY_LIST(team_count, teams, team_mapping));

static bool is_within(const tr_client_match_def *def) {
    if (def->team_count < 0 || def->team_count > TR_MATCH_TEAMS_MAX || def->parameter_count < 0 ||
        def->parameter_count > PARAMETER_MAX)
        return false;
    for (int i = 0; i < def->team_count; i++)
        if (def->teams[i].member_count < 0 || def->teams[i].member_count > TR_MATCH_MEMBERS_MAX)
            return false;
    return true;
}

Troupe__Match *tr_match_message(const tr_client_match_def *def, tr_mapping_memory *memory,
                                tr_error *refused) {
    if (!is_within(def)) {
        (void)tr_fail(refused, TR_INVALID_ARGUMENT,
                      "expected at most 8 teams of 16 members, and 32 parameters");
        return NULL;
    }
    Troupe__Match *match = tr_mapping_write(&match_mapping, def, memory);
    if (match && def->vary)
        match->vary = tr_mapping_write(&variation_mapping, def->vary, memory);
    if (!match || memory->failed) {
        (void)tr_fail(refused, TR_RESOURCE_EXHAUSTED, "no memory for the match");
        return NULL;
    }
    if (!def->world)
        return match;
    match->scene = tr_scene_message(def->world, memory, refused);
    match->step_s = def->world->step_s;
    match->rate = def->world->rate;
    match->has_step_s_case = TROUPE__MATCH__HAS_STEP_S_STEP_S;
    match->has_rate_case = TROUPE__MATCH__HAS_RATE_RATE;
    return match->scene ? match : NULL;
}

uint64_t tr_client_start_match(tr_client *client, const tr_client_match_def *def) {
    tr_mapping_memory memory = {0};
    Troupe__Match *match = tr_match_message(def, &memory, &client->refused);
    uint64_t request = match ? TR_REQUEST(client, StartMatch, start_match, .match = match) : 0;
    tr_mapping_free(&memory);
    return request;
}

/* --- queries --- */

TR_REQUEST_OF_QUERY(ListMatches, list_matches, TR_COPY(running))

/* One page of the bouts of a match. */
typedef struct bouts {
    const char *name;
    tr_client_query page;
} bouts;

static const tr_mapping bouts_mapping =
    TR_MAPPING(bouts, GetMatch, get_match, TR_COPY(name), TR_COPY_ONE(page, tr_request_page));

uint64_t tr_client_get_match(tr_client *client, const char *name, uint32_t page_size,
                             const char *page_token) {
    const bouts asked = {name, {.page_size = page_size, .page_token = page_token}};
    return tr_request_send_struct(client, &bouts_mapping, &asked);
}

/* --- by name --- */

TR_REQUEST_BY_NAME(WatchMatch, watch_match)
TR_REQUEST_BY_NAME(UnwatchMatch, unwatch_match)
TR_REQUEST_BY_NAME(CancelMatch, cancel_match)
TR_REQUEST_BY_NAME(RemoveMatch, remove_match)

uint64_t tr_client_record_bout(tr_client *client, const char *match, uint32_t position,
                               const char *recording) {
    return TR_REQUEST(client, RecordBout, record_bout, .match = tr_request_text(match),
                      .position = position, .recording = tr_request_text(recording));
}
