/* A world loop: what happens in one hosted world, apart from threads, clocks and the wire.
 *
 * It owns the stage and the commands that wait, decides when the world may step, applies commands
 * in their order, and collects what the outside is to hear: replies, events, deliveries. Recorders,
 * referees and the publisher of states take part in it as parts (world_part.h); commands come from
 * clients (admission.c) or out of a recording (command_source.h). hosted_world.c runs it on the world threads;
 * tests run it alone. Time is an argument. Deterministic: state and replies follow from the
 * commands' stamps (in a stepped world: from what each client sends, whatever the timing between
 * clients).
 *
 * Invariants, at every return to the caller:
 *   1. No command in `queue` has a tick before the stage's.
 *   2. Every command that was admitted is in `queue`, `steps` or `looks`, or answered.
 *   3. A command at tick T has applied before the step from T to T + 1 and after the step to T.
 *   4. Every character and object that is on the stage is in the reset point, until a client has set
 *      a reset point of its own.
 *   5. The stage changes in tr_world_loop_step, tr_world_loop_apply and tr_world_loop_put_back
 *      alone, so that a recording of it replays. */
#ifndef TROUPE_SERVER_WORLD_LOOP_H
#define TROUPE_SERVER_WORLD_LOOP_H

#include "server/catalogue/cast.h"
#include "server/config/lateness.h"
#include "server/world/command.h"
#include "server/world/command_source.h"
#include "server/world/event.h"
#include "server/world/fault_handling.h"
#include "server/world/layout.h"
#include "server/world/lockstep.h"
#include "server/world/pace.h"
#include "server/world/snapshot.h"
#include "server/world/world_part.h"

typedef struct tr_world_loop tr_world_loop;

typedef enum tr_world_mode { TR_MODE_REAL_TIME, TR_MODE_STEPPED, TR_MODE_FAST } tr_world_mode;

typedef struct tr_world_loop_def {
    uint32_t id; /* of the world, on the wire */
    char name[TR_NAME_MAX];
    uint64_t seed;
    tr_world_mode mode;
    double rate;           /* real time: simulated seconds per second */
    int steppers;          /* stepped: how many it waits for */
    double step_timeout_s; /* stepped: step_timeout.h; 0: none */
    bool paused;
    bool staggered; /* real time: deadlines on the grid of `phase`, pace.h */
    double phase;
    tr_fault_rule fault_rule; /* for what becomes non-finite: fault_handling.h */
    tr_world_def world;
    tr_layout *layout; /* NULL: empty; held by whoever keeps the definition */

    const tr_command_table *commands; /* those that clients can send; outlives the loop */
    tr_command_source *source;        /* NULL: its clients; taken on success */
    /* Adds the parts that the world begins with, before its reset point is taken; NULL: none. */
    tr_status (*populate)(void *context, tr_world_loop *loop);
    void *context;
} tr_world_loop_def;

/* Something for the event loop: `deliver` is called there, once, and owns the delivery. */
typedef struct tr_delivery {
    void (*deliver)(struct tr_delivery *delivery);
    struct tr_delivery *next;
} tr_delivery;

/* Lists in the order in which their elements were added. */
typedef struct tr_reply_list {
    tr_reply *first, **end;
} tr_reply_list;

typedef struct tr_delivery_list {
    tr_delivery *first, **end;
} tr_delivery_list;

struct tr_world_loop {
    uint32_t id;
    uint64_t seed;
    tr_world_mode mode;
    tr_fault_rule fault_rule;
    uint32_t epoch; /* resets and restores so far */
    tr_stage *stage;
    tr_cast cast;
    int label_count;
    tr_label label[TR_CHARACTER_MAX];
    const tr_command_table *commands;
    tr_command_source *source; /* NULL: its clients */
    tr_world_part *parts;
    tr_packet *reset_point;  /* where reset returns to */
    bool reset_point_is_set; /* by a client */

    tr_command_queue queue; /* in order, for their ticks */
    tr_command_queue steps; /* step requests; stamp.tick is the tick they wait for */
    tr_command_queue looks; /* requests for the state, answered at the end of a turn */

    tr_lockstep lockstep; /* stepped */
    tr_pace pace;         /* real time */
    double rate;
    bool paused;
    int64_t allowance;    /* paused: steps that were asked for */
    int64_t told_dropped; /* of pace.dropped_steps, those that events have reported */
    int64_t lateness_ns;  /* of the last step */
    tr_lateness lateness; /* real time: of all steps */
    uint64_t steps_made;  /* since it began, whatever reset and restore did to the tick */

    tr_event_list events;
    tr_reply_list replies;
    tr_delivery_list deliveries;
};

/* What the outside may know of it at any time. */
typedef struct tr_world_info {
    double step_s, rate, time_s;
    double step_timeout_s; /* 0: none */
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
    bool replays;         /* its commands come out of a recording */
} tr_world_info;

/* The stage as described, at tick 0. TR_INVALID_ARGUMENT as tr_stage_create, and what `populate` and
 * the source return. */
tr_status tr_world_loop_create(const tr_world_loop_def *def, int64_t now_ns,
                               tr_world_loop **out) TR_NODISCARD;

/* With commands that wait, and replies and deliveries not taken; NULL is fine. */
void tr_world_loop_destroy(tr_world_loop *loop);

/* Takes a command: stamps it and lets it wait, applies it at once, or refuses it; each ends in one
 * reply. admission.c. */
void tr_world_loop_admit(tr_world_loop *loop, tr_command *command);

/* Applies what may apply and steps at most once. Returns when it wants its next turn: a time not
 * after `now_ns` for immediately, INT64_MAX for not before the next command. */
int64_t tr_world_loop_advance(tr_world_loop *loop, int64_t now_ns);

/* Ends a turn: parts hand over what they have. Returns when the loop wants its next turn, given that
 * without its parts it would be `next_ns`. */
int64_t tr_world_loop_end_turn(tr_world_loop *loop, int64_t now_ns, int64_t next_ns);

/* The end: whatever waits is answered, and the last event is added. */
void tr_world_loop_close(tr_world_loop *loop);

tr_world_info tr_world_loop_describe(const tr_world_loop *loop);

/* --- parts --- */

void tr_world_loop_add_part(tr_world_loop *loop, tr_world_part *take_part);
void tr_world_loop_remove_part(tr_world_loop *loop, tr_world_part *part); /* the caller's again */

/* NULL: it has no part of this kind. */
tr_world_part *tr_world_loop_part(const tr_world_loop *loop, const tr_world_part_kind *kind);

/* Hands something to the event loop; takes it. */
void tr_world_loop_deliver(tr_world_loop *loop, tr_delivery *delivery);

/* A state is to be shown whatever the tick. */
void tr_world_loop_refresh(tr_world_loop *loop);

/* --- for commands, parts and sources --- */

int64_t tr_world_loop_tick(const tr_world_loop *loop);
double tr_world_loop_step_s(const tr_world_loop *loop);

/* Stepped: moves the sender's frontier by `count` ticks, joining it first if need be; the answer
 * waits until the world is there. `orders`, of the command, apply from the old frontier on: they are
 * taken on success and set to NULL. Takes the command. admission.c. */
void tr_world_loop_move_frontier(tr_world_loop *loop, tr_command *command, int64_t count,
                                 tr_command **orders, int order_count);

/* Makes a session a stepper. admission.c. */
tr_status tr_world_loop_join(tr_world_loop *loop, uint64_t session, uint32_t order,
                             uint32_t *out_order, tr_error *error) TR_NODISCARD;

/* May this command apply? TR_FAILED_PRECONDITION and so on: what the parts say against it. */
tr_status tr_world_loop_may_apply(const tr_world_loop *loop, const tr_command *command,
                                  tr_error *error) TR_NODISCARD;

/* Applies one command that is due and may apply, and tells the parts; fills `result`. */
void tr_world_loop_apply(tr_world_loop *loop, tr_command *command, tr_reply *result,
                         int64_t now_ns);

/* Sends `result` with the present tick as the answer, unless the command is silent, adds the event,
 * and destroys the command. Takes result->data and result->refusal. */
void tr_world_loop_answer(tr_world_loop *loop, tr_command *command, tr_reply *result);
void tr_world_loop_refuse(tr_world_loop *loop, tr_command *command, const tr_error *error);

/* Lets a command wait for the tick of its stamp among the steps, which are answered as the world
 * reaches it. Takes it. */
void tr_world_loop_await(tr_world_loop *loop, tr_command *command);

/* Answers those that wait for a tick up to `reached`; tr_command_kind.reached. */
void tr_world_loop_answer_steps(tr_world_loop *loop, int64_t reached);

/* Answers everything that waits for a tick with TR_ABORTED and this message. */
void tr_world_loop_abort_pending(tr_world_loop *loop, const char *why);

/* A turn in pieces, for sources. Is time to be made by a clock, or as fast as possible? May it step,
 * apart from the clock? Is a step due, by the clock too? */
bool tr_world_loop_is_running(const tr_world_loop *loop);
bool tr_world_loop_may_step(const tr_world_loop *loop);
bool tr_world_loop_is_due(tr_world_loop *loop, int64_t now_ns);

/* One step of the stage with what belongs to it: parts, fault handling, events. It does not answer
 * those who wait for it. Subscribers and the pace of the world do not see an unseen one. */
typedef enum tr_step_kind { TR_STEP_SEEN, TR_STEP_UNSEEN } tr_step_kind;
void tr_world_loop_step(tr_world_loop *loop, tr_step_kind kind, int64_t now_ns);

/* A paused world has no ticks at which states would be sent: shows what has changed in it. */
void tr_world_loop_show_rest(tr_world_loop *loop);

void tr_world_loop_answer_looks(tr_world_loop *loop); /* requests for the state */

/* When the next turn is due, after one that has `stepped` or not. */
int64_t tr_world_loop_next_turn(const tr_world_loop *loop, int64_t now_ns, bool stepped);

void tr_world_loop_pause(tr_world_loop *loop);
void tr_world_loop_resume(tr_world_loop *loop, int64_t now_ns);

/* Adds an event with nothing but tick and epoch. */
void tr_world_loop_tell(tr_world_loop *loop, tr_event_kind kind);

/* --- labels: what states call a character, and the account whose sessions spawned it --- */

void tr_world_loop_set_label(tr_world_loop *loop, tr_entity_id entity,
                             const char *text); /* "": - */
void tr_world_loop_set_owner(tr_world_loop *loop, tr_entity_id entity, uint64_t account); /* 0: - */
const char *tr_world_loop_label(const tr_world_loop *loop, tr_entity_id entity); /* "": none */
uint64_t tr_world_loop_owner(const tr_world_loop *loop, tr_entity_id entity);    /* 0: nobody */
void tr_world_loop_drop_label(tr_world_loop *loop, tr_entity_id entity);         /* it is gone */

/* --- the reset point and snapshots: reset_point.c --- */

/* The world as it is now becomes the reset point. */
tr_status tr_world_loop_set_reset_point(tr_world_loop *loop) TR_NODISCARD;
/* The same, unless a client has set one: the world's own keeps every entity. */
tr_status tr_world_loop_keep_reset_point(tr_world_loop *loop) TR_NODISCARD;

tr_status tr_world_loop_reset(tr_world_loop *loop, int64_t now_ns) TR_NODISCARD;
tr_status tr_world_loop_snapshot(const tr_world_loop *loop, tr_packet **out) TR_NODISCARD;
/* ... without the commands that wait. */
tr_status tr_world_loop_picture(const tr_world_loop *loop, tr_packet **out) TR_NODISCARD;

/* Puts the stage, and what is about it, to `saved`. */
tr_status tr_world_loop_put_back(tr_world_loop *loop, const tr_saved *saved,
                                 int64_t now_ns) TR_NODISCARD;

/* What a restore needs: everything that the bytes name, found by the handler. */
typedef struct tr_restoration {
    tr_saved *saved;     /* owned; points into bytes that outlive it */
    tr_cast *cast;       /* owned */
    tr_command *pending; /* commands that wait in the snapshot, in order; owned */
} tr_restoration;

/* ... and the commands that wait, the steppers' frontiers, the subscribers. Takes order->pending. */
tr_status tr_world_loop_restore(tr_world_loop *loop, tr_restoration *order,
                                int64_t now_ns) TR_NODISCARD;

#endif
