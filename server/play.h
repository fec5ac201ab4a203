/* A play: what happens in one hosted world, apart from threads, clocks and the wire.
 *
 * It owns the stage and the commands that wait, decides when the world may step, applies commands
 * in their order, and collects what the outside is to hear: replies, events, and which states are
 * due. host.c runs it on the world threads; tests run it alone. Time is an argument. Deterministic:
 * state and replies follow from the commands' stamps (in a stepped world: from what each client
 * sends, whatever the timing between clients).
 *
 * Invariants, at every return to the host:
 *   1. No command in `queue` has a tick before the stage's.
 *   2. Every command that was admitted is in `queue`, `steps` or `looks`, or answered.
 *   3. A command at tick T has applied before the step from T to T + 1 and after the step to T.
 *   4. Every character and object that is on the stage is in the mark, until a client has set a
 *      mark of its own. */
#ifndef TROUPE_SERVER_PLAY_H
#define TROUPE_SERVER_PLAY_H

#include "server/cast.h"
#include "server/command.h"
#include "server/event.h"
#include "server/lockstep.h"
#include "server/pace.h"
#include "server/publisher.h"
#include "server/snapshot.h"

typedef enum tr_world_mode { TR_MODE_REAL_TIME, TR_MODE_STEPPED, TR_MODE_FAST } tr_world_mode;

typedef struct tr_play_def {
    uint32_t id; /* of the world, on the wire */
    char name[TR_NAME_MAX];
    uint64_t seed;
    tr_world_mode mode;
    double rate;  /* real time: simulated seconds per second */
    int steppers; /* stepped: how many it waits for */
    bool paused;
    tr_world_def world;
    int scenery_count;
    tr_scenery_def scenery[TR_SCENERY_MAX];
} tr_play_def;

/* Replies in the order in which they were given. */
typedef struct tr_reply_list {
    tr_reply *first, **end;
} tr_reply_list;

typedef struct tr_play {
    uint32_t id;
    uint64_t seed;
    tr_world_mode mode;
    uint32_t epoch; /* resets and restores so far */
    tr_stage *stage;
    tr_cast cast;
    int label_count;
    tr_label label[TR_CHARACTER_MAX];
    tr_packet *mark;  /* where reset returns to */
    bool mark_is_set; /* by a client */

    tr_command_queue queue; /* in order, for their ticks */
    tr_command_queue steps; /* step requests; stamp.tick is the tick they wait for */
    tr_command_queue looks; /* requests for the state, answered at the end of a turn */

    tr_lockstep lockstep; /* stepped */
    tr_pace pace;         /* real time */
    double rate;
    bool paused;
    int64_t allowance;    /* paused: steps that were asked for */
    int64_t told_dropped; /* of pace.dropped_steps, those an event has told */
    int64_t lateness_ns;  /* of the last step */

    tr_publisher publisher;
    tr_event_list events;
    tr_reply_list replies;
} tr_play;

/* What the outside may know of it at any time. */
typedef struct tr_play_info {
    double step_s, rate, time_s;
    bool paused;
    int64_t tick;
    uint64_t seed;
    uint32_t epoch;
    int character_count, object_count, stepper_count, pending_count;
    int64_t dropped_ticks;
} tr_play_info;

/* The stage as described, at tick 0. TR_INVALID_ARGUMENT as tr_stage_create. */
tr_status tr_play_create(const tr_play_def *def, int64_t now_ns, tr_play **out) TR_NODISCARD;

/* With commands that wait and replies not taken; NULL is fine. */
void tr_play_destroy(tr_play *play);

/* Takes a command: stamps it and lets it wait, applies it at once, or refuses it; each ends in one
 * reply. */
void tr_play_admit(tr_play *play, tr_command *command);

/* Applies what may apply and steps at most once. Returns when it wants to go on: a time not after
 * `now_ns` for at once, INT64_MAX for not before the next command. */
int64_t tr_play_advance(tr_play *play, int64_t now_ns);

/* The end: whatever waits is answered, and the last event told. */
void tr_play_close(tr_play *play);

tr_play_info tr_play_describe(const tr_play *play);

/* --- for the files of this noun: play.c, apply.c, mark.c --- */

int64_t tr_play_tick(const tr_play *play);

/* Applies one command that is due, and fills `result`: entity, hash, data, error. apply.c. */
void tr_play_apply(tr_play *play, tr_command *command, tr_reply *result, int64_t now_ns);

/* Sends `result` with the present tick as the answer, unless the command is silent, tells the
 * event, and destroys the command. Takes result->data. */
void tr_play_answer(tr_play *play, tr_command *command, tr_reply *result);

/* Lets it wait for the tick of its stamp among the steps, which are answered as the world gets
 * there. Takes it. */
void tr_play_await(tr_play *play, tr_command *command);

void tr_play_tell(tr_play *play, tr_event_kind kind); /* an event with nothing but tick and epoch */

/* Answers everything that waits for a tick with TR_ABORTED and this message. */
void tr_play_abort_pending(tr_play *play, const char *why);

/* The mark and snapshots: mark.c. */
tr_status tr_play_take_mark(tr_play *play) TR_NODISCARD;
tr_status tr_play_reset(tr_play *play, int64_t now_ns) TR_NODISCARD;
tr_status tr_play_snapshot(const tr_play *play, tr_packet **out) TR_NODISCARD;
tr_status tr_play_restore(tr_play *play, tr_restore_order *order, int64_t now_ns) TR_NODISCARD;

/* Ends a pause. */
void tr_play_resume(tr_play *play, int64_t now_ns);

const char *tr_play_label(const tr_play *play, tr_entity_id entity); /* "" when it has none */

#endif
