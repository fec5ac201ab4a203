/* steer: says what a player wants of a character: a heading, a place or another character, a speed
 * and a skill; nothing: to stop. */
#include "client/command/decode_character.h"
#include "server/requests/commands/apply.h"

static const tr_field fields[] = {
    TR_ENTITY(Troupe__Steer, entity),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_HEADING_RAD,
            TR_FIELD(Troupe__Steer, heading_rad, TR_FIELD_NUMBER), .number = TR_NUMBER_DOUBLE,
            .low = -TR_HEADING_RAD_MAX, .high = TR_HEADING_RAD_MAX),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_TARGET,
            TR_FIELD(Troupe__Steer, target, TR_FIELD_VECTOR), .high = 10000),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_TOWARD,
            TR_FIELD(Troupe__Steer, toward, TR_FIELD_ENTITY)),
    TR_NUMBER(Troupe__Steer, speed, 0, TR_STEER_SPEED_MAX),
    TR_NAME(Troupe__Steer, skill),
    TR_NUMBER(Troupe__Steer, radius, 0, TR_INTENT_RADIUS_MAX_M),
    TR_NUMBER(Troupe__Steer, facing_rad, -TR_HEADING_RAD_MAX, TR_HEADING_RAD_MAX),
    TR_FIELDS_END};

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Steer *m = command->message->steer;
    const tr_intent intent = tr_steer_decode(m);
    return tr_stage_steer(loop->stage, m->entity, &intent, &result->error);
}

const tr_command_kind tr_command_steer = {
    .name = "steer",
    .number = TROUPE__COMMAND__COMMAND_STEER,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_OWN_FROM_PLAYER,
    .for_teams = true,
    .fields = fields,
    .entity = offsetof(Troupe__Steer, entity),
    .apply = apply,
};
