/* troupe-bench terrain: how many of so many trials each controller stays up for so long, on platforms at
 * any height, on slopes, over kerbs, on uneven ground and on hills.
 *
 * A trial begins at rest in the middle of the ground in the controller's spawn state, disturbed as for
 * certificates (trial.h); it holds when the character has not fallen (falls.h) up to the end. The ground
 * differs from trial to trial where a seed makes it, and by the distance to a kerb. */
#include "physics/terrain.h"
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "control/falls.h"
#include "learn/rehearsal/pool.h"
#include "learn/rehearsal/trial.h"
#include "math/random.h"
#include "model/mjcf.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAR_M = 200;        /* half the side of planes and steps */
static const double FIELD_CELL_M = 0.4; /* of height fields, 200 m wide */
static const double KERB_AT_M = 3;      /* how far ahead, and one metre more by chance */

/* --- the grounds --- */

typedef enum ground_kind {
    PLATFORM,
    UP,
    DOWN,
    ACROSS,
    KERB_UP,
    KERB_DOWN,
    UNEVEN,
    HILLS
} ground_kind;

typedef struct ground {
    ground_kind kind;
    double amount; /* m or degrees */
} ground;

static const char *const kind_name[] = {"platform m",       "slope up deg", "slope down deg",
                                        "slope across deg", "kerb up m",    "kerb down m",
                                        "uneven m",         "hills deg"};

static const ground grounds[] = {
    {PLATFORM, 0},     {PLATFORM, -1000}, {PLATFORM, -5},  {PLATFORM, 0.05}, {PLATFORM, 50},
    {PLATFORM, 1000},  {UP, 1},           {UP, 2},         {UP, 3},          {UP, 4},
    {UP, 5},           {DOWN, 1},         {DOWN, 2},       {DOWN, 3},        {DOWN, 4},
    {DOWN, 5},         {ACROSS, 1},       {ACROSS, 2},     {ACROSS, 3},      {ACROSS, 4},
    {ACROSS, 5},       {KERB_UP, 0.02},   {KERB_UP, 0.05}, {KERB_UP, 0.08},  {KERB_DOWN, 0.02},
    {KERB_DOWN, 0.05}, {KERB_DOWN, 0.08}, {UNEVEN, 0.01},  {UNEVEN, 0.02},   {UNEVEN, 0.05},
    {HILLS, 2},        {HILLS, 5}};
enum { GROUNDS = sizeof grounds / sizeof grounds[0] };

static tr_scenery_def box(tr_vec3 half, tr_vec3 centre, tr_quat rot) {
    return (tr_scenery_def){.kind = TR_SCENERY_BOX,
                            .size = half,
                            .pos = tr_quat_rotate(rot, centre),
                            .rot = rot,
                            .friction = 1};
}

/* A plane through the origin that rises along x (axis -y) or falls to the left (axis x). */
static tr_scenery_def tilted(tr_vec3 axis, double degrees) {
    tr_quat rot = tr_quat_from_axis_angle(axis, degrees * TR_PI / 180);
    return box((tr_vec3){FAR_M, FAR_M, 1}, (tr_vec3){0, 0, -1}, rot);
}

static tr_status add_field(tr_world *world, const ground *g, uint64_t seed) {
    tr_terrain_def def =
        tr_terrain_def_default(g->kind == HILLS ? TR_TERRAIN_HILLS : TR_TERRAIN_RUBBLE);
    tr_surface *surface = NULL;
    def.seed = seed;
    def.size_m = FAR_M;
    def.cell_m = FIELD_CELL_M;
    def.slope_rad = g->kind == HILLS ? g->amount * TR_PI / 180 : 0;
    def.height_m = g->kind == HILLS ? 1 : g->amount;
    tr_status status = tr_terrain_create(&def, &surface);
    if (status)
        return status;
    tr_scenery_def field = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = surface};
    status = tr_world_add_scenery(world, &field, NULL);
    tr_surface_release(surface);
    return status;
}

static tr_status add_ground(tr_world *world, const ground *g, uint64_t seed) {
    const tr_quat level = {1, 0, 0, 0};
    const tr_vec3 half = {FAR_M, FAR_M, 1};
    tr_random draw = tr_random_seed(seed);
    double at = KERB_AT_M + tr_random_uniform(&draw), sign = g->kind == DOWN ? -1 : 1;
    tr_scenery_def solid;
    switch (g->kind) {
    case PLATFORM:
        solid = box(half, (tr_vec3){0, 0, g->amount - 1}, level);
        break;
    case UP:
    case DOWN:
        solid = tilted((tr_vec3){0, -1, 0}, sign * g->amount);
        break;
    case ACROSS:
        solid = tilted((tr_vec3){1, 0, 0}, g->amount);
        break;
    case KERB_UP: /* the plane z = 0 is before it */
        solid = box(half, (tr_vec3){at + FAR_M, 0, g->amount - 1}, level);
        break;
    case KERB_DOWN: /* and here behind it */
        solid = box(half, (tr_vec3){at - FAR_M, 0, g->amount - 1}, level);
        break;
    default:
        return add_field(world, g, seed);
    }
    return tr_world_add_scenery(world, &solid, NULL);
}

/* The plane z = 0 is there where it is part of the ground. */
static bool has_plane(ground_kind kind) {
    return kind == KERB_UP || kind == KERB_DOWN;
}

static double start_height(const ground *g) {
    return g->kind == PLATFORM || g->kind == KERB_DOWN ? g->amount : 0;
}

/* --- trials --- */

typedef struct bench {
    const tr_model *model;
    const tr_controller *controller;
    const ground *ground;
    int64_t steps;
    uint64_t seed;
    bool *held; /* [trials] */
} bench;

static tr_status make_world(const bench *b, int trial, tr_rehearsal *out) {
    tr_world_def def = tr_world_def_default();
    def.step_s = b->controller->step_s;
    def.ground = has_plane(b->ground->kind);
    *out = (tr_rehearsal){.model = b->model};
    tr_status status = tr_world_create(&def, &out->world);
    if (!status)
        status = add_ground(out->world, b->ground, b->seed + (uint64_t)trial);
    tr_state start = tr_trial_disturbed_start(b->controller, b->seed, trial);
    start.pose.root_pos.z += start_height(b->ground);
    return status ? status : tr_world_add_character(out->world, b->model, &start, &out->character);
}

static bool holds(const bench *b, const tr_rehearsal *r) {
    tr_runner runner;
    tr_runner_start(&runner, b->controller, 0, false);
    for (int64_t k = 0; k < b->steps; k++)
        if (tr_runner_advance(&runner, r->world, r->character, NULL) || tr_world_step(r->world) ||
            tr_falls_is_down(r->world, r->character, false))
            return false;
    return true;
}

static void work(void *context, int item, int worker) {
    const bench *b = context;
    tr_rehearsal r;
    (void)worker;
    b->held[item] = !make_world(b, item, &r) && holds(b, &r);
    tr_world_destroy(r.world);
}

/* --- the command --- */

typedef struct options {
    const char *bundle;
    double seconds;
    int trials, threads;
    uint64_t seed;
    const char *only; /* grounds whose names begin so; NULL: all */
} options;

static bool parse(int argc, char **argv, options *o) {
    static const struct option names[] = {{"bundle", required_argument, NULL, 'b'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"trials", required_argument, NULL, 'n'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"seed", required_argument, NULL, 'r'},
                                          {"only", required_argument, NULL, 'o'},
                                          {0}};
    *o = (options){TR_BENCH_BUNDLE, 30, 100, 1, 20150815, NULL};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (c == 'b')
            o->bundle = optarg;
        else if (c == 's')
            o->seconds = strtod(optarg, NULL);
        else if (c == 'n')
            o->trials = (int)strtol(optarg, NULL, 10);
        else if (c == 't')
            o->threads = (int)strtol(optarg, NULL, 10);
        else if (c == 'r')
            o->seed = strtoull(optarg, NULL, 10);
        else if (c == 'o')
            o->only = optarg;
        else
            return false;
    }
    return o->seconds > 0 && o->seconds <= 3600 && o->trials > 0 && o->trials <= 10000 &&
           o->threads > 0 && o->threads <= TR_POOL_THREAD_MAX && optind < argc;
}

static void print_row(const options *o, const char *name, const bench *b) {
    int held = 0;
    for (int i = 0; i < o->trials; i++)
        held += b->held[i];
    printf("%s,%s,%g,%d,%d,%g\n", name, kind_name[b->ground->kind], b->ground->amount, held,
           o->trials, o->seconds);
    fflush(stdout);
}

static bool measure(const options *o, const char *name, tr_pool *pool, bool *held) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    if (!tr_bench_load_controller(o->bundle, name, &model, &controller))
        return false;
    bench b = {.model = model,
               .controller = controller,
               .steps = (int64_t)ceil(o->seconds / controller->step_s),
               .seed = o->seed,
               .held = held};
    for (int g = 0; g < GROUNDS; g++) {
        if (o->only && strncmp(kind_name[grounds[g].kind], o->only, strlen(o->only)) != 0)
            continue;
        b.ground = &grounds[g];
        tr_pool_run(pool, work, &b, o->trials);
        print_row(o, name, &b);
    }
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return true;
}

static int exec(int argc, char **argv) {
    options o;
    tr_pool *pool = NULL;
    if (!parse(argc, argv, &o))
        return 2;
    bool *held = calloc((size_t)o.trials, sizeof *held);
    bool good = held && !tr_pool_create(o.threads, &pool);
    printf("controller,ground,amount,held,trials,seconds\n");
    for (int i = optind; good && i < argc; i++)
        good = measure(&o, argv[i], pool, held);
    tr_pool_destroy(pool);
    free(held);
    return good ? 0 : 1;
}

const tr_bench_command tr_bench_terrain = {
    "terrain", "CONTROLLER... [--trials 100] [--seconds 30] [--threads 1] [--only GROUND]",
    "trials that controllers stay up on platforms, slopes, kerbs, rubble and hills", exec};
