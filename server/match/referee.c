#include "server/match/referee.h"

#include "server/recording/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <troupe/envelope.pb-c.h>

struct tr_referee {
    tr_match_def match;
    tr_referee_def def;
    tr_bout bout;
    tr_play *play; /* whose it is */
};

tr_status tr_referee_create(const tr_referee_def *def, tr_referee **out) {
    tr_referee *referee = calloc(1, sizeof *referee);
    if (referee == NULL)
        return TR_RESOURCE_EXHAUSTED;
    referee->match = *def->match;
    referee->match.world.referee = NULL;
    referee->def = *def;
    referee->def.match = &referee->match;
    *out = referee;
    return TR_OK;
}

void tr_referee_destroy(tr_referee *referee) {
    free(referee);
}

/* --- the beginning --- */

static void introduce(tr_referee *referee, tr_play *play, const tr_contestant *contestant) {
    char label[TR_NAME_MAX + 16]; /* a team's name leaves room for the number in a label */
    const tr_match_team *team = &referee->match.team[contestant->team];
    snprintf(label, sizeof label, "%s %d", team->name, contestant->member + 1);
    tr_play_set_label(play, contestant->entity, label);
}

static tr_status know(tr_play *play, const tr_match_member *member) {
    const char *name = member->model_name[0] != '\0' || member->controller == NULL
                           ? member->model_name
                           : member->controller->model_name;
    tr_status status = tr_cast_add_model(&play->cast, member->model, name);
    return status == TR_OK ? tr_cast_add_controller(&play->cast, member->controller) : status;
}

/* What the rules do themselves is recorded as the command that does the same, so that a replay,
 * which knows no referee, does it too. */
static void record(const tr_referee *referee, tr_command_kind kind,
                   const Troupe__Command *command) {
    tr_packet *message = tr_packet_create(troupe__command__get_packed_size(command));
    if (message == NULL) {
        tr_recorder_end(referee->play->recorder, TR_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    troupe__command__pack(command, message->bytes);
    tr_recorder_command(referee->play->recorder, tr_command_name(kind), message, 0);
    tr_packet_release(message);
}

static void on_pushed(void *context, const tr_contestant *contestant, tr_vec3 force_n,
                      double duration_s) {
    const tr_referee *referee = context;
    if (referee->play->recorder == NULL)
        return;
    Troupe__Vec3 force = TROUPE__VEC3__INIT;
    Troupe__Push push = TROUPE__PUSH__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    force.x = force_n.x;
    force.y = force_n.y;
    force.z = force_n.z;
    push.entity = contestant->entity;
    push.force = &force;
    push.duration_s = duration_s;
    command.command_case = TROUPE__COMMAND__COMMAND_PUSH;
    command.push = &push;
    record(referee, TR_COMMAND_PUSH, &command);
}

/* The rules wish for other characters alone. */
static void on_steered(void *context, const tr_contestant *contestant, const tr_wish *wish) {
    const tr_referee *referee = context;
    if (referee->play->recorder == NULL)
        return;
    Troupe__Steer steer = TROUPE__STEER__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    steer.entity = contestant->entity;
    steer.aim_case = TROUPE__STEER__AIM_TOWARD;
    steer.toward = wish->character;
    steer.speed = wish->speed_mps;
    command.command_case = TROUPE__COMMAND__COMMAND_STEER;
    command.steer = &steer;
    record(referee, TR_COMMAND_STEER, &command);
}

static tr_status begin(tr_referee *referee, tr_play *play, tr_error *error) {
    referee->play = play;
    tr_status status =
        tr_bout_begin(&referee->bout, &referee->match, referee->def.seed, play->stage, error);
    for (int i = 0; i < referee->bout.contestant_count && status == TR_OK; i++) {
        const tr_contestant *contestant = &referee->bout.contestant[i];
        status = know(play, &referee->match.team[contestant->team].member[contestant->member]);
        introduce(referee, play, contestant);
    }
    referee->bout.pushed = on_pushed;
    referee->bout.steered = on_steered;
    referee->bout.told_context = referee;
    return status;
}

static void tell(const tr_referee *referee) {
    referee->def.ended(referee->def.context, referee->def.ticket, &referee->bout.result);
}

void tr_referee_begin(tr_referee *referee, tr_play *play) {
    tr_error error = {0};
    tr_status status = begin(referee, play, &error);
    if (status == TR_OK)
        return;
    referee->bout.ended = true;
    referee->bout.result =
        tr_bout_void(error.message[0] != '\0' ? error.message : tr_status_text(status));
    tell(referee);
}

/* --- steps --- */

void tr_referee_before_step(tr_referee *referee) {
    tr_bout_before_step(&referee->bout);
}

void tr_referee_after_step(tr_referee *referee) {
    if (referee->bout.ended)
        return;
    tr_bout_after_step(&referee->bout);
    if (referee->bout.ended)
        tell(referee);
}

bool tr_referee_has_ended(const tr_referee *referee) {
    return referee->bout.ended;
}

/* --- commands --- */

/* What a client may do with the characters of its team. */
static bool is_for_teams(tr_command_kind kind) {
    return kind == TR_COMMAND_SET_CONTROLLER || kind == TR_COMMAND_SET_LIMP ||
           kind == TR_COMMAND_SET_OFFSET || kind == TR_COMMAND_SET_FRAGMENT ||
           kind == TR_COMMAND_STEER;
}

static bool is_for_spectators(tr_command_kind kind) {
    return kind == TR_COMMAND_PAUSE || kind == TR_COMMAND_RESUME || kind == TR_COMMAND_SET_RATE ||
           kind == TR_COMMAND_SNAPSHOT || kind == TR_COMMAND_STEP ||
           kind == TR_COMMAND_START_RECORDING || kind == TR_COMMAND_STOP_RECORDING;
}

static int team_of(const tr_bout *bout, tr_entity_id entity) {
    for (int i = 0; i < bout->contestant_count; i++)
        if (bout->contestant[i].entity == entity)
            return bout->contestant[i].team;
    return -1;
}

bool tr_referee_commands(const tr_referee *referee, uint64_t order, tr_entity_id entity) {
    int commanded = tr_match_external_team(&referee->match, order);
    return commanded >= 0 && commanded == team_of(&referee->bout, entity);
}

tr_status tr_referee_check(const tr_referee *referee, const tr_command *command, tr_error *error) {
    tr_entity_id entity = tr_command_entity(command);
    if (is_for_spectators(command->kind))
        return TR_OK;
    if (!is_for_teams(command->kind))
        return tr_fail(error, TR_FAILED_PRECONDITION, "the world belongs to the match '%s'",
                       referee->match.name);
    if (!tr_referee_commands(referee, command->stamp.order, entity))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "entity %u: its team is not commanded by order number %llu", entity,
                       (unsigned long long)command->stamp.order);
    return TR_OK;
}
