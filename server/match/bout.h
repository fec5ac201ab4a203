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
 * The same code judges headless bouts (tr_bout_run and bout_exchange.h) and bouts in a hosted
 * world (referee.h), with the same bits. Deterministic: the result is a function of the match, the
 * seed, and, in a hosted world, the commands of external clients. Start places, headings, poses,
 * phases and the draws of a rule come from streams split off the seed, one per purpose, so that no
 * draw disturbs another.
 *
 * Plain data; one thread at a time. The stage and the match are borrowed. */
#pragma once

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
    bool out; /* decided by the rule; for the rest of the bout */
    int64_t out_tick;
} tr_contestant;

/* How rules act on characters: on the stage by default; a referee sends commands instead. */
typedef struct tr_bout_actions {
    tr_status (*push)(void *context, tr_entity_id entity, tr_vec3 force_n, double duration_s);
    tr_status (*steer)(void *context, tr_entity_id entity, const tr_intent *intent);
    tr_status (*place)(void *context, tr_entity_id object, tr_vec3 pos);
    void *context;
} tr_bout_actions;

typedef struct tr_bout {
    const tr_match_def *match;
    tr_stage *stage;
    uint64_t seed;
    int64_t tick, tick_limit;
    int contestant_count;
    tr_contestant contestant[TR_CHARACTER_MAX];
    double heading_rad[TR_MATCH_TEAMS_MAX]; /* that each team's first member faced at the start */
    bool met;                               /* members of two teams touched in the last step */
    double score[TR_MATCH_TEAMS_MAX];
    bool ended;
    tr_bout_result result;   /* valid when it has ended */
    tr_bout_actions actions; /* may be set after the bout has begun */
    _Alignas(16) unsigned char rule_state[TR_RULE_STATE_MAX];
} tr_bout;

/* A stage as the match's scene describes it, without characters. Statuses as tr_stage_create. */
tr_status tr_bout_make_stage(const tr_match_def *match, tr_stage **out) TR_NODISCARD;

/* Puts the teams on the stage. If a character cannot be spawned, the error says why. */
tr_status tr_bout_begin(tr_bout *out, const tr_match_def *match, uint64_t seed, tr_stage *stage,
                        tr_error *error) TR_NODISCARD;

/* Call these before and after each step of the stage. No effect once the bout has ended. */
void tr_bout_before_step(tr_bout *bout);
void tr_bout_after_step(tr_bout *bout);

/* Fights one whole headless bout. A bout that cannot begin is void. */
void tr_bout_run(const tr_match_def *match, uint64_t seed, tr_bout_result *out);

/* The result of a bout that could not be fought: void, with the reason. */
tr_bout_result tr_bout_void(const char *reason);

/* --- for rules --- */

double tr_bout_time_s(const tr_bout *bout);
double tr_bout_parameter(const tr_bout *bout, int index);

/* The bout's stream of random numbers for the pair (purpose, index); the same on every call. */
tr_random tr_bout_stream(const tr_bout *bout, uint64_t purpose, uint64_t index);

/* Puts a contestant out for the rest of the bout, from this tick on. */
void tr_bout_out(tr_bout *bout, tr_contestant *contestant);

/* Applies a force to a character's trunk or to an object, world, N, from the next step on. */
void tr_bout_push(tr_bout *bout, tr_entity_id entity, tr_vec3 force_n, double duration_s);

/* Puts an object to a place, its centre of mass, at rest. Call it before a step. */
void tr_bout_place(tr_bout *bout, tr_entity_id object, tr_vec3 pos);

/* As tr_stage_steer. */
tr_status tr_bout_steer(tr_bout *bout, const tr_contestant *contestant,
                        const tr_intent *intent) TR_NODISCARD;

/* Steers a contestant along a heading, back to the line that it is off_m to the left of, looking
 * look_m ahead. One that cannot be steered walks on. */
void tr_bout_steer_along(tr_bout *bout, const tr_contestant *contestant, double heading_rad,
                         double off_m, double look_m);

/* Of a contest over an object at `pos`, after each step: fallen members are out. score[team]: metres from
 * the origin along the way that the team's first member faced at the start; at line_m, or when all are
 * out, the highest score wins. */
void tr_bout_haul(tr_bout *bout, tr_vec3 pos, double line_m);

int tr_bout_members_in(const tr_bout *bout, int team); /* not out */

/* These end the bout; `why` is shown to people. */
void tr_bout_win(tr_bout *bout, int team, const char *why);
void tr_bout_draw(tr_bout *bout, const char *why);

/* Ends the bout when at most one team has members left. That team wins; if none is left, it is a
 * draw. */
void tr_bout_end_by_last(tr_bout *bout);

/* Ends the bout: the team with the highest score wins; equal highest scores are a draw. */
void tr_bout_end_by_score(tr_bout *bout, const char *why);
