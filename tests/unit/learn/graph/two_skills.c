#include "unit/learn/graph/two_skills.h"

#include "cmocka_test.h"
#include "learn/samcon/skill.h"
#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <string.h>

tr_model *two_skills_model;
tr_controller *two_skills[2];
static tr_controller *learned[3]; /* by the number of threads that learned it */
const tr_graph_link two_skills_links[2] = {{0, 1}, {1, 0}};

tr_controller *two_skills_make(const char *name, double bent_rad) {
    tr_motion *motion = sway_motion(two_skills_model, false);
    tr_skill_def def = {name, "a", 0.005, true};
    tr_controller *out = NULL;
    assert_int_equal(tr_skill_create(two_skills_model, motion, &def, &out, NULL), TR_OK);
    tr_motion_destroy(motion);
    strcpy(out->skill, name);
    tr_pose pose = tr_pose_rest(two_skills_model);
    pose.joint[two_skills_model->head] = tr_quat_exp((tr_vec3){0, bent_rad, 0});
    out->spawn = tr_state_at_rest(two_skills_model, &pose);
    for (int k = 0; k < tr_controller_bank(out)->fragment_count; k++) {
        tr_fragment *fragment = &tr_controller_bank(out)->fragment[k];
        fragment->start = fragment->end = out->spawn;
        for (int i = 0; i < fragment->steps * two_skills_model->body_count; i++)
            fragment->target[i] = pose.joint[i % two_skills_model->body_count];
        for (int i = 0; i < fragment->steps; i++)
            fragment->target[i * two_skills_model->body_count] = tr_quat_identity();
    }
    return out;
}

int two_skills_load(void **state) {
    (void)state;
    two_skills_model = sway_model();
    two_skills[0] = two_skills_make("stand", 0);
    two_skills[1] = two_skills_make("nod", 0.2);
    return 0;
}

int two_skills_unload(void **state) {
    (void)state;
    tr_controller_destroy(two_skills[0]);
    tr_controller_destroy(two_skills[1]);
    for (int threads = 0; threads < 3; threads++)
        tr_controller_destroy(learned[threads]);
    memset(learned, 0, sizeof learned);
    tr_model_destroy(two_skills_model);
    return 0;
}

tr_graph_build_def two_skills_quick(void) {
    tr_graph_build_def def = tr_graph_build_default();
    def.name = "both";
    def.controllers = (const tr_controller *const *)two_skills;
    def.count = 2;
    def.links = two_skills_links;
    def.link_count = 2;
    def.candidates = 6;
    def.trials = 3;
    def.edges = 2;
    def.after_s = 1;
    return def;
}

/* Nearest first; only jumps that held every time are kept, at most the requested number. */
static void listen(void *context, tr_graph_link link, const tr_graph_candidate *candidates,
                   int count) {
    two_skills_tale *t = context;
    int kept = 0;
    assert_int_equal(link.from, two_skills_links[t->links].from);
    assert_int_equal(count, 6);
    for (int i = 0; i < count; i++) {
        assert_true(i == 0 || candidates[i].distance >= candidates[i - 1].distance);
        assert_true(!candidates[i].kept || candidates[i].held == 3);
        kept += candidates[i].kept;
    }
    assert_in_range(kept, 1, 2);
    t->links++;
    t->kept += kept;
}

tr_controller *two_skills_build(int threads, two_skills_tale *t) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, threads);
    tr_graph_build_def def = two_skills_quick();
    tr_controller *graph = NULL;
    tr_error error = {0};
    assert_int_equal(
        tr_graph_build(ensemble, &def, &(tr_graph_listener){t, listen, NULL}, &graph, &error),
        TR_OK);
    return graph;
}

tr_transition_def two_skills_quick_learning(void) {
    tr_transition_def learn = tr_transition_default();
    learn.low = learn.high = 2;
    learn.windows = learn.finalists = 1;
    learn.rounds = 1;
    learn.harden.updates = 1;
    learn.harden.directions = learn.harden.best = 2;
    learn.harden.trials = 4;
    learn.harden.push_n = 0;
    learn.harden.after_s = 0.3;
    return learn;
}

tr_controller *two_skills_build_learned(int threads) {
    tr_controller *graph = NULL;
    tr_error error = {0};
    if (!learned[threads]) {
        OWN(tr_ensemble) *ensemble = sway_ensemble(two_skills_model, threads);
        tr_transition_def learn = two_skills_quick_learning();
        tr_graph_build_def def = two_skills_quick();
        def.learn = &learn;
        if (tr_graph_build(ensemble, &def, NULL, &learned[threads], &error))
            fail_msg("%s", error.message);
    }
    assert_int_equal(tr_controller_copy(learned[threads], two_skills_model, &graph), TR_OK);
    return graph;
}

void two_skills_spoil(tr_controller *graph, const tr_graph_node *node) {
    int hip = tr_model_find_body(two_skills_model, "lthigh");
    for (int k = node->first; k < node->first + node->count; k++)
        for (int s = 0; s < tr_controller_bank(graph)->fragment[k].steps; s++)
            tr_controller_bank(graph)->fragment[k].target[s * two_skills_model->body_count + hip] =
                tr_quat_exp((tr_vec3){0, -1.5, 0});
}
