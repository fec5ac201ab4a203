/* The sheet of a driver: what it can do, for people and for programs that know no kinds.
 *
 * Catalogue, command line, Python and viewer show sheets. Strings and states in a sheet belong to
 * the driver's content and live as long as it does. */
#pragma once

#include "model/state.h"
#include "proto/status.h"

#include <stdbool.h>

enum {
    TR_DRIVER_PARAMETER_MAX = 32, /* of one driver */
    TR_DRIVER_VALUE_MAX = 64,     /* of all of them, arrays unrolled */
    TR_DRIVER_ENTRY_MAX = 1024,
    TR_DRIVER_SKILL_MAX = 128,
    TR_DRIVER_EDGE_MAX = 4096,
    TR_DRIVER_POINT_MAX = 4096
};

/* A parameter that users can set while a driver works. Its values belong to the character.
 *   count: number of values, 1 or the size of an array; each is between low and high */
typedef struct tr_driver_parameter {
    const char *name;    /* letters, digits and _; unique in a driver */
    const char *unit;    /* "rad", "m/s"; "" for plain numbers */
    const char *meaning; /* a few words */
    double low, high, initial;
    int count;
} tr_driver_parameter;

/* Number of values of all parameters together. */
int tr_driver_value_count(const tr_driver_parameter *parameter, int count);

/* Facts that cost little to compute.
 *   first_count: entries, from 0, of the skill that the driver begins with
 *   cyclic:     it repeats without end
 *   mirrored:   it has a mirrored half: every entry may also be run as its mirror image
 *   duration_s: of all entries in a row, both halves if it is mirrored; > 0
 *   cycle_s:    after this time an undisturbed character is in the state in which it was spawned; 0:
 *               never
 *   gain_set:   of the model, in force at entry 0; "": gains by value, or none */
typedef struct tr_driver_outline {
    int entry_count, first_count;
    bool cyclic, mirrored;
    double duration_s, cycle_s;
    const char *gain_set;
} tr_driver_outline;

/* A place where a driver can begin.
 *   start: the state in which the entry begins; heading 0, x = y = 0
 *   end:   the reference at its end, in the frame of `start`; NULL: none
 *   steps: duration in steps; 0: it varies
 *   skill: index into the sheet's skills
 *   rises: a lying character may begin here and stands at the end (recovery/recovery.h) */
typedef struct tr_driver_entry {
    const char *gain_set; /* as the outline's */
    const tr_state *start, *end;
    int steps, skill;
    bool rises;
} tr_driver_entry;

/* The requests that a driver takes, besides a skill. All zero: nothing but forces.
 *   heading: it turns to a heading
 *   place:   it goes to a point, or after another character
 *   slowest_mps, fastest_mps: the speeds that it goes at; fastest 0: its speed is its own
 *   strict:  other speeds are refused; else it goes as near to them as it can
 *   kinematic: poses move its characters, so that forces do not
 *   rest:    the skill that stands still; NULL: it has none. Lives as long as the content */
typedef struct tr_driver_reach {
    bool heading, place;
    double slowest_mps, fastest_mps;
    bool strict, kinematic;
    const char *rest;
} tr_driver_reach;

/* How far the references move a character, in the frame of the heading from which they begin.
 *   aside_m: to the left; turn_rad: heading gained, to the left, within half a turn */
typedef struct tr_displacement {
    double ahead_m, aside_m, turn_rad;
} tr_displacement;

/* One after the other. */
tr_displacement tr_displacement_join(tr_displacement first, tr_displacement then);

/* A way out of rest into a skill, through some of it, and back to rest.
 *   sided: its skill goes to the same side in either half */
typedef struct tr_driver_trip {
    const char *skill;
    tr_displacement travel;
    double time_s;
    bool sided;
} tr_driver_trip;

/* A skill: entries in a row, and how it is steered. The name "" means the skill of the controller.
 *   turn_rad:   heading gained from start to end by a skill that turns; else 0
 *   speed_mps:  over ground without a steering target
 *   turn_rad_s: heading rate at full turn; 0: cannot be turned
 *   faster_mps, slower_mps: the most by which steering raises and lowers the speed
 *   tags, summary: what its name means (skill_words.h); set by tr_driver_describe_skills
 *   on_request: a steering target may name it; set by tr_driver_describe */
typedef struct tr_driver_skill {
    const char *name, *tags, *summary;
    int first, count; /* entries */
    bool cyclic, mirrored, rises, on_request;
    double turn_rad, speed_mps, turn_rad_s, faster_mps, slower_mps;
} tr_driver_skill;

/* An edge leads from the end of one entry to the start of another; flips: into the other half. */
typedef struct tr_driver_edge {
    int from, to;
    bool flips;
} tr_driver_edge;

/* A point of a map: of the space that a driver moves in, for people. Points in a row are a line.
 *   at:       in the map's axes, the widest first
 *   begins:   a line begins here
 *   mirrored: of a mirrored clip */
typedef struct tr_driver_point {
    tr_vec3 at;
    bool begins, mirrored;
} tr_driver_point;

typedef struct tr_driver_sheet {
    const char *kind;
    tr_driver_outline outline;
    tr_driver_reach reach;
    bool has_references; /* every entry has an end to be compared with */
    tr_driver_entry *entry;
    int skill_count, edge_count, parameter_count, point_count;
    tr_driver_skill *skill;
    tr_driver_edge *edge;
    tr_driver_point *point;
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
} tr_driver_sheet;

/* For `describe` of a kind. TR_RESOURCE_EXHAUSTED: past the caps, or no memory. */
tr_status tr_driver_sheet_add_skill(tr_driver_sheet *sheet,
                                    const tr_driver_skill *skill) TR_NODISCARD;
tr_status tr_driver_sheet_add_edge(tr_driver_sheet *sheet, const tr_driver_edge *edge) TR_NODISCARD;

tr_status tr_driver_sheet_add_point(tr_driver_sheet *sheet,
                                    const tr_driver_point *point) TR_NODISCARD;

/* The index of a skill; -1: no such name. */
int tr_driver_sheet_find_skill(const tr_driver_sheet *sheet, const char *name);

void tr_driver_sheet_deinit(tr_driver_sheet *sheet);
