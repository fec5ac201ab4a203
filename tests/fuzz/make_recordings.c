/* Writes the seeds of recordings, small ones, with everything that can be in one: FOLDER. */
#include "fuzz/recorded.h"
#include "server/recording/recorder.h"
#include "server/world/snapshot.h"

#include <troupe/envelope.pb-c.h>

#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 4096 };

static tr_packet *snapshot(const tr_stage *stage) {
    tr_packet *packet = NULL;
    tr_saved saved = {0};
    if (tr_snapshot_write(&saved, stage, &packet))
        abort();
    return packet;
}

/* Pushes it, and writes that as its command. */
static void push(tr_stage *stage, tr_recorder *recorder, tr_entity_id entity) {
    Troupe__Vec3 force = TROUPE__VEC3__INIT;
    Troupe__Push m = TROUPE__PUSH__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    force.y = 80;
    m.entity = entity;
    m.force = &force;
    command.command_case = TROUPE__COMMAND__COMMAND_PUSH;
    command.push = &m;
    const tr_model *model = tr_world_character_model(tr_stage_world(stage), entity);
    tr_push order = {.entity = entity, .body = model->trunk, .force = {0, 80, 0}, .steps = 1};
    tr_packet *wire = tr_packet_create(troupe__command__get_packed_size(&command));
    if (!wire || tr_world_push(tr_stage_world(stage), &order))
        abort();
    troupe__command__pack(&command, wire->bytes);
    tr_recorder_command(recorder, "push", wire, 0);
    tr_packet_release(wire);
}

static void run(tr_stage *stage, tr_recorder *recorder, int steps) {
    for (int i = 0; i < steps; i++) {
        if (tr_stage_step(stage))
            abort();
        tr_recorder_step(recorder, stage);
        if (!tr_recorder_look(recorder).key_due)
            continue;
        tr_packet *key = snapshot(stage);
        tr_recorder_key(recorder, key);
        tr_packet_release(key);
    }
}

static tr_packet *record(int key_every, bool ends) {
    tr_world_def world = tr_world_def_default();
    tr_stage *stage = NULL;
    tr_recorder *recorder = NULL;
    tr_entity_id entity = 0;
    tr_spawn_def spawn = {.model = recorded_cast()->model[0]};
    if (tr_stage_create(&world, &stage) || tr_stage_spawn(stage, &spawn, &entity))
        abort();
    tr_packet *begun = snapshot(stage);
    tr_recorder_def def = {
        .world = "w", .cast = recorded_cast(), .check_every = 4, .key_every = key_every};
    if (tr_recorder_start(&def, stage, begun, &recorder))
        abort();
    run(stage, recorder, 6);
    push(stage, recorder, entity);
    run(stage, recorder, 6);
    tr_event event = {.kind = TR_EVENT_CONTROLLER_BEGAN, .entity = entity, .text = "run"};
    tr_recorder_event(recorder, &event);
    const tr_stage_library library = tr_cast_library(recorded_cast());
    tr_saved *saved = NULL;
    if (tr_snapshot_read(begun->bytes, begun->size, &saved, NULL) ||
        tr_stage_restore(stage, saved->stage, saved->stage_size, &library))
        abort();
    tr_recorder_jump(recorder, stage, begun);
    run(stage, recorder, 3);
    if (ends)
        tr_recorder_end(recorder, TR_OK, "stopped");
    else
        tr_recorder_flush(recorder);
    tr_packet *bytes = tr_recorder_take(recorder);
    tr_saved_destroy(saved);
    tr_packet_release(begun);
    tr_recorder_destroy(recorder);
    tr_stage_destroy(stage);
    return bytes;
}

static int write_seed(const char *folder, const char *name, int key_every, bool ends) {
    char path[PATH_SIZE];
    tr_packet *bytes = record(key_every, ends);
    snprintf(path, sizeof path, "%s/%s.trec", folder, name);
    FILE *file = fopen(path, "wbe");
    bool good = file && bytes && fwrite(bytes->bytes, 1, bytes->size, file) == bytes->size;
    if (file && fclose(file) != 0)
        good = false;
    tr_packet_release(bytes);
    return good;
}

int main(int count, char **words) {
    bool good = count == 2 && write_seed(words[1], "plain", 0, true) &&
                write_seed(words[1], "key_frames", 5, true) &&
                write_seed(words[1], "cut", 0, false);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
