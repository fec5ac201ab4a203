/* The ground of a trial: what certificates measure on, and hardening
 * trains on.
 *
 * Around the origin, where a character begins that travels along x, the ground is at level_m. Kerbs
 * are edges across x. Uneven ground and hills differ with the seed (physics/terrain/terrain.h), with
 * samples 0.4 m apart, on hills more than 200 m wide 1 m; within 1 m of the origin they are level.
 * Pure functions of their arguments. */
#pragma once

#include "model/state.h"
#include "physics/world/world.h"

typedef enum tr_trial_ground_kind {
    TR_TRIAL_GROUND_PLATFORM, /* level, at `amount` above level_m */
    TR_TRIAL_GROUND_UP,       /* a plane that rises along x */
    TR_TRIAL_GROUND_DOWN,
    TR_TRIAL_GROUND_ACROSS, /* a plane that rises along y; it falls where `amount` is negative */
    TR_TRIAL_GROUND_KERB_UP,
    TR_TRIAL_GROUND_KERB_DOWN,
    TR_TRIAL_GROUND_UNEVEN, /* rubble from 0 to `amount` */
    TR_TRIAL_GROUND_HILLS,  /* at most `amount` steep */
    TR_TRIAL_GROUND_BUMP,   /* a beam across x, 0.1 m wide and `amount` high (liu2017, 6.1) */
    TR_TRIAL_GROUND_ICE,    /* 2 m of ground with a coefficient of friction of `amount` */
    TR_TRIAL_GROUND_KINDS
} tr_trial_ground_kind;

/* "slope up", ... and the unit of its amounts: "m", "deg" or "". Certificates try the multiples of
 * `step` up to `limit`; 0: they do not try the kind. */
typedef struct tr_trial_ground_row {
    const char *name, *unit;
    double step, limit;
} tr_trial_ground_row;
extern const tr_trial_ground_row tr_trial_ground_rows[TR_TRIAL_GROUND_KINDS];

/* The kind of a name of `length` bytes; TR_TRIAL_GROUND_KINDS: none. */
tr_trial_ground_kind tr_trial_ground_find(const char *name, size_t length);

typedef struct tr_trial_ground {
    tr_trial_ground_kind kind;
    double amount;  /* m, degrees or a coefficient, by its kind */
    double level_m; /* world z where a character begins */
    double side_m;  /* of the square of uneven ground and hills; planes reach so far on all sides */
    double kerb_m;  /* from the origin to the kerb, the bump or the ice */
    uint64_t seed;  /* of uneven ground and hills */
} tr_trial_ground;

/* How high the ground is at the origin, world z. */
double tr_trial_ground_height(const tr_trial_ground *ground);

/* Adds it to the scenery of a world. Errors as tr_terrain_create and tr_world_add_scenery; then
 * some of it may have been added. */
tr_status tr_trial_ground_lay(const tr_trial_ground *ground, tr_world *world) TR_NODISCARD;

/* Lays ground 20 m above the plane, the only scenery then, and lifts a start onto it; of amount 0: no
 * scenery, and the start stays. Errors as above. */
tr_status tr_trial_ground_raise(const tr_trial_ground *ground, tr_world *world,
                                tr_state *start) TR_NODISCARD;

/* Lays hills of at most so many degrees in this way. */
tr_status tr_trial_hills_lay(double most_deg, double side_m, uint64_t seed, tr_world *world,
                             tr_state *start) TR_NODISCARD;

/* Returns a state turned about the origin as a slope is: what lies on the plane then lies on it. */
tr_state tr_trial_slope_tilt(const tr_trial_ground *slope, const tr_state *state);

/* Removes all scenery of a world. */
void tr_trial_ground_lift(tr_world *world);
