#include "server/match/referee.h"

#include "model/name.h"
#include "proto/message.h"
#include "server/match/rules/rule.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct referee {
    tr_world_part part; /* first */
    tr_match_def match;
    tr_referee_def def;
    tr_bout bout;
    double told[TR_MATCH_TEAMS_MAX]; /* scores, of rules that count */
    tr_world_loop *loop;             /* the loop it belongs to */
} referee;

/* --- what the rules do --- */

/* body: a message that Command has. */
static tr_status perform(referee *self, ProtobufCMessage *body) {
    uint8_t bytes[256];
    tr_command *command = NULL;
    Troupe__Command message = TROUPE__COMMAND__INIT;
    tr_message_choose(&message.base, body);
    size_t size = troupe__command__get_packed_size(&message);
    if (size > sizeof bytes)
        return TR_INTERNAL;
    troupe__command__pack(&message, bytes);
    tr_status status = tr_command_unpack(self->loop->commands, bytes, size, &command, NULL);
    if (status)
        return status;
    tr_reply result = {0};
    tr_world_loop_apply(self->loop, command, &result, 0);
    tr_command_destroy(command);
    return result.error.status;
}

static tr_status push(void *context, tr_entity_id entity, tr_vec3 force_n, double duration_s) {
    Troupe__Vec3 force = {TR_MESSAGE_BASE(vec3), .x = force_n.x, .y = force_n.y, .z = force_n.z};
    Troupe__Push push = {TR_MESSAGE_BASE(push), .entity = entity, .force = &force,
                         .duration_s = duration_s};
    return perform(context, &push.base);
}

static tr_status place(void *context, tr_entity_id object, tr_vec3 pos) {
    Troupe__Vec3 at = {TR_MESSAGE_BASE(vec3), .x = pos.x, .y = pos.y, .z = pos.z};
    Troupe__Throw put = {TR_MESSAGE_BASE(throw), .entity = object, .pos = &at};
    return perform(context, &put.base);
}

static tr_status steer(void *context, tr_entity_id entity, const tr_intent *intent) {
    const tr_steering_target *target = &intent->wish;
    Troupe__Vec3 at = {TR_MESSAGE_BASE(vec3), .x = target->x, .y = target->y};
    Troupe__Steer steer = {TR_MESSAGE_BASE(steer),     .entity = entity,
                           .speed = target->speed_mps, .radius = intent->radius_m,
                           .faces = intent->faces,     .facing_rad = intent->facing_rad};
    if (target->aim == TR_AIM_HEADING) {
        steer.aim_case = TROUPE__STEER__AIM_HEADING_RAD;
        steer.heading_rad = target->heading_rad;
    } else if (target->aim == TR_AIM_POINT) {
        steer.aim_case = TROUPE__STEER__AIM_TARGET;
        steer.target = &at;
    } else if (target->aim == TR_AIM_CHARACTER) {
        steer.aim_case = TROUPE__STEER__AIM_TOWARD;
        steer.toward = target->character;
    }
    return perform(context, &steer.base);
}

/* --- the beginning --- */

static void label_contestant(referee *self, const tr_contestant *contestant) {
    char label[TR_NAME_MAX + 16]; /* a team's name leaves room for the number in a label */
    const tr_match_team *team = &self->match.team[contestant->team];
    snprintf(label, sizeof label, "%s %d", team->name, contestant->member + 1);
    tr_world_loop_set_label(self->loop, contestant->entity, label);
}

static tr_status remember(tr_world_loop *loop, const tr_match_member *member) {
    const char *name = member->model_name[0] != '\0' || !member->controller
                           ? member->model_name
                           : member->controller->model_name;
    tr_status status = tr_cast_add_model(&loop->cast, member->model, name);
    return status ? status : tr_cast_add_controller(&loop->cast, member->controller);
}

static tr_status begin(referee *self, tr_error *error) {
    tr_bout *bout = &self->bout;
    tr_status status = tr_bout_begin(bout, &self->match, self->def.seed, self->loop->stage, error);
    for (int i = 0; i < bout->contestant_count && !status; i++) {
        const tr_contestant *contestant = &bout->contestant[i];
        status =
            remember(self->loop, &self->match.team[contestant->team].member[contestant->member]);
        label_contestant(self, contestant);
    }
    bout->actions =
        (tr_bout_actions){.push = push, .steer = steer, .place = place, .context = self};
    return status;
}

static void report(const referee *self) {
    self->def.ended(self->def.context, self->def.ticket, &self->bout.result);
}

static const tr_world_part_kind kind;

tr_status tr_referee_populate(void *context, tr_world_loop *loop) {
    const tr_referee_def *def = context;
    referee *self = calloc(1, sizeof *self);
    if (!self)
        return TR_RESOURCE_EXHAUSTED;
    self->part.kind = &kind;
    self->match = *def->match;
    self->def = *def;
    self->def.match = &self->match;
    self->loop = loop;
    tr_world_loop_add_part(loop, &self->part);
    tr_error error = {0};
    tr_status status = begin(self, &error);
    if (!status)
        return TR_OK;
    self->bout.ended = true;
    self->bout.result =
        tr_bout_void(error.message[0] != '\0' ? error.message : tr_status_text(status));
    report(self);
    return TR_OK;
}

/* --- steps --- */

static void before_step(tr_world_part *part, tr_world_loop *loop) {
    (void)loop;
    tr_bout_before_step(&((referee *)part)->bout);
}

/* Events tell of the teams whose scores have changed. */
static void tell_scores(referee *self) {
    tr_world_loop *loop = self->loop;
    tr_event event = {
        .kind = TR_EVENT_SCORED, .tick = tr_world_loop_tick(loop), .epoch = loop->epoch};
    for (int i = 0; i < self->match.team_count; i++) {
        event.magnitude = self->bout.score[i];
        tr_name_set(event.text, self->match.team[i].name);
        if (event.magnitude != self->told[i])
            tr_event_list_add(&loop->events, &event);
        self->told[i] = event.magnitude;
    }
}

/* After the bout the world stands still, for viewers; a stepped world waits for its steppers
 * anyway. */
static void stepped(tr_world_part *part, tr_world_loop *loop) {
    referee *self = (referee *)part;
    if (!self->bout.ended) {
        tr_bout_after_step(&self->bout);
        if (self->match.rule->counts)
            tell_scores(self);
        if (self->bout.ended)
            report(self);
    }
    if (self->bout.ended && loop->mode != TR_MODE_STEPPED)
        loop->paused = true;
}

/* --- commands of clients --- */

static int team_of(const tr_bout *bout, tr_entity_id entity) {
    for (int i = 0; i < bout->contestant_count; i++)
        if (bout->contestant[i].entity == entity)
            return bout->contestant[i].team;
    return -1;
}

static bool commands(const tr_world_part *part, uint64_t order, tr_entity_id entity) {
    const referee *self = (const referee *)part;
    int commanded = tr_match_external_team(&self->match, order);
    return commanded >= 0 && commanded == team_of(&self->bout, entity);
}

static tr_status may_apply(const tr_world_part *part, const tr_command *command, tr_error *error) {
    tr_entity_id entity = tr_command_entity(command);
    if (command->kind->for_spectators)
        return TR_OK;
    if (!command->kind->for_teams)
        return tr_fail(error, TR_FAILED_PRECONDITION, "the world belongs to the match '%s'",
                       ((const referee *)part)->match.name);
    if (!commands(part, command->stamp.order, entity))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "entity %u: order number %llu does not command its team", entity,
                       (unsigned long long)command->stamp.order);
    return TR_OK;
}

static const tr_world_part_kind kind = {.name = "referee",
                                        .before_step = before_step,
                                        .stepped = stepped,
                                        .may_apply = may_apply,
                                        .commands = commands};
