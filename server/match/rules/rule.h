/* Rules of matches: they decide which contestants are out, the scores, when a bout is over and
 * which team has won.
 *
 * To add one:
 *   1. server/match/rules/NAME.c ends in `const tr_rule tr_rule_NAME`, with a table of parameters (unit
 *      last; each has a range and a default) and an enum that names their places in it.
 *   2. rules.c lists it, and server/match/CMakeLists.txt the file.
 *   3. deploy/matches/NAME.match shows it, and deploy/matches/README.md describes it.
 *
 * The judge is called after every step with the bout (bout.h). It reads `contestant` (places,
 * falls, and which are out), calls tr_bout_out for those that leave the bout, sets score[team], and
 * ends the bout by tr_bout_win, tr_bout_draw, or tr_bout_end_by_last when at most one team is left.
 * It keeps what it must remember in its state: plain data of at most TR_RULE_STATE_MAX bytes, zero
 * at the start. The bout itself handles faults and the time limit: a bout with a broken character
 * is void; when the time is up, `time_up` decides, or without one the highest score.
 *
 * Deterministic: no clock, no memory outside the bout, random numbers from tr_bout_stream only. */
#pragma once

#include "server/match/bout.h"

typedef struct tr_rule_parameter {
    const char *name; /* "radius_m" */
    double lowest, highest, preset;
} tr_rule_parameter;

typedef struct tr_rule {
    const char *name;
    tr_rule_parameter parameter[TR_RULE_PARAMETER_MAX + 1]; /* ends with a NULL name */
    bool counts; /* scores change seldom: each change is an event of a hosted bout's world */
    /* Puts on the stage what the rule needs besides the teams, which are already there; NULL:
     * nothing. */
    tr_status (*begin)(tr_bout *bout, void *state);
    void (*prepare)(tr_bout *bout, void *state); /* before each step; NULL: nothing */
    void (*judge)(tr_bout *bout, void *state);   /* after each step */
    void (*time_up)(tr_bout *bout, void *state); /* NULL: the highest score wins */
} tr_rule;

extern const tr_rule *const tr_rules[]; /* ends with NULL */

const tr_rule *tr_rule_find(const char *name); /* NULL: no such rule */

/* Index of a parameter in its table; -1: the rule has no such parameter. */
int tr_rule_find_parameter(const tr_rule *rule, const char *name);
