/* troupe-bench match: how fast bouts are fought, per core and for each rule.
 *
 * Two characters with learned controllers, headless, 5 ms steps; what is timed is everything from
 * the empty stage to the result. real_time is the factor of one core. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "model/mjcf.h"
#include "server/match/bout.h"
#include "server/match/rules/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, BOUTS = 8 };

typedef struct cell {
    const char *name, *rule, *controller;
    double apart_m;    /* they begin so far from each other, */
    bool face_to_face; /* running at each other, or side by side */
    double parameter;  /* the rule's first */
} cell;

static const cell cells[] = {
    {"runners_collide", "collide", "run", 8, true, 6},
    {"walkers_collide", "collide", "walk", 4, true, 6},
    {"sumo", "sumo", "run", 6, true, 50},
    {"race", "race", "run", 2, false, 1000},
    {"kickers_last_standing", "last_standing", "spin-kick", 1.5, true, 60},
    {"survive_pushes", "survive_pushes", "run", 4, false, 1},
};

static tr_match_def make_match(const cell *of, const tr_model *model,
                               const tr_controller *controller) {
    tr_match_def match = {.seed = 1, .bout_count = BOUTS, .time_limit_s = 10, .team_count = 2};
    match.world.world = tr_world_def_default();
    match.vary = (tr_match_variation){.pos_m = 0.05, .heading_rad = 0.05, .phase = true};
    match.rule = tr_rule_find(of->rule);
    for (int i = 0; match.rule->parameter[i].name; i++)
        match.parameter[i] = match.rule->parameter[i].preset;
    match.parameter[0] = of->parameter;
    for (int i = 0; i < 2; i++) {
        double side = (i == 0 ? -0.5 : 0.5) * of->apart_m;
        tr_match_member *member = &match.team[i].member[0];
        match.team[i].member_count = 1;
        snprintf(match.team[i].name, sizeof match.team[i].name, "team %d", i + 1);
        member->model = model;
        member->controller = controller;
        member->pos = of->face_to_face ? (tr_vec3){side, 0, 0} : (tr_vec3){0, side, 0};
        member->heading_rad = of->face_to_face && i == 1 ? 3.14159265358979323846 : 0;
    }
    return match;
}

static double simulated_s(const tr_match_def *match) {
    double seconds = 0;
    for (int i = 0; i < match->bout_count; i++) {
        tr_bout_result result;
        tr_bout_run(match, tr_match_bout_seed(match, i), &result);
        seconds += (double)result.ticks * match->world.world.step_s;
    }
    return seconds;
}

static bool time_cell(const cell *of) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    if (!tr_bench_load_controller(TR_BENCH_BUNDLE, of->controller, &model, &controller))
        return false;
    tr_match_def *match = malloc(sizeof *match);
    double factor[ROUNDS], seconds = 0;
    if (match) {
        *match = make_match(of, model, controller);
        for (int round = -1; round < ROUNDS; round++) {
            double began = tr_bench_now();
            seconds = simulated_s(match);
            factor[round < 0 ? 0 : round] = seconds / (tr_bench_now() - began);
        }
        printf("%s,%s,%d,%.1f,%.0f\n", of->name, of->controller, BOUTS, seconds / BOUTS,
               tr_bench_median(factor, ROUNDS));
    }
    bool timed = match != NULL;
    free(match);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return timed;
}

static int exec(int count, char **words) {
    (void)count;
    (void)words;
    printf("bouts,controller,count,mean_s,real_time\n");
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        if (!time_cell(&cells[i]))
            return 1;
    return 0;
}

const tr_bench_command tr_bench_match = {.name = "match",
                                         .summary = "how fast matches are fought on one core",
                                         .output =
                                             "A row for each number of bouts: seconds of a bout in "
                                             "the mean, and how many times faster than\n"
                                             "real time all of them were fought.",
                                         .exec = exec};
