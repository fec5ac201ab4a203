/* A snapshot is all of the future: at the ticks of a life a snapshot is restored in another stage,
 * which shows what the first one shows, and is still equal after two more steps.
 *
 *     test_determinism determinism/restored [PIECE]
 *
 * Every shipped controller lives 10 s: it is steered, pushed, has its parameters set, meets a ball,
 * and is pushed over. Then lives are drawn from seeds, with several characters, changes of
 * controllers, limp moments, scenery and terrain. A process takes one of four pieces of all lives.
 * TROUPE_SNAPSHOT_STRIDE: one of so many ticks, drawn from the life's seed, is compared (1: all);
 * TROUPE_SNAPSHOT_LIVES: how many lives are drawn. */
#include "cmocka_test.h"

#include "control/stage/stage.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "math/random.h"
#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONTROLLERS_MAX = 256,
    MODELS_MAX = 32,
    CAST_MAX = 3,
    PIECES = 4,
    TICKS = 2000,
    LIFE_TICKS = 600,
    BYTES_MAX = 4 << 20
};

static struct {
    tr_catalogue *catalogue;
    tr_controller_row row[CONTROLLERS_MAX];
    int count;
    tr_row_id model_id[MODELS_MAX];
    tr_model *model[MODELS_MAX];
    int model_count;
    int piece, stride, lives;
    unsigned char bytes[BYTES_MAX];
} shipped;

/* --- the catalogue --- */

static const tr_model *model_of(tr_row_id id) {
    for (int i = 0; i < shipped.model_count; i++)
        if (shipped.model_id[i] == id)
            return shipped.model[i];
    assert_in_range(shipped.model_count, 0, MODELS_MAX - 1);
    tr_model **model = &shipped.model[shipped.model_count];
    shipped.model_id[shipped.model_count++] = id;
    assert_int_equal(tr_models_load(shipped.catalogue, id, model, NULL), TR_OK);
    return *model;
}

FIXTURE(open_catalogue) {
    const char *path = TR_SOURCE_DIR "/db/shipped.troupe";
    tr_physics_init();
    assert_int_equal(tr_catalogue_open(path, TR_CATALOGUE_READ, &shipped.catalogue, NULL), TR_OK);
    for (int page = 32; page == 32; shipped.count += page) {
        tr_controller_filter filter = {0};
        if (shipped.count > 0)
            filter.after = shipped.row[shipped.count - 1].name;
        assert_in_range(shipped.count, 0, CONTROLLERS_MAX - page);
        assert_int_equal(tr_controllers_list(shipped.catalogue, &filter,
                                             shipped.row + shipped.count, &page, NULL),
                         TR_OK);
    }
    assert_true(shipped.count > 20);
}

FIXTURE(close_catalogue) {
    for (int i = 0; i < shipped.model_count; i++)
        tr_model_destroy(shipped.model[i]);
    tr_catalogue_close(shipped.catalogue);
}

/* --- a life --- */

typedef struct story story;

/* What happens before the step from `tick`, drawn by `draw`; the same on every stage in the same
 * state. Calls may refuse: what a controller cannot do is left out. */
typedef void happening(const story *life, tr_stage *stage, tr_random *draw);

struct story {
    uint64_t seed;
    int count, ticks;
    const tr_model *model[CAST_MAX];
    tr_controller *controller[CAST_MAX];
    void (*act)(const story *life, tr_stage *stage, int64_t tick);
};

static int below(tr_random *draw, int count) {
    return (int)(tr_random_uniform(draw) * count);
}

static double between(tr_random *draw, double low, double high) {
    return low + (high - low) * tr_random_uniform(draw);
}

static tr_entity_id someone(tr_stage *stage, tr_random *draw) {
    tr_entity_id id[TR_CHARACTER_MAX];
    int count = tr_world_characters(tr_stage_world(stage), id, TR_CHARACTER_MAX);
    return id[below(draw, count)];
}

static tr_vec3 place_of(tr_stage *stage, tr_entity_id id) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
    return state.pose.root_pos;
}

static void shove(tr_stage *stage, tr_random *draw, double force_n, int steps) {
    tr_push push = {.entity = someone(stage, draw), .steps = steps};
    double angle = between(draw, -TR_PI, TR_PI);
    push.force = tr_vec3_scale(
        tr_quat_rotate(tr_quat_exp((tr_vec3){0, 0, angle}), (tr_vec3){1, 0, 0}), force_n);
    (void)!tr_world_push(tr_stage_world(stage), &push);
}

static void push(const story *life, tr_stage *stage, tr_random *draw) {
    (void)life;
    shove(stage, draw, between(draw, 20, 150), 1 + below(draw, 40));
}

static void push_over(const story *life, tr_stage *stage, tr_random *draw) {
    (void)life;
    shove(stage, draw, 900, 60);
}

static void throw_ball(const story *life, tr_stage *stage, tr_random *draw) {
    tr_entity_id id = 0;
    tr_object_def def = {.geom_count = 1, .mass = between(draw, 0.5, 5)};
    tr_vec3 at = place_of(stage, someone(stage, draw));
    tr_object_state state = {.rot = {1, 0, 0, 0}, .vel = {-6, 0, 1}};
    state.pos = tr_vec3_add(at, (tr_vec3){1.2, 0, 0.2});
    def.geom[0] = (tr_geom){
        .kind = TR_GEOM_SPHERE, .size = {0.12, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 0.6};
    (void)life;
    (void)!tr_world_add_object(tr_stage_world(stage), &def, &state, &id);
}

static void carry_platform(const story *life, tr_stage *stage, tr_random *draw) {
    tr_world *world = tr_stage_world(stage);
    tr_entity_id id = 0;
    tr_object_def def = {.geom_count = 1, .mass = 50};
    tr_vec3 at = place_of(stage, someone(stage, draw));
    tr_object_state state = {.pos = {at.x + 0.8, at.y, 0.05}, .rot = {1, 0, 0, 0}};
    def.geom[0] = (tr_geom){
        .kind = TR_GEOM_BOX, .size = {0.5, 0.5, 0.05}, .rot = {1, 0, 0, 0}, .friction = 0.9};
    (void)life;
    if (tr_world_add_object(world, &def, &state, &id) || tr_world_set_kinematic(world, id, true))
        return;
    (void)!tr_world_carry_object(world, id, (tr_vec3){at.x - 1, at.y, 0.1}, 150, true);
}

static void remove_object(const story *life, tr_stage *stage, tr_random *draw) {
    tr_entity_id id[TR_OBJECT_MAX];
    tr_world *world = tr_stage_world(stage);
    int count = tr_world_objects(world, id, TR_OBJECT_MAX), at = below(draw, count + 1);
    (void)life;
    if (at < count && !tr_stage_rig_owner(stage, id[at]))
        (void)!tr_world_remove_object(world, id[at]);
}

static void add_box(const story *life, tr_stage *stage, tr_random *draw) {
    tr_vec3 at = place_of(stage, someone(stage, draw));
    tr_scenery_def def = {.kind = TR_SCENERY_BOX, .size = {0.6, 0.6, 0.03}, .friction = 0.8};
    def.pos = (tr_vec3){at.x + between(draw, -1, 1), at.y + between(draw, -1, 1), 0};
    def.rot = tr_quat_exp((tr_vec3){0, 0.05, between(draw, -1, 1)});
    (void)life;
    (void)!tr_world_add_scenery(tr_stage_world(stage), &def, NULL);
}

static void add_hills(const story *life, tr_stage *stage, tr_random *draw) {
    enum { SIDE = 12 };
    float height[SIDE * SIDE];
    tr_heights_def heights = {SIDE, SIDE, 0.5, height};
    tr_surface *surface = NULL;
    tr_vec3 at = place_of(stage, someone(stage, draw));
    for (int i = 0; i < SIDE * SIDE; i++)
        height[i] = (float)between(draw, -0.05, 0.05);
    (void)life;
    if (tr_surface_create_heights(&heights, &surface))
        return;
    tr_scenery_def def = {.kind = TR_SCENERY_SURFACE,
                          .pos = {at.x, at.y, 0},
                          .rot = {1, 0, 0, 0},
                          .friction = 0.9,
                          .surface = surface};
    (void)!tr_world_add_scenery(tr_stage_world(stage), &def, NULL);
    tr_surface_release(surface);
}

static void remove_scenery(const story *life, tr_stage *stage, tr_random *draw) {
    uint32_t id[TR_SCENERY_MAX];
    int count = tr_world_scenery(tr_stage_world(stage), id, TR_SCENERY_MAX);
    (void)life;
    if (count > 0)
        (void)!tr_world_remove_scenery(tr_stage_world(stage), id[below(draw, count)]);
}

static void steer(const story *life, tr_stage *stage, tr_random *draw) {
    tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = between(draw, -2, 2)};
    tr_entity_id id = someone(stage, draw);
    (void)life;
    if (below(draw, 2)) {
        tr_vec3 at = place_of(stage, id);
        target = (tr_steering_target){.aim = TR_AIM_POINT,
                                      .x = at.x + between(draw, -4, 4),
                                      .y = at.y + between(draw, -4, 4)};
    }
    (void)!tr_stage_set_target(stage, id, &target);
}

static void set_parameter(const story *life, tr_stage *stage, tr_random *draw) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    double value[TR_DRIVER_VALUE_MAX];
    tr_entity_id id = someone(stage, draw);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    int count =
        runner->controller ? tr_driver_parameters(runner->controller->driver, parameter) : 0;
    (void)life;
    if (count == 0)
        return;
    const tr_driver_parameter *one = &parameter[below(draw, count)];
    double share = between(draw, 0, 0.2);
    for (int i = 0; i < one->count; i++)
        value[i] = one->initial + share * (one->high - one->initial);
    (void)!tr_stage_set_parameter(stage, id, one->name, value, one->count, NULL);
}

static void set_controller(const story *life, tr_stage *stage, tr_random *draw) {
    const tr_controller *controller = life->controller[below(draw, life->count)];
    (void)!tr_stage_set_controller(stage, someone(stage, draw), controller);
}

static void set_entry(const story *life, tr_stage *stage, tr_random *draw) {
    tr_entity_id id = someone(stage, draw);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    int count = runner->controller ? tr_controller_outline(runner->controller).entry_count : 1;
    (void)life;
    (void)!tr_stage_set_entry(stage, id, below(draw, count), below(draw, 2));
}

static void go_limp(const story *life, tr_stage *stage, tr_random *draw) {
    (void)life;
    (void)!tr_stage_set_limp(stage, someone(stage, draw), true);
}

static void go_stiff(const story *life, tr_stage *stage, tr_random *draw) {
    (void)life;
    (void)!tr_stage_set_limp(stage, someone(stage, draw), false);
}

static void set_state(const story *life, tr_stage *stage, tr_random *draw) {
    tr_state state;
    tr_entity_id id = someone(stage, draw);
    (void)life;
    if (tr_world_get_state(tr_stage_world(stage), id, &state))
        return;
    state.pose.root_pos.z += 0.02;
    state.root_vel.x += between(draw, -0.5, 0.5);
    (void)!tr_world_set_state(tr_stage_world(stage), id, &state);
}

/* The life of one controller: ends on the ground. */
static void act_alone(const story *life, tr_stage *stage, int64_t tick) {
    static const struct {
        int64_t tick;
        happening *happens;
    } plan[] = {{150, push},   {300, steer},          {450, set_parameter}, {500, throw_ball},
                {700, push},   {800, carry_platform}, {900, throw_ball},    {1000, push},
                {1100, steer}, {1200, push_over},     {1500, push}};
    tr_random draw = tr_random_split(life->seed, 1, (uint64_t)tick);
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++)
        if (plan[i].tick == tick)
            plan[i].happens(life, stage, &draw);
}

/* The life of several, drawn. */
static void act_drawn(const story *life, tr_stage *stage, int64_t tick) {
    static happening *const happens[] = {
        push,          push,          push_over, throw_ball,     carry_platform,
        remove_object, add_box,       add_hills, remove_scenery, steer,
        steer,         set_parameter, set_entry, set_controller, set_controller,
        go_limp,       go_stiff,      go_stiff,  set_state};
    tr_random draw = tr_random_split(life->seed, 1, (uint64_t)tick);
    if (below(&draw, 12) == 0)
        happens[below(&draw, sizeof happens / sizeof *happens)](life, stage, &draw);
}

static tr_stage *begin(const story *life) {
    tr_stage *stage = NULL;
    tr_world_def def = tr_world_def_default();
    tr_random draw = tr_random_split(life->seed, 2, 0);
    assert_int_equal(tr_stage_create(&def, &stage), TR_OK);
    for (int i = 0; i < life->count; i++) {
        tr_entity_id id = 0;
        tr_driver_outline outline = tr_controller_outline(life->controller[i]);
        tr_spawn_def spawn = {.model = life->model[i],
                              .controller = life->controller[i],
                              .pos = {0.9 * i, 0, 0},
                              .heading_rad = between(&draw, -TR_PI, TR_PI),
                              .entry = below(&draw, outline.first_count)};
        assert_int_equal(tr_stage_spawn(stage, &spawn, &id), TR_OK);
    }
    return stage;
}

/* --- the comparison --- */

/* Fails unless both worlds show drivers and clients the same. */
static void assert_same_view(const tr_stage *a, const tr_stage *b) {
    const tr_world *one = tr_stage_world_const(a), *other = tr_stage_world_const(b);
    int count = 0, others = 0;
    const tr_contact *contact = tr_world_contacts(one, &count),
                     *copy = tr_world_contacts(other, &others);
    assert_int_equal(count, others);
    if (count > 0)
        assert_memory_equal(contact, copy, (size_t)count * sizeof *contact);
    tr_solver_report report = tr_world_solver_report(one), same = tr_world_solver_report(other);
    assert_int_equal(report.sweeps, same.sweeps);
    assert_int_equal(report.converged, same.converged);
    assert_int_equal(report.contacts_dropped, same.contacts_dropped);
    assert_int_equal(report.searches_cut, same.searches_cut);
    tr_entity_id id[TR_CHARACTER_MAX];
    int characters = tr_world_characters(one, id, TR_CHARACTER_MAX);
    for (int i = 0; i < characters; i++) {
        size_t bodies = (size_t)tr_world_character_model(one, id[i])->body_count;
        tr_ground ground = tr_world_local_ground(one, id[i]);
        tr_ground below = tr_world_local_ground(other, id[i]);
        assert_memory_equal(&ground, &below, sizeof ground);
        assert_memory_equal(tr_world_bodies(one, id[i]), tr_world_bodies(other, id[i]),
                            bodies * sizeof(tr_body_state));
        assert_memory_equal(tr_world_servo_torques(one, id[i]),
                            tr_world_servo_torques(other, id[i]), bodies * sizeof(tr_vec3));
        assert_memory_equal(tr_world_targets(one, id[i]), tr_world_targets(other, id[i]),
                            bodies * sizeof(tr_quat));
    }
}

static void step(const story *life, tr_stage *stage, bool acts) {
    if (acts)
        life->act(life, stage, tr_world_tick(tr_stage_world(stage)));
    assert_int_equal(tr_stage_step(stage), TR_OK);
}

/* The hash after two steps of a restored copy; the life acts only before the second, because the
 * snapshot was taken after the first act. */
static uint64_t restore_and_step(const story *life, const tr_stage *stage, tr_stage *copy) {
    const tr_stage_library library = {life->model, life->count,
                                      (const tr_controller *const *)life->controller, life->count};
    size_t size = 0;
    assert_int_equal(tr_stage_snapshot(stage, shipped.bytes, BYTES_MAX, &size), TR_OK);
    assert_int_equal(tr_stage_restore(copy, shipped.bytes, size, &library), TR_OK);
    assert_true(tr_stage_hash(copy) == tr_stage_hash(stage));
    assert_same_view(stage, copy);
    step(life, copy, false);
    step(life, copy, true);
    return tr_stage_hash(copy);
}

static void print_life(const story *life, int64_t tick) {
    print_error("seed %llu, tick %lld:", (unsigned long long)life->seed, (long long)tick);
    for (int i = 0; i < life->count; i++)
        print_error(" %s", life->controller[i]->name);
    print_error("\n");
}

/* Lives it, and compares at one of `stride` ticks. Returns at how many ticks the future differed. */
static int live_through(const story *life, int stride) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_stage) *stage = begin(life), *copy = NULL;
    tr_random draw = tr_random_split(life->seed, 3, 0);
    uint64_t after_two[3] = {0};
    bool compared[3] = {false};
    int wrong = 0;
    assert_int_equal(tr_stage_create(&def, &copy), TR_OK);
    for (int64_t tick = 0; tick < life->ticks; tick++) {
        life->act(life, stage, tick);
        compared[tick % 3] = tick == 0 || below(&draw, stride) == 0;
        if (compared[tick % 3])
            after_two[tick % 3] = restore_and_step(life, stage, copy);
        assert_int_equal(tr_stage_step(stage), TR_OK);
        int64_t begun = tick - 1;
        if (begun < 0 || !compared[begun % 3] || tr_stage_hash(stage) == after_two[begun % 3])
            continue;
        print_life(life, begun);
        wrong++;
    }
    return wrong;
}

static bool is_ours(int index) {
    return index % PIECES == shipped.piece;
}

static void cast(story *life, int index) {
    const tr_controller_row *row = &shipped.row[index];
    int at = life->count++;
    life->model[at] = model_of(row->model_id);
    assert_int_equal(tr_controllers_load(shipped.catalogue, row->id, life->model[at],
                                         &life->controller[at], NULL),
                     TR_OK);
}

static int live(story *life) {
    int wrong = live_through(life, shipped.stride);
    for (int i = 0; i < life->count; i++)
        tr_controller_destroy(life->controller[i]);
    return wrong;
}

TEST(the_life_of_every_shipped_controller_is_in_its_snapshots) {
    int wrong = 0;
    for (int i = 0; i < shipped.count; i++) {
        story one = {.seed = (uint64_t)i, .ticks = TICKS, .act = act_alone};
        if (!is_ours(i))
            continue;
        cast(&one, i);
        wrong += live(&one);
    }
    assert_int_equal(wrong, 0);
}

TEST(drawn_lives_are_in_their_snapshots) {
    int wrong = 0;
    for (int i = 0; i < shipped.lives; i++) {
        story drawn = {.seed = 1000 + (uint64_t)i, .ticks = LIFE_TICKS, .act = act_drawn};
        tr_random draw = tr_random_split(drawn.seed, 4, 0);
        if (!is_ours(i))
            continue;
        for (int k = 1 + below(&draw, CAST_MAX); k > 0; k--)
            cast(&drawn, below(&draw, shipped.count));
        wrong += live(&drawn);
    }
    assert_int_equal(wrong, 0);
}

static int number(const char *text, int otherwise) {
    return text ? atoi(text) : otherwise;
}

BEFORE_ALL() {
    shipped.piece = (int)suite_argument(0);
    shipped.stride = number(getenv("TROUPE_SNAPSHOT_STRIDE"), STRIDE);
    shipped.lives = number(getenv("TROUPE_SNAPSHOT_LIVES"), 40);
}

SUITE_FIXTURE(open_catalogue, close_catalogue);
