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
 *      mark of its own.
 *   5. The stage changes in tr_play_simulate, tr_play_apply and tr_play_put_back alone, so that a
 *      recording of it replays. */
#ifndef TROUPE_SERVER_PLAY_H
#define TROUPE_SERVER_PLAY_H

#include "server/catalogue/cast.h"
#include "server/config/lateness.h"
#include "server/recording/recorder.h"
#include "server/recording/replay.h"
#include "server/world/command.h"
#include "server/world/contain.h"
#include "server/world/event.h"
#include "server/world/lockstep.h"
#include "server/world/pace.h"
#include "server/world/publisher.h"
#include "server/world/snapshot.h"

struct tr_referee;
struct tr_referee_def;

typedef enum tr_world_mode { TR_MODE_REAL_TIME, TR_MODE_STEPPED, TR_MODE_FAST } tr_world_mode;

typedef struct tr_play_def {
    uint32_t id; /* of the world, on the wire */
    char name[TR_NAME_MAX];
    uint64_t seed;
    tr_world_mode mode;
    double rate;  /* real time: simulated seconds per second */
    int steppers; /* stepped: how many it waits for */
    bool paused;
    /* A match is fought here (referee.h), read at the creation; NULL: an ordinary world. */
    const struct tr_referee_def *referee;
    bool staggered; /* real time: deadlines on the grid of `phase`, pace.h */
    double phase;
    tr_fault_rule fault_rule; /* for what becomes non-finite: contain.h */
    tr_world_def world;
    int scenery_count;
    tr_scenery_def scenery[TR_SCENERY_MAX];
    tr_replay *replay; /* NULL: a world that lives; else taken on success */
} tr_play_def;

/* Replies in the order in which they were given. */
typedef struct tr_reply_list {
    tr_reply *first, **end;
} tr_reply_list;

typedef struct tr_play {
    uint32_t id;
    uint64_t seed;
    tr_world_mode mode;
    tr_fault_rule fault_rule;
    uint32_t epoch; /* resets and restores so far */
    tr_stage *stage;
    struct tr_referee *referee; /* of a match that is fought here; owned, NULL: none */
    tr_cast cast;
    int label_count;
    tr_label label[TR_CHARACTER_MAX];
    tr_replay *replay;     /* NULL: the world lives; else what it shows */
    tr_recorder *recorder; /* NULL: it is not recorded */
    int64_t flushed_ns;    /* when the recorder was flushed last */
    uint64_t recording;    /* id of the recorder's file */
    tr_packet *mark;       /* where reset returns to */
    bool mark_is_set;      /* by a client */

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
    tr_lateness lateness; /* real time: of all steps */
    uint64_t steps_made;  /* made since it began, whatever reset and restore did to the tick */

    tr_publisher publisher;
    tr_event_list events;
    tr_reply_list replies;
} tr_play;

/* What the outside may know of it at any time. */
typedef struct tr_play_info {
    double step_s, rate, time_s;
    bool paused;
    tr_fault_rule fault_rule;
    int64_t tick;
    uint64_t seed;
    uint32_t epoch;
    int character_count, object_count, stepper_count, pending_count;
    int64_t dropped_ticks;
    uint64_t steps_made;
    tr_lateness lateness; /* real time; without ticks in other modes */
    uint64_t recording;   /* id of the file it is recorded to; 0: none */
    tr_replay_info replay;
} tr_play_info;

/* The stage as described, at tick 0. TR_INVALID_ARGUMENT as tr_stage_create. */
tr_status tr_play_create(const tr_play_def *def, int64_t now_ns, tr_play **out) TR_NODISCARD;

/* With commands that wait and replies not taken; NULL is fine. */
void tr_play_destroy(tr_play *play);

/* Takes a command: stamps it and lets it wait, applies it at once, or refuses it; each ends in one
 * reply. admit.c. */
void tr_play_admit(tr_play *play, tr_command *command);

/* Applies what may apply and steps at most once. Returns when it wants to go on: a time not after
 * `now_ns` for at once, INT64_MAX for not before the next command. */
int64_t tr_play_advance(tr_play *play, int64_t now_ns);

/* What a turn brought for the file that the world is recorded to. */
typedef struct tr_recorded {
    uint64_t id;      /* of the file */
    tr_packet *bytes; /* whole chunks; may be NULL */
    bool ended;       /* no more comes */
    int64_t length;   /* ended: steps in all */
    tr_status status; /* ended: TR_OK: as asked */
    char why[TR_RECORDING_TEXT_MAX];
    struct tr_recorded *next;
} tr_recorded;

/* Makes what was recorded ready to be taken, if the last time is long ago; returns when the play
 * wants to go on, given that without this it would be `next_ns`. */
int64_t tr_play_flush_recording(tr_play *play, int64_t now_ns, int64_t next_ns);

/* NULL: nothing; else the caller's. */
tr_recorded *tr_play_take_recorded(tr_play *play);

/* The end: whatever waits is answered, and the last event told. */
void tr_play_close(tr_play *play);

tr_play_info tr_play_describe(const tr_play *play);

/* --- for the files of this noun: play.c, admit.c, apply.c, mark.c --- */

int64_t tr_play_tick(const tr_play *play);

/* Applies one command that is due, and fills `result`: entity, hash, data, error. apply.c. */
void tr_play_apply(tr_play *play, tr_command *command, tr_reply *result, int64_t now_ns);

/* One step of the stage with what belongs to it: containment, events. */
void tr_play_simulate(tr_play *play);

/* What a replay shares with a world that lives: whether a step is due by the clock, a step as
 * subscribers see it (without answering who waits for it), answers to those who look, and when it
 * wants to go on. */
bool tr_play_is_due(tr_play *play, int64_t now_ns);
void tr_play_step(tr_play *play, int64_t now_ns);
void tr_play_answer_looks(tr_play *play);
int64_t tr_play_next_turn(const tr_play *play, int64_t now_ns, bool stepped);
void tr_play_refuse(tr_play *play, tr_command *command, const tr_error *error);

/* Recording: record.c. Notes a command that has applied. */
tr_status tr_play_start_recording(tr_play *play, const tr_start_recording *order,
                                  tr_error *error) TR_NODISCARD;
tr_status tr_play_stop_recording(tr_play *play, const tr_stop_recording *order,
                                 tr_error *error) TR_NODISCARD;
void tr_play_record_command(tr_play *play, const tr_command *command, const tr_reply *result);
void tr_play_record_step(tr_play *play, int first_event);
void tr_play_end_recording(tr_play *play, tr_status status, const char *why);

/* What states call a character. No effect for "". */
void tr_play_set_label(tr_play *play, tr_entity_id entity, const char *text);

/* The account whose sessions spawned a character; 0: nobody's. No effect for 0. */
void tr_play_set_owner(tr_play *play, tr_entity_id entity, uint64_t account);
uint64_t tr_play_owner(const tr_play *play, tr_entity_id entity);

/* Sends `result` with the present tick as the answer, unless the command is silent, tells the
 * event, and destroys the command. Takes result->data. */
void tr_play_answer(tr_play *play, tr_command *command, tr_reply *result);

/* Lets it wait for the tick of its stamp among the steps, which are answered as the world gets
 * there. Takes it. */
void tr_play_await(tr_play *play, tr_command *command);

void tr_play_drop_label(tr_play *play, tr_entity_id entity); /* it is gone: apply.c */

void tr_play_tell(tr_play *play, tr_event_kind kind); /* an event with nothing but tick and epoch */

/* Answers everything that waits for a tick with TR_ABORTED and this message. */
void tr_play_abort_pending(tr_play *play, const char *why);

/* The mark and snapshots: mark.c. */
tr_status tr_play_take_mark(tr_play *play) TR_NODISCARD;
tr_status tr_play_reset(tr_play *play, int64_t now_ns) TR_NODISCARD;
tr_status tr_play_snapshot(const tr_play *play, tr_packet **out) TR_NODISCARD;
tr_status tr_play_picture(const tr_play *play, tr_packet **out) TR_NODISCARD; /* nothing waits */
tr_status tr_play_put_back(tr_play *play, const tr_saved *saved, int64_t now_ns) TR_NODISCARD;
tr_status tr_play_restore(tr_play *play, tr_restore_order *order, int64_t now_ns) TR_NODISCARD;

/* Ends a pause. */
void tr_play_resume(tr_play *play, int64_t now_ns);

const char *tr_play_label(const tr_play *play, tr_entity_id entity); /* "" when it has none */

#endif
