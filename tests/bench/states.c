/* troupe-bench states: bytes of a state message of one running character: full, quantised, and what
 * deltas between quantised states at 30 Hz would take.
 *
 * The delta is the best that fits newest-wins: against the state before, each 15-bit number as its
 * difference, a varint of its zigzag form; a rotation whose left-out component changed is sent
 * whole. A delta would need a base that the client has for certain; these figures assume it has. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "model/mjcf.h"
#include "proto/quantise.h"
#include "server/world/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <troupe/state.pb-c.h>

enum { EVERY = 7, STATES = 300, FULL = 9, QUANTISED = FULL | 256 };

static size_t varint_size(int64_t difference) {
    uint64_t zigzag = (uint64_t)(difference << 1) ^ (uint64_t)(difference >> 63);
    size_t size = 1;
    for (; zigzag >= 0x80; zigzag >>= 7)
        size++;
    return size;
}

static uint64_t bits_of(const uint8_t *bytes) {
    uint64_t bits = 0;
    for (int i = 0; i < TR_QUANTISED_SIZE; i++)
        bits |= (uint64_t)bytes[i] << (8 * i);
    return bits;
}

static size_t delta_size(const uint8_t *now, const uint8_t *before) {
    uint64_t a = bits_of(now), b = bits_of(before);
    if (a >> 45 != b >> 45)
        return 1 + TR_QUANTISED_SIZE;
    size_t size = 0;
    for (int i = 0; i < 3; i++)
        size += varint_size((int64_t)(a >> (15 * i) & 32767) - (int64_t)(b >> (15 * i) & 32767));
    return size;
}

typedef struct totals {
    size_t full, quantised, rotations, deltas;
    uint8_t before[64 * TR_QUANTISED_SIZE];
} totals;

static bool add_state(const tr_world_loop *loop, int index, totals *sum) {
    tr_packet *full = NULL, *quantised = NULL;
    bool ok = !tr_encode_state(loop, FULL, &full) && !tr_encode_state(loop, QUANTISED, &quantised);
    Troupe__WorldState *state =
        ok ? troupe__world_state__unpack(NULL, quantised->size, quantised->bytes) : NULL;
    ok = state && state->n_characters == 1;
    if (ok && index > 0) {
        const ProtobufCBinaryData *rot = &state->characters[0]->joint_rot_q;
        sum->full += full->size;
        sum->quantised += quantised->size;
        sum->rotations += rot->len;
        for (size_t i = 0; i + TR_QUANTISED_SIZE <= rot->len; i += TR_QUANTISED_SIZE)
            sum->deltas += delta_size(rot->data + i, sum->before + i);
    }
    if (ok)
        memcpy(sum->before, state->characters[0]->joint_rot_q.data,
               state->characters[0]->joint_rot_q.len);
    if (state)
        troupe__world_state__free_unpacked(state, NULL);
    tr_packet_release(full);
    tr_packet_release(quantised);
    return ok;
}

static tr_world_loop *make_loop(const tr_model *model, const tr_controller *controller) {
    static tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .name = "states"};
    tr_world_loop *loop = NULL;
    tr_entity_id id;
    tr_spawn_def spawn = {.model = model, .controller = controller};
    def.world = tr_world_def_default();
    if (tr_world_loop_create(&def, 0, &loop) || tr_cast_add_model(&loop->cast, model, "humanoid") ||
        tr_stage_spawn(loop->stage, &spawn, &id))
        return NULL;
    return loop;
}

static int exec(int count, char **words) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    totals sum = {0};
    (void)count;
    (void)words;
    if (!tr_bench_load_controller(TR_BENCH_BUNDLE, "run", &model, &controller))
        return 1;
    tr_world_loop *loop = make_loop(model, controller);
    bool ok = loop != NULL;
    for (int i = 0; ok && i <= STATES; i++) {
        for (int step = 0; step < EVERY; step++)
            (void)tr_world_loop_advance(loop, 0);
        ok = add_state(loop, i, &sum);
    }
    double others = (double)(sum.quantised - sum.rotations) / STATES;
    puts("full_bytes,quantised_bytes,delta_bytes,quantised_saves_percent,delta_saves_percent_more");
    if (ok)
        printf("%.0f,%.0f,%.0f,%.0f,%.0f\n", (double)sum.full / STATES,
               (double)sum.quantised / STATES, others + (double)sum.deltas / STATES,
               100 - 100 * (double)sum.quantised / (double)sum.full,
               100 - 100 * (others * STATES + (double)sum.deltas) / (double)sum.quantised);
    tr_world_loop_destroy(loop);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_states = {
    .name = "states",
    .summary = "bytes of a state message: full, quantised, and as deltas",
    .output = "One row: bytes of a state of a running character in the mean, in the three forms, "
              "and what the\n"
              "second and third save.",
    .exec = exec};
