/* Requests about matches. */
#include "client/c/exchange.h"
#include "client/c/geometry.h"
#include "client/c/scene.h"

#include <stdlib.h>

enum { TEAM_MAX = TR_MATCH_TEAMS_MAX, MEMBER_MAX = TR_MATCH_MEMBERS_MAX, PARAMETER_MAX = 32 };

/* --- a match with the messages it points to --- */

typedef struct team_message {
    Troupe__Team team;
    Troupe__Member member[MEMBER_MAX];
    Troupe__Vec3 pos[MEMBER_MAX];
    Troupe__Member *pointer[MEMBER_MAX];
} team_message;

typedef struct match_message {
    Troupe__Match match;
    team_message team[TEAM_MAX];
    Troupe__Team *team_pointer[TEAM_MAX];
    Troupe__RuleParameter parameter[PARAMETER_MAX];
    Troupe__RuleParameter *parameter_pointer[PARAMETER_MAX];
    Troupe__Variation vary;
} match_message;

static bool is_within(const tr_client_match_def *def) {
    if (def->team_count < 0 || def->team_count > TEAM_MAX || def->parameter_count < 0 ||
        def->parameter_count > PARAMETER_MAX)
        return false;
    for (int i = 0; i < def->team_count; ++i)
        if (def->teams[i].member_count < 0 || def->teams[i].member_count > MEMBER_MAX)
            return false;
    return true;
}

static void fill_team(const tr_client_team *from, team_message *out) {
    troupe__team__init(&out->team);
    out->team.name = tr_request_text(from->name);
    out->team.external = from->external;
    out->team.n_members = (size_t)from->member_count;
    out->team.members = out->pointer;
    for (int i = 0; i < from->member_count; ++i) {
        const tr_client_member *member = &from->members[i];
        Troupe__Member *message = out->pointer[i] = &out->member[i];
        troupe__member__init(message);
        out->pos[i] = tr_vec3_message(member->pos);
        message->controller = tr_request_text(member->controller);
        message->model = tr_request_text(member->model);
        message->pos = &out->pos[i];
        message->heading_rad = member->heading_rad;
    }
}

static void fill_rule(const tr_client_match_def *def, match_message *out) {
    out->match.rule = tr_request_text(def->rule);
    out->match.n_parameters = (size_t)def->parameter_count;
    out->match.parameters = out->parameter_pointer;
    for (int i = 0; i < def->parameter_count; ++i) {
        Troupe__RuleParameter *message = out->parameter_pointer[i] = &out->parameter[i];
        troupe__rule_parameter__init(message);
        message->name = tr_request_text(def->parameters[i].name);
        message->value = def->parameters[i].value;
    }
}

static void fill_match(const tr_client_match_def *def, match_message *out) {
    troupe__match__init(&out->match);
    out->match.name = tr_request_text(def->name);
    out->match.mode = (Troupe__MatchMode)def->mode;
    out->match.seed = def->seed;
    out->match.bouts = def->bouts;
    out->match.time_limit_s = def->time_limit_s;
    out->match.n_teams = (size_t)def->team_count;
    out->match.teams = out->team_pointer;
    for (int i = 0; i < def->team_count; ++i) {
        fill_team(&def->teams[i], &out->team[i]);
        out->team_pointer[i] = &out->team[i].team;
    }
    fill_rule(def, out);
    if (!def->vary)
        return;
    troupe__variation__init(&out->vary);
    out->vary.pos_m = def->vary->pos_m;
    out->vary.heading_rad = def->vary->heading_rad;
    out->vary.pose_rad = def->vary->pose_rad;
    out->vary.phase = def->vary->phase;
    out->match.vary = &out->vary;
}

uint64_t tr_client_start_match(tr_client *client, const tr_client_match_def *def) {
    tr_scene_message *scene = NULL;
    if (!is_within(def))
        return tr_request_refuse(client, TR_INVALID_ARGUMENT,
                                 "expected at most 8 teams of 16 members, and 32 parameters");
    tr_status status = def->world ? tr_scene_message_create(def->world, &scene) : TR_OK;
    match_message *match = status == TR_OK ? malloc(sizeof *match) : NULL;
    uint64_t request = 0;
    if (match) {
        fill_match(def, match);
        match->match.scene = scene ? &scene->scene : NULL;
        match->match.step_s = def->world ? def->world->step_s : 0;
        match->match.rate = def->world ? def->world->rate : 0;
        Troupe__StartMatch start = TROUPE__START_MATCH__INIT;
        start.match = &match->match;
        Troupe__ClientMessage message =
            tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH);
        message.start_match = &start;
        request = tr_request_send(client, &message);
    } else if (status == TR_INVALID_ARGUMENT) {
        tr_request_refuse(client, status, "scenery_count: expected 0 to 256");
    } else {
        tr_request_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the match");
    }
    free(match);
    free(scene);
    return request;
}

/* --- queries --- */

static Troupe__Page make_page(uint32_t size, const char *token) {
    Troupe__Page page = TROUPE__PAGE__INIT;
    page.size = size;
    page.token = tr_request_text(token);
    return page;
}

uint64_t tr_client_list_matches(tr_client *client, const tr_client_query *query) {
    Troupe__Page page = make_page(query ? query->page_size : 0, query ? query->page_token : NULL);
    Troupe__ListMatches list = TROUPE__LIST_MATCHES__INIT;
    list.page = &page;
    list.running = query && query->running;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_MATCHES);
    message.list_matches = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_match(tr_client *client, const char *name, uint32_t page_size,
                             const char *page_token) {
    Troupe__Page page = make_page(page_size, page_token);
    Troupe__GetMatch get = TROUPE__GET_MATCH__INIT;
    get.name = tr_request_text(name);
    get.page = &page;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH);
    message.get_match = &get;
    return tr_request_send(client, &message);
}

/* --- by name --- */

uint64_t tr_client_watch_match(tr_client *client, const char *name) {
    Troupe__WatchMatch watch = TROUPE__WATCH_MATCH__INIT;
    watch.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_WATCH_MATCH);
    message.watch_match = &watch;
    return tr_request_send(client, &message);
}

uint64_t tr_client_unwatch_match(tr_client *client, const char *name) {
    Troupe__UnwatchMatch unwatch = TROUPE__UNWATCH_MATCH__INIT;
    unwatch.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_UNWATCH_MATCH);
    message.unwatch_match = &unwatch;
    return tr_request_send(client, &message);
}

uint64_t tr_client_cancel_match(tr_client *client, const char *name) {
    Troupe__CancelMatch cancel = TROUPE__CANCEL_MATCH__INIT;
    cancel.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_CANCEL_MATCH);
    message.cancel_match = &cancel;
    return tr_request_send(client, &message);
}

uint64_t tr_client_remove_match(tr_client *client, const char *name) {
    Troupe__RemoveMatch removal = TROUPE__REMOVE_MATCH__INIT;
    removal.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_REMOVE_MATCH);
    message.remove_match = &removal;
    return tr_request_send(client, &message);
}

uint64_t tr_client_record_bout(tr_client *client, const char *match, uint32_t position,
                               const char *recording) {
    Troupe__RecordBout record = TROUPE__RECORD_BOUT__INIT;
    record.match = tr_request_text(match);
    record.position = position;
    record.recording = tr_request_text(recording);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_RECORD_BOUT);
    message.record_bout = &record;
    return tr_request_send(client, &message);
}
