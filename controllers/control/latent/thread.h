/* Threads of a tracker (tracker.h): motions that repeat, as closed lines through a latent space.
 *
 * A thread's fragments are consecutive in the tracker's bank. Places are numbered through all threads, as
 * fragments are, TR_TRACKER_PLACES of them to a fragment. Pure functions; nothing is allocated but by
 * tr_thread_lay. */
#ifndef TROUPE_CONTROL_LATENT_THREAD_H
#define TROUPE_CONTROL_LATENT_THREAD_H

#include "control/latent/tracker.h"

/* The first fragment of a thread; of thread_count: the number of all fragments. */
int tr_thread_first(const tr_latent_tracker *tracker, int thread);

/* The fragment that follows one of a thread. */
int tr_thread_next(const tr_latent_tracker *tracker, int thread, int fragment);

int tr_thread_places(const tr_latent_tracker *tracker, int thread);

/* Steps of all fragments of a thread. */
int tr_thread_steps(const tr_latent_tracker *tracker, int thread);

/* Fills `place` and `shift` from the states in which the fragments start. The fragments are those of
 * the threads. TR_RESOURCE_EXHAUSTED. */
tr_status tr_thread_lay(tr_latent_tracker *tracker, const tr_driver_setting *setting) TR_NODISCARD;

/* Of two states of the space, in x and v, in steps of the clips. */
double tr_thread_distance(const tr_latent_space *space, const tr_latent_state *a,
                          const tr_latent_state *b);

/* The place of a thread that is nearest to a point, and how far it is. */
int tr_thread_nearest(const tr_latent_tracker *tracker, const tr_latent_state *at, int thread,
                      double *out_far);

/* The place of thread `to` at the phase of a place of thread `from`. */
int tr_thread_aligned(const tr_latent_tracker *tracker, int from, int to, int place);

/* How far a point is from a thread, near a place of it; squared. */
double tr_thread_far(const tr_latent_tracker *tracker, const tr_latent_state *at, int thread,
                     int place);

/* Steps from a thread's start to a place. */
double tr_thread_steps_to(const tr_latent_tracker *tracker, int thread, int place);

/* The fragment of a thread so many steps from its start, and the share of it that has passed. */
int tr_thread_fragment_at(const tr_latent_tracker *tracker, int thread, double step,
                          double *out_share);

#endif
