/* Steering: the steering target of a character, and how a cyclic skill follows it (Liu 2015 guided,
 * section 6.1).
 *
 * A walk or a run knows no heading. A few constant actions steer it, which are learned for the
 * skill (learn/train/steering_fit.h) and added to its policy's action at the start of each
 * fragment:
 *
 *   a = M s + a_hat + u turn + max(v, 0) faster + max(-v, 0) slower
 *
 * with the turn u in [-1, 1] (1: as far to the left as was learned) and the pace v in [-1, 1].
 * Both follow the target with a bounded rate, so that a sudden target does not throw the character
 * over. In a mirrored half cycle the mirror image of each vector is added; that of `turn` with the
 * opposite sign, since the mirror image of a turn to the left is one to the right.
 *
 * Plain data and pure functions; deterministic; thread-safe. */
#pragma once

#include "control/driver/driver_sheet.h"
#include "control/fields/sections.h"
#include "control/fields/state_fields.h"
#include "control/fragments/fragment.h"
#include "physics/world/world.h"

/* The steering of a skill is a part of it. All zero: it cannot be steered.
 *   turn, faster, slower: [action.size], rad, at full turn or pace; zero past the size */
typedef struct tr_steering {
    double speed_mps;  /* over ground at pace 0, m/s, >= 0 */
    double turn_rad_s; /* heading rate at full turn, rad/s; 0: cannot turn */
    double faster_mps; /* gained at pace 1, m/s; 0: cannot go faster */
    double slower_mps; /* lost at pace -1, m/s; 0: cannot go slower */
    double turn[TR_ACTION_MAX], faster[TR_ACTION_MAX], slower[TR_ACTION_MAX];
} tr_steering;

/* TR_INVALID_ARGUMENT: a rate outside 0 to 20, or an action that is not finite or not zero past the
 * action's size. */
tr_status tr_steering_check(const tr_steering *steering, int size, tr_error *error) TR_NODISCARD;

/* Does it steer at all? */
bool tr_steering_is_given(const tr_steering *steering);

tr_steering tr_steering_mirror(const tr_model *model, const tr_action_map *map,
                               const tr_steering *steering);

/* The steering as a skill of a sheet; the rest of the skill is zero. */
tr_driver_skill tr_steering_skill(const tr_steering *steering);

/* Writes and reads steering in a separate section, which is replaceable, because the steering of a
 * skill may be learned again. Without steering the section is absent. */
#define TR_STEERING_SECTION "steering"
tr_status tr_steering_save(const tr_steering *steering, int size, tr_sections *out,
                           tr_error *error) TR_NODISCARD;
tr_status tr_steering_load(const tr_sections *in, int size, tr_steering *out,
                           tr_error *error) TR_NODISCARD;

/* Writes and reads it within a section: every number, also those past the action's size. */
void tr_steering_put(const tr_steering *steering, tr_section_writer *writer);
void tr_steering_get(tr_section_reader *reader, tr_steering *out);

/* --- the target --- */

/* The aim of a target: nothing, a heading, a point, or another character. */
typedef enum tr_aim { TR_AIM_NONE, TR_AIM_HEADING, TR_AIM_POINT, TR_AIM_CHARACTER } tr_aim;

/* A target says where a character shall go, how fast, and in which skill. It stays when the
 * controller changes. All zero: no target. */
typedef struct tr_steering_target {
    tr_aim aim;
    double heading_rad;      /* of the world, about z; TR_AIM_HEADING */
    double x, y;             /* of the world, m; TR_AIM_POINT */
    tr_entity_id character;  /* TR_AIM_CHARACTER; a removed one is no aim */
    double speed_mps;        /* 0: the skill's speed */
    char skill[TR_NAME_MAX]; /* to perform; empty: any; zero to the end */
} tr_steering_target;

/* For snapshots and hashes. */
extern const tr_state_field tr_steering_target_field[];
extern const int tr_steering_target_field_count;

/* The aim is known, numbers are finite, |heading| <= 1000 rad, the speed is 0 to 20 m/s, the skill
 * is terminated. */
bool tr_steering_target_is_valid(const tr_steering_target *target);

/* Returns what a target may ask of a skill with this steering. */
tr_driver_reach tr_steering_reach(const tr_steering *steering);

/* The bearing says where the aim lies, as seen by a character.
 *   turn_rad:   off its heading, to the left, within half a turn; 0 without an aim
 *   distance_m: INFINITY along a heading and without an aim */
typedef struct tr_bearing {
    double turn_rad, distance_m;
} tr_bearing;

tr_bearing tr_steering_bearing(const tr_steering_target *target, const tr_world *world,
                               const tr_state *state);

/* The bearing for a skill that goes that way. To reach a place, a skill that goes backwards or to a
 * side turns its back or side to it; a heading it faces, as other skills do. */
tr_bearing tr_bearing_for(tr_way way, tr_bearing bearing);

/* --- following it --- */

/* Turn and pace at present, [-1, 1]. */
typedef struct tr_steering_input {
    double turn, pace;
} tr_steering_input;

/* Moves the input for the coming fragment of `span_s` seconds towards what the target asks for:
 * full turn when the heading is far off, less when it is near. If a point is well inside the circle
 * of full turn, the character would circle it without end: it goes straight until the point is
 * outside. A change of speed gets what the turn leaves of the input. */
void tr_steering_follow(tr_steering_input *input, const tr_steering *steering,
                        const tr_steering_target *target, tr_bearing bearing, double span_s);

/* Adds the steering's action to `action`: [map->size], rad, of the character itself. `mirrored`:
 * in a mirrored half cycle. */
void tr_steering_add(const tr_model *model, const tr_action_map *map, const tr_steering *steering,
                     tr_steering_input input, bool mirrored, double *action);
