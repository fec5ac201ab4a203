/* Bouts and their rules: seeds, equal results headless and hosted, the winner by each rule, broken
 * characters. */
#include "cmocka_test.h"

#include "model/mjcf.h"
#include "server/match/bout.h"
#include "server/match/rules/rule.h"
#include "unit/control/puppet.h"

#include <float.h>
#include <string.h>

typedef struct fixture {
    tr_model *model;
    tr_controller *hold, *sway, *broken;
} fixture;

FIXTURE(setup) {
    static fixture f;
    tr_physics_init();
    f.model = puppet_model();
    f.hold = puppet_hold(f.model, 1, 20);
    f.sway = puppet_sway(f.model, 6, 20, 11);
    f.broken = puppet_hold(f.model, 1, 20);
    for (int j = 0; j < TR_FEATURE_COUNT; j++)
        tr_controller_bank(f.broken)->fragment[0].policy.m[3][j] = DBL_MAX;
    f.broken->spawn.root_vel = (tr_vec3){3, 3, 3};
    *given = &f;
}

FIXTURE(teardown) {
    fixture *f = *given;
    tr_controller_destroy(f->hold);
    tr_controller_destroy(f->sway);
    tr_controller_destroy(f->broken);
    tr_model_destroy(f->model);
}

/* Two teams of one, 4 m apart on the x axis, by a rule with its presets. */
static tr_match_def *match_of(const fixture *f, const char *rule) {
    static tr_match_def match;
    match = (tr_match_def){.seed = 5, .bout_count = 1, .time_limit_s = 1, .team_count = 2};
    match.world.world = tr_world_def_default();
    match.rule = tr_rule_find(rule);
    assert_non_null(match.rule);
    for (int i = 0; match.rule->parameter[i].name; i++)
        match.parameter[i] = match.rule->parameter[i].preset;
    for (int i = 0; i < 2; i++) {
        tr_match_team *team = &match.team[i];
        strcpy(team->name, i == 0 ? "red" : "blue");
        team->member_count = 1;
        team->member[0] = (tr_match_member){.pos = {i == 0 ? -2 : 2, 0, 0}};
        team->member[0].model = f->model;
        team->member[0].controller = f->sway;
    }
    return &match;
}

static void set(tr_match_def *match, const char *parameter, double value) {
    int index = tr_rule_find_parameter(match->rule, parameter);
    assert_true(index >= 0);
    match->parameter[index] = value;
}

static tr_bout_result run(const tr_match_def *match, uint64_t seed) {
    tr_bout_result result;
    tr_bout_run(match, seed, &result);
    return result;
}

TEST(the_seed_decides_all) {
    tr_match_def *match = match_of(*given, "last_standing");
    match->vary = (tr_match_variation){.pos_m = 0.1, .heading_rad = 0.1, .phase = true};
    tr_bout_result one = run(match, 1), again = run(match, 1), other = run(match, 2);
    assert_memory_equal(&one, &again, sizeof one);
    assert_true(one.hash != other.hash);
    assert_true(tr_match_bout_seed(match, 0) != tr_match_bout_seed(match, 1));
}

/* Each variation changes the start, and does not change the draws of the others. */
TEST(each_variation_shows) {
    const tr_match_variation variations[] = {
        {0}, {.pos_m = 0.1}, {.heading_rad = 0.5}, {.pose_rad = 0.01}, {.phase = true}};
    tr_bout bout;
    uint64_t hash[5];
    tr_vec3 start[5];
    for (int i = 0; i < 5; i++) {
        tr_match_def *match = match_of(*given, "last_standing");
        OWN(tr_stage) *stage = NULL;
        tr_error error;
        match->vary = variations[i];
        assert_int_equal(tr_bout_make_stage(match, &stage), TR_OK);
        assert_int_equal(tr_bout_begin(&bout, match, 9, stage, &error), TR_OK);
        hash[i] = tr_stage_hash(stage);
        start[i] = bout.contestant[0].start;
        for (int k = 0; k < i; k++)
            assert_true(hash[i] != hash[k]);
    }
    assert_true(start[1].x != start[0].x && tr_vec3_distance(start[0], start[1]) <= 0.1 + 1e-9);
    assert_near(start[3].x, start[0].x, 1e-12);
}

TEST(results_do_not_depend_on_earlier_bouts) {
    tr_match_def *match = match_of(*given, "survive_pushes");
    set(match, "first_s", 0.1);
    match->vary.pos_m = 0.1;
    tr_bout_result third = run(match, tr_match_bout_seed(match, 3));
    for (int i = 0; i < 3; i++)
        (void)run(match, tr_match_bout_seed(match, i));
    tr_bout_result again = run(match, tr_match_bout_seed(match, 3));
    assert_memory_equal(&third, &again, sizeof third);
}

TEST(a_broken_character_makes_the_bout_void) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "last_standing");
    match->team[1].member[0].controller = f->broken;
    tr_bout_result result = run(match, 1);
    assert_int_equal(result.outcome, TR_BOUT_VOID);
    assert_int_equal(result.winner, -1);
    assert_string_equal(result.reason, "blue 1 became non-finite at tick 1");
    match->team[1].member[0].controller = f->sway; /* and the next bout is run */
    assert_int_not_equal(run(match, 1).outcome, TR_BOUT_VOID);
}

TEST(a_team_that_cannot_spawn_makes_the_bout_void) {
    tr_match_def *match = match_of(*given, "last_standing");
    match->team[0].member[0].pos.x = (double)INFINITY;
    tr_bout_result result = run(match, 1);
    assert_int_equal(result.outcome, TR_BOUT_VOID);
    assert_non_null(strstr(result.reason, "red 1 cannot spawn"));
}

/* --- the rules --- */

/* Blue lies: it has no controller, and a push tips it over. */
static tr_bout_result run_with_blue_pushed(const tr_match_def *match, double force_n) {
    tr_bout bout;
    OWN(tr_stage) *stage = NULL;
    tr_error error;
    assert_int_equal(tr_bout_make_stage(match, &stage), TR_OK);
    assert_int_equal(tr_bout_begin(&bout, match, 1, stage, &error), TR_OK);
    tr_bout_push(&bout, bout.contestant[1].entity, (tr_vec3){-force_n, 0, 0}, 0.2);
    while (!bout.ended) {
        tr_bout_before_step(&bout);
        assert_int_equal(tr_stage_step(stage), TR_OK);
        tr_bout_after_step(&bout);
    }
    return bout.result;
}

TEST(the_last_one_standing_wins) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "last_standing");
    match->time_limit_s = 5;
    match->team[0].member[0].controller = f->hold;
    tr_bout_result result = run_with_blue_pushed(match, 1500);
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_true(result.score[0] > result.score[1]);
    set(match, "down_s", 60);
    match->time_limit_s = 2;
    result = run_with_blue_pushed(match, 1500);
    assert_int_equal(result.outcome,
                     TR_BOUT_DRAWN); /* no character has been down for long enough */
    assert_int_equal(result.ticks, 400);
}

TEST(a_team_out_of_the_ring_has_lost) {
    tr_match_def *match = match_of(*given, "sumo");
    match->team[1].member[0].pos.x = 4;
    tr_bout_result result = run(match, 1);
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_int_equal(result.ticks, 1);
    set(match, "center_x_m", 4); /* now red is out */
    assert_int_equal(run(match, 1).winner, 1);
    set(match, "center_x_m", 100); /* both in the same tick */
    assert_int_equal(run(match, 1).outcome, TR_BOUT_DRAWN);
}

TEST(the_team_that_gets_further_wins_the_race) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "race");
    set(match, "distance_m", 0.3);
    f->hold->spawn.root_vel.x = 3;
    match->team[1].member[0].controller = f->hold;
    tr_bout_result result = run(match, 1);
    f->hold->spawn.root_vel.x = 0;
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 1);
    assert_true(result.score[1] >= 0.3 && result.score[1] < 0.4);
    assert_true(result.ticks < 60);
    assert_string_equal(result.reason, "over the line");
}

TEST(the_team_that_pushes_the_box_over_the_line_wins) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "push_box");
    match->time_limit_s = 5;
    set(match, "mass_kg", 5);
    set(match, "line_m", 0.3);
    f->hold->spawn.root_vel.x = 3;
    match->team[0].member[0].controller = f->hold;
    match->team[0].member[0].pos.x = -0.9; /* runs into it */
    match->team[1].member[0].pos.x = 6;
    match->team[1].member[0].heading_rad = TR_PI;
    tr_bout_result result = run(match, 1);
    f->hold->spawn.root_vel.x = 0;
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_string_equal(result.reason, "over the line");
    assert_true(result.score[0] >= 0.3 && result.score[0] < 0.4);
    assert_near(result.score[1], -result.score[0], 0.01); /* it faces the other way */
}

TEST(a_box_that_turns_too_far_ends_the_bout) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "push_box");
    match->time_limit_s = 5;
    set(match, "mass_kg", 5);
    set(match, "turn_rad", 0.05);
    f->hold->spawn.root_vel.x = 3;
    match->team[0].member[0].controller = f->hold;
    match->team[0].member[0].pos.x = -0.9;
    match->team[0].member[0].pos.y = 1.6; /* runs into its corner */
    match->team[1].member[0].pos.x = 6;
    match->team[1].member[0].heading_rad = TR_PI;
    tr_bout_result result = run(match, 1);
    f->hold->spawn.root_vel.x = 0;
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_string_equal(result.reason, "the box turned; the longer way wins");
    assert_true(result.score[0] > 0 && result.score[0] < 1);
}

/* Two teams face away from each other; the members of one run. */
static tr_match_def *tug_of(const fixture *f) {
    tr_match_def *match = match_of(f, "tug_of_war");
    match->time_limit_s = 5;
    set(match, "mass_kg", 5);
    set(match, "line_m", 0.2);
    match->team[0].member[0].heading_rad = TR_PI;
    match->team[1].member[0].controller = f->hold;
    return match;
}

TEST(the_team_that_pulls_the_sled_over_the_line_wins) {
    const fixture *f = *given;
    tr_match_def *match = tug_of(f);
    f->hold->spawn.root_vel.x = 3;
    tr_bout_result result = run(match, 1);
    f->hold->spawn.root_vel.x = 0;
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 1);
    assert_string_equal(result.reason, "over the line");
    assert_true(result.score[1] >= 0.2 && result.score[1] < 0.3);
    assert_near(result.score[0], -result.score[1], 0.01);
}

TEST(a_taut_rope_pulls_at_both_ends) {
    const fixture *f = *given;
    tr_match_def *match = tug_of(f);
    OWN(tr_stage) *stage = NULL;
    tr_bout bout;
    tr_push push[TR_PUSH_MAX];
    f->hold->spawn.root_vel.x = 3;
    assert_int_equal(tr_bout_make_stage(match, &stage), TR_OK);
    assert_int_equal(tr_bout_begin(&bout, match, 1, stage, NULL), TR_OK);
    f->hold->spawn.root_vel.x = 0;
    tr_bout_before_step(&bout);
    assert_int_equal(tr_world_pushes(tr_stage_world(stage), push, TR_PUSH_MAX), 0);
    for (int i = 0; i < 11; i++) {
        assert_int_equal(tr_stage_step(stage), TR_OK);
        tr_bout_after_step(&bout);
        tr_bout_before_step(&bout);
    }
    assert_int_equal(tr_world_pushes(tr_stage_world(stage), push, TR_PUSH_MAX), 3);
    assert_int_equal(push[1].entity, bout.contestant[1].entity);
    assert_true(push[1].force.x < -1); /* towards the sled: some 0.15 m at 100 N/m */
    assert_near(push[0].force.x + push[1].force.x + push[2].force.x, 0, 1e-9);
}

TEST(they_meet_or_it_is_a_draw) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "collide");
    tr_bout_result apart = run(match, 1);
    assert_int_equal(apart.outcome, TR_BOUT_DRAWN);
    assert_string_equal(apart.reason, "they never met");
    match->time_limit_s = 5;
    set(match, "settle_s", 0.5);
    match->team[0].member[0].pos.x = -0.08;
    match->team[1].member[0].pos.x = 0.08; /* into each other from the start */
    tr_bout_result close = run(match, 1);
    assert_true(close.ticks < 200);
    assert_int_not_equal(close.outcome, TR_BOUT_VOID);
}

TEST(everybody_hunts_and_falls_count_for_the_others) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "chase");
    match->time_limit_s = 3;
    match->team[0].member[0].controller = f->hold;
    tr_bout_result result = run(match, 1); /* red stands, blue sways until it falls */
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_near(result.score[0], 1, 0);
    assert_near(result.score[1], 0, 0);
    assert_int_equal(result.ticks, 600);
}

TEST(the_hunter_is_steered_into_the_nearest) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "chase");
    tr_stage *stage = NULL;
    tr_bout bout;
    tr_chain_of(f->hold)->steering.turn_rad_s = 0.5;
    match->team[0].member[0].controller = match->team[1].member[0].controller = f->hold;
    assert_int_equal(tr_bout_make_stage(match, &stage), TR_OK);
    assert_int_equal(tr_bout_begin(&bout, match, 1, stage, NULL), TR_OK);
    tr_bout_before_step(&bout);
    for (int i = 0; i < 2; i++) {
        const tr_runner *runner = &tr_stage_performer(stage, bout.contestant[i].entity)->runner;
        assert_int_equal(runner->target.aim, TR_AIM_CHARACTER);
        assert_int_equal(runner->target.character, bout.contestant[1 - i].entity);
        assert_near(runner->target.speed_mps, 0, 0); /* it cannot change its speed */
    }
    tr_stage_destroy(stage);
    tr_chain_of(f->hold)->steering.turn_rad_s = 0;
}

/* Red faces the goal at x = 10, blue the other one; a ball is shot from a place, m and m/s. */
static tr_bout_result shoot(const fixture *f, tr_vec3 from, tr_vec3 vel, tr_object_state *out) {
    tr_match_def *match = match_of(f, "football");
    tr_bout bout;
    OWN(tr_stage) *stage = NULL;
    tr_entity_id ball;
    set(match, "length_m", 20);
    set(match, "width_m", 10);
    match->time_limit_s = 2;
    match->team[0].member[0].pos.y = match->team[1].member[0].pos.y = 20;
    match->team[1].member[0].heading_rad = TR_PI;
    assert_int_equal(tr_bout_make_stage(match, &stage), TR_OK);
    assert_int_equal(tr_bout_begin(&bout, match, 1, stage, NULL), TR_OK);
    assert_int_equal(tr_world_objects(tr_stage_world(stage), &ball, 1), 1);
    assert_int_equal(tr_world_get_object(tr_stage_world(stage), ball, out), TR_OK);
    out->pos = from;
    out->vel = vel;
    assert_int_equal(tr_world_set_object(tr_stage_world(stage), ball, out), TR_OK);
    while (!bout.ended) {
        tr_bout_before_step(&bout);
        assert_int_equal(tr_stage_step(stage), TR_OK);
        tr_bout_after_step(&bout);
    }
    assert_int_equal(tr_world_get_object(tr_stage_world(stage), ball, out), TR_OK);
    return bout.result;
}

TEST(a_ball_behind_the_line_between_the_posts_is_a_goal) {
    tr_object_state ball;
    tr_bout_result result = shoot(*given, (tr_vec3){7, 2, 0.11}, (tr_vec3){12, 0, 0}, &ball);
    assert_int_equal(result.outcome, TR_BOUT_WON);
    assert_int_equal(result.winner, 0);
    assert_near(result.score[0], 1, 0);
    assert_near(tr_vec3_length(ball.pos), 0.11, 0.01); /* again in the middle, at rest */
    result = shoot(*given, (tr_vec3){-7, 2, 0.11}, (tr_vec3){-12, 0, 0}, &ball);
    assert_int_equal(result.winner, 1); /* whoever shot it */
    result = shoot(*given, (tr_vec3){10, 2, 0.11}, (tr_vec3){0, 0, 0}, &ball);
    assert_string_equal(result.reason, "the time was up"); /* on the line */
    assert_int_equal(result.outcome, TR_BOUT_DRAWN);
}

TEST(a_ball_that_is_out_returns_to_where_it_left) {
    tr_object_state ball;
    tr_bout_result result = shoot(*given, (tr_vec3){2, 4, 0.11}, (tr_vec3){0, 9, 0}, &ball);
    assert_int_equal(result.outcome, TR_BOUT_DRAWN);
    assert_near(ball.pos.x, 2, 0.01);
    assert_near(ball.pos.y, 5, 0.01);
    result =
        shoot(*given, (tr_vec3){9, 4.5, 0.11}, (tr_vec3){9, 0, 0}, &ball); /* beside the post */
    assert_near(ball.pos.x, 10, 0.01);
    assert_near(result.score[0], 0, 0);
    result = shoot(*given, (tr_vec3){9.5, 0, 3}, (tr_vec3){9, 0, 0}, &ball); /* over the bar */
    assert_near(ball.pos.x, 10, 0.01);
    assert_near(result.score[0], 0, 0);
}

TEST(posts_stop_a_ball_and_grass_slows_it) {
    tr_object_state ball;
    (void)shoot(*given, (tr_vec3){8, 3.72, 0.11}, (tr_vec3){9, 0, 0}, &ball);
    assert_true(ball.pos.x < 10);
    (void)shoot(*given, (tr_vec3){0, 0, 0.11}, (tr_vec3){1, 0, 0}, &ball);
    assert_true(ball.pos.x > 0.3 && ball.pos.x < 1);
    assert_near(ball.vel.x, 0, 0.01);
}

TEST(all_entrants_get_the_same_pushes_until_one_stands) {
    const fixture *f = *given;
    tr_match_def *match = match_of(f, "survive_pushes");
    match->time_limit_s = 10;
    match->team[0].member[0].controller = match->team[1].member[0].controller = f->hold;
    set(match, "first_s", 0.2);
    set(match, "interval_s", 0.5);
    set(match, "force_n", 0);
    set(match, "growth_n", 300);
    tr_bout_result result = run(match, 1);
    assert_true(result.ticks < 2000);
    assert_true(result.score[0] >= 1 && result.score[0] <= 20);
    /* Equal except for their places: they fall together, or one tick apart. */
    assert_near(result.score[0], result.score[1], 0);
}

TEST(the_time_limit_ends_every_rule) {
    for (const tr_rule *const *rule = tr_rules; *rule; rule++) {
        tr_match_def *match = match_of(*given, (*rule)->name);
        match->time_limit_s = 0.1;
        tr_bout_result result = run(match, 1);
        assert_int_equal(result.ticks, 20);
        assert_int_not_equal(result.outcome, TR_BOUT_VOID);
        assert_true(result.reason[0] != '\0');
    }
}

TEST(every_rule_is_whole) {
    for (const tr_rule *const *rule = tr_rules; *rule; rule++) {
        int count = 0;
        for (; (*rule)->parameter[count].name; count++) {
            const tr_rule_parameter *row = &(*rule)->parameter[count];
            assert_true(row->lowest <= row->preset && row->preset <= row->highest);
            assert_int_equal(tr_rule_find_parameter(*rule, row->name), count);
        }
        assert_true(count <= TR_RULE_PARAMETER_MAX);
        assert_non_null((*rule)->judge);
        assert_ptr_equal(tr_rule_find((*rule)->name), *rule);
    }
    assert_null(tr_rule_find("chess"));
    assert_int_equal(tr_rule_find_parameter(tr_rules[0], "chess"), -1);
}

TEST(external_teams_are_counted) {
    tr_match_def *match = match_of(*given, "sumo");
    assert_int_equal(tr_match_external_team(match, 1), -1);
    match->team[1].external = true;
    assert_int_equal(tr_match_external_team(match, 0), -1);
    assert_int_equal(tr_match_external_team(match, 1), 1);
    assert_int_equal(tr_match_external_team(match, 2), -1);
    match->team[0].external = true;
    assert_int_equal(tr_match_external_team(match, 1), 0);
    assert_int_equal(tr_match_external_team(match, 2), 1);
}

SUITE_FIXTURE(setup, teardown);
