/* A bout: a match fought once, on a stage, from one seed.
 *
 *     tr_bout_begin(&bout, &match, seed, stage, &error);
 *     while (!bout.ended) {
 *         tr_bout_before_step(&bout);
 *         tr_stage_step(stage);
 *         tr_bout_after_step(&bout);
 *     }
 *     use(bout.result);
 *
 * The same code judges headless bouts (tr_bout_run and the bout runners) and those in a hosted world
 * (referee.h), with the same bits. Deterministic: the result is a function of the match, the seed,
 * and in a hosted world of what external clients command. Start places, headings, poses, phases and
 * whatever a rule draws come from streams split off the seed, one a purpose, so that no draw
 * disturbs another.
 *
 * Plain data; one thread at a time. The stage and the match are borrowed. */
#ifndef TROUPE_SERVER_BOUT_H
#define TROUPE_SERVER_BOUT_H

#include "math/random.h"
#include "server/match/match.h"

enum { TR_RULE_STATE_MAX = 256 };

/* A character of a team. */
typedef struct tr_contestant {
    tr_entity_id entity;
    int team, member;
    tr_vec3 start; /* where it began, world, m */
    tr_vec3 pos;   /* of its root now */
    double heading_rad;
    bool fallen;
    bool out; /* as the rule says; for the rest of the bout */
    int64_t out_tick;
} tr_contestant;

/* How its rules act on characters: by default on the stage; a referee acts by commands. */
typedef struct tr_bout_actions {
    tr_status (*push)(void *context, tr_entity_id entity, tr_vec3 force_n, double duration_s);
    tr_status (*steer)(void *context, tr_entity_id entity, const tr_steering_target *target);
    void *context;
} tr_bout_actions;

typedef struct tr_bout {
    const tr_match_def *match;
    tr_stage *stage;
    uint64_t seed;
    int64_t tick, tick_limit;
    int contestant_count;
    tr_contestant contestant[TR_CHARACTER_MAX];
    bool met; /* in the last step members of two teams came into contact */
    double score[TR_MATCH_TEAMS_MAX];
    bool ended;
    tr_bout_result result;   /* when it has ended */
    tr_bout_actions actions; /* may be set after it began */
    _Alignas(16) unsigned char rule_state[TR_RULE_STATE_MAX];
} tr_bout;

/* A stage as the match's scene describes it, without characters. Statuses as tr_stage_create. */
tr_status tr_bout_make_stage(const tr_match_def *match, tr_stage **out) TR_NODISCARD;

/* Puts the teams on the stage. Whatever keeps a character from spawning is told. */
tr_status tr_bout_begin(tr_bout *out, const tr_match_def *match, uint64_t seed, tr_stage *stage,
                        tr_error *error) TR_NODISCARD;

/* Around each step of the stage. No effect once it has ended. */
void tr_bout_before_step(tr_bout *bout);
void tr_bout_after_step(tr_bout *bout);

/* One whole headless bout; what keeps it from beginning makes it void. */
void tr_bout_run(const tr_match_def *match, uint64_t seed, tr_bout_result *out);

/* A void result without a bout. */
tr_bout_result tr_bout_void(const char *reason);

/* --- for rules --- */

double tr_bout_time_s(const tr_bout *bout);
double tr_bout_parameter(const tr_bout *bout, int index);

/* A stream of random numbers of this bout for the pair (purpose, index); the same each time. */
tr_random tr_bout_stream(const tr_bout *bout, uint64_t purpose, uint64_t index);

/* Out for the rest of the bout, from this tick on. */
void tr_bout_out(tr_bout *bout, tr_contestant *contestant);

/* A force on a contestant's trunk, world, N, from the coming step on. */
void tr_bout_push(tr_bout *bout, const tr_contestant *contestant, tr_vec3 force_n,
                  double duration_s);

/* As tr_stage_steer. */
tr_status tr_bout_steer(tr_bout *bout, const tr_contestant *contestant,
                        const tr_steering_target *target) TR_NODISCARD;

int tr_bout_members_in(const tr_bout *bout, int team); /* not out */

/* These end it; `why` is told to people. */
void tr_bout_win(tr_bout *bout, int team, const char *why);
void tr_bout_draw(tr_bout *bout, const char *why);

/* Ends it when at most one team has members left: that team wins; none: a draw. */
void tr_bout_end_by_last(tr_bout *bout);

/* Ends it: the team with the highest score wins; equal scores at the top: a draw. */
void tr_bout_end_by_score(tr_bout *bout, const char *why);

#endif
