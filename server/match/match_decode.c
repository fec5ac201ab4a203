#include "server/match/match_decode.h"

#include "proto/message.h"
#include "server/catalogue/name.h"
#include "server/match/rules/rule.h"
#include "server/world/decode_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MAX_M = 10000, TEAM_NAME_MAX = 40 /* leaves room for a number in a label */ };

static tr_status refuse(tr_error *error, const char *field, const char *expected) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected %s", field, expected);
}

static tr_status number(tr_error *error, const char *field, double value, double lowest,
                        double highest) {
    if (value >= lowest && value <= highest)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %g: expected %g to %g", field, value, lowest,
                   highest);
}

static tr_status name(tr_error *error, const char *field, const char *value, char *out) {
    if (strlen(value) > TR_WIRE_NAME_MAX)
        return refuse(error, field, "at most 47 bytes");
    tr_name_set(out, value);
    return TR_OK;
}

/* The catalogue keeps it within a reason, and takes no control characters. */
static bool is_plain(const char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

/* --- teams --- */

static tr_status decode_member(const Troupe__Member *m, tr_match_member *out, tr_error *error) {
    tr_status status = name(error, "teams.members.controller", m->controller, out->controller_name);
    if (status == TR_OK)
        status = name(error, "teams.members.model", m->model, out->model_name);
    if (status == TR_OK && m->controller[0] == '\0' && m->model[0] == '\0')
        status = refuse(error, "teams.members.controller", "a controller or a model");
    if (status == TR_OK)
        status = number(error, "teams.members.heading_rad", m->heading_rad, -1e6, 1e6);
    out->heading_rad = m->heading_rad;
    if (status != TR_OK || m->pos == NULL)
        return status;
    out->pos = (tr_vec3){m->pos->x, m->pos->y, m->pos->z};
    return tr_vec3_length(out->pos) <= PLACE_MAX_M
               ? TR_OK
               : refuse(error, "teams.members.pos", "a finite place within 10000 m");
}

static tr_status decode_team(const Troupe__Team *m, tr_match_team *out, tr_error *error) {
    tr_status status = name(error, "teams.name", m->name, out->name);
    if (status == TR_OK &&
        (m->name[0] == '\0' || strlen(m->name) > TEAM_NAME_MAX || !is_plain(m->name)))
        status = refuse(error, "teams.name", "1 to 40 bytes without control characters");
    if (status == TR_OK && (m->n_members < 1 || m->n_members > TR_MATCH_MEMBERS_MAX))
        status = refuse(error, "teams.members", "1 to 16 of a team");
    out->external = m->external;
    for (size_t i = 0; i < m->n_members && status == TR_OK; i++)
        status = decode_member(m->members[i], &out->member[out->member_count++], error);
    return status;
}

static tr_status decode_teams(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    if (m->n_teams < 2 || m->n_teams > TR_MATCH_TEAMS_MAX)
        return refuse(error, "teams", "2 to 8");
    tr_status status = TR_OK;
    int characters = 0;
    for (size_t i = 0; i < m->n_teams && status == TR_OK; i++) {
        tr_match_team *team = &out->team[out->team_count];
        status = decode_team(m->teams[i], team, error);
        for (int k = 0; k < out->team_count && status == TR_OK; k++)
            if (strcmp(out->team[k].name, team->name) == 0)
                status = refuse(error, "teams.name", "another one for each team");
        characters += team->member_count;
        out->team_count++;
    }
    if (status == TR_OK && characters > TR_CHARACTER_MAX)
        status = refuse(error, "teams.members", "64 at most in all teams together");
    return status;
}

/* --- rules --- */

static tr_status decode_parameter(const Troupe__RuleParameter *m, tr_match_def *out, unsigned *seen,
                                  tr_error *error) {
    int index = tr_rule_find_parameter(out->rule, m->name);
    if (index < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "parameters: rule '%s' has no '%.47s'",
                       out->rule->name, m->name);
    if ((*seen >> index & 1) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "parameters: '%s' is there twice", m->name);
    const tr_rule_parameter *row = &out->rule->parameter[index];
    *seen |= 1u << index;
    out->parameter[index] = m->value;
    return number(error, row->name, m->value, row->lowest, row->highest);
}

static tr_status refuse_rule(const char *name, tr_error *error) {
    char known[256];
    size_t size = 0;
    for (int i = 0; tr_rules[i] != NULL && size < sizeof known; i++)
        size += (size_t)snprintf(known + size, sizeof known - size, "%s%s", i > 0 ? ", " : "",
                                 tr_rules[i]->name);
    return tr_fail(error, TR_NOT_FOUND, "rule: there is no '%.47s', but %s", name, known);
}

static tr_status decode_rule(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    unsigned seen = 0;
    out->rule = tr_rule_find(m->rule);
    if (out->rule == NULL)
        return refuse_rule(m->rule, error);
    for (int i = 0; out->rule->parameter[i].name != NULL; i++)
        out->parameter[i] = out->rule->parameter[i].preset;
    tr_status status = TR_OK;
    for (size_t i = 0; i < m->n_parameters && status == TR_OK; i++)
        status = decode_parameter(m->parameters[i], out, &seen, error);
    return status;
}

/* --- time, chance and place --- */

static tr_status decode_variation(const Troupe__Variation *m, tr_match_variation *out,
                                  tr_error *error) {
    *out = (tr_match_variation){.pos_m = 0.05, .heading_rad = 0.05, .pose_rad = 0.01};
    out->phase = true;
    if (m == NULL)
        return TR_OK;
    *out = (tr_match_variation){m->pos_m, m->heading_rad, m->pose_rad, m->phase};
    tr_status status = number(error, "vary.pos_m", m->pos_m, 0, 100);
    if (status == TR_OK)
        status = number(error, "vary.heading_rad", m->heading_rad, 0, 3.2);
    return status == TR_OK ? number(error, "vary.pose_rad", m->pose_rad, 0, 0.5) : status;
}

static int count_external(const tr_match_def *match) {
    int count = 0;
    for (int i = 0; i < match->team_count; i++)
        count += match->team[i].external;
    return count;
}

static tr_status decode_mode(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    static const tr_match_mode modes[] = {TR_MATCH_HEADLESS, TR_MATCH_HEADLESS, TR_MATCH_REAL_TIME,
                                          TR_MATCH_STEPPED};
    if ((unsigned)m->mode >= sizeof modes / sizeof *modes)
        return refuse(error, "mode", "headless, real time or stepped");
    out->mode = modes[m->mode];
    int external = count_external(out);
    if ((external > 0) != (out->mode == TR_MATCH_STEPPED))
        return refuse(error, "mode", "stepped when, and only when, a team is external");
    if (m->bouts > (out->mode == TR_MATCH_HEADLESS ? TR_MATCH_BOUTS_MAX : 1))
        return refuse(error, "bouts", "1 to 100000, of a match that is not headless 1");
    out->bout_count = m->bouts == 0 ? 1 : (int)m->bouts;
    if (!(m->time_limit_s > 0 && m->time_limit_s <= TR_MATCH_SECONDS_MAX))
        return refuse(error, "time_limit_s", "more than 0, at most 3600");
    out->time_limit_s = m->time_limit_s;
    return TR_OK;
}

/* The scene is that of a world: it is checked where worlds are. */
static tr_status decode_world(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    static const Troupe__WorldMode modes[] = {
        [TR_MATCH_HEADLESS] = TROUPE__WORLD_MODE__WORLD_MODE_FAST,
        [TR_MATCH_REAL_TIME] = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME,
        [TR_MATCH_STEPPED] = TROUPE__WORLD_MODE__WORLD_MODE_STEPPED};
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    create.name = m->name;
    create.seed = m->seed;
    create.step_s = m->step_s;
    create.mode = modes[out->mode];
    create.rate = m->rate;
    create.steppers = (uint32_t)count_external(out);
    create.scene = m->scene;
    return tr_decode_world(&create, &out->world, error);
}

tr_status tr_decode_match(const Troupe__Match *message, tr_match_def *out, tr_error *error) {
    memset(out, 0, sizeof *out);
    tr_status status = name(error, "name", message->name, out->name);
    out->seed = message->seed;
    if (status == TR_OK)
        status = decode_teams(message, out, error);
    if (status == TR_OK)
        status = decode_rule(message, out, error);
    if (status == TR_OK)
        status = decode_variation(message->vary, &out->vary, error);
    if (status == TR_OK)
        status = decode_mode(message, out, error);
    return status == TR_OK ? decode_world(message, out, error) : status;
}

tr_status tr_decode_match_bytes(const void *data, size_t size, tr_match_def *out, tr_error *error) {
    ProtobufCMessage *message = NULL;
    tr_status status = tr_message_decode(&troupe__match__descriptor, data, size, &message);
    if (status == TR_RESOURCE_EXHAUSTED)
        return tr_fail(error, status, "out of memory");
    if (status != TR_OK)
        return tr_fail(error, TR_DATA_LOSS, "the definition of the match is damaged");
    status = tr_decode_match((const Troupe__Match *)message, out, error);
    tr_message_destroy(message);
    return status;
}

/* --- names --- */

tr_status tr_match_wish(const tr_match_def *match, tr_library_wish *wish) {
    tr_status status = TR_OK;
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count && status == TR_OK; k++) {
            status = tr_library_wish_model(wish, match->team[i].member[k].model_name);
            if (status == TR_OK)
                status = tr_library_wish_controller(wish, match->team[i].member[k].controller_name);
        }
    return status;
}

static tr_status check_fit(const tr_match_def *match, const tr_match_member *member,
                           tr_error *error) {
    const tr_controller *controller = member->controller;
    if (controller == NULL)
        return TR_OK;
    if (controller->model_hash != member->model->hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned on model '%s', which is not this member's",
                       controller->name, controller->model_name);
    if (fabs(controller->step_s - match->world.world.step_s) > 1e-9)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned at a step of %g s; this match's is %g s",
                       controller->name, controller->step_s, match->world.world.step_s);
    return TR_OK;
}

static tr_status resolve(const tr_match_def *match, tr_match_member *member, tr_library *library,
                         tr_error *error) {
    if (member->controller_name[0] != '\0') {
        tr_library_item *item = tr_library_find_controller(library, member->controller_name);
        if (item == NULL)
            return tr_fail(error, TR_NOT_FOUND, "controller '%s': not in the catalogue",
                           member->controller_name);
        member->controller = tr_library_controller(item);
        member->model = tr_library_model(item);
    }
    if (member->model_name[0] != '\0') {
        tr_library_item *item = tr_library_find_model(library, member->model_name);
        if (item == NULL)
            return tr_fail(error, TR_NOT_FOUND, "model '%s': not in the catalogue",
                           member->model_name);
        member->model = tr_library_model(item);
    }
    return check_fit(match, member, error);
}

tr_status tr_match_resolve(tr_match_def *match, tr_library *library, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count && status == TR_OK; k++)
            status = resolve(match, &match->team[i].member[k], library, error);
    return status;
}
