/* Matches.
 *
 * A match is a job of the daemon: teams of characters in a scene, rules, a seed and a time limit,
 * fought once or many times. It continues when the client that started it leaves, and after a
 * restart of the daemon. */
#ifndef TROUPE_MATCH_H
#define TROUPE_MATCH_H

#include "troupe/request.h"
#include "troupe/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum tr_client_match_mode {
    TR_CLIENT_MATCH_HEADLESS = 1,  /* as fast as possible; any number of bouts */
    TR_CLIENT_MATCH_REAL_TIME = 2, /* in a world that has the match's name; one bout */
    TR_CLIENT_MATCH_STEPPED = 3    /* the same, stepped by the clients of its external teams */
} tr_client_match_mode;

typedef struct tr_client_member {
    const char *controller; /* NULL: it stands in its rest pose */
    const char *model;      /* NULL: the controller's */
    double pos[3];          /* m; z is added to the spawn height */
    double heading_rad;
} tr_client_member;

/* The client that joins the match's world with order k commands the k-th external team. */
typedef struct tr_client_team {
    const char *name; /* 1 to 40 bytes; its members are labelled "name 1", "name 2", ... */
    bool external;
    int member_count;
    const tr_client_member *members;
} tr_client_team;

typedef struct tr_client_rule_parameter {
    const char *name;
    double value;
} tr_client_rule_parameter;

/* What the seed of a bout changes at its start. */
typedef struct tr_client_variation {
    double pos_m;       /* radius of the disc around each place */
    double heading_rad; /* either way */
    double pose_rad;    /* standard deviation of every joint's angles */
    bool phase;         /* begin at any fragment of the controller */
} tr_client_variation;

typedef struct tr_client_match_def {
    const char *name; /* unique among the catalogue's matches */
    tr_client_match_mode mode;
    uint64_t seed;
    uint32_t bouts;      /* 0: 1 */
    double time_limit_s; /* of one bout */
    const char *rule;    /* collide, sumo, race, last_standing, survive_pushes, chase */
    int parameter_count;
    const tr_client_rule_parameter *parameters;
    int team_count;
    const tr_client_team *teams;
    const tr_client_variation *vary; /* NULL: 0.05 m, 0.05 rad, 0.01 rad, any phase */
    /* Scene, step and rate; its name, seed, mode and steppers are the match's. NULL: the default
     * ground, 5 ms. */
    const tr_client_world_def *world;
} tr_client_match_def;

typedef enum tr_client_match_state {
    TR_CLIENT_MATCH_RUNNING = 1, /* or waiting for its turn */
    TR_CLIENT_MATCH_DONE = 2,
    TR_CLIENT_MATCH_CANCELLED = 3,
    TR_CLIENT_MATCH_FAILED = 4
} tr_client_match_state;

typedef struct tr_client_match {
    const char *name, *rule;
    const char *reason; /* of a failure */
    tr_client_match_mode mode;
    tr_client_match_state state;
    uint64_t seed;
    uint32_t bouts, bouts_done;
    uint32_t world; /* id of its world while it has one; 0 in lists and details */
    int64_t created_unix_ns, ended_unix_ns; /* ended: 0 while it runs */
    int team_count;
    const char *const *teams;
} tr_client_match;

typedef enum tr_client_bout_outcome {
    TR_CLIENT_BOUT_WON = 1,
    TR_CLIENT_BOUT_DRAWN = 2,
    TR_CLIENT_BOUT_VOID = 3 /* a character became non-finite, or it could not begin: `reason` */
} tr_client_bout_outcome;

typedef struct tr_client_bout {
    uint32_t position;
    uint64_t seed;
    tr_client_bout_outcome outcome;
    int winner; /* team; -1: none */
    int score_count;
    const double *score; /* [score_count], one per team */
    uint64_t ticks;
    uint64_t hash; /* of the complete state at the end: equal hashes mean equal bits */
    const char *reason;
} tr_client_bout;

/* A value between the ends of its 95 % interval. */
typedef struct tr_client_interval {
    double value, low, high;
} tr_client_interval;

typedef struct tr_client_team_statistics {
    const char *name;
    uint32_t wins;
    tr_client_interval win_rate; /* of the bouts that are not void; Wilson */
    tr_client_interval score;    /* mean; Student's t */
} tr_client_team_statistics;

typedef struct tr_client_match_detail {
    tr_client_match info;
    double time_limit_s, step_s;
    int team_count;
    const tr_client_team_statistics *teams;
    uint32_t draws, voids;
    tr_client_interval ticks; /* mean */
    uint64_t results_hash;    /* equal hashes mean equal results of all bouts, to the bit */
    int bout_count;           /* of this page */
    const tr_client_bout *bouts;
} tr_client_match_detail;

/* The progress of a match that this session watches. */
typedef struct tr_client_match_progress {
    tr_client_match info;
    int team_count;
    const uint32_t *wins; /* [team_count] */
    uint32_t draws, voids;
    bool has_last;
    tr_client_bout last; /* stored last */
} tr_client_match_progress;

/* Starts a match; answered (reply MATCH) when it is in the catalogue, so that it survives a restart
 * of the daemon. TR_ALREADY_EXISTS: the name is taken; TR_NOT_FOUND: a controller or model is not
 * in the catalogue; TR_INVALID_ARGUMENT: the message names the field; TR_PERMISSION_DENIED: the
 * role is lower than director. */
TR_API uint64_t tr_client_start_match(tr_client *client, const tr_client_match_def *def);

/* Lists matches in the order in which they were started (reply MATCHES). Uses only the page and
 * `running` of the query, which may be NULL. */
TR_API uint64_t tr_client_list_matches(tr_client *client, const tr_client_query *query);

/* Shows a match with its statistics and a page of its bouts (reply MATCH_DETAIL). page_size 0: 100;
 * page_token NULL: the first page. TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_match(tr_client *client, const char *name, uint32_t page_size,
                                    const char *page_token);

/* Subscribes to the progress of a match, which goes to on_match until the match has ended.
 * TR_NOT_FOUND; TR_FAILED_PRECONDITION: it has ended. */
TR_API uint64_t tr_client_watch_match(tr_client *client, const char *name);

/* Ends this client's subscription to a match. TR_NOT_FOUND: it has none. */
TR_API uint64_t tr_client_unwatch_match(tr_client *client, const char *name);

/* Ends a running match; stored bouts stay. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it has ended. */
TR_API uint64_t tr_client_cancel_match(tr_client *client, const char *name);

/* Deletes a match that has ended, with its bouts. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is
 * running. */
TR_API uint64_t tr_client_remove_match(tr_client *client, const char *name);

/* Fights a stored bout again, with the same bits, and keeps it as a recording (reply RECORDING).
 * position: of the bout, from 0. TR_NOT_FOUND: the match or the bout; TR_ALREADY_EXISTS: the
 * recording. */
TR_API uint64_t tr_client_record_bout(tr_client *client, const char *match, uint32_t position,
                                      const char *recording);

#if defined(__cplusplus)
}
#endif

#endif
