/* Rising, learned and measured: characters that are pushed over on purpose (liu2015-guided,
 * section 6.2).
 *
 * A trial spawns the character of a control graph in one of its cyclic skills, at a fragment drawn
 * evenly, runs it for 1 to 3 s, and then pushes its trunk once a second, for 0.2 s, with a force
 * drawn evenly and a direction drawn evenly over the turn, until it falls. Then the character must
 * get up by itself (recovery.h). Deterministic, whatever the number of threads. */
#pragma once

#include "control/recovery/recovery.h"
#include "control/stage/stage.h"
#include "learn/rehearsal/ensemble.h"

enum { TR_RISING_TRIAL_MAX = 10000 };

typedef struct tr_rising_test {
    int trials;
    double push_low_n, push_high_n;
    double within_s; /* of the fall, to stand again; then it must stay up for stays_s */
    double stays_s;
    const char *again; /* a cyclic skill that is requested throughout and in which trials begin, and
                          which counts as the one to be steady in; NULL: any */
    uint64_t seed;
} tr_rising_test;

/* 200 falls by 300 to 800 N, 10 s, 2 s, no requested skill. */
tr_rising_test tr_rising_test_default(void);

/* How a character lies: the front of its pelvis faces up or down to within 45 degrees, or
 * neither. */
typedef enum tr_rising_posture {
    TR_RISING_SUPINE,
    TR_RISING_PRONE,
    TR_RISING_SIDE,
    TR_RISING_POSTURES
} tr_rising_posture;
tr_rising_posture tr_rising_posture_of(const tr_state *state);

/* One trial.
 *   from:     the skill it fell in, a node of the graph
 *   fell:     it fell at all
 *   posture:  when it first begins to gather; 0.9 s after the fall, if no recovery is around it
 *   blow_ns:  the hardest blow to the head from the first push until 1.5 s after the fall was
 *             recognised, N s: the sum of the impulses of its contacts within 25 ms, those with the
 *             character itself left out
 *   stands:   it stood again in time, and stayed up
 *   stands_s: from the fall until it was reported as risen; NAN: never
 *   steady:   it was up for stays_s on end, in skills that do not rise, no later than within_s;
 *             with `again` it was in that skill for stays_s on end, and began no later than
 *             within_s
 *   steady_s: from the fall until that began; NAN: never
 *   phase_s:  seconds in each phase of recovery until then; NONE: up, but not yet for long enough;
 *             all of them, if no recovery is around it
 *   tries:    rising skills begun
 *   node, start: the skill of the first try, and the state in which it began, above the origin,
 *             with its heading */
typedef struct tr_rising_trial {
    int from;
    bool fell, stands, steady;
    tr_rising_posture posture;
    double blow_ns, stands_s, steady_s, phase_s[TR_RECOVERY_PHASES];
    int tries;
    int node;
    tr_state start;
} tr_rising_trial;

/* Is it a cyclic skill of the controller's graph, and can it be requested? */
bool tr_rising_can_ask(const tr_controller *controller, const char *skill);

/* out: [trials]. TR_INVALID_ARGUMENT: not a graph or around one, one without a cyclic skill, one of
 * which the skill cannot be asked, or without one that rises, or a number out of range. */
tr_status tr_rising_measure(const tr_model *model, const tr_controller *controller,
                            const tr_rising_test *test, tr_pool *pool,
                            tr_rising_trial *out) TR_NODISCARD;

/* Sums over trials. steady_s: median of those that are steady, NAN without one; head_ns: mean of
 * the hardest blows to the head of those that fell */
typedef struct tr_rising_count {
    int fell, stands, steady;
    double steady_s, head_ns;
} tr_rising_count;

/* trial: [count], at most TR_RISING_TRIAL_MAX. TR_RESOURCE_EXHAUSTED. */
tr_status tr_rising_add_up(const tr_rising_trial *trial, int count,
                           tr_rising_count *out) TR_NODISCARD;
