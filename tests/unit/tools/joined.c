#include "cmocka_test.h"

#include "tools/character/character.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAND = TR_CHARACTER_STAND, RISE = TR_CHARACTER_RISE, WALK, SLOW, RUN, KICK, COUNT };

/* A character that stands and gets up, with walks that join standing, a run, and a kick without a way
 * out. */
static tr_character_work *make_character(void) {
    tr_character_work *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->count = COUNT;
    c->skill[STAND].chain[WALK] = c->skill[WALK].chain[STAND] = true;
    c->skill[STAND].chain[SLOW] = c->skill[SLOW].chain[STAND] = true;
    c->skill[WALK].jump[RUN] = c->skill[RUN].jump[WALK] = true;
    c->skill[STAND].chain[KICK] = true;
    return c;
}

TEST(skills_are_joined_over_others) {
    OWN_MEMORY tr_character_work *c = make_character();
    assert_false(tr_character_misses_way(c, RUN, true) || tr_character_misses_way(c, RUN, false));
    assert_true(!tr_character_misses_way(c, KICK, true) && tr_character_misses_way(c, KICK, false));
    assert_true(tr_character_refuse_apart(c));
    assert_string_equal(c->skill[KICK].refused, "learned, but no way out of it was found");
    assert_true(tr_character_uses(&c->skill[RUN]) && tr_character_uses(&c->skill[RISE]));
    assert_false(tr_character_refuse_apart(c));
}

TEST(without_the_walk_that_joins_it_a_skill_is_apart) {
    OWN_MEMORY tr_character_work *c = make_character();
    c->skill[WALK].chain[STAND] = false;
    assert_true(tr_character_refuse_apart(c));
    assert_string_equal(c->skill[WALK].refused, "learned, but no way out of it was found");
    assert_string_equal(c->skill[RUN].refused, "learned, but no way into it was found");
    assert_true(tr_character_uses(&c->skill[STAND]));
}

TEST(a_jump_out_is_enough_for_gaits_alone) {
    OWN_MEMORY tr_character_work *c = make_character();
    c->skill[KICK].jump[WALK] = true;
    assert_false(tr_character_misses_way(c, KICK, false));
    c->skill[KICK].kind = TR_PLAN_LOOP;
    assert_true(tr_character_misses_way(c, KICK, false));
    assert_false(tr_character_refuse_apart(c));
    c->skill[KICK].chain[SLOW] = true;
    assert_false(tr_character_misses_way(c, KICK, false));
}

/* A chain from the walk to standing, into whose midst the kick jumps. */
TEST(a_jump_into_the_midst_of_a_chain_is_a_way) {
    OWN_MEMORY tr_character_work *c = make_character();
    static const char *const names[] = {"walk", "walk-to-stand", "stand", "kick"};
    tr_graph_node node[4] = {0};
    tr_graph_edge edge[] = {{1, 2, false}, {3, 4, false}, {7, 3, false}};
    tr_control_graph graph = {.node = node, .node_count = 4, .edge = edge, .edge_count = 3};
    for (int n = 0; n < 4; n++) {
        strcpy(node[n].skill, names[n]);
        node[n].first = 2 * n;
        node[n].count = 2;
        node[n].cyclic = n != 1;
    }
    strcpy(c->skill[STAND].name, "stand");
    strcpy(c->skill[WALK].name, "walk");
    strcpy(c->skill[KICK].name, "kick");
    c->skill[WALK].chain[STAND] = false;
    tr_character_note_ways(c, &graph, false);
    assert_true(c->skill[WALK].chain[STAND] && !c->skill[WALK].jump[STAND]);
    assert_true(c->skill[KICK].jump[STAND] && !c->skill[KICK].chain[STAND]);
    assert_false(tr_character_misses_way(c, KICK, false));
}

/* Out of a skill of a clip they have none: the skill may never come so near. */
TEST(only_ways_into_skills_of_clips_have_limits) {
    OWN_MEMORY tr_character_work *c = make_character();
    char ways[TR_PARAMETER_TEXT_MAX];
    strcpy(c->skill[STAND].name, "stand");
    strcpy(c->skill[WALK].name, "walk");
    strcpy(c->skill[KICK].name, "kick");
    strcpy(c->skill[KICK].clip, "kick.bvh");
    c->skill[KICK].chain[STAND] = true;
    assert_int_equal(tr_character_list_ways(c, "", ways, NULL), TR_OK);
    assert_string_equal(ways, ",stand-to-kick,kick-to-stand");
    assert_int_equal(tr_character_list_ways(c, "=0.1", ways, NULL), TR_OK);
    assert_string_equal(ways, ",stand-to-kick=0.1");
    tr_character_refuse(&c->skill[KICK], "it falls");
    assert_int_equal(tr_character_list_ways(c, "=0.1", ways, NULL), TR_OK);
    assert_string_equal(ways, "");
}

TEST(a_list_of_ways_that_is_too_long_is_an_error) {
    OWN_MEMORY tr_character_work *c = make_character();
    char ways[TR_PARAMETER_TEXT_MAX];
    tr_error error;
    strcpy(c->skill[STAND].name, "a-stance-of-20-bytes");
    for (c->count = RUN; c->count < TR_CHARACTER_SKILL_MAX; c->count++) {
        tr_character_skill *skill = &c->skill[c->count];
        snprintf(skill->name, sizeof skill->name, "skill-of-20-bytes-%02d", c->count);
        strcpy(skill->clip, "clip.bvh");
        skill->chain[STAND] = c->skill[STAND].chain[c->count] = true;
    }
    assert_int_equal(tr_character_list_ways(c, "=0.1", ways, &error), TR_RESOURCE_EXHAUSTED);
    assert_non_null(strstr(error.message, "--limits: the list is too long at 'a-stance-of-20"));
}
