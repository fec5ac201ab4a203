/* A match: teams of characters in a scene, rules that decide who wins, a seed and a time limit.
 *
 * One match is fought as any number of bouts (bout.h); each bout's seed is drawn from the match's
 * seed. Plain data, independent of the wire. The models and controllers it points to belong to its
 * maker and outlive its bouts. A complete match never changes, so that bouts on any number of
 * threads may share it. */
#pragma once

#include "proto/limits.h"
#include "server/world/world_loop.h"

struct tr_rule;

enum { TR_RULE_PARAMETER_MAX = 12 };

/* HEADLESS bouts run as fast as the world threads allow. REAL_TIME and STEPPED bouts are hosted in
 * a world that clients can watch; a stepped bout waits for its external teams. */
typedef enum tr_match_mode {
    TR_MATCH_HEADLESS,
    TR_MATCH_REAL_TIME,
    TR_MATCH_STEPPED
} tr_match_mode;

typedef struct tr_match_member {
    char model_name[TR_NAME_MAX]; /* empty: the controller's */
    char controller_name[TR_NAME_MAX];
    tr_vec3 pos; /* of the root on the ground plane, m; z is added to the spawn height */
    double heading_rad;
    const tr_model *model;           /* found by name before the first bout */
    const tr_controller *controller; /* NULL: none requested */
} tr_match_member;

typedef struct tr_match_team {
    char name[TR_NAME_MAX]; /* unique in the match */
    bool external;          /* commanded by a client that joins the match's world */
    int member_count;
    tr_match_member member[TR_MATCH_MEMBERS_MAX];
} tr_match_team;

/* What a bout's seed changes at its start. */
typedef struct tr_match_variation {
    double pos_m;       /* radius of the disc about each place, drawn from evenly */
    double heading_rad; /* either way */
    double pose_rad;    /* standard deviation of every joint's three angles */
    bool phase;         /* begin at any fragment; of a graph: of its first skill */
} tr_match_variation;

typedef struct tr_match_def {
    char name[TR_NAME_MAX];
    tr_match_mode mode;
    uint64_t seed;
    int bout_count; /* 1 unless headless */
    double time_limit_s;
    tr_match_variation vary;
    const struct tr_rule *rule;
    double parameter[TR_RULE_PARAMETER_MAX]; /* of the rule, in the order of its table */
    int team_count;
    tr_match_team team[TR_MATCH_TEAMS_MAX];
    /* scene, step, rate and steppers; id and name are set when it is hosted */
    tr_world_loop_def world;
} tr_match_def;

/* Ticks of the time limit, at least 1. */
int64_t tr_match_tick_limit(const tr_match_def *match);

/* Seed of one of its bouts, 0 to bout_count - 1: a function of the match's seed and the position. */
uint64_t tr_match_bout_seed(const tr_match_def *match, int position);

/* Hash of the models and controllers that the names mean, in the order of the teams. Two matches
 * with the same definition and cast give the same results to the bit. */
uint64_t tr_match_cast_hash(const tr_match_def *match);

/* The team that a client commands that joined with this order number: external teams count from 1
 * in their order. -1: none. */
int tr_match_external_team(const tr_match_def *match, uint64_t order);

/* How a bout ended. */
typedef enum tr_bout_outcome { TR_BOUT_WON, TR_BOUT_DRAWN, TR_BOUT_VOID } tr_bout_outcome;

enum { TR_BOUT_REASON_MAX = 128 };

typedef struct tr_bout_result {
    tr_bout_outcome outcome;
    int winner; /* team; -1: none */
    int64_t ticks;
    uint64_t hash; /* of the complete state at the end: equal hashes mean equal bits */
    double score[TR_MATCH_TEAMS_MAX];
    char reason[TR_BOUT_REASON_MAX]; /* for people */
} tr_bout_result;
