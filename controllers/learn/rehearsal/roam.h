/* Roaming: a trial led about a control graph by wishes, so that it comes to a skill as characters
 * that are steered do: from anywhere, and sooner or later after it came there (the random walks of
 * liu2015-guided, section 5.4). */
#ifndef TROUPE_LEARN_ROAM_H
#define TROUPE_LEARN_ROAM_H

#include "learn/rehearsal/trial.h"
#include "math/random.h"

/* Wishes for a skill and simulates to the end of the first fragment in it. Lost where it is not
 * there within thirty seconds. */
void tr_roam_to(tr_trial *trial, tr_rehearsal *rehearsal, const char *skill);

/* On for a while, to the end of a fragment. */
void tr_roam_stay(tr_trial *trial, tr_rehearsal *rehearsal, double seconds);

/* stay_s: in a skill that one comes to, at most, drawn evenly; 0: three seconds. after: names of
 * cyclic skills between commas, to one of which one goes last, drawn evenly; NULL: anywhere. */
typedef struct tr_roaming {
    double stay_s;
    const char *after;
} tr_roaming;

/* To at most two other cyclic skills of the controller's graph, drawn evenly, and then to `skill`,
 * staying in each; every second time not at all in the last, as who passes through it. Who comes
 * out of a skill that is named, another than `skill`, goes straight through in any case. */
void tr_roam(tr_trial *trial, tr_rehearsal *rehearsal, tr_random *random, const char *skill,
             const tr_roaming *roaming);

#endif
