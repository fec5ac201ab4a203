/* A world loop: runs one hosted world, without threads, clocks or the wire.
 *
 * It owns the stage and the waiting commands, decides when the world may step, applies commands in
 * their order, and collects its output: replies, events, deliveries. Recorders, referees and the
 * publisher of states are parts of it (world_part.h). Commands are from clients (admission.c) or
 * from a recording (command_source.h). hosted_world.c runs it on the world threads; tests run it
 * alone. Time is an argument. Deterministic: state and replies follow from the commands' stamps (in
 * a stepped world: from what each client sends, whatever the timing between clients).
 *
 * Invariants, at every return to the caller:
 *   1. No command in `queue` has a tick before the stage's.
 *   2. Every command that was admitted is in `queue`, `steps` or `looks`, or answered.
 *   3. A command at tick T has applied before the step from T to T + 1 and after the step to T.
 *   4. Every character and object on the stage is in the reset point, until a client has set a
 *      reset point.
 *   5. The stage changes only in tr_world_loop_step, tr_world_loop_apply and
 *      tr_world_loop_put_back, so that a recording of it can be replayed. */
#pragma once

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

enum { TR_WORLD_FAILURE_MAX = 96 };

typedef enum tr_world_mode { TR_MODE_REAL_TIME, TR_MODE_STEPPED, TR_MODE_FAST } tr_world_mode;

typedef struct tr_world_loop_def {
    uint32_t id; /* of the world, on the wire */
    char name[TR_NAME_MAX];
    char moved_from[TR_NAME_MAX]; /* it arrives from there: move.h; "": made here */
    uint64_t seed;
    tr_world_mode mode;
    double rate;           /* real time: simulated seconds per second */
    int steppers;          /* stepped: the number that it waits for */
    double step_timeout_s; /* stepped: step_timeout.h; 0: none */
    bool paused;
    bool look_ahead; /* of the stage */
    bool staggered;  /* real time: deadlines on the grid of `phase`, pace.h */
    double phase;
    tr_fault_rule fault_rule; /* for entities that become non-finite: fault_handling.h */
    tr_world_def world;
    tr_layout *layout; /* NULL: empty; held by the owner of the definition */

    const tr_command_table *commands; /* commands that clients can send; must outlive the loop */
    tr_command_source *source;        /* NULL: its clients; taken on success */
    /* Adds the initial parts of the world, before its reset point is taken; NULL: none. */
    tr_status (*populate)(void *context, tr_world_loop *loop);
    void *context;
} tr_world_loop_def;

/* An item for the event loop, which calls `deliver` once; `deliver` owns the delivery. */
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
    tr_packet *reset_point; /* where reset returns to */

    tr_command_queue queue; /* in order, for their ticks */
    tr_command_queue steps; /* step requests; stamp.tick is the tick they wait for */
    tr_command_queue looks; /* requests for the state, answered at the end of the turn */

    tr_lockstep lockstep; /* stepped */
    tr_pace pace;         /* real time */
    double rate;
    bool reset_point_is_set; /* by a client */
    bool paused;
    bool arriving;              /* move.h: it stands still, and only a restore applies */
    bool tells_inputs;          /* events carry the commands that changed the state */
    bool released;              /* a holder has ended since the last turn */
    uint64_t held_by;           /* session that moves it away: nothing applies; 0: none */
    char moved_to[TR_NAME_MAX]; /* where it continues, when it closes; "": nowhere */
    tr_invariant invariant;     /* of the loop; the stage's world has its own */
    char failure
        [TR_WORLD_FAILURE_MAX]; /* why it makes no more steps and must close; "": it has not */
    tr_packet *evidence;        /* its snapshot, when an invariant failed; else NULL */
    int64_t allowance;          /* paused: steps still to be made on request */
    int64_t reported_dropped;   /* the part of pace.dropped_steps that events have reported */
    int64_t lateness_ns;        /* of the last step */
    tr_lateness lateness;       /* real time: of all steps */
    uint64_t steps_made;        /* since the world began; not changed by reset and restore */
    /* Of all steps: tr_solver_report. */
    uint64_t contacts_dropped, searches_cut;
    int64_t now_ns;   /* when a command applies */
    int64_t spent_ns; /* processor time of its turns, added by who runs it */

    tr_event_list events;
    tr_reply_list replies;
    tr_delivery_list deliveries;
};

/* What other threads may know about it at any time. */
typedef struct tr_world_info {
    double step_s, rate, time_s;
    double step_timeout_s; /* 0: none */
    bool paused, look_ahead;
    tr_fault_rule fault_rule;
    int64_t tick;
    uint64_t seed;
    uint32_t epoch;
    int character_count, object_count, stepper_count, pending_count;
    int64_t dropped_ticks;
    uint64_t steps_made;
    tr_lateness lateness;                    /* real time; without ticks in other modes */
    uint64_t recording;                      /* id of the file it is recorded to; 0: none */
    uint64_t contacts_dropped, searches_cut; /* what the bounds on a step left out */
    double processor_s;                      /* of its turns */
    double turn_s;    /* how long the turn in progress has lasted; 0: none is */
    bool over_budget; /* its turns come after those of worlds within their budgets */
    bool replays;     /* its commands are from a recording */
} tr_world_info;

/* Creates the stage as described, at tick 0. TR_INVALID_ARGUMENT as tr_stage_create; also the
 * statuses of `populate` and the source. */
tr_status tr_world_loop_create(const tr_world_loop_def *def, int64_t now_ns,
                               tr_world_loop **out) TR_NODISCARD;

/* Destroys also waiting commands, and replies and deliveries not taken; NULL is allowed. */
void tr_world_loop_destroy(tr_world_loop *loop);

/* Takes a command: stamps and queues it, applies it immediately, or refuses it. Each command gets
 * one reply. admission.c. */
void tr_world_loop_admit(tr_world_loop *loop, tr_command *command);

/* Applies the commands that may apply and steps at most once. Returns the time of its next turn: a
 * time not after `now_ns` means now, INT64_MAX means after the next command. */
int64_t tr_world_loop_advance(tr_world_loop *loop, int64_t now_ns);

/* Ends a turn: parts hand over what they have. Returns the time of the next turn, which is
 * `next_ns` unless a part wants an earlier one. */
int64_t tr_world_loop_end_turn(tr_world_loop *loop, int64_t now_ns, int64_t next_ns);

/* The world must end: adds the event FAULT of the world itself, with why. It makes no more steps. */
void tr_world_loop_fail(tr_world_loop *loop, const char *why);

/* Ends the world: answers all waiting commands and adds the last event. */
void tr_world_loop_close(tr_world_loop *loop);

tr_world_info tr_world_loop_describe(const tr_world_loop *loop);

/* --- parts --- */

void tr_world_loop_add_part(tr_world_loop *loop, tr_world_part *take_part);
/* The caller owns the part again. */
void tr_world_loop_remove_part(tr_world_loop *loop, tr_world_part *part);

/* NULL: it has no part of this kind. */
tr_world_part *tr_world_loop_part(const tr_world_loop *loop, const tr_world_part_kind *kind);

/* Hands something to the event loop; takes it. */
void tr_world_loop_deliver(tr_world_loop *loop, tr_delivery *delivery);

/* Makes a state due for all subscribers, whatever the tick. */
void tr_world_loop_refresh(tr_world_loop *loop);

/* --- for commands, parts and sources --- */

int64_t tr_world_loop_tick(const tr_world_loop *loop);
double tr_world_loop_step_s(const tr_world_loop *loop);

/* Stepped: moves the sender's frontier by `count` ticks, after joining it if needed; the answer
 * waits until the world has reached it. `orders`, from the command, apply from the old frontier on;
 * on success they are taken and set to NULL. As tr_command_act. admission.c. */
tr_status tr_world_loop_move_frontier(tr_world_loop *loop, tr_command *command, int64_t count,
                                      tr_command **orders, int order_count,
                                      tr_reply *result) TR_NODISCARD;

/* Makes a session a stepper. admission.c. */
tr_status tr_world_loop_join(tr_world_loop *loop, uint64_t session, uint32_t order,
                             uint32_t *out_order, tr_error *error) TR_NODISCARD;

/* May this command apply? TR_FAILED_PRECONDITION and others: the refusal of a part. */
tr_status tr_world_loop_may_apply(const tr_world_loop *loop, const tr_command *command,
                                  tr_error *error) TR_NODISCARD;

/* Applies one command that is due and may apply, and notifies the parts; fills `result`. */
void tr_world_loop_apply(tr_world_loop *loop, tr_command *command, tr_reply *result,
                         int64_t now_ns);

/* Lets a command act, and answers it unless it waits. Takes it. */
void tr_world_loop_act(tr_world_loop *loop, tr_command *command, tr_command_act *act);

/* Sends `result` with the present tick as the answer, unless the command is silent, adds the event,
 * and destroys the command. Takes result->data and result->refusal. */
void tr_world_loop_answer(tr_world_loop *loop, tr_command *command, tr_reply *result);
void tr_world_loop_refuse(tr_world_loop *loop, tr_command *command, const tr_error *error);

/* Queues a command among the steps, which are answered when the world reaches the tick of their
 * stamp. Takes it; the result waits. */
void tr_world_loop_await(tr_world_loop *loop, tr_command *command, tr_reply *result);

/* Answers the steps that wait for a tick up to `reached`; tr_command_kind.reached. */
void tr_world_loop_answer_steps(tr_world_loop *loop, int64_t reached);

/* Answers all commands that wait for a tick with TR_ABORTED and this message. */
void tr_world_loop_abort_pending(tr_world_loop *loop, const char *why);

/* The parts of a turn, for sources. Does time advance without requests, by a clock or as fast as
 * possible? May the world step, apart from the clock? Is a step due, also by the clock? */
bool tr_world_loop_is_running(const tr_world_loop *loop);
bool tr_world_loop_is_due(tr_world_loop *loop, int64_t now_ns);

/* Makes one step of the stage, with parts, fault handling and events. It does not answer commands
 * that wait for it. Subscribers and the world's pace do not see an unseen step. */
typedef enum tr_step_kind { TR_STEP_SEEN, TR_STEP_UNSEEN } tr_step_kind;
void tr_world_loop_step(tr_world_loop *loop, tr_step_kind kind, int64_t now_ns);

void tr_world_loop_answer_looks(tr_world_loop *loop); /* requests for the state */

/* The time of the next turn, after a turn that has `stepped` or not. */
int64_t tr_world_loop_next_turn(const tr_world_loop *loop, int64_t now_ns, bool stepped);

void tr_world_loop_pause(tr_world_loop *loop);
void tr_world_loop_resume(tr_world_loop *loop, int64_t now_ns);

/* Adds an event at the present tick and epoch, which it need not have. */
void tr_world_loop_tell(tr_world_loop *loop, tr_event event);

/* --- labels: the name of a character in states, and the account whose sessions spawned it --- */

void tr_world_loop_set_label(tr_world_loop *loop, tr_entity_id entity,
                             const char *text); /* "": - */
void tr_world_loop_set_owner(tr_world_loop *loop, tr_entity_id entity, uint64_t account); /* 0: - */
/* The character of this label, or else the object of this name. TR_NOT_FOUND;
 * TR_FAILED_PRECONDITION: several are called so. */
tr_status tr_world_loop_find(const tr_world_loop *loop, const char *name, tr_entity_id *out,
                             tr_error *error) TR_NODISCARD;
const char *tr_world_loop_label(const tr_world_loop *loop, tr_entity_id entity); /* "": none */
uint64_t tr_world_loop_owner(const tr_world_loop *loop, tr_entity_id entity);    /* 0: none */
/* Forgets the label of a character that no longer exists. */
void tr_world_loop_drop_label(tr_world_loop *loop, tr_entity_id entity);

/* --- the reset point and snapshots: reset_point.c --- */

/* Makes the present state of the world the reset point. */
tr_status tr_world_loop_set_reset_point(tr_world_loop *loop) TR_NODISCARD;
/* The same, unless a client has set one: the world's default reset point holds every entity. */
tr_status tr_world_loop_keep_reset_point(tr_world_loop *loop) TR_NODISCARD;

tr_status tr_world_loop_reset(tr_world_loop *loop, int64_t now_ns) TR_NODISCARD;
tr_status tr_world_loop_snapshot(const tr_world_loop *loop, tr_packet **out) TR_NODISCARD;
/* The same without the waiting commands. */
tr_status tr_world_loop_picture(const tr_world_loop *loop, tr_packet **out) TR_NODISCARD;

/* Restores the stage, and the data around it, from `saved`. */
tr_status tr_world_loop_put_back(tr_world_loop *loop, const tr_saved *saved,
                                 int64_t now_ns) TR_NODISCARD;

/* The input of a restore, with the items named by the snapshot, which the handler has found. */
typedef struct tr_restoration {
    tr_saved *saved;     /* owned; points into bytes that outlive it */
    tr_cast *cast;       /* owned */
    tr_command *pending; /* commands that waited in the snapshot, in order; owned */
} tr_restoration;

/* Restores the world: the stage, the waiting commands, the steppers' frontiers, the subscribers.
 * Takes order->pending. */
tr_status tr_world_loop_restore(tr_world_loop *loop, tr_restoration *order,
                                int64_t now_ns) TR_NODISCARD;
