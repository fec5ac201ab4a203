/* Steering: where a character is wished to go, and how a cyclic controller is made to go there
 * (Liu 2015 guided, section 6.1).
 *
 * A walk or a run knows no heading. What steers it are a few constant actions, learned for the
 * controller (learn/train/steering_fit.h) and added to what its policy decides at the start of each
 * fragment:
 *
 *   a = M s + a_hat + u turn + max(v, 0) faster + max(-v, 0) slower
 *
 * with the helm u in [-1, 1] (1: as far to the left as was learned) and the pace v in [-1, 1].
 * Both follow the wish with a bounded rate, so that no wish, however sudden, is a blow. In a
 * mirrored half cycle the mirror image of each vector is added; of `turn` with the opposite sign,
 * since the mirror image of a turn to the left is one to the right.
 *
 * Plain data and pure functions; deterministic; thread-safe. */
#ifndef TROUPE_CONTROL_STEERING_H
#define TROUPE_CONTROL_STEERING_H

#include "control/fragment.h"
#include "physics/world.h"

/* What steers a controller; a part of it. All zero: it cannot be steered.
 *   turn, faster, slower: [action.size], rad, at full helm or pace; zero past the size */
typedef struct tr_steering {
    double speed_mps;  /* over ground at pace 0, m/s, >= 0 */
    double turn_rad_s; /* heading rate at full helm, rad/s; 0: cannot turn */
    double faster_mps; /* gained at pace 1, m/s; 0: cannot go faster */
    double slower_mps; /* lost at pace -1, m/s; 0: cannot go slower */
    double turn[TR_ACTION_MAX], faster[TR_ACTION_MAX], slower[TR_ACTION_MAX];
} tr_steering;

/* Where to: nowhere in particular, along a heading, to a point, or to another character. */
typedef enum tr_aim { TR_AIM_NONE, TR_AIM_HEADING, TR_AIM_POINT, TR_AIM_CHARACTER } tr_aim;

/* What is asked of a character. All zero: nothing. */
typedef struct tr_wish {
    tr_aim aim;
    double heading_rad;      /* of the world, about z; TR_AIM_HEADING */
    double x, y;             /* of the world, m; TR_AIM_POINT */
    tr_entity_id character;  /* TR_AIM_CHARACTER; one that is gone is no aim */
    double speed_mps;        /* 0: the controller's own */
    char skill[TR_NAME_MAX]; /* of a control graph; empty: whichever; else 0 to the end */
} tr_wish;

/* Is it one that can be followed? The aim is known, numbers are finite, |heading| <= 1000 rad, the
 * speed is 0 to 20 m/s, the skill is terminated. */
bool tr_wish_is_valid(const tr_wish *wish);
bool tr_wish_is_none(const tr_wish *wish);

/* Helm and pace at present, [-1, 1]. */
typedef struct tr_helm {
    double turn, pace;
} tr_helm;

/* Where the aim lies, as seen by a character.
 *   turn_rad:   off its heading, to the left, within half a turn; 0 without an aim
 *   distance_m: INFINITY along a heading and without an aim */
typedef struct tr_bearing {
    double turn_rad, distance_m;
} tr_bearing;

tr_bearing tr_wish_bearing(const tr_wish *wish, const tr_world *world, const tr_state *state);

/* Moves the helm for the coming fragment of `span_s` seconds towards what the wish asks for: with
 * full helm when the heading is far off, less when it is near. A point that lies well inside the
 * circle of full helm would be circled for ever: there it goes straight on until it is outside. */
void tr_helm_follow(tr_helm *helm, const tr_steering *steering, const tr_wish *wish,
                    tr_bearing bearing, double span_s);

/* Adds the steering's action to `action`: [map->size], rad, of the character itself. `mirrored`:
 * in a mirrored half cycle. */
void tr_steering_add(const tr_model *model, const tr_action_map *map, const tr_steering *steering,
                     tr_helm helm, bool mirrored, double *action);

#endif
