/* Trials of requests: a character is asked for one skill after another by its steering target, and
 * the skills that it begins and performs are counted, and its falls. For scheduled controllers and
 * for control graphs by the same criterion. */
#pragma once

#include "learn/rehearsal/ensemble.h"

enum { TR_REQUEST_TRIAL_MAX = 100000 /* requests of all trials together */ };

/* A trial begins in a disturbed spawn state with a random heading, and lets skill[0] settle. Then
 * each request asks for another of the skills, drawn evenly, and waits for at most within_s until it
 * is performed, and up to pause_s more. After a fall a controller that recovers has rise_s to get
 * up, and the next request follows; otherwise the trial ends.
 *   skill: [skill_count] of the controller's sheet, at least two */
typedef struct tr_request_trials {
    int trials, requests, skill_count;
    int skill[TR_DRIVER_SKILL_MAX];
    double settle_s, within_s, pause_s, rise_s;
    double hills_deg; /* 0: on the plane; else on hills so steep at most, others for each trial */
    uint64_t seed;
} tr_request_trials;

/* No skills; 2, 10, 1 and 10 s. */
tr_request_trials tr_request_trials_default(void);

/* One request for `skill`.
 *   before:    the skill requested before; of the first, skill[0]
 *   asked:     the trial came so far
 *   begun:     an entry of the skill ran; begun_s after the request
 *   performed: a whole pass of the skill, entry after entry, and at least 1 s of it was done;
 *              performed_s after the request
 *   fell:      before it was over; rose: it got up */
typedef struct tr_skill_request {
    int skill, before;
    bool asked, begun, performed, fell, rose;
    double begun_s, performed_s;
} tr_skill_request;

/* out: [trials][requests]. Deterministic, whatever the number of threads. TR_INVALID_ARGUMENT: a
 * number out of range, or a skill that does not exist; TR_RESOURCE_EXHAUSTED. */
tr_status tr_request_trials_run(tr_ensemble *ensemble, const tr_controller *controller,
                                const tr_request_trials *test, tr_skill_request *out) TR_NODISCARD;

/* Sums over requests for one skill, or for all (-1), right after one for the skill `before`, or
 * after any (-1). Of those that began: the median of begun_s, and 9 in 10 began by begun_most_s. */
typedef struct tr_request_choice {
    int skill, before;
} tr_request_choice;
typedef struct tr_request_tally {
    int planned, asked, begun, performed, fell, rose;
    double begun_median_s, begun_most_s;
} tr_request_tally;
tr_status tr_request_count(const tr_skill_request *request, int count, tr_request_choice which,
                           tr_request_tally *out) TR_NODISCARD;
