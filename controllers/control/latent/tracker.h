/* Trackers: physical characters that follow a policy in a latent space (driver kind "tracker";
 * levine2012, section 8.2, names it as future work).
 *
 * A puppet moves a point through the space, for the steering target as the body sees it. The body
 * follows it by the fragments of orbits: motions that repeat, each learned alone. An orbit lies in
 * the space where the states between its fragments do (latent_likely.h), and orbits are at the same
 * phase where they lie nearest to each other in all fragments. With w the turn that is left to the
 * heading, over `ahead` seconds, held within the turns of the orbits in rad/s,
 *
 *   turn <- smooth turn + (1 - smooth) w
 *
 * and the orbit whose turn is nearest to it is followed: its targets and its feedback actions
 * a = M s + a_hat. The orbit changes twice in a cycle of the first orbit: to the left at the phase
 * `phase`, to the right half a cycle later, and then to the same phase of the other orbit, even in
 * the middle of a fragment. The phase decides on which foot the body stands: at other phases it
 * falls. Mixtures of orbits, which could turn by less, fall more often (the log of latent).
 *
 * The puppet is drawn back to the body: the share `pull` of the difference between its phase on the
 * orbit and that of argmax p(y | x), y the body's pose, hastens or delays it; where they are more
 * than `leap` steps apart it jumps there.
 *
 * Entries are the fragments. Parameters: pull, smooth, phase, ahead, leap; the puppet's own are not
 * used. */
#ifndef TROUPE_CONTROL_LATENT_TRACKER_H
#define TROUPE_CONTROL_LATENT_TRACKER_H

#include "control/latent/puppet.h"

enum { TR_TRACKER_ORBIT_MAX = 8, TR_TRACKER_PLACES = 4 };

/* puppet:  with a heading task
 * bank:    the fragments of all orbits, orbit by orbit
 * mirrored: it is the mirror image of what was put together
 * count:   [orbit_count], fragments of each orbit
 * place:   [fragments][TR_TRACKER_PLACES], where they lie, evenly from the start of each.
 *          Everything is owned
 * shift:   [a][b], by which orbit b is later than orbit a at the same phase, places
 * turn_rad_s: by which each orbit turns; to the left is positive */
typedef struct tr_latent_tracker {
    tr_latent_puppet *puppet;
    tr_bank bank;
    bool mirrored;
    int orbit_count, count[TR_TRACKER_ORBIT_MAX];
    tr_latent_state *place;
    int shift[TR_TRACKER_ORBIT_MAX][TR_TRACKER_ORBIT_MAX];
    double turn_rad_s[TR_TRACKER_ORBIT_MAX];
} tr_latent_tracker;

extern const tr_driver_kind tr_tracker_kind;

/* An unnamed controller that follows the space and the policy of `puppet` by the fragments of
 * chains, one orbit each; those of a chain with a mirrored half are taken with their mirror images.
 * All are for the model. Destroy it with tr_controller_destroy. TR_INVALID_ARGUMENT: the message
 * says what does not fit; TR_RESOURCE_EXHAUSTED. */
tr_status tr_latent_tracker_create(const tr_controller *puppet, const tr_controller *const *chain,
                                   int chain_count, const tr_model *model, tr_controller **out,
                                   tr_error *error) TR_NODISCARD;

#endif
