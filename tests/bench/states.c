/* troupe-bench states: bytes of a state of one character, full, quantised and compact, and how far
 * the compact one puts hands and feet from where they are. Each controller is pushed, gets another
 * place of its cycle now and then, and goes limp, by a seed. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "db/tables/controllers.h"
#include "math/random.h"
#include "model/mjcf.h"
#include "server/world/encode.h"
#include "troupe/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <troupe/state.pb-c.h>

enum { FULL = 1, BODIES = 4, QUANTISED = 257, COMPACT = 16384 }; /* fields of a state */
enum { EVERY = 7, STATES = 120, PUSH_AT = 30, LIMP_AT = 90, NAMES = 256 };

#define WORST_M 0.01 /* that a compact pose may be off at hands, feet and toes */

static const char *bundle = TR_BENCH_BUNDLE;
static int seed = 1;

typedef struct totals {
    size_t full, quantised, compact, pose, places;
    double sum_m, worst_m;
} totals;

static size_t size_of(const tr_world_loop *loop, uint32_t fields, Troupe__WorldState **out) {
    tr_packet *packet = NULL;
    if (tr_encode_state(loop, fields, &packet))
        abort();
    size_t size = packet->size;
    if (out)
        *out = troupe__world_state__unpack(NULL, size, packet->bytes);
    tr_packet_release(packet);
    return size;
}

/* What a client knows of a model. */
static void describe(const tr_model *model, tr_client_body *out) {
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *from = &model->body[i];
        out[i] = (tr_client_body){.parent = from->parent};
        memcpy(out[i].pos, &from->pos, sizeof out[i].pos);
        memcpy(out[i].rot, &from->rot, sizeof out[i].rot);
        memcpy(out[i].anchor, &from->anchor, sizeof out[i].anchor);
        if (from->joint == TR_JOINT_HINGE)
            memcpy(out[i].axis, &from->axis, sizeof out[i].axis);
    }
}

static void compare(const tr_model *model, int body, const float *exact, const float *unpacked,
                    totals *sum) {
    if (body < 0 || body >= model->body_count)
        return;
    double distance = 0;
    for (int k = 0; k < 3; k++)
        distance = hypot(distance, (double)(exact[3 * body + k] - unpacked[3 * body + k]));
    sum->sum_m += distance;
    sum->worst_m = fmax(sum->worst_m, distance);
    sum->places++;
}

static bool add_state(const tr_world_loop *loop, const tr_model *model, totals *sum) {
    Troupe__WorldState *exact = NULL, *compact = NULL;
    tr_client_body bodies[TR_BODY_MAX];
    tr_client_pose pose;
    describe(model, bodies);
    sum->full += size_of(loop, FULL, NULL);
    sum->quantised += size_of(loop, QUANTISED, NULL);
    sum->compact += size_of(loop, COMPACT, &compact);
    (void)size_of(loop, BODIES, &exact);
    const ProtobufCBinaryData *packed = &compact->characters[0]->pose;
    const tr_client_character character = {.pose_size = packed->len, .pose = packed->data};
    bool ok = !tr_client_unpack_pose(&character, bodies, model->body_count, &pose);
    sum->pose += packed->len;
    for (int side = 0; ok && side < 2; side++) {
        compare(model, model->hand[side], exact->characters[0]->body_pos, pose.body_pos[0], sum);
        compare(model, model->foot[side], exact->characters[0]->body_pos, pose.body_pos[0], sum);
        compare(model, model->toe[side], exact->characters[0]->body_pos, pose.body_pos[0], sum);
    }
    troupe__world_state__free_unpacked(exact, NULL);
    troupe__world_state__free_unpacked(compact, NULL);
    return ok;
}

static tr_world_loop *make_loop(const tr_model *model, const tr_controller *controller,
                                tr_entity_id *id) {
    static tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .name = "states"};
    tr_world_loop *loop = NULL;
    tr_spawn_def spawn = {.model = model, .controller = controller, .pos = {9, -9, 0}};
    def.world = tr_world_def_default();
    if (tr_world_loop_create(&def, 0, &loop) || tr_cast_add_model(&loop->cast, model, "humanoid") ||
        tr_stage_spawn(loop->stage, &spawn, id))
        return NULL;
    return loop;
}

static void happen(tr_world_loop *loop, tr_entity_id id, int state, tr_random *draw) {
    double angle = 2 * TR_PI * tr_random_uniform(draw), force_n = 300 * tr_random_uniform(draw);
    tr_push push = {
        .entity = id, .steps = 40, .force = {force_n * cos(angle), force_n * sin(angle), 0}};
    if (state % PUSH_AT == 0)
        (void)!tr_world_push(tr_stage_world(loop->stage), &push);
    if (state == LIMP_AT)
        (void)!tr_stage_set_limp(loop->stage, id, true);
}

static bool measure(const char *name) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    tr_entity_id id;
    totals sum = {0};
    tr_random draw = tr_random_seed((uint64_t)seed);
    if (!tr_bench_load_controller(bundle, name, &model, &controller))
        return false;
    tr_world_loop *loop = make_loop(model, controller, &id);
    bool ok = loop != NULL;
    for (int i = 1; ok && i <= STATES; i++) {
        happen(loop, id, i, &draw);
        for (int step = 0; step < EVERY; step++)
            (void)tr_world_loop_advance(loop, 0);
        ok = add_state(loop, model, &sum);
    }
    if (ok && sum.worst_m > WORST_M)
        fprintf(stderr, "%s: a hand or foot is off by %.1f mm: expected at most %.0f\n", name,
                1e3 * sum.worst_m, 1e3 * WORST_M);
    if (ok)
        printf("%s,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f\n", name, (double)sum.full / STATES,
               (double)sum.quantised / STATES, (double)sum.compact / STATES,
               (double)sum.pose / STATES, 1e3 * sum.sum_m / fmax(1, (double)sum.places),
               1e3 * sum.worst_m);
    tr_world_loop_destroy(loop);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return ok && sum.worst_m <= WORST_M;
}

static bool measure_all(void) {
    static tr_controller_row row[32];
    tr_catalogue *catalogue = NULL;
    char after[TR_NAME_MAX] = "";
    bool ok = !tr_catalogue_open(bundle, TR_CATALOGUE_READ, &catalogue, NULL);
    for (int count = 32; ok && count == 32;) {
        tr_controller_filter filter = {.after = *after ? after : NULL};
        ok = !tr_controllers_list(catalogue, &filter, row, &count, NULL);
        for (int i = 0; ok && i < count; i++)
            ok = measure(row[i].name);
        if (ok && count > 0)
            memcpy(after, row[count - 1].name, sizeof after);
    }
    tr_catalogue_close(catalogue);
    return ok;
}

static int exec(int count, char **words) {
    puts("controller,full_bytes,quantised_bytes,compact_bytes,pose_bytes,mean_error_mm,"
         "worst_error_mm");
    bool ok = count > 0 || measure_all();
    for (int i = 0; ok && i < count; i++)
        ok = measure(words[i]);
    return ok ? 0 : 1;
}

static const tr_bench_option options[] = {
    TR_BENCH_BUNDLE_OPTION(&bundle),
    {{"seed", TR_OPTION_COUNT, &seed, 0, 1e9}, "1", "of the pushes"},
};

const tr_bench_command tr_bench_states = {
    .name = "states",
    .summary = "bytes of a state message: full, quantised and compact, with the error",
    .words = "[CONTROLLER...]",
    .word_low = 0,
    .word_high = NAMES,
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .output =
        "A row per controller, all of the bundle unless named: mean bytes of a state of one\n"
        "character in the three forms, of the compact pose alone, and how far it puts hands,\n"
        "feet and toes from their places. Fails if that is more than 10 mm.",
    .exec = exec};
