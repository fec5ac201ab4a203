/* Commands on a world, or on one of its entities, that one request performs: a row each. */
#include "cli/cli.h"

#include <limits.h>
#include <math.h>

/* What the rows take from the command line, each some of it. */
typedef struct values {
    tr_cli_target target;
    const char *name;
    int number, check_every, key_every;
    int64_t position;
    double rate;
    bool mirrored;
    tr_client_travel travel;
    tr_client_push_def push;
    tr_client_throw_def throw;
} values;

/* The request is an expression of `client`, `at`, `entity` and the values `v`. */
#define ENTRY(symbol, request, ...)                                                                \
    static uint64_t send_##symbol(tr_client *client, tr_client_at at, uint32_t entity,             \
                                  const void *given) {                                             \
        const values *v = given;                                                                   \
        (void)entity, (void)v;                                                                     \
        return request;                                                                            \
    }                                                                                              \
    const tr_cli_command tr_cli_command_##symbol = {                                               \
        .values_size = sizeof(values), .send = send_##symbol, __VA_ARGS__};

/* --- worlds --- */

ENTRY(pause, tr_client_pause(client, at), .name = "pause",
      .summary = "pause a real-time or fast world",
      .help =
          "Commands still apply while it is paused, and 'troupe step' moves it by single ticks.\n\n"
          "  troupe pause arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "paused")

ENTRY(resume, tr_client_resume(client, at), .name = "resume", .summary = "resume a paused world",
      .help = "It continues from the tick at which it was paused.\n\n"
              "  troupe resume arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "resumed")

ENTRY(mark, tr_client_mark(client, at), .name = "mark",
      .summary = "set the reset point of a world to its present state",
      .help = "Until the first mark the world keeps a default reset point, taken again after each\n"
              "spawn and despawn.\n\n"
              "  troupe mark arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "marked")

ENTRY(reset, tr_client_reset(client, at), .name = "reset",
      .summary = "return a world to its reset point",
      .help =
          "Commands that wait for a later tick are dropped; the epoch of the world increases by\n"
          "one.\n\n"
          "  troupe reset arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "reset")

ENTRY(rate, tr_client_set_rate(client, at, v->rate), .name = "rate",
      .summary = "set how fast a real-time world runs", .help = "  troupe rate arena 0.25",
      .argument = {TR_CLI_WORLD,
                   {"RATE", TR_OPTION_REAL, offsetof(values, rate),
                    "seconds of the world per second, 0.01 to 100"},
                   TR_CLI_AT},
      .done = "rate set")

static const values one_step = {.number = 1};
ENTRY(step, tr_client_step(client, at, (uint32_t)v->number), .name = "step",
      .summary = "advance a stepped or paused world by a number of ticks",
      .help =
          "Waits until the world has reached the tick, and prints the tick and the hash of the\n"
          "complete state: equal hashes mean equal worlds, to the bit. If other clients have\n"
          "joined as steppers, the world waits for them too.\n\n"
          "  troupe step lab 200",
      .argument = {TR_CLI_WORLD,
                   {"[COUNT]", TR_OPTION_COUNT, offsetof(values, number), "ticks; default 1", 1,
                    1000000}},
      .defaults = &one_step, .done = "stepped")

ENTRY(remove_scenery, tr_client_remove_scenery(client, at, (uint32_t)v->number),
      .name = "remove-scenery", .summary = "remove a piece of scenery from a world",
      .help = "'troupe scenery' lists the pieces with their ids.\n\n"
              "  troupe remove-scenery arena 3",
      .argument = {TR_CLI_WORLD,
                   {"ID", TR_OPTION_COUNT, offsetof(values, number),
                    "of the piece, as 'troupe scenery' lists it", 0, INT_MAX},
                   TR_CLI_AT},
      .done = "removed")

ENTRY(record,
      tr_client_start_recording(client, at,
                                &(tr_client_record_def){.name = v->name,
                                                        .check_every = (uint32_t)v->check_every,
                                                        .key_every = (uint32_t)v->key_every}),
      .name = "record", .summary = "record a world, from now until 'troupe stop-recording'",
      .help =
          "The daemon stores the initial state, every command, and a trace of every step: less\n"
          "than 1 MB an hour for a character. --key-every also stores whole states, for seeking\n"
          "without simulating; with --check-every 1 'troupe verify' can name the body that\n"
          "differs first.\n\n"
          "  troupe record arena monday\n"
          "  troupe stop-recording arena\n"
          "  troupe replay monday",
      .argument = {TR_CLI_WORLD,
                   {"NAME", TR_OPTION_TEXT, offsetof(values, name),
                    "name of the recording: letters, digits, . _ -"},
                   {"--check-every TICKS", TR_OPTION_COUNT, offsetof(values, check_every),
                    "ticks between hashes of the whole state; default 200", 1, 1000000},
                   {"--key-every TICKS", TR_OPTION_COUNT, offsetof(values, key_every),
                    "ticks between whole states; default: none", 1, 1000000},
                   TR_CLI_AT},
      .done = "recording")

ENTRY(stop_recording, tr_client_stop_recording(client, at), .name = "stop-recording",
      .summary = "end the recording of a world",
      .help = "'troupe recordings' lists the recordings.\n\n"
              "  troupe stop-recording arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "recording ended")

/* Daemons take the ids of these worlds alone, which are looked up where a name is given. */
ENTRY(seek, tr_client_seek(client, at.world, v->position), .name = "seek",
      .summary = "jump to a tick of a replay",
      .help = "POSITION counts the steps from the recording's start; the answer is sent when the\n"
              "replay has reached it.\n\n"
              "  troupe seek again 4000",
      .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(tr_cli_target, world),
                    "name or #ID of a replay"},
                   {"POSITION", TR_OPTION_INTEGER, offsetof(values, position), "steps"}},
      .done = "there")

ENTRY(remove_stepper, tr_client_remove_stepper(client, at, (uint32_t)v->number),
      .name = "remove-stepper", .summary = "remove a client that holds up a stepped world",
      .help = "The world no longer waits for that stepper's next step; its subscribers "
              "get an event.\n"
              "The client joins again with its next step. For directors.\n\n"
              "  troupe remove-stepper lab\n"
              "  troupe remove-stepper lab 2",
      .argument = {TR_CLI_WORLD,
                   {"[ORDER]", TR_OPTION_COUNT, offsetof(values, number),
                    "the stepper's order number; default: 0, the one that the world waits for", 0,
                    1000}},
      .done = "removed")

/* --- characters and objects --- */

ENTRY(despawn, tr_client_despawn(client, at, entity), .name = "despawn",
      .summary = "remove a character or an object from a world",
      .help = "  troupe despawn arena guard", .argument = {TR_CLI_WORLD, TR_CLI_ENTITY, TR_CLI_AT},
      .done = "despawned")

ENTRY(set_controller, tr_client_set_controller(client, at, entity, v->name),
      .name = "set-controller", .summary = "change the controller that drives a character",
      .help = "It begins at the end of the current control fragment, at its fragment that is\n"
              "nearest to the state; 'troupe events' shows when. Without CONTROLLER no controller\n"
              "drives the character, and its servos hold the last pose.\n\n"
              "  troupe set-controller arena guard run",
      .argument = {TR_CLI_WORLD,
                   TR_CLI_ENTITY,
                   {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(values, name),
                    "see 'troupe controllers'"},
                   TR_CLI_AT},
      .done = "accepted")

ENTRY(
    set_fragment, tr_client_set_fragment(client, at, entity, (uint32_t)v->number, v->mirrored),
    .name = "set-fragment", .summary = "choose the control fragment that a character performs next",
    .help = "It begins when the current fragment ends, once; from there the controller continues\n"
            "by itself. 'troupe controllers NAME' lists the fragments. A transition that was not\n"
            "learned may end in a fall.\n\n"
            "  troupe set-fragment arena guard 3",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"FRAGMENT", TR_OPTION_COUNT, offsetof(values, number), "from 0", 0, INT_MAX},
                 {"--mirrored", TR_OPTION_FLAG, offsetof(values, mirrored),
                  "in the mirrored half of the cycle"},
                 TR_CLI_AT},
    .done = "accepted")

static uint64_t push(tr_client *client, tr_client_at at, uint32_t entity, tr_client_push_def def) {
    def.entity = entity;
    return tr_client_push(client, at, &def);
}

static const values standard_push = {.push.duration_s = 0.2};
ENTRY(
    push, push(client, at, entity, v->push), .name = "push",
    .summary = "push a character or an object with a force for a time",
    .help = "The standard test of robustness is 0.2 s against the upper torso, which is the "
            "default body.\n\n"
            "  troupe push arena guard 0,120,0\n"
            "  troupe push arena '#65537' -200,0,0 --duration 0.1 --body pelvis",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"FORCE", TR_OPTION_VECTOR, offsetof(values, push.force), "x,y,z in the world, N"},
                 {"--duration S", TR_OPTION_REAL, offsetof(values, push.duration_s), "default 0.2"},
                 {"--body NAME", TR_OPTION_TEXT, offsetof(values, push.body),
                  "default: the model's trunk"},
                 {"--point X,Y,Z", TR_OPTION_VECTOR, offsetof(values, push.point),
                  "from its centre of mass, m"},
                 TR_CLI_AT},
    .defaults = &standard_push, .done = "pushed")

static const values gentle_travel = {.travel.duration_s = 2};
ENTRY(
    carry, tr_client_carry(client, at, entity, &v->travel), .name = "carry",
    .summary = "move a platform or a lift to a place",
    .help =
        "The object starts and stops gently and carries what stands on it. It must be kinematic:\n"
        "'troupe spawn-object --kinematic'.\n\n"
        "  troupe spawn-object arena box --size 1,1,0.1 --pos 3,0,0.1 --label lift --kinematic\n"
        "  troupe carry arena lift 3,0,2.1 --duration 4 --shuttle",
    .argument = {TR_CLI_WORLD,
                 TR_CLI_ENTITY,
                 {"PLACE", TR_OPTION_VECTOR, offsetof(values, travel.pos),
                  "x,y,z of its centre, m"},
                 {"--duration S", TR_OPTION_REAL, offsetof(values, travel.duration_s), "default 2"},
                 {"--shuttle", TR_OPTION_FLAG, offsetof(values, travel.shuttle),
                  "travel there and back, again and again"},
                 TR_CLI_AT},
    .defaults = &gentle_travel, .done = "carried")

static uint64_t throw_it(tr_client *client, tr_client_at at, uint32_t entity,
                         tr_client_throw_def def) {
    def.entity = entity;
    def.move = !isnan(def.pos[0]);
    return tr_client_throw(client, at, &def);
}

static const values from_its_place = {.throw.pos = {NAN}};
ENTRY(throw, throw_it(client, at, entity, v->throw), .name = "throw",
      .summary = "throw an object, from where it is or from another place",
      .help = "'troupe spawn-object' makes an object, and explains how fast one may be.\n\n"
              "  troupe throw arena ball -6,0,1 --pos 3,0,1.2",
      .argument = {TR_CLI_WORLD,
                   TR_CLI_ENTITY,
                   {"VELOCITY", TR_OPTION_VECTOR, offsetof(values, throw.vel), "x,y,z, m/s"},
                   {"--spin X,Y,Z", TR_OPTION_VECTOR, offsetof(values, throw.omega),
                    "rad/s; default none"},
                   {"--pos X,Y,Z", TR_OPTION_VECTOR, offsetof(values, throw.pos),
                    "start there, m; default: where it is"},
                   TR_CLI_AT},
      .defaults = &from_its_place, .done = "thrown")
