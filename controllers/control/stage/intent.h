/* Intents: what a player asks of a character, and the steering target that serves it.
 *
 * A steering target says what a driver shall do now: turn there, at this speed, in this skill. An
 * intent says what is wanted in the end, and holds for every driver that can be steered:
 *
 *   a heading           go there: at the speed asked for, or as fast as it goes now, at least at a walk
 *   a place             go there, slower when it is near, stop there and stand
 *   a skill, or speed   perform it, until something else is asked for
 *   nothing             stop, and stand
 *
 * At each decision of the driver the intent becomes a target. To decide when to stop, it compares two
 * places where the references end: if the character stops now, and if it stops at the next chance. A
 * standing character reaches a near place by trips (tr_driver_trip): it chooses the best sequence of
 * one or two, performs the first, and then decides again. It stays where no trip brings it nearer.
 *
 * A driver that has no skill to rest in continues at its own speed and passes the place.
 *
 * Where the stage looks ahead (ahead.h), a character sets off only if it can stop again before a wall
 * or an edge, stops where the next chance to stop would be too late, and stands there until the way is
 * clear or something else is asked for. Others in its way it passes on one side.
 *
 * Plain data; deterministic. */
#pragma once

#include "control/driver/runner.h"

/* wish:       the target as asked for; its aim is a heading, a place or nothing
 * radius_m:   how near to a place counts as there; 0: TR_INTENT_RADIUS_M
 * faces:      at the place it turns to facing_rad, as far as its trips allow */
typedef struct tr_intent {
    tr_steering_target wish;
    double radius_m, facing_rad;
    bool faces;
} tr_intent;

#define TR_INTENT_RADIUS_M 0.3
#define TR_INTENT_RADIUS_MAX_M 100.0

/* The wish is valid, the radius 0 to TR_INTENT_RADIUS_MAX_M, |facing_rad| <= 1000. */
bool tr_intent_is_valid(const tr_intent *intent);

/* How an intent is being served; without a place it goes, or is blocked.
 *   GO:   it is steered to the place
 *   TRIP: it performs one skill until it would come to stand where the trip ends
 *   STOP: it comes to rest
 *   STAY: it stands, and no trip would bring it nearer
 *   BLOCKED: it stops before a wall or an edge and stands there, whatever the intent */
typedef enum tr_intent_mode {
    TR_INTENT_GO,
    TR_INTENT_TRIP,
    TR_INTENT_STOP,
    TR_INTENT_STAY,
    TR_INTENT_BLOCKED
} tr_intent_mode;

/* The intent of a character and how far it has come. All zero: none was given.
 *   skill, end_x, end_y, end_rad: of the trip, and where and how it ends, in the world
 *   speed_mps:                    that it goes at where the wish names none
 *   place_x, place_y:             for which the mode was chosen */
typedef struct tr_intent_state {
    bool given, arrived;
    tr_intent_mode mode;
    tr_intent intent;
    char skill[TR_NAME_MAX];
    double end_x, end_y, end_rad, speed_mps, place_x, place_y;
} tr_intent_state;

/* --- for snapshots and hashes --- */

void tr_intent_write(const tr_intent_state *state, tr_byte_writer *writer);
/* false: malformed bytes, or a state that cannot have come about. out: zero. */
bool tr_intent_read(tr_byte_reader *source, tr_intent_state *out);
uint64_t tr_intent_hash(const tr_intent_state *state, uint64_t hash);

/* --- following --- */

/* Gives a character an intent and sets the runner's target. The same intent again changes nothing: a
 * place that is repeated is not begun anew. The runner has a controller. */
void tr_intent_begin(tr_intent_state *state, const tr_intent *intent, tr_runner *runner,
                     const tr_world *world, tr_entity_id character);

/* Another controller has taken over: continues the intent with what that can do. */
void tr_intent_continue(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                        tr_entity_id character);

/* Sets the runner's target for its next decision; call it where no entry is in progress. Without an
 * intent it does nothing. looks_ahead: it heeds what lies ahead. Returns whether the character has just
 * arrived. */
bool tr_intent_follow(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                      tr_entity_id character, bool looks_ahead);
