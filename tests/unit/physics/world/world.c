/* The world's interface: ids, refusals, pushes, faults. */
#include "cmocka_test.h"

#include "physics/bodies/mover.h"
#include "physics/collide/contact.h"
#include "physics/scene/scene.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "unit/physics/scenes.h"

TEST(definitions_are_checked) {
    tr_world *world = NULL;
    tr_world_def def = tr_world_def_default();
    def.step_s = 0.1;
    assert_int_equal(tr_world_create(&def, &world), TR_INVALID_ARGUMENT);
    def = tr_world_def_default();
    def.contact_erp = (double)NAN;
    assert_int_equal(tr_world_create(&def, &world), TR_INVALID_ARGUMENT);
    def = tr_world_def_default();
    def.solver_iterations = 0;
    assert_int_equal(tr_world_create(&def, &world), TR_INVALID_ARGUMENT);
    assert_null(world);
    tr_world_destroy(NULL);
}

TEST(ids_are_not_used_again) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id first = scene_stand(world, model, 0, 0, 0);
    assert_int_equal(tr_world_remove_character(world, first), TR_OK);
    tr_entity_id second = scene_stand(world, model, 0, 0, 0), listed = 0;
    assert_int_not_equal(first, second);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, first, &s), TR_NOT_FOUND);
    assert_int_equal(tr_world_set_state(world, first, &s), TR_NOT_FOUND);
    assert_int_equal(tr_world_remove_character(world, first), TR_NOT_FOUND);
    assert_int_equal(tr_world_remove_character(world, 0), TR_NOT_FOUND);
    assert_null(tr_world_bodies(world, first));
    assert_null(tr_world_character_model(world, 0));
    assert_int_equal(tr_world_characters(world, &listed, 1), 1);
    assert_int_equal(listed, second);
}

TEST(characters_beyond_the_limit_are_refused) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    for (int i = 0; i < TR_CHARACTER_MAX; i++)
        (void)scene_stand(world, model, i, 0, 0);
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    tr_entity_id id = 77;
    assert_int_equal(tr_world_add_character(world, model, &s, &id), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(id, 77);
    scene_step(world, 2);
    tr_push push = {.entity = 1, .body = 0, .force = {1, 0, 0}, .steps = 5};
    assert_int_equal(tr_world_characters(world, &push.entity, 1), TR_CHARACTER_MAX);
    for (int i = 0; i < TR_PUSH_MAX; i++)
        assert_int_equal(tr_world_push(world, &push), TR_OK);
    assert_int_equal(tr_world_push(world, &push), TR_RESOURCE_EXHAUSTED);
    scene_step(world, 5);
    assert_int_equal(tr_world_pushes(world, NULL, 0), 0);
}

TEST(bad_arguments_change_nothing) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0), other = 0;
    uint64_t before = tr_world_hash(world);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    s.joint_rate[3].y = (double)INFINITY;
    assert_int_equal(tr_world_set_state(world, id, &s), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_add_character(world, model, &s, &other), TR_INVALID_ARGUMENT);
    tr_quat target[TR_BODY_MAX] = {{1, 0, 0, 0}};
    assert_int_equal(tr_world_set_targets(world, id, target), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_set_servo(world, id, model->gain_set_count), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_set_servo(world, id, -2), TR_INVALID_ARGUMENT);
    tr_push push = {.entity = id, .body = model->body_count, .steps = 1};
    assert_int_equal(tr_world_push(world, &push), TR_INVALID_ARGUMENT);
    push.entity = 12345;
    assert_int_equal(tr_world_push(world, &push), TR_NOT_FOUND);
    tr_pin_def pin = {.entity = {id, id}};
    assert_int_equal(tr_world_add_pin(world, &pin, &other), TR_INVALID_ARGUMENT);
    pin.entity[1] = 4711;
    assert_int_equal(tr_world_add_pin(world, &pin, &other), TR_NOT_FOUND);
    tr_object_def object = {.geom_count = TR_OBJECT_GEOM_MAX + 1, .mass = 1};
    tr_object_state at = {.rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_object(world, &object, &at, &other), TR_INVALID_ARGUMENT);
    tr_scenery_def scenery = {.size = {1, 1, 0}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_scenery(world, &scenery, NULL), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_hash(world), before);
}

/* A push of F for n steps gives F n h of momentum. */
TEST(a_push_gives_its_impulse) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    def.gravity.z = 0;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 3);
    tr_push push = {.entity = id,
                    .body = model->trunk,
                    .force = {100, 0, 50},
                    .point = {0, 0.1, 0},
                    .steps = 40};
    assert_int_equal(tr_world_push(world, &push), TR_OK);
    scene_step(world, 60);
    assert_int_equal(tr_world_pushes(world, NULL, 0), 0);
    tr_momentum m = tr_body_momentum(model, tr_world_bodies(world, id));
    assert_near(m.com_vel.x * m.mass, 100 * 0.2, 1e-9);
    assert_near(m.com_vel.z * m.mass, 50 * 0.2, 1e-9);
}

/* A body that cannot be simulated stops where it was; the others move. */
TEST(a_fault_stops_only_its_body) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id sick = scene_stand(world, model, 0, 0, 0),
                 well = scene_stand(world, model, 3, 0, 0);
    tr_state s;
    scene_step(world, 10);
    assert_int_equal(tr_world_get_state(world, sick, &s), TR_OK);
    s.root_omega.x = 1e200;
    assert_int_equal(tr_world_set_state(world, sick, &s), TR_OK);
    assert_int_equal(tr_world_step(world), TR_DATA_LOSS);
    tr_entity_id named = 0;
    assert_int_equal(tr_world_faults(world, &named, 1), 1);
    assert_int_equal(named, sick);
    scene_step(world, 200);
    assert_int_equal(tr_world_faults(world, NULL, 0), 1);
    assert_int_equal(tr_world_get_state(world, sick, &s), TR_OK);
    assert_near(s.root_omega.x, 0, 0);
    assert_near(s.pose.root_pos.z, 0.95, 0.02);
    tr_state t;
    assert_int_equal(tr_world_get_state(world, well, &t), TR_OK);
    assert_near(t.pose.root_pos.z, 0.95, 0.01);
    /* Setting a state sets it free. */
    assert_int_equal(tr_world_set_state(world, sick, &s), TR_OK);
    scene_step(world, 50);
    assert_int_equal(tr_world_faults(world, NULL, 0), 0);
    assert_null(tr_world_invariant(world)->what);
}

TEST(the_first_invariant_that_fails_is_kept) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    (void)scene_stand(world, model, 0, 0, 0);
    scene_step(world, 2);
    assert_null(tr_world_invariant(world)->what);
    world->character[0]->feedforward_steps = -1;
    scene_step(world, 1);
    world->character[0]->feedforward_steps = 0;
    scene_step(world, 1);
    assert_string_equal(tr_world_invariant(world)->what, "c->feedforward_steps >= 0");
    assert_string_equal(tr_world_invariant(world)->file, "step.c");
}

/* What a wrong caller could break; each is noticed by its text, at the latest when its turn comes. */
static const char *break_one(tr_world *world, int which) {
    tr_character *c = world->character[0];
    tr_object *o = world->object[0];
    const tr_push push = {.entity = c->id, .steps = 3};
    if (which == 2 || which == 3)
        assert_int_equal(tr_world_push(world, &push), TR_OK);
    switch (which) {
    case 0:
        return c->follows_goal = true, "c->kinematic || !c->follows_goal";
    case 1:
        return c->servo = c->model->gain_set_count, "c->servo < c->model->gain_set_count";
    case 2:
        return world->push[world->push_count - 1].steps = 0, "world->push[i].steps > 0";
    case 3:
        return world->push[world->push_count - 1].entity = 4000, "world->push[i].entity) >= 0";
    case 4:
        return o->follows_goal = true, "o->kinematic ||";
    case 5:
        return o->travel.steps = 9, "o->kinematic ||";
    case 6:
        return o->mass = 0, "o->mass > 0";
    case 7:
        return world->character_id[1] = 4000, "world->character_id[i] ==";
    case 8:
        return world->pin[0]->def.entity[0] = 4000, "names_body";
    case 9:
        return world->scenery[0]->id = world->scenery[1]->id, "s->id < after";
    case 10:
        return world->scenery_made--, "s->id <= world->scenery_made";
    case 11:
        return world->slot[o->id & 4095].generation++, "slot";
    case 12:
        return world->slot[400].used = 1, "!slot->used ||";
    case 13:
        return world->slot[c->id & 4095].used = 0, ".used == 1";
    default:
        return NULL;
    }
}

TEST(each_invariant_can_fail) {
    const tr_scenery_def box = {
        .kind = TR_SCENERY_BOX, .size = {1, 1, 1}, .pos = {50, 0, 0}, .rot = {1, 0, 0, 0}};
    for (int which = 0; which <= 13; which++) {
        OWN(tr_world) *world = scene_busy(*given);
        for (int i = 0; i < 2; i++)
            assert_int_equal(tr_world_add_scenery(world, &box, NULL), TR_OK);
        scene_step(world, 1);
        assert_null(tr_world_invariant(world)->what);
        const char *expected = break_one(world, which);
        for (int i = 0; i < TR_ENTITY_SLOT_MAX && !tr_world_invariant(world)->what; i++)
            (void)!tr_world_step(world);
        const char *found = tr_world_invariant(world)->what;
        if (!found || !strstr(found, expected))
            fail_msg("%d: %s, not %s", which, found ? found : "nothing", expected);
    }
}

/* What a wrong stepper could make of the character in turn: broken between the step and its check. */
static const char *break_character(tr_world *world, int which) {
    tr_character *c = world->character[0];
    int hinge = 1;
    while (c->model->body[hinge].joint != TR_JOINT_HINGE)
        hinge++;
    tr_vec3 axis = c->model->body[hinge].axis;
    switch (which) {
    case 0:
        return c->frame[3].com[0] += 1e-6, "tr_vec3_length(off) <";
    case 1:
        return c->frame[3].column[2] = c->frame[3].column[1], "frame->column[2]), z)";
    case 2:
        return c->ground.normal.z = -1, "c->ground.normal.z > 0";
    case 3:
        return c->ground.height = INFINITY, "isfinite(c->ground.height)";
    case 4:
        return c->state.joint_rate[3].x = 1.01 / 0.005, "most <= 1";
    case 5:
        c->state.pose.joint[hinge] = tr_quat_exp((tr_vec3){axis.y, axis.z, axis.x});
        world->stepper->character_moved(world, c);
        return "off_axis(body, is) <";
    case 6: /* further beyond the limit */
        world->watch.before.pose.joint[hinge] =
            tr_quat_exp(tr_vec3_scale(axis, c->model->body[hinge].range[1] + 0.2));
        c->state.pose.joint[hinge] =
            tr_quat_exp(tr_vec3_scale(axis, c->model->body[hinge].range[1] + 0.28));
        world->stepper->character_moved(world, c);
        return "- past < SLIP_RAD";
    default:
        c->state.root_vel.x += 5;
        return "gained <=";
    }
}

TEST(each_invariant_of_a_character_can_fail) {
    tr_world_def def = tr_world_def_default();
    for (int which = 0; which <= 7; which++) {
        OWN(tr_world) *world = scene_world(&def);
        (void)scene_stand(world, *given, 0, 0, 0);
        tr_contact_find(world);
        tr_character_watch(world);
        tr_character_must_hold(world);
        assert_null(tr_world_invariant(world)->what);
        const char *expected = break_character(world, which);
        tr_character_must_hold(world);
        const char *found = tr_world_invariant(world)->what;
        if (!found || !strstr(found, expected))
            fail_msg("%d: %s, not %s", which, found ? found : "nothing", expected);
    }
}

/* What clients may ask for is no fault of the program. */
TEST(no_invariant_fails_under_strong_gravity_and_fast_turns) {
    static const double gravity[][3] = {{0, 0, -1000}, {300, 0, 50}, {0, 0, 0}, {0, 0, -9.81}};
    for (int which = 0; which < 16; which++) {
        tr_world_def def = tr_world_def_default();
        const double *g = gravity[which % 4];
        def.gravity = (tr_vec3){g[0], g[1], g[2]};
        def.step_s = which % 8 < 4 ? 0.02 : 0.005;
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = scene_stand(world, *given, 0, 0, 0.5);
        (void)scene_stand(world, *given, 5, 0, 0.5); /* three move side by side */
        (void)scene_stand(world, *given, 10, 0, 0.5);
        tr_state state;
        assert_int_equal(tr_world_set_servo(world, id, which < 8 ? TR_SERVO_RAGDOLL : 0), TR_OK);
        for (int turn = 0; turn < 5; turn++) {
            assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
            state.root_omega.x += 10 * turn;
            state.joint_rate[3 + turn % 8].x += 20 * turn;
            assert_int_equal(tr_world_set_state(world, id, &state), TR_OK);
            for (int i = 0; i < 128; i++)
                (void)!tr_world_step(world);
        }
        if (tr_world_invariant(world)->what)
            fail_msg("%d: %s (%g, %g)", which, tr_world_invariant(world)->what,
                     tr_world_invariant(world)->left, tr_world_invariant(world)->right);
    }
}

/* Contacts, blocks and movers are made anew in each step. */
TEST(each_invariant_of_a_step_can_fail) {
    OWN(tr_world) *world = scene_busy(*given);
    tr_mover *mover = world->character[0]->stepper_data;
    tr_block block = {.kind = TR_BLOCK_CONTACT, .row_count = 3, .friction = {0.5}};
    tr_invariant broken[8] = {{0}};
    scene_step(world, 1);
    for (int which = 0; which < 5; which++) {
        tr_contact_find(world);
        world->invariant = (tr_invariant){0};
        tr_contact *contact = &world->contact[0];
        contact->entity[0] += which == 0;
        contact->depth = which == 1 ? -1 : which == 2 ? 100 : contact->depth;
        contact->entity[1] = which == 2 ? contact->entity[0] : contact->entity[1];
        contact->friction = which == 3 ? -1 : contact->friction;
        world->link[0].mover[0] = which == 4 ? TR_STATIC_MOVER : world->link[0].mover[0];
        world->link[0].mover[1] = which == 2 ? world->link[0].mover[0] : world->link[0].mover[1];
        tr_contact_must_hold(world, 0);
        assert_non_null(tr_world_invariant(world)->what);
    }
    block.lambda[0] = (tr_v4){1, 0.3, 0.4, 0};
    tr_block_must_hold(&block, &broken[0]);
    assert_null(broken[0].what);
    block.lambda[0] = (tr_v4){1, 0.31, 0.4, 0};
    tr_block_must_hold(&block, &broken[1]);
    assert_non_null(strstr(broken[1].what, "across <="));
    block.lambda[0] = (tr_v4){-1e-3, 0, 0, 0};
    tr_block_must_hold(&block, &broken[2]);
    assert_string_equal(broken[2].what, "normal >= 0");
    block.kind = TR_BLOCK_LIMIT;
    tr_block_must_hold(&block, &broken[3]);
    assert_non_null(broken[3].what);
    block.tree[0] = &mover->tree;
    block.body[0] = mover->tree.count;
    tr_block_must_hold(&block, &broken[4]);
    assert_non_null(strstr(broken[4].what, "block->body[s]"));
    world->invariant = (tr_invariant){0};
    mover->tree.state = NULL;
    world->tick = 0;
    world->stepper->check(world);
    assert_non_null(strstr(tr_world_invariant(world)->what, "mover->tree.state"));
    mover->tree.state = &world->character[0]->state;
}

static tr_entity_id make_sick(tr_world *world, tr_entity_id id) {
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    s.root_omega.x = 1e200;
    assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
    return id;
}

/* The list of faults is correct without a step: after another entity is removed, after a restore,
 * and after a state is set. */
TEST(faults_are_listed_without_a_step) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def), *fresh = scene_world(&def);
    tr_entity_id sick = make_sick(world, scene_stand(world, model, 0, 0, 0)), named = 0;
    tr_entity_id bystander = scene_stand(world, model, 3, 0, 0);
    assert_int_equal(tr_world_step(world), TR_DATA_LOSS);
    assert_int_equal(tr_world_remove_character(world, bystander), TR_OK);
    assert_int_equal(tr_world_faults(world, &named, 1), 1);
    assert_int_equal(named, sick);
    static unsigned char snapshot[1 << 16];
    size_t size;
    assert_int_equal(tr_world_snapshot(world, snapshot, sizeof snapshot, &size), TR_OK);
    assert_int_equal(tr_world_restore(fresh, snapshot, size, &model, 1), TR_OK);
    assert_int_equal(tr_world_faults(fresh, NULL, 0), 1);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, sick, &s), TR_OK);
    assert_int_equal(tr_world_set_state(world, sick, &s), TR_OK);
    assert_int_equal(tr_world_faults(world, NULL, 0), 0);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
