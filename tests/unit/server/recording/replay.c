#include "cmocka_test.h"

#include "math/random.h"
#include "model/mjcf.h"
#include "model/name.h"
#include "server/recording/recorder_part.h"
#include "server/recording/replay.h"
#include "unit/control/puppet.h"
#include "unit/server/orders.h"

#include <string.h>

enum { LENGTH = 620 };

typedef struct fixture {
    tr_model *model;
    tr_controller *sway;
    tr_cast cast;
    uint64_t request;
} fixture;

FIXTURE(set_up) {
    static fixture f;
    f = (fixture){.model = puppet_model()};
    f.sway = puppet_sway(f.model, 4, 20, 3);
    tr_name_set(f.sway->name, "sway");
    tr_name_set(f.sway->model_name, "humanoid");
    tr_physics_init();
    assert_int_equal(tr_cast_add_model(&f.cast, f.model, "humanoid"), TR_OK);
    assert_int_equal(tr_cast_add_controller(&f.cast, f.sway), TR_OK);
    *given = &f;
}

FIXTURE(tear_down) {
    fixture *f = *given;
    tr_controller_destroy(f->sway);
    tr_model_destroy(f->model);
}

static tr_world_loop *make(tr_world_loop_def *given) {
    static tr_world_loop_def def;
    def = given ? *given : (tr_world_loop_def){.mode = TR_MODE_FAST, .paused = true};
    def.id = 257;
    def.rate = 1;
    def.world = tr_world_def_default();
    def.commands = &tr_commands;
    tr_world_loop *loop = NULL;
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    return loop;
}

static void clear_replies(tr_world_loop *loop) {
    tr_reply_destroy_all(loop->replies.first);
    loop->replies.first = NULL;
    loop->replies.end = &loop->replies.first;
}

static void settle(tr_world_loop *loop) {
    while (tr_world_loop_advance(loop, 0) <= 0)
        tr_event_list_clear(&loop->events);
}

/* Admits, settles, and copies the one reply; its data goes to *out_data when that is given. */
static tr_reply ask(tr_world_loop *loop, fixture *f, tr_command *asked, tr_packet **out_data) {
    clear_replies(loop);
    uint64_t request = asked->stamp.request = ++f->request;
    asked->stamp.session = 1;
    tr_world_loop_admit(loop, asked);
    settle(loop);
    for (tr_reply *reply = loop->replies.first; reply; reply = reply->next) {
        if (reply->request != request)
            continue;
        if (out_data && reply->data)
            *out_data = tr_packet_share(reply->data);
        return *reply;
    }
    fail_msg("no reply");
    return (tr_reply){0};
}

/* A command without a message, for kinds that look at none of it. */
static tr_reply ask_kind(tr_world_loop *loop, fixture *f, unsigned number) {
    tr_command *command = tr_command_create(tr_command_find(&tr_commands, number));
    assert_non_null(command);
    return ask(loop, f, command, NULL);
}

static tr_reply demand(tr_world_loop *loop, fixture *f, tr_command *command) {
    tr_reply reply = ask(loop, f, command, NULL);
    assert_int_equal(reply.error.status, TR_OK);
    return reply;
}

static tr_entity_id spawn(tr_world_loop *loop, fixture *f, double x, const char *label) {
    return demand(loop, f, order_spawn(&f->cast, "humanoid", "sway", label, x)).entity;
}

static void push(tr_world_loop *loop, fixture *f, tr_entity_id entity, double force) {
    demand(loop, f, order_push(entity, force, 0.1));
}

static void throw_ball(tr_world_loop *loop, fixture *f) {
    Troupe__Geom geom = TROUPE__GEOM__INIT, *geoms[1] = {&geom};
    Troupe__Vec3 size = TROUPE__VEC3__INIT, pos = TROUPE__VEC3__INIT, vel = TROUPE__VEC3__INIT;
    Troupe__SpawnObject m = TROUPE__SPAWN_OBJECT__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    size.x = 0.1, pos.x = -2, pos.z = 1.2, vel.x = 8;
    geom.kind = TROUPE__GEOM_KIND__GEOM_KIND_SPHERE;
    geom.size = &size;
    geom.friction = 1;
    m.n_geoms = 1;
    m.geoms = geoms;
    m.pos = &pos;
    m.vel = &vel;
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_OBJECT;
    command.spawn_object = &m;
    demand(loop, f, order_of(&command, NULL));
}

static tr_reply step(tr_world_loop *loop, fixture *f, int64_t count) {
    return ask(loop, f, order_step(count), NULL);
}

static void start_recording(tr_world_loop *loop, int check_every, int key_every) {
    tr_recorder_part_def def = {.id = 5, .check_every = check_every, .key_every = key_every};
    tr_name_set(def.world, "arena");
    assert_int_equal(tr_recorder_part_start(loop, &def, NULL), TR_OK);
    assert_true(tr_world_loop_describe(loop).recording == 5);
}

static tr_packet *stop_recording(tr_world_loop *loop, fixture *f) {
    assert_int_equal(ask_kind(loop, f, TROUPE__COMMAND__COMMAND_STOP_RECORDING).error.status,
                     TR_OK);
    tr_recorded *recorded = tr_recorder_part_take(loop);
    assert_non_null(recorded);
    assert_true(recorded->ended);
    tr_packet *bytes = tr_packet_share(recorded->bytes);
    tr_recorded_destroy(recorded);
    return bytes;
}

/* What happened in a world that was recorded: the file, and the hash after each step. */
typedef struct story {
    tr_packet *bytes;
    uint64_t hash[LENGTH + 1];
    int64_t pushed; /* the position at which the second push applied */
    tr_entity_id first, second;
} story;

static void walk(tr_world_loop *loop, fixture *f, story *s, int64_t *position, int count) {
    for (int i = 0; i < count; i++) {
        tr_reply reply = step(loop, f, 1);
        assert_int_equal(reply.error.status, TR_OK);
        s->hash[++*position] = reply.hash;
    }
}

/* Two characters, begun before the recording and in it; pushes, a ball, a reset. */
static void tell(fixture *f, story *s, int check_every, int key_every) {
    OWN(tr_world_loop) *loop = make(NULL);
    int64_t at = 0;
    memset(s, 0, sizeof *s);
    s->first = spawn(loop, f, 0, "one");
    assert_int_equal(step(loop, f, 30).error.status, TR_OK);
    start_recording(loop, check_every, key_every);
    s->hash[0] = tr_stage_hash(loop->stage);
    walk(loop, f, s, &at, 40);
    s->second = spawn(loop, f, 1.5, "two");
    throw_ball(loop, f);
    push(loop, f, s->first, 150);
    walk(loop, f, s, &at, 110);
    s->pushed = at;
    push(loop, f, s->second, -90);
    walk(loop, f, s, &at, 250);
    assert_int_equal(ask_kind(loop, f, TROUPE__COMMAND__COMMAND_RESET).error.status, TR_OK);
    walk(loop, f, s, &at, LENGTH - (int)at);
    s->bytes = stop_recording(loop, f);
}

static tr_status replay_with(const tr_cast *cast, tr_recording *recording, tr_replay **out,
                             tr_error *error) {
    const tr_replay_def def = {.recording = recording, .cast = cast, .commands = &tr_commands};
    return tr_replay_create(&def, out, error);
}

static tr_world_loop *replay_of(fixture *f, tr_packet *bytes) {
    tr_recording *recording = NULL;
    tr_replay *replay = NULL;
    tr_error error = {0};
    if (tr_recording_read(bytes, &recording, &error) ||
        replay_with(&f->cast, recording, &replay, &error))
        fail_msg("%s", error.message);
    tr_recording_release(recording);
    tr_world_loop_def def = {
        .mode = TR_MODE_REAL_TIME, .paused = true, .source = tr_replay_source(replay)};
    return make(&def);
}

static tr_replay_info info_of(const tr_world_loop *loop) {
    return tr_replay_describe((tr_replay *)loop->source);
}

static tr_reply seek(tr_world_loop *loop, fixture *f, int64_t position) {
    return ask(loop, f, order_seek(position), NULL);
}

TEST(test_verifies) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_world_loop *loop = replay_of(f, s.bytes);
    tr_reply reply = ask_kind(loop, f, TROUPE__COMMAND__COMMAND_VERIFY);
    tr_replay_info info = info_of(loop);
    assert_string_equal(reply.error.message, "");
    assert_int_equal(reply.error.status, TR_OK);
    assert_true(info.verified && info.position == LENGTH);
    assert_true(reply.hash == s.hash[LENGTH]);
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

/* At every position the state is the recorded one, to the bit. */
static void seek_about(fixture *f, int key_every) {
    story s;
    tell(f, &s, 0, key_every);
    tr_world_loop *loop = replay_of(f, s.bytes);
    tr_random random = tr_random_seed(4);
    for (int i = 0; i < 60; i++) {
        int64_t position = (int64_t)(tr_random_uniform(&random) * (LENGTH + 1));
        tr_reply reply = seek(loop, f, position);
        assert_int_equal(reply.error.status, TR_OK);
        assert_true(reply.hash == s.hash[position]);
        const int64_t count = i % 9 < LENGTH - position ? i % 9 : LENGTH - position;
        if (count > 0)
            assert_true(step(loop, f, count).hash == s.hash[position + count]);
        assert_int_equal(info_of(loop).position, position + count);
    }
    assert_string_equal(loop->failure, "");
    assert_int_equal(seek(loop, f, LENGTH + 1).error.status, TR_OUT_OF_RANGE);
    assert_int_equal(seek(loop, f, -1).error.status, TR_OUT_OF_RANGE);
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

TEST(test_seeks) {
    seek_about(*given, 0);
}

TEST(test_seeks_with_key_frames) {
    seek_about(*given, 50);
}

/* In real time it reaches the end at its pace and pauses there; in a loop it starts again. */
TEST(test_plays_and_loops) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_world_loop *loop = replay_of(f, s.bytes);
    tr_command *resume = order_bare(TROUPE__COMMAND__COMMAND_RESUME);
    int64_t now_ns = 0, step_ns = 5000000;
    tr_world_loop_admit(loop, resume);
    for (int i = 0; i <= LENGTH + 5; i++, now_ns += step_ns)
        while (tr_world_loop_advance(loop, now_ns) <= now_ns)
            continue;
    tr_replay_info info = info_of(loop);
    assert_true(loop->paused && info.position == LENGTH && !info.divergence.found);
    assert_true(tr_stage_hash(loop->stage) == s.hash[LENGTH]);
    tr_world_loop_admit(loop, order_set_loop(true));
    tr_world_loop_admit(loop, order_bare(TROUPE__COMMAND__COMMAND_RESUME));
    for (int i = 0; i <= LENGTH + 50; i++, now_ns += step_ns)
        while (tr_world_loop_advance(loop, now_ns) <= now_ns)
            continue;
    info = info_of(loop);
    assert_false(loop->paused);
    assert_true(info.position > 40 && info.position < 60);
    assert_true(tr_stage_hash(loop->stage) == s.hash[info.position]);
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

/* The turn in which it arrives may only show a state. */
TEST(test_a_command_that_waits_for_the_next_turn_does_not_end_the_replay) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_world_loop *loop = replay_of(f, s.bytes);
    assert_int_equal(seek(loop, f, 50).error.status, TR_OK);
    tr_world_loop_admit(loop, order_bare(TROUPE__COMMAND__COMMAND_RESUME));
    (void)tr_world_loop_end_turn(loop, 0, 0);
    assert_string_equal(loop->failure, "");
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

TEST(test_a_replay_refuses_commands_that_change_it) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_world_loop *loop = replay_of(f, s.bytes);
    static const unsigned refused[] = {
        TROUPE__COMMAND__COMMAND_PUSH,  TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER,
        TROUPE__COMMAND__COMMAND_RESET, TROUPE__COMMAND__COMMAND_MARK,
        TROUPE__COMMAND__COMMAND_JOIN,  TROUPE__COMMAND__COMMAND_DESPAWN,
        TROUPE__COMMAND__COMMAND_THROW, TROUPE__COMMAND__COMMAND_START_RECORDING,
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(ask_kind(loop, f, refused[i]).error.status, TR_FAILED_PRECONDITION);
    assert_true(tr_stage_hash(loop->stage) == s.hash[0]);
    tr_world_loop_destroy(loop);
    tr_world_loop *living = make(NULL);
    assert_int_equal(ask_kind(living, f, TROUPE__COMMAND__COMMAND_SEEK).error.status,
                     TR_FAILED_PRECONDITION);
    tr_world_loop_destroy(living);
    tr_packet_release(s.bytes);
}

/* A moment of a replay continues as a separate world: a branch. */
TEST(test_a_moment_branches) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_world_loop *loop = replay_of(f, s.bytes), *branch = make(NULL);
    tr_packet *data = NULL;
    assert_int_equal(seek(loop, f, s.pushed).error.status, TR_OK);
    (void)ask(loop, f, order_bare(TROUPE__COMMAND__COMMAND_SNAPSHOT), &data);
    assert_non_null(data);
    tr_saved *saved = NULL;
    assert_int_equal(tr_snapshot_read(data->bytes, data->size, &saved, NULL), TR_OK);
    branch->cast = f->cast;
    assert_int_equal(tr_world_loop_put_back(branch, saved, 0), TR_OK);
    assert_true(tr_stage_hash(branch->stage) == s.hash[s.pushed]);
    push(branch, f, s.second, -90);
    assert_true(step(branch, f, 1).hash == s.hash[s.pushed + 1]);
    tr_saved_destroy(saved);
    tr_packet_release(data);
    tr_world_loop_destroy(branch);
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

/* The chunk that `at` lies in gets the checksum of what it holds now. */
static void seal(tr_packet *bytes, size_t at) {
    uint32_t size = 0;
    size_t chunk = TR_RECORDING_MAGIC_SIZE;
    for (;; chunk += TR_CHUNK_HEAD_SIZE + size) {
        memcpy(&size, bytes->bytes + chunk, sizeof size);
        if (at < chunk + TR_CHUNK_HEAD_SIZE + size)
            break;
    }
    uint32_t checksum = tr_chunk_checksum(bytes->bytes + chunk + TR_CHUNK_HEAD_SIZE, size);
    memcpy(bytes->bytes + chunk + 4, &checksum, sizeof checksum);
}

/* The message of the last command in the file. */
static const tr_record *last_command(tr_packet *bytes, tr_record *out) {
    tr_recording *recording = NULL;
    tr_record record;
    assert_int_equal(tr_recording_read(bytes, &recording, NULL), TR_OK);
    tr_recording_cursor cursor = {TR_RECORDING_MAGIC_SIZE, 0};
    while (tr_recording_next(recording, &cursor, &record))
        if (record.kind == TR_RECORD_COMMAND)
            *out = record;
    tr_recording_release(recording);
    return out;
}

/* A push of another strength: verifying names the step after it, the pushed character, and a
 * body. */
TEST(test_verifying_names_the_differing_step) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_record command = {0};
    last_command(s.bytes, &command);
    assert_string_equal(command.name, "push");
    double force = -90, other = -91;
    size_t at = (size_t)(command.data - s.bytes->bytes), end = at + command.size;
    while (at < end && memcmp(s.bytes->bytes + at, &force, sizeof force) != 0)
        at++;
    assert_true(at < end);
    memcpy(s.bytes->bytes + at, &other, sizeof other);
    seal(s.bytes, at);
    tr_world_loop *loop = replay_of(f, s.bytes);
    tr_reply reply = ask_kind(loop, f, TROUPE__COMMAND__COMMAND_VERIFY);
    tr_divergence d = info_of(loop).divergence;
    print_message("%s\n", reply.error.message);
    assert_int_equal(reply.error.status, TR_DATA_LOSS);
    assert_true(d.found && d.position == s.pushed + 1 && d.tick == d.position + 30);
    assert_int_equal(d.entity, s.second);
    assert_string_equal(d.label, "two");
    assert_true(d.body >= 0 && d.body_name[0] != '\0');
    /* A replay stops there, and earlier positions can still be shown. */
    assert_int_equal(seek(loop, f, s.pushed + 40).error.status, TR_DATA_LOSS);
    assert_true(seek(loop, f, s.pushed).hash == s.hash[s.pushed]);
    assert_int_equal(step(loop, f, 5).error.status, TR_OUT_OF_RANGE);
    assert_true(info_of(loop).divergence.found);
    tr_world_loop_destroy(loop);
    tr_packet_release(s.bytes);
}

/* Verifies a recording of a world in which one joint of one of two characters was changed, unknown
 * to the recorder, after 25 of 45 steps. */
enum { TOUCHED_AT = 25, TOUCHED_BODY = 3 };

static tr_divergence verify_touched(fixture *f, int check_every, int key_every) {
    tr_world_loop *loop = make(NULL);
    (void)spawn(loop, f, 0, "one");
    tr_entity_id entity = spawn(loop, f, 3, "two");
    start_recording(loop, check_every, key_every);
    assert_int_equal(step(loop, f, TOUCHED_AT).error.status, TR_OK);
    tr_state at;
    assert_int_equal(tr_world_get_state(tr_stage_world(loop->stage), entity, &at), TR_OK);
    at.joint_rate[TOUCHED_BODY].y += 1e-12;
    assert_int_equal(tr_world_set_state(tr_stage_world(loop->stage), entity, &at), TR_OK);
    assert_int_equal(step(loop, f, 20).error.status, TR_OK);
    tr_packet *bytes = stop_recording(loop, f);
    tr_world_loop_destroy(loop);
    loop = replay_of(f, bytes);
    tr_reply reply = ask_kind(loop, f, TROUPE__COMMAND__COMMAND_VERIFY);
    tr_divergence d = info_of(loop).divergence;
    print_message("%s\n", reply.error.message);
    assert_int_equal(reply.error.status, TR_DATA_LOSS);
    assert_int_equal(d.position, TOUCHED_AT + 1);
    assert_int_equal(d.entity, entity);
    tr_world_loop_destroy(loop);
    tr_packet_release(bytes);
    return d;
}

TEST(test_names_the_body_that_was_touched) {
    tr_divergence d = verify_touched(*given, 1, 0);
    assert_true(d.body >= 0);
    assert_int_equal(d.body_at, d.position);
    assert_int_equal(d.same_at, TOUCHED_AT);
}

TEST(test_a_key_frame_names_the_body) {
    tr_divergence d = verify_touched(*given, 200, 10);
    assert_true(d.body >= 0 && d.body_name[0] != '\0');
    assert_int_equal(d.body_at, 30);
    assert_int_equal(d.same_at, 20);
    d = verify_touched(*given, 200, 1); /* at every step: the step itself, and the body touched */
    assert_int_equal(d.body, TOUCHED_BODY);
    assert_int_equal(d.body_at, d.position);
    assert_int_equal(d.same_at, TOUCHED_AT);
}

TEST(test_a_body_is_named_only_if_it_differs) {
    tr_divergence d = verify_touched(*given, 200, 0);
    assert_int_equal(d.body, -1);
    assert_int_equal(d.same_at, 0);
    d = verify_touched(*given, 15, 0);
    assert_true(d.body >= 0);
    assert_int_equal(d.body_at, 30);
    assert_int_equal(d.same_at, 15);
}

/* Its key frames are compared too. */
TEST(test_a_false_key_frame_is_found) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 20);
    tr_recording *recording = NULL;
    assert_int_equal(tr_recording_read(s.bytes, &recording, NULL), TR_OK);
    const tr_recording_info *info = tr_recording_describe(recording);
    const tr_recording_key *one = &info->key[1], *two = &info->key[2];
    while (one->size != two->size)
        one++, two++;
    assert_true(two->position < LENGTH);
    int64_t position = one->position;
    size_t at = (size_t)(one->data - s.bytes->bytes);
    memmove(s.bytes->bytes + at, two->data, one->size);
    seal(s.bytes, at);
    tr_world_loop *loop = replay_of(f, s.bytes);
    tr_reply reply = ask_kind(loop, f, TROUPE__COMMAND__COMMAND_VERIFY);
    tr_divergence d = info_of(loop).divergence;
    assert_int_equal(reply.error.status, TR_DATA_LOSS);
    assert_int_equal(d.position, position);
    assert_non_null(strstr(d.what, "key frame"));
    tr_world_loop_destroy(loop);
    tr_recording_release(recording);
    tr_packet_release(s.bytes);
}

/* A recording cut at any byte verifies as far as it can be read. */
TEST(test_cut_anywhere_verifies) {
    fixture *f = *given;
    story s;
    int64_t length = -1;
    tell(f, &s, 0, 0);
    for (size_t size = 0; size < s.bytes->size; size++) {
        tr_packet *cut = tr_packet_create(size);
        tr_recording *recording = NULL;
        if (size > 0)
            memcpy(cut->bytes, s.bytes->bytes, size);
        tr_status status = tr_recording_read(cut, &recording, NULL);
        bool longer = !status && tr_recording_describe(recording)->length > length;
        if (longer) {
            length = tr_recording_describe(recording)->length;
            OWN(tr_world_loop) *loop = replay_of(f, cut);
            tr_reply reply = ask_kind(loop, f, TROUPE__COMMAND__COMMAND_VERIFY);
            assert_int_equal(reply.error.status, TR_OK);
            assert_true(reply.hash == s.hash[length]);
        }
        tr_recording_release(recording);
        tr_packet_release(cut);
    }
    assert_true(length > LENGTH - 220);
    tr_packet_release(s.bytes);
}

TEST(test_a_replay_needs_the_named_controllers) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    tr_recording *recording = NULL;
    tr_replay *replay = NULL;
    tr_error error = {0};
    static tr_cast none;
    assert_int_equal(tr_recording_read(s.bytes, &recording, NULL), TR_OK);
    assert_int_equal(replay_with(&none, recording, &replay, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "model 'humanoid', which is not"));
    tr_controller *other = puppet_sway(f->model, 4, 20, 99);
    tr_name_set(other->name, "sway");
    static tr_cast cast;
    cast = f->cast;
    cast.controller[0] = other;
    assert_int_equal(replay_with(&cast, recording, &replay, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "a different one with this name"));
    tr_controller_destroy(other);
    tr_recording_release(recording);
    tr_packet_release(s.bytes);
}

/* Another simulation's recording is refused before it is shown. */
TEST(test_other_simulation_is_refused) {
    fixture *f = *given;
    story s;
    tell(f, &s, 0, 0);
    enum { PHYSICS_AT = TR_RECORDING_MAGIC_SIZE + TR_CHUNK_HEAD_SIZE + 1 + 4 + 16 };
    s.bytes->bytes[PHYSICS_AT] ^= 1;
    seal(s.bytes, PHYSICS_AT);
    tr_recording *recording = NULL;
    tr_replay *replay = NULL;
    tr_error error = {0};
    assert_int_equal(tr_recording_read(s.bytes, &recording, NULL), TR_OK);
    assert_int_equal(replay_with(&f->cast, recording, &replay, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "simulation with other results"));
    tr_recording_release(recording);
    tr_packet_release(s.bytes);
}

TEST_FIXTURE(set_up, tear_down);
