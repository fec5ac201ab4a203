#include "server/match/match_decode.h"

#include "client/command/fields.h"
#include "model/name.h"
#include "proto/mapping.h"
#include "proto/message.h"
#include "server/match/rules/rule.h"
#include "server/world/decode_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MAX_M = 10000, TEAM_NAME_MAX = 40 /* leaves room for a number in a label */ };

/* --- what the fields may hold --- */

static tr_status check_member(const void *message, const char *path, tr_error *error) {
    const Troupe__Member *m = message;
    return m->controller[0] || m->model[0]
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "%scontroller: expected a controller or a model", path);
}

static tr_status check_team(const void *message, const char *path, tr_error *error) {
    return strlen(((const Troupe__Team *)message)->name) <= TEAM_NAME_MAX
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "%sname: expected 1 to 40 bytes", path);
}

static const tr_field member_fields[] = {
    TR_NAME(Troupe__Member, controller), TR_NAME(Troupe__Member, model),
    TR_VECTOR(Troupe__Member, pos, PLACE_MAX_M), TR_NUMBER(Troupe__Member, heading_rad, -1e6, 1e6),
    TR_FIELDS_END};

static const tr_field team_fields[] = {
    TR_NAME_NEEDED(Troupe__Team, name),
    TR_LIST(Troupe__Team, members, 1, TR_MATCH_MEMBERS_MAX, member_fields, check_member),
    TR_FIELDS_END};

static const tr_field variation_fields[] = {
    TR_NUMBER(Troupe__Variation, pos_m, 0, 100), TR_NUMBER(Troupe__Variation, heading_rad, 0, 3.2),
    TR_NUMBER(Troupe__Variation, pose_rad, 0, 0.5), TR_FIELDS_END};

static const tr_field match_fields[] = {
    TR_NAME(Troupe__Match, name),
    TR_LIST(Troupe__Match, teams, 2, TR_MATCH_TEAMS_MAX, team_fields, check_team),
    TR_MESSAGE(Troupe__Match, vary, variation_fields),
    TR_CHOICE(Troupe__Match, mode, TROUPE__MATCH_MODE__MATCH_MODE_STEPPED,
              "headless, real time or stepped"),
    TR_FIELDS_END};

/* --- what is copied --- */

static const tr_mapping member_mapping =
    TR_MAPPING(tr_match_member, Member, member, TR_COPY_AS(controller_name, controller),
               TR_COPY_AS(model_name, model), TR_COPY_DOUBLES(pos), TR_COPY(heading_rad));

static const tr_mapping team_mapping =
    TR_MAPPING(tr_match_team, Team, team, TR_COPY(name, external));

static const tr_mapping match_mapping =
    TR_MAPPING(tr_match_def, Match, match, TR_COPY(name, seed, time_limit_s));

static void copy(const Troupe__Match *m, tr_match_def *out) {
    const Troupe__Variation *vary = m->vary;
    tr_mapping_read(&match_mapping, m, out, NULL);
    out->vary =
        vary ? (tr_match_variation){vary->pos_m, vary->heading_rad, vary->pose_rad, vary->phase}
             : (tr_match_variation){0.05, 0.05, 0.01, true};
    for (size_t i = 0; i < m->n_teams; i++) {
        tr_match_team *team = &out->team[out->team_count++];
        tr_mapping_read(&team_mapping, m->teams[i], team, NULL);
        for (size_t k = 0; k < m->teams[i]->n_members; k++)
            tr_mapping_read(&member_mapping, m->teams[i]->members[k],
                            &team->member[team->member_count++], NULL);
    }
}

/* --- what fields must be together --- */

static tr_status check_teams(const tr_match_def *match, tr_error *error) {
    int characters = 0;
    for (int i = 0; i < match->team_count; i++) {
        characters += match->team[i].member_count;
        for (int k = 0; k < i; k++)
            if (strcmp(match->team[k].name, match->team[i].name) == 0)
                return tr_field_refuse(error, "teams.name", "a different name for each team");
    }
    return characters <= TR_CHARACTER_MAX
               ? TR_OK
               : tr_field_refuse(error, "teams.members",
                                 "at most 64 members in all teams together");
}

/* --- rules --- */

static tr_status decode_parameter(const Troupe__RuleParameter *m, tr_match_def *out, unsigned *seen,
                                  tr_error *error) {
    int index = tr_rule_find_parameter(out->rule, m->name);
    if (index < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "parameters: rule '%s' has no '%.47s'",
                       out->rule->name, m->name);
    if ((*seen >> index & 1) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "parameters: '%s' is given twice", m->name);
    const tr_rule_parameter *row = &out->rule->parameter[index];
    *seen |= 1u << index;
    out->parameter[index] = m->value;
    if (m->value >= row->lowest && m->value <= row->highest)
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %g: expected %g to %g", row->name, m->value,
                   row->lowest, row->highest);
}

static tr_status refuse_rule(const char *name, tr_error *error) {
    char known[256];
    size_t size = 0;
    for (int i = 0; tr_rules[i] && size < sizeof known; i++)
        size += (size_t)snprintf(known + size, sizeof known - size, "%s%s", i > 0 ? ", " : "",
                                 tr_rules[i]->name);
    return tr_fail(error, TR_NOT_FOUND, "rule: unknown rule '%.47s'; expected one of %s", name,
                   known);
}

static tr_status decode_rule(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    unsigned seen = 0;
    out->rule = tr_rule_find(m->rule);
    if (!out->rule)
        return refuse_rule(m->rule, error);
    for (int i = 0; out->rule->parameter[i].name; i++)
        out->parameter[i] = out->rule->parameter[i].preset;
    tr_status status = TR_OK;
    for (size_t i = 0; i < m->n_parameters && !status; i++)
        status = decode_parameter(m->parameters[i], out, &seen, error);
    return status;
}

/* --- time and place --- */

static int count_external(const tr_match_def *match) {
    int count = 0;
    for (int i = 0; i < match->team_count; i++)
        count += match->team[i].external;
    return count;
}

static tr_status decode_mode(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    static const tr_match_mode modes[] = {TR_MATCH_HEADLESS, TR_MATCH_HEADLESS, TR_MATCH_REAL_TIME,
                                          TR_MATCH_STEPPED};
    out->mode = modes[m->mode];
    int external = count_external(out);
    if ((external > 0) != (out->mode == TR_MATCH_STEPPED))
        return tr_field_refuse(error, "mode", "stepped if, and only if, a team is external");
    if (m->bouts > (out->mode == TR_MATCH_HEADLESS ? TR_MATCH_BOUTS_MAX : 1))
        return tr_field_refuse(error, "bouts", "1 to 100000 for a headless match, otherwise 1");
    out->bout_count = m->bouts == 0 ? 1 : (int)m->bouts;
    if (!(m->time_limit_s > 0 && m->time_limit_s <= TR_MATCH_SECONDS_MAX))
        return tr_field_refuse(error, "time_limit_s", "more than 0, at most 3600");
    return TR_OK;
}

/* The scene is a world's scene and is checked by the same code. */
static tr_status decode_world(const Troupe__Match *m, tr_match_def *out, tr_error *error) {
    static const Troupe__WorldMode modes[] = {
        [TR_MATCH_HEADLESS] = TROUPE__WORLD_MODE__WORLD_MODE_FAST,
        [TR_MATCH_REAL_TIME] = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME,
        [TR_MATCH_STEPPED] = TROUPE__WORLD_MODE__WORLD_MODE_STEPPED};
    const Troupe__CreateWorld create = {
        TR_MESSAGE_BASE(create_world),
        .name = m->name,
        .seed = m->seed,
        .has_step_s_case = (Troupe__CreateWorld__HasStepSCase)m->has_step_s_case,
        .step_s = m->step_s,
        .mode = modes[out->mode],
        .has_rate_case = (Troupe__CreateWorld__HasRateCase)m->has_rate_case,
        .rate = m->rate,
        .steppers = (uint32_t)count_external(out),
        .scene = m->scene,
        .moved_from = (char *)""};
    return tr_decode_world(&create, &out->world, error);
}

tr_status tr_decode_match(const Troupe__Match *message, tr_match_def *out, tr_error *error) {
    memset(out, 0, sizeof *out);
    tr_status status = tr_fields_check(message, match_fields, error);
    if (status)
        return status;
    copy(message, out);
    status = check_teams(out, error);
    if (!status)
        status = decode_rule(message, out, error);
    if (!status)
        status = decode_mode(message, out, error);
    return status ? status : decode_world(message, out, error);
}

tr_status tr_decode_match_bytes(const void *data, size_t size, tr_match_def *out, tr_error *error) {
    ProtobufCMessage *message = NULL;
    tr_status status = tr_message_decode(&troupe__match__descriptor, data, size, &message);
    if (status == TR_RESOURCE_EXHAUSTED)
        return tr_fail(error, status, "out of memory");
    if (status)
        return tr_fail(error, TR_DATA_LOSS, "the definition of the match is damaged");
    status = tr_decode_match((const Troupe__Match *)message, out, error);
    tr_message_destroy(message);
    return status;
}

/* --- names --- */

tr_status tr_match_needs(const tr_match_def *match, tr_library_needs *needs) {
    tr_status status = TR_OK;
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count && !status; k++) {
            status = tr_library_need_model(needs, match->team[i].member[k].model_name);
            if (!status)
                status =
                    tr_library_need_controller(needs, match->team[i].member[k].controller_name);
        }
    return status;
}

static tr_status check_fit(const tr_match_def *match, const tr_match_member *member,
                           tr_error *error) {
    const tr_controller *controller = member->controller;
    if (!controller)
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
        if (!item)
            return tr_fail(error, TR_NOT_FOUND, "controller '%s': not in the catalogue",
                           member->controller_name);
        member->controller = tr_library_controller(item);
        member->model = tr_library_model(item);
    }
    if (member->model_name[0] != '\0') {
        tr_library_item *item = tr_library_find_model(library, member->model_name);
        if (!item)
            return tr_fail(error, TR_NOT_FOUND, "model '%s': not in the catalogue",
                           member->model_name);
        member->model = tr_library_model(item);
    }
    return check_fit(match, member, error);
}

tr_status tr_match_resolve(tr_match_def *match, tr_library *library, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count && !status; k++)
            status = resolve(match, &match->team[i].member[k], library, error);
    return status;
}
