/* Orbits of a tracker (tracker.h): motions that repeat, as closed lines through a latent space.
 *
 * An orbit's fragments are consecutive in the tracker's bank. Places are numbered through all
 * orbits, as fragments are, TR_TRACKER_PLACES of them to a fragment. Pure functions; nothing is
 * allocated but by tr_orbit_lay. */
#ifndef TROUPE_CONTROL_LATENT_ORBIT_H
#define TROUPE_CONTROL_LATENT_ORBIT_H

#include "control/latent/tracker.h"

/* The first fragment of an orbit; of orbit_count: the number of all fragments. */
int tr_orbit_first(const tr_latent_tracker *tracker, int orbit);

/* The fragment that follows one of an orbit. */
int tr_orbit_next(const tr_latent_tracker *tracker, int orbit, int fragment);

int tr_orbit_places(const tr_latent_tracker *tracker, int orbit);

/* Steps of all fragments of an orbit. */
int tr_orbit_steps(const tr_latent_tracker *tracker, int orbit);

/* Fills `place`, `shift` and `turn_rad_s` from the states in which the fragments start. The
 * fragments are those of the orbits. TR_RESOURCE_EXHAUSTED. */
tr_status tr_orbit_lay(tr_latent_tracker *tracker, const tr_driver_setting *setting) TR_NODISCARD;

/* Returns the distance of two states of the space, in x and v, in steps of the clips. */
double tr_orbit_distance(const tr_latent_space *space, const tr_latent_state *a,
                         const tr_latent_state *b);

/* The place of an orbit that is nearest to a point, and how far it is. */
int tr_orbit_nearest(const tr_latent_tracker *tracker, const tr_latent_state *at, int orbit,
                     double *out_far);

/* The place of orbit `to` at the phase of a place of orbit `from`. */
int tr_orbit_aligned(const tr_latent_tracker *tracker, int from, int to, int place);

#endif
