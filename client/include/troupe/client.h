/* A client of trouped, the server of physics-based characters.
 *
 * It connects over TCP, sends requests (spawn this character, push it, step the world) and receives
 * states and events of the worlds it subscribes to. All data is in plain structs; a game needs
 * neither protobuf nor the daemon's headers.
 *
 *     tr_client_def def = tr_client_def_default();
 *     tr_client *client;
 *     const tr_client_reply *reply;
 *     tr_error error;
 *     if (tr_client_connect(&def, &client, &error))
 *         return fail(error.message);
 *     tr_client_at here = {.world = world}; // from tr_client_create_world or tr_client_list_worlds
 *     tr_client_spawn_def runner = {.controller = "run"};
 *     uint64_t request = tr_client_spawn_character(client, here, &runner);
 *     if (tr_client_await(client, request, 5000, &reply, &error))
 *         return fail(error.message);
 *     printf("entity %u at tick %lld\n", reply->applied.entity, (long long)reply->applied.tick);
 *
 * There are two ways to use it. Blocking: tr_client_connect, then tr_client_await (or
 * tr_client_ask) around each request, and tr_client_run to receive. Asynchronous: set your libuv
 * loop in the definition, call tr_client_open, and tr_client_on_reply for each request; everything
 * then happens in callbacks on that loop. Both may be mixed, but never await from within a
 * callback.
 *
 * Every request function sends one request and returns its number, or 0 if it could not be made.
 * Pass the number, also 0, to tr_client_await, tr_client_ask or tr_client_on_reply; for 0 they
 * return the reason. Do this for every request, because its reply is kept until then.
 *
 * Statuses are negative codes of google.rpc.Code (status.h): those of the daemon (PROTOCOL.md), and
 * from this library TR_UNAVAILABLE (no connection), TR_DEADLINE_EXCEEDED (no answer in time),
 * TR_CANCELLED (closed before the answer), TR_RESOURCE_EXHAUSTED (256 requests unanswered or
 * unclaimed, no memory), TR_DATA_LOSS (invalid data from the daemon).
 *
 * Units are SI, z is up, x forward, quaternions are (w, x, y, z). Strings passed in may be NULL for
 * empty and are copied; strings received are valid as long as the reply, state or event that holds
 * them. A client belongs to the thread of its loop. The library never prints. */
#ifndef TROUPE_CLIENT_H
#define TROUPE_CLIENT_H

#include "troupe/event.h"
#include "troupe/match.h"
#include "troupe/recording.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define TR_API __attribute__((visibility("default")))

typedef struct tr_client tr_client;
struct uv_loop_s;

/* --- states and events, as the daemon sends them --- */

/* The contents of a state: a set of the bits below; 0 means joints and objects. */
typedef uint32_t tr_client_fields;
enum {
    TR_CLIENT_JOINTS = 1,
    TR_CLIENT_VELOCITIES = 2,
    TR_CLIENT_BODIES = 4,
    TR_CLIENT_OBJECTS = 8,
    TR_CLIENT_CONTACTS = 16,
    TR_CLIENT_HASH = 32,
    TR_CLIENT_SHAPES = 64, /* scenery */
    TR_CLIENT_SURFACES =
        1024, /* with SHAPES: data of height fields and meshes; not in subscriptions */
    TR_CLIENT_QUANTISED = 256 /* arrays over bodies in half the bytes, within 2e-4 rad and 0.1 mm */
};

/* A fragment that a scheduler considered when it chose the next one. value: rewards that the
 * scheduler expects; comparable within one decision */
typedef struct tr_client_choice {
    uint32_t fragment;
    bool mirrored;
    float value;
} tr_client_choice;

/* A character. Arrays run over the bodies of its model, in the model's order; NULL if the field was
 * not requested. */
typedef struct tr_client_character {
    uint32_t entity;
    const char *label, *model;
    const char *controller;      /* the current one; "": none */
    const char *next_controller; /* requested, not yet begun; "": none */
    uint32_t fragment;           /* the current one */
    uint64_t fragments_done;
    bool mirrored, ended, fallen, limp;
    bool frozen;                     /* became non-finite and was stopped */
    float root_pos[3];               /* origin of the root body, world, m */
    float root_rot[4];               /* root body to world */
    float root_vel[3];               /* m/s; zero unless velocities were requested */
    float root_omega[3];             /* rad/s; same */
    int body_count;                  /* rows of the arrays below; 0 when all are NULL */
    const float *joint_rot;          /* [body_count][4] joint quaternions; row 0 is the identity */
    const float *joint_rate;         /* [body_count][3] rad/s, joint frame */
    const float *body_pos;           /* [body_count][3] body origins, world, m */
    const float *body_rot;           /* [body_count][4] body to world */
    const char *doing;               /* what the controller does at present, for people */
    float phase;                     /* of the current fragment: 0 at its start to 1 */
    int choice_count;                /* 0: no scheduler decides */
    const tr_client_choice *choices; /* [choice_count], best first; the first was begun */
    bool out_of_sequence;            /* skills and edges do not lead to the fragment it began */
    float felt_force[2];    /* N that a gait feels and answers: along its heading, to the left */
    float learned_force[2]; /* N along the heading, least and most that it learned to answer; both
                               zero where no gait drives */
    float map_at[3]; /* where a puppet is on its map (tr_client_controller_detail.map); zeros where
                               no puppet drives */
} tr_client_character;

typedef struct tr_client_object {
    uint32_t entity;
    const char *name;
    float pos[3], rot[4]; /* centre of mass, world */
    float vel[3], omega[3];
    bool frozen;
    uint32_t rig_of; /* the character that brought it; 0: none */
} tr_client_object;

/* normal points from side 1 to side 0; impulse acts on side 0, N s. */
typedef struct tr_client_contact {
    uint32_t entity[2]; /* [1] is 0 for ground and scenery */
    int body[2];        /* index; 0 for objects, -1 for ground and scenery */
    float pos[3], normal[3];
    float depth; /* m */
    float impulse[3];
} tr_client_contact;

/* Heights over a grid whose middle is the origin; what lies below is solid. Sample (i, j) stands at
 * x = (i - (columns - 1) / 2) spacing_m, and at y likewise with j and rows. */
typedef struct tr_client_heights {
    uint32_t columns, rows; /* 2 or more; at most 262144 samples */
    double spacing_m;
    const float *heights; /* [rows][columns], m */
} tr_client_heights;

/* Triangles, solid behind. */
typedef struct tr_client_mesh {
    uint32_t vertex_count, triangle_count; /* at most 32768, 65536 */
    const float *vertices;                 /* [vertex_count][3], m */
    const uint32_t *indices; /* [triangle_count][3], counter-clockwise as seen from outside */
} tr_client_mesh;

/* What stands still in a world: a box, or a patch, a height field or a mesh. */
typedef struct tr_client_scenery {
    bool patch;     /* no shape: the ground's friction inside a rectangle */
    double size[3]; /* of boxes and patches: half extents, m */
    double pos[3];  /* centre, of height fields and meshes their origin, m */
    double rot[4];  /* all zero: none */
    double friction;
    uint32_t id;                           /* in states; ignored in requests */
    const tr_client_heights *height_field; /* NULL for other kinds */
    const tr_client_mesh *mesh;            /* NULL for other kinds */
} tr_client_scenery;

typedef struct tr_client_state {
    uint32_t world, epoch; /* epoch counts resets and restores */
    int64_t tick;
    double time_s;
    uint64_t hash; /* of the complete state; 0 unless requested */
    /* of this subscription: replaced by newer ones before they were sent */
    uint64_t dropped_states;
    uint64_t dropped_ticks; /* real time that the daemon had to drop */
    double lateness_s;      /* how far this tick was behind its deadline */
    int character_count, object_count, contact_count;
    const tr_client_character *characters;
    const tr_client_object *objects;
    const tr_client_contact *contacts;
    bool no_ground; /* nothing at z = 0; with SHAPES, as the scenery */
    int scenery_count;
    const tr_client_scenery *scenery; /* without SURFACES height fields and meshes have no data */
} tr_client_state;

/* The name of a kind of event, e.g. "fell"; "unknown" for a kind that this library does not know.
 * Static text. */
TR_API const char *tr_client_event_name(tr_client_event_kind kind);

/* --- connection --- */

typedef struct tr_client_def {
    const char *host;       /* name or address; NULL: 127.0.0.1 */
    int port;               /* 0: 7400 */
    const char *name;       /* the client's name in the daemon's log; NULL: "client" */
    const char *key;        /* NAME.SECRET, as printed by trouped --make-key; NULL: none */
    bool tls;               /* use TLS 1.3; the certificate must be for `host` */
    const char *ca;         /* PEM file of its signer; NULL: the signers that the system trusts */
    int connect_timeout_ms; /* until the handshake is complete; 0: 5000 */
    int reply_timeout_ms;   /* of tr_client_ask; 0: 10000 */
    struct uv_loop_s *loop; /* borrowed; NULL: the client makes one */
    void *user;             /* passed to the callbacks; each of them may be NULL */
    void (*on_open)(void *user, tr_client *client);
    void (*on_state)(void *user, tr_client *client, const tr_client_state *state);
    void (*on_event)(void *user, tr_client *client, const tr_client_event *event);
    void (*on_match)(void *user, tr_client *client, const tr_client_match_progress *progress);
    /* Called once; not after tr_client_close. */
    void (*on_close)(void *user, tr_client *client, tr_status status, const char *reason);
} tr_client_def;

/* The defaults: 127.0.0.1, port 7400, no key, 5 s to connect and 10 s for a reply. */
TR_API tr_client_def tr_client_def_default(void);

/* Begins to connect and returns immediately. Requests may be made before the handshake is complete
 * and are sent after it. The key never leaves this process: the login is SCRAM-SHA-256, bound to
 * the connection if it uses TLS. TR_INVALID_ARGUMENT: the host name or client name is too long, the
 * port is out of range, the key is malformed, or the file of certificates cannot be read;
 * TR_RESOURCE_EXHAUSTED. error may be NULL. */
TR_API tr_status tr_client_open(const tr_client_def *def, tr_client **out,
                                tr_error *error) TR_NODISCARD;

/* As tr_client_open, and waits until the handshake is complete. TR_UNAVAILABLE: no daemon listens
 * there; TR_FAILED_PRECONDITION: the daemon has another protocol version (the message names both);
 * TR_UNAUTHENTICATED: it does not know the key, or requires one; TR_DATA_LOSS: its certificate is
 * not trusted, or it does not use TLS 1.3; TR_DEADLINE_EXCEEDED. */
TR_API tr_status tr_client_connect(const tr_client_def *def, tr_client **out,
                                   tr_error *error) TR_NODISCARD;

/* Ends the connection and the client; replies not yet claimed are dropped, callbacks of unanswered
 * requests get TR_CANCELLED. May be called from a callback. On the caller's loop, the memory is
 * freed when that loop next runs. NULL is allowed. */
TR_API void tr_client_close(tr_client *client);

/* Is the handshake complete, and the connection open? */
TR_API bool tr_client_is_open(const tr_client *client);

/* The daemon's version, and this session's id there. Before the handshake is complete: "" and 0. */
TR_API const char *tr_client_server_version(const tr_client *client);
TR_API uint64_t tr_client_session(const tr_client *client);

/* This client's role: "spectator", "player", "director" or "admin"; "" before the handshake is
 * complete and from a daemon without roles. Static text. */
TR_API const char *tr_client_role(const tr_client *client);

/* Runs the loop for `duration_ms` (negative: no limit), or until the connection ends or
 * tr_client_stop is called from a callback. TR_OK: the time is over, or tr_client_stop was called;
 * TR_UNAVAILABLE or another status: the connection ended. */
TR_API tr_status tr_client_run(tr_client *client, int duration_ms, tr_error *error) TR_NODISCARD;

/* Ends the current tr_client_run after the callback that calls this. */
TR_API void tr_client_stop(tr_client *client);

/* --- replies --- */

/* The effect of a command. */
typedef struct tr_client_applied {
    int64_t tick;        /* when it applied; step: reached; reset, restore: returned to */
    uint32_t entity;     /* spawned */
    uint32_t order;      /* join: order number */
    uint32_t scenery;    /* add_scenery: its id */
    uint64_t hash;       /* step, snapshot, reset, restore: of the complete state at `tick` */
    const uint8_t *data; /* snapshot: [size] */
    size_t size;
} tr_client_applied;

typedef struct tr_client_pong {
    const char *server_version;
    double uptime_s;
    uint32_t sessions, worlds;
} tr_client_pong;

typedef struct tr_client_model {
    const char *name, *digest;
    uint32_t body_count, dof_count;
} tr_client_model;

typedef struct tr_client_body {
    const char *name;
    int parent; /* index; -1 for the root */
    double mass_kg;
    double pos[3];    /* origin in the parent's frame, at rest */
    double rot[4];    /* orientation in the parent's frame, at rest */
    double anchor[3]; /* joint centre in this body's frame */
    double com[3];    /* centre of mass in this body's frame */
} tr_client_body;

typedef struct tr_client_model_detail {
    tr_client_model summary;
    uint64_t hash;
    double mass_kg, height_m;
    int body_count, gain_set_count;
    const tr_client_body *bodies;
    const char *const *gain_sets; /* names; [0] is the default */
    const char *mjcf;
} tr_client_model_detail;

typedef struct tr_client_clip {
    const char *name, *source, *licence, *file_digest, *skeleton;
    uint32_t frame_count, first_frame, last_frame;
    double frames_per_s;
    bool cyclic;
} tr_client_clip;

typedef struct tr_client_training_run {
    const char *name, *command, *code_version, *host;
    uint64_t seed;
    uint32_t threads;
    int64_t started_unix_ns, ended_unix_ns;
} tr_client_training_run;

typedef struct tr_client_metric {
    const char *name; /* unit last */
    size_t count;
    const int64_t *iteration; /* [count] */
    const double *value;      /* [count] */
} tr_client_metric;

typedef struct tr_client_run_detail {
    tr_client_training_run summary;
    const char *parameters; /* one "name value" per line */
    int parent_count, metric_count;
    const char *const *parents;
    const tr_client_metric *metrics;
} tr_client_run_detail;

typedef struct tr_client_controller {
    const char *name, *skill, *model, *digest, *gain_set;
    const char *run, *clip; /* "": none recorded */
    bool cyclic, mirrored;
    uint32_t fragment_count;
    double duration_s, step_s;
    const char *kind; /* kind of driver: "chain", "graph", "gait", ... */
} tr_client_controller;

typedef struct tr_client_fragment {
    uint32_t steps;
    double duration_s;
    const char *digest;
    double feedback_norm, offset_norm_rad, sigma_norm_rad; /* of M, a_hat and sigma */
    double start_height_m, start_speed_m_s;                /* of the root at its start */
} tr_client_fragment;

/* A skill of a controller, and how far it can be steered (tr_client_steer). */
typedef struct tr_client_skill {
    const char *name;
    uint32_t first_fragment, fragment_count;
    bool cyclic, mirrored;
    double turn_rad;               /* heading gained from start to end, or in a cycle */
    double speed_m_s;              /* over ground, unsteered; 0: cannot be steered */
    double turn_rad_s;             /* heading rate at full helm; 0: cannot turn */
    double faster_m_s, slower_m_s; /* largest increase and decrease of speed */
} tr_client_skill;

/* A transition: from the end of one fragment to the start of another. */
typedef struct tr_client_skill_edge {
    uint32_t from_fragment, to_fragment;
    bool flips; /* left and right are exchanged */
} tr_client_skill_edge;

/* A point of the space that a puppet moves in, a frame of its clips. Points in a row are a line. */
typedef struct tr_client_map_point {
    double at[3];          /* in the principal axes of the space, the widest first */
    bool begins, mirrored; /* a line begins here; of the mirror image of a clip */
} tr_client_map_point;

/* A parameter that users can set while a controller drives a character
 * (tr_client_set_parameters). */
typedef struct tr_client_parameter {
    const char *name, *unit, *meaning; /* unit "": a plain number */
    double low, high, initial;         /* of each value */
    uint32_t count;                    /* of values */
} tr_client_parameter;

typedef enum tr_client_geom_kind {
    TR_CLIENT_SPHERE = 1,
    TR_CLIENT_CAPSULE = 2,
    TR_CLIENT_BOX = 3,
    TR_CLIENT_CYLINDER = 4
} tr_client_geom_kind;

typedef struct tr_client_geom {
    tr_client_geom_kind kind;
    /* Sphere {radius}; capsule and cylinder {radius, half length}; box {half extents}; m. */
    double size[3];
    double pos[3];
    double rot[4]; /* all zero: none */
    double friction;
} tr_client_geom;

/* An object that characters bring with them when they are spawned with a controller. */
typedef struct tr_client_rig_object {
    const char *name;
    int geom_count;
    const tr_client_geom *geoms;
    double mass, density; /* kg, kg/m3; mass 0: by density */
    double pos[3]; /* centre of mass at spawn: x ahead, y to the left, z above the ground, m */
    double rot[4];
} tr_client_rig_object;

/* Holds an object of a rig to another one or to the character. */
typedef struct tr_client_rig_pin {
    const char *kind;           /* "point", "hinge", "track" or "slider" */
    const char *first, *second; /* names of objects, or of bodies of the character */
    double break_n;             /* a force above which it ends; 0: it holds */
} tr_client_rig_pin;

typedef struct tr_client_controller_detail {
    tr_client_controller summary;
    uint64_t hash;
    uint32_t action_size; /* components of an offset */
    int fragment_count, action_joint_count;
    const tr_client_fragment *fragments;
    const char *const *action_joints;
    int skill_count, edge_count; /* one skill, or those of a control graph with its edges */
    const tr_client_skill *skills;
    const tr_client_skill_edge *edges;
    int parameter_count;
    const tr_client_parameter *parameters;
    uint32_t entry_count; /* entry points: fragments, phases of a gait */
    bool recovers;        /* gets up after a fall */
    int rig_count, rig_pin_count;
    const tr_client_rig_object *rig; /* what its characters bring with them */
    const tr_client_rig_pin *rig_pins;
    int map_count; /* of a puppet */
    const tr_client_map_point *map;
} tr_client_controller_detail;

typedef enum tr_client_noun {
    TR_CLIENT_NOUN_NONE,
    TR_CLIENT_NOUN_MODEL,
    TR_CLIENT_NOUN_CLIP,
    TR_CLIENT_NOUN_RUN,
    TR_CLIENT_NOUN_CONTROLLER
} tr_client_noun;

typedef struct tr_client_ancestor {
    tr_client_noun noun;
    const char *name, *detail;
    uint32_t depth; /* steps back */
} tr_client_ancestor;

/* A measured quantity, unit last ("joint_error_rad"), of an item ("lshank"; "": of the whole). */
typedef struct tr_client_figure {
    const char *quantity, *item;
    double value;
} tr_client_figure;

/* Pushes in one direction: a part of the turn, to the left from the heading.
 * force_n, trials, survived: [count], forces rising */
typedef struct tr_client_pushes {
    uint32_t direction;
    size_t count;
    const double *force_n;
    const uint32_t *trials, *survived;
} tr_client_pushes;

/* A certificate: what a controller was shown to hold and survive. */
typedef struct tr_client_certificate {
    const char *controller, *digest, *command, *code_version, *host;
    uint32_t method; /* figures of different methods must not be compared */
    uint64_t seed;
    uint32_t threads;
    int64_t started_ns, ended_ns; /* since 1970, UTC */
    int figure_count;
    const tr_client_figure *figures; /* [figure_count], by quantity, then item */
    int direction_count;
    const tr_client_pushes *pushes; /* [direction_count] */
} tr_client_certificate;

typedef enum tr_client_mode {
    TR_CLIENT_REAL_TIME = 1,
    TR_CLIENT_STEPPED = 2,
    TR_CLIENT_FAST = 3
} tr_client_mode;

/* What happens to a character or object that becomes non-finite in a step. */
typedef enum tr_client_fault_rule {
    TR_CLIENT_FAULT_RULE_DEFAULT, /* reset */
    TR_CLIENT_FAULT_RESET,        /* it stands up where it was */
    TR_CLIENT_FAULT_REMOVE,       /* it is despawned */
    TR_CLIENT_FAULT_FREEZE        /* it stays where it was */
} tr_client_fault_rule;

/* What happens to a world when its owner's session ends. The owner is the client that made it, or
 * the last one that claimed it. */
typedef enum tr_client_owner_leaves {
    TR_CLIENT_OWNER_LEAVES_DEFAULT, /* keep */
    TR_CLIENT_OWNER_LEAVES_KEEP,
    TR_CLIENT_OWNER_LEAVES_DESTROY /* after the lease, unless another client claims it before */
} tr_client_owner_leaves;

/* How far a real-time world's ticks were behind their deadlines, since its creation. */
typedef struct tr_client_lateness {
    uint64_t ticks;
    double p50_s, p99_s, max_s;
} tr_client_lateness;

typedef struct tr_client_world {
    uint32_t id;
    const char *name;
    tr_client_mode mode;
    uint64_t seed;
    double step_s, rate;
    bool paused;
    int64_t tick;
    double time_s;
    uint32_t epoch, character_count, object_count, subscriber_count, stepper_count;
    uint32_t pending_commands;
    uint64_t dropped_ticks;
    tr_client_fault_rule fault_rule;
    tr_client_lateness lateness; /* zeros in other modes */
    const char *recorded_as;     /* name of the recording being made of it; "": none */
    const char *replay_of;       /* name of the recording it replays; "": not a replay */
    tr_client_owner_leaves owner_leaves;
    double lease_s, step_timeout_s; /* 0: none */
} tr_client_world;

typedef struct tr_client_subscription {
    uint32_t world, every_ticks; /* 0: no states */
    int64_t tick;
} tr_client_subscription;

/* The result of an advance. Orders are counted in parts: each member given in a tr_client_order is
 * one. */
typedef struct tr_client_advanced {
    int64_t tick;
    int refused_count;           /* parts that were refused when they should have applied */
    int refused_part;            /* index of the first, counted from 0 over all orders */
    tr_status refused_status;    /* its status */
    const char *refused_message; /* "" if none was */
    tr_client_state state;
} tr_client_advanced;

typedef enum tr_client_reply_kind {
    TR_CLIENT_REPLY_EMPTY, /* done without a result, or failed */
    TR_CLIENT_REPLY_APPLIED,
    TR_CLIENT_REPLY_PONG,
    TR_CLIENT_REPLY_MODELS,
    TR_CLIENT_REPLY_MODEL,
    TR_CLIENT_REPLY_CLIPS,
    TR_CLIENT_REPLY_CLIP,
    TR_CLIENT_REPLY_RUNS,
    TR_CLIENT_REPLY_RUN,
    TR_CLIENT_REPLY_CONTROLLERS,
    TR_CLIENT_REPLY_CONTROLLER,
    TR_CLIENT_REPLY_LINEAGE,
    TR_CLIENT_REPLY_CERTIFICATE,
    TR_CLIENT_REPLY_WORLDS,
    TR_CLIENT_REPLY_WORLD,
    TR_CLIENT_REPLY_SUBSCRIPTION,
    TR_CLIENT_REPLY_STATE,
    TR_CLIENT_REPLY_MATCH,
    TR_CLIENT_REPLY_MATCHES,
    TR_CLIENT_REPLY_MATCH_DETAIL,
    TR_CLIENT_REPLY_RECORDINGS,
    TR_CLIENT_REPLY_RECORDING,
    TR_CLIENT_REPLY_RECORDING_PART,
    TR_CLIENT_REPLY_REPLAY,
    TR_CLIENT_REPLY_ADVANCED
} tr_client_reply_kind;

/* The answer to a request. `kind` says which member is set. Lists have `count` rows and the token
 * of the next page. */
typedef struct tr_client_reply {
    uint64_t request;
    tr_status status;
    const char *message; /* "" unless it failed */
    tr_client_reply_kind kind;
    int count;
    const char *next_page_token; /* "": the last page */
    union {
        tr_client_applied applied;
        tr_client_pong pong;
        const tr_client_model *models; /* [count], and so on */
        tr_client_model_detail model;
        const tr_client_clip *clips;
        tr_client_clip clip;
        const tr_client_training_run *runs;
        tr_client_run_detail run;
        const tr_client_controller *controllers;
        tr_client_controller_detail controller;
        const tr_client_ancestor *lineage;
        tr_client_certificate certificate;
        const tr_client_world *worlds;
        tr_client_world world;
        tr_client_subscription subscription;
        tr_client_state state;
        tr_client_match match;
        const tr_client_match *matches;
        tr_client_match_detail match_detail;
        const tr_client_recording *recordings;
        tr_client_recording recording;
        tr_client_recording_part part;
        tr_client_replay_info replay;
        tr_client_advanced advanced;
    };
} tr_client_reply;

/* Runs the loop until the reply to `request` has arrived, at most `timeout_ms` (negative: no
 * limit). Returns the reply's status; if it failed, puts its message into `error`. *out_reply
 * (out_reply may be NULL) is valid until the next await, ask or close, and untouched on failure. A
 * request that timed out may still take effect; its reply is dropped. */
TR_API tr_status tr_client_await(tr_client *client, uint64_t request, int timeout_ms,
                                 const tr_client_reply **out_reply, tr_error *error) TR_NODISCARD;

/* As tr_client_await with the timeout of the definition, for programs that check replies one by
 * one. Never NULL: a failed reply has its status and message, and zeros for the rest, so that a
 * request made with them fails too. Valid until the next ask, await or close. */
TR_API const tr_client_reply *tr_client_ask(tr_client *client, uint64_t request);

/* Has `done` called with the reply, which is valid during the call. NULL: the reply is dropped. If
 * `request` is 0, returns why the request could not be made and does not call `done`. */
typedef void tr_client_done(void *user, tr_client *client, const tr_client_reply *reply);
TR_API tr_status tr_client_on_reply(tr_client *client, uint64_t request, tr_client_done *done,
                                    void *user);

/* --- requests: session and catalogue --- */

/* Asks whether the daemon answers. The reply (PONG) has its version, the seconds since it started, and
 * how many sessions and worlds there are. */
TR_API uint64_t tr_client_ping(tr_client *client);

/* Rows to list; NULL or empty texts do not filter. Every list uses prefix; skeleton is for clips,
 * skill and model are for controllers, running is for matches. */
typedef struct tr_client_query {
    const char *prefix, *skeleton, *skill, *model;
    uint32_t page_size;     /* 0: 100; at most 256 */
    const char *page_token; /* NULL: the first page */
    bool running;           /* only matches that have not ended */
} tr_client_query;

/* Lists one page of the catalogue's models, by name (reply MODELS). query: NULL for the first page
 * of all. TR_INVALID_ARGUMENT: the page is too large, or its token is invalid. */
TR_API uint64_t tr_client_list_models(tr_client *client, const tr_client_query *query);

/* The same for clips (CLIPS), training runs (RUNS) and controllers (CONTROLLERS). TR_NOT_FOUND: the
 * query names a model that the catalogue does not have. */
TR_API uint64_t tr_client_list_clips(tr_client *client, const tr_client_query *query);
TR_API uint64_t tr_client_list_runs(tr_client *client, const tr_client_query *query);
TR_API uint64_t tr_client_list_controllers(tr_client *client, const tr_client_query *query);

/* Shows the model of this name with its bodies and its MJCF text (reply MODEL). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_model(tr_client *client, const char *name);

/* Shows where a clip comes from and under which licence (reply CLIP). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_clip(tr_client *client, const char *name);

/* Shows a training run with its parameters and the curves of its metrics (reply RUN). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_run(tr_client *client, const char *name);

/* Shows a controller with its fragments, skills and edges (reply CONTROLLER). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_controller(tr_client *client, const char *name);

/* Shows what a controller or a training run was made from, back to clips (reply LINEAGE). noun:
 * TR_CLIENT_NOUN_CONTROLLER or TR_CLIENT_NOUN_RUN, else TR_INVALID_ARGUMENT. TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name);

/* Shows a certificate of a controller: what it was measured to hold and survive (reply
 * CERTIFICATE). back: 0 for the newest certificate, 1 for the one before, at most 255.
 * TR_NOT_FOUND: it has none, or fewer. */
TR_API uint64_t tr_client_get_certificate(tr_client *client, const char *controller, uint32_t back);

/* --- requests: worlds --- */

typedef struct tr_client_world_def {
    const char *name;
    uint64_t seed;
    double step_s; /* 0: 0.005 */
    tr_client_mode mode;
    double rate;       /* real time only; 0: 1 */
    uint32_t steppers; /* stepped only: the number it waits for; 0: 1 */
    bool paused;
    tr_client_fault_rule fault_rule;
    double gravity[3];
    double ground_friction;
    bool no_ground, no_self_collision;
    int scenery_count;
    const tr_client_scenery *scenery;
    int object_count; /* in it from the beginning; at most 64 */
    const struct tr_client_object_def *objects;
    tr_client_owner_leaves owner_leaves;
    double lease_s;        /* from the end of the owner's session, 0 to 86400 */
    double step_timeout_s; /* stepped only: removes a stepper that holds up others; 0: never */
} tr_client_world_def;

/* The defaults: real time, earth's gravity, friction 1. The caller sets the name. */
TR_API tr_client_world_def tr_client_world_def_default(void);

/* Makes a world; this client is its owner. The reply (WORLD) has its id. TR_ALREADY_EXISTS: the name is
 * taken; TR_INVALID_ARGUMENT: a field is out of range, and the message names it;
 * TR_RESOURCE_EXHAUSTED: the daemon, or this client's role, may have no more worlds;
 * TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def);

/* Lists all worlds, by id (reply WORLDS). */
TR_API uint64_t tr_client_list_worlds(tr_client *client);

/* Shows a world as of its last turn (reply WORLD). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_world(tr_client *client, uint32_t world);

/* Ends a world: its waiting commands are answered TR_ABORTED, and its subscribers get the event
 * TR_CLIENT_DESTROYED. TR_NOT_FOUND; TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_destroy_world(tr_client *client, uint32_t world);

/* Makes this client the owner of a world, which must not belong to a match (reply WORLD). */
TR_API uint64_t tr_client_claim_world(tr_client *client, uint32_t world,
                                      tr_client_owner_leaves owner_leaves, double lease_s);

/* States at rate_hz of the world's time (0: none) with the given fields, and events. */
typedef struct tr_client_subscribe_def {
    uint32_t world;
    double rate_hz;
    tr_client_fields fields;
    bool events;
} tr_client_subscribe_def;

/* Subscribes to states and events of a world, which go to on_state and on_event until the world or
 * the connection ends. Replaces an earlier subscription to the same world. The reply (SUBSCRIPTION)
 * has the rate in ticks. TR_NOT_FOUND; TR_OUT_OF_RANGE: the rate is higher than the world's ticks;
 * TR_RESOURCE_EXHAUSTED: too many subscriptions. */
TR_API uint64_t tr_client_subscribe(tr_client *client, const tr_client_subscribe_def *def);

/* Ends this client's subscription to a world. TR_NOT_FOUND: it has none. */
TR_API uint64_t tr_client_unsubscribe(tr_client *client, uint32_t world);

/* Shows the present state of a world once (reply STATE). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_state(tr_client *client, uint32_t world, tr_client_fields fields);

/* --- requests: matches (match.h) --- */

/* Starts a match; answered (reply MATCH) when it is in the catalogue, so that it survives a restart
 * of the daemon. TR_ALREADY_EXISTS: the name is taken; TR_NOT_FOUND: a controller or model is not
 * in the catalogue; TR_INVALID_ARGUMENT: the message names the field; TR_PERMISSION_DENIED: the
 * role is lower than director. */
TR_API uint64_t tr_client_start_match(tr_client *client, const tr_client_match_def *def);

/* Lists matches in the order in which they were started (reply MATCHES). Uses only the page and
 * `running` of the query, which may be NULL. */
TR_API uint64_t tr_client_list_matches(tr_client *client, const tr_client_query *query);

/* Shows a match with its statistics and a page of its bouts (reply MATCH_DETAIL). page_size 0: 100;
 * page_token NULL: the first page. TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_match(tr_client *client, const char *name, uint32_t page_size,
                                    const char *page_token);

/* Subscribes to the progress of a match, which goes to on_match until the match has ended.
 * TR_NOT_FOUND; TR_FAILED_PRECONDITION: it has ended. */
TR_API uint64_t tr_client_watch_match(tr_client *client, const char *name);

/* Ends this client's subscription to a match. TR_NOT_FOUND: it has none. */
TR_API uint64_t tr_client_unwatch_match(tr_client *client, const char *name);

/* Ends a running match; stored bouts stay. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it has ended. */
TR_API uint64_t tr_client_cancel_match(tr_client *client, const char *name);

/* Deletes a match that has ended, with its bouts. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is
 * running. */
TR_API uint64_t tr_client_remove_match(tr_client *client, const char *name);

/* Fights a stored bout again, with the same bits, and keeps it as a recording (reply RECORDING).
 * position: of the bout, from 0. TR_NOT_FOUND: the match or the bout; TR_ALREADY_EXISTS: the
 * recording. */
TR_API uint64_t tr_client_record_bout(tr_client *client, const char *match, uint32_t position,
                                      const char *recording);

/* --- commands: changes of a world --- */

/* The world and the tick of a command; tick 0 means as soon as possible. The reply (kind APPLIED)
 * is sent when the command has applied. Names may stand instead of ids, so that a command needs no
 * other request before it. An unknown name: TR_NOT_FOUND, also from daemons that take ids alone. */
typedef struct tr_client_at {
    uint32_t world;
    int64_t tick;
    const char *world_name;  /* with world 0 */
    const char *entity_name; /* with the command's entity 0: a label, or the name of an object */
} tr_client_at;

typedef struct tr_client_spawn_def {
    const char *model;      /* NULL: the controller's */
    const char *controller; /* NULL: it stands in its rest pose */
    double pos[3];
    double heading_rad;
    uint32_t fragment; /* to start with */
    const char *label;
} tr_client_spawn_def;

/* A straight way of a kinematic object, with a gentle start and stop. */
typedef struct tr_client_travel {
    double duration_s; /* of one way; 0: none */
    double pos[3];     /* where the centre of mass goes */
    bool shuttle;      /* then back, and so on */
} tr_client_travel;

typedef struct tr_client_object_def {
    const char *name;
    int geom_count; /* 1 to 8 */
    const tr_client_geom *geoms;
    double density, mass; /* kg/m3, kg; mass 0: by density; density 0: 1000 */
    double pos[3], rot[4], vel[3], omega[3];
    double linear_damping, angular_damping; /* 1/s */
    bool kinematic;          /* a platform: it moves others, nothing moves it; keeps its velocity */
    tr_client_travel travel; /* kinematic objects only */
} tr_client_object_def;

typedef struct tr_client_push_def {
    uint32_t entity;
    const char *body; /* NULL: the trunk */
    double point[3];  /* body frame, from its centre of mass, m */
    double force[3];  /* world, N */
    double duration_s;
} tr_client_push_def;

/* A steering target: see Steer in proto/troupe/character.proto. With the entity only: no target. */
typedef enum tr_client_aim {
    TR_CLIENT_AIM_NONE,
    TR_CLIENT_AIM_HEADING,
    TR_CLIENT_AIM_TARGET,
    TR_CLIENT_AIM_CHARACTER
} tr_client_aim;

typedef struct tr_client_steer_def {
    uint32_t entity;
    tr_client_aim aim;
    double heading_rad; /* in the world; aim HEADING */
    double target[3];   /* world, m; aim TARGET */
    uint32_t toward;    /* aim CHARACTER */
    double speed_mps;   /* 0: the controller's own */
    const char *skill;  /* of a control graph; NULL: any */
} tr_client_steer_def;

typedef struct tr_client_throw_def {
    uint32_t entity;
    bool move; /* to pos; else it starts where it is */
    double pos[3], vel[3], omega[3];
} tr_client_throw_def;

/* Commands are refused with TR_NOT_FOUND when the world or the entity does not exist,
 * TR_PERMISSION_DENIED when the role may not send them or the entity belongs to another account,
 * TR_INVALID_ARGUMENT when a field is out of range, TR_OUT_OF_RANGE when the tick has passed or is
 * too far ahead, and TR_ABORTED when a reset, a restore or the end of the world came first. The
 * functions below list further statuses. */

/* Adds a character; the reply has its entity. TR_NOT_FOUND: the catalogue does not have the model or
 * controller; TR_FAILED_PRECONDITION: the controller is for another model or another step;
 * TR_RESOURCE_EXHAUSTED: the world is full. */
TR_API uint64_t tr_client_spawn_character(tr_client *client, tr_client_at at,
                                          const tr_client_spawn_def *spawn);

/* Adds a rigid object of 1 to 8 shapes; the reply has its entity. TR_RESOURCE_EXHAUSTED: the world is
 * full. */
TR_API uint64_t tr_client_spawn_object(tr_client *client, tr_client_at at,
                                       const tr_client_object_def *def);

/* Removes a character or an object. */
TR_API uint64_t tr_client_despawn(tr_client *client, tr_client_at at, uint32_t entity);

/* Gives a character another controller, which begins when the current fragment ends. NULL or "":
 * none, and it holds its last pose. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it does not fit. */
TR_API uint64_t tr_client_set_controller(tr_client *client, tr_client_at at, uint32_t entity,
                                         const char *controller);

/* Chooses the next fragment. mirrored: in the mirrored half of its controller's cycle.
 * TR_FAILED_PRECONDITION: the character has no controller. */
TR_API uint64_t tr_client_set_fragment(tr_client *client, tr_client_at at, uint32_t entity,
                                       uint32_t fragment, bool mirrored);

/* Turns a character's servos off (limp) or on again. */
TR_API uint64_t tr_client_set_limp(tr_client *client, tr_client_at at, uint32_t entity, bool limp);

/* Adds an offset to the controller's actions until the next one is set. offset: [size], rad, where
 * size is the controller's action_size, or 0 for no offset. */
TR_API uint64_t tr_client_set_offset(tr_client *client, tr_client_at at, uint32_t entity,
                                     const double *offset, size_t size);

/* Values of one parameter: [count], as in tr_client_parameter; count 0: the initial value. */
typedef struct tr_client_parameter_values {
    const char *name;
    const double *values;
    size_t count;
} tr_client_parameter_values;

/* Sets all of `parameters` ([count], 1 to 32) or none; other parameters keep their values. They
 * last until the controller changes. */
TR_API uint64_t tr_client_set_parameters(tr_client *client, tr_client_at at, uint32_t entity,
                                         const tr_client_parameter_values *parameters,
                                         size_t count);

/* Sets the steering target of a character, its speed and skill, until the next steer.
 * TR_FAILED_PRECONDITION: it has no controller, or one that cannot be steered. */
TR_API uint64_t tr_client_steer(tr_client *client, tr_client_at at, const tr_client_steer_def *def);

/* Pushes a body of a character, or an object, with a constant force for duration_s. TR_NOT_FOUND:
 * the model has no such body; TR_RESOURCE_EXHAUSTED: too many pushes act in this world. */
TR_API uint64_t tr_client_push(tr_client *client, tr_client_at at, const tr_client_push_def *def);

/* Gives an object a velocity (m/s, rad/s, world), and a position if `move` is set. */
TR_API uint64_t tr_client_throw(tr_client *client, tr_client_at at, const tr_client_throw_def *def);

/* Carries a kinematic object from where it is. TR_FAILED_PRECONDITION: it is not kinematic. */
TR_API uint64_t tr_client_carry(tr_client *client, tr_client_at at, uint32_t entity,
                                const tr_client_travel *travel);

/* Adds a piece of scenery while the world runs. The reply has its id (`scenery`).
 * TR_RESOURCE_EXHAUSTED: a world has at most 256 pieces, and 2 MiB of height fields and meshes. */
TR_API uint64_t tr_client_add_scenery(tr_client *client, tr_client_at at,
                                      const tr_client_scenery *scenery);

/* Removes a piece of scenery by its id. TR_NOT_FOUND: no such piece. */
TR_API uint64_t tr_client_remove_scenery(tr_client *client, tr_client_at at, uint32_t scenery);

/* Stops a world's time; in a paused world tr_client_step makes single ticks.
 * TR_FAILED_PRECONDITION: a stepped world. */
TR_API uint64_t tr_client_pause(tr_client *client, tr_client_at at);

/* Lets a paused world continue. TR_FAILED_PRECONDITION: a stepped world. */
TR_API uint64_t tr_client_resume(tr_client *client, tr_client_at at);

/* Sets how many simulated seconds pass per second. TR_FAILED_PRECONDITION: not a real-time
 * world. */
TR_API uint64_t tr_client_set_rate(tr_client *client, tr_client_at at, double rate);

/* Makes this client a stepper of a stepped world, which then waits for its steps. order: its place
 * among the steppers; 0: the lowest free one. The reply has it. TR_ALREADY_EXISTS: the order is
 * taken, or this client has joined; TR_FAILED_PRECONDITION: not a stepped world;
 * TR_RESOURCE_EXHAUSTED: too many have joined. */
TR_API uint64_t tr_client_join(tr_client *client, tr_client_at at, uint32_t order);

/* Removes this client from the steppers: the world no longer waits for it. TR_FAILED_PRECONDITION:
 * it has not joined. */
TR_API uint64_t tr_client_leave(tr_client *client, tr_client_at at);

/* For directors: removes the stepper with this order number, so that it no longer holds up its
 * world; 0: the one that the world waits for. The reply has its order number. */
TR_API uint64_t tr_client_remove_stepper(tr_client *client, tr_client_at at, uint32_t order);

/* Lets a stepped or a paused world move by `count` ticks (0: 1); answered when it has reached the
 * tick. The reply has the tick and the hash of the state. A client that has not joined a stepped
 * world joins it. TR_FAILED_PRECONDITION: the world is running. */
TR_API uint64_t tr_client_step(tr_client *client, tr_client_at at, uint32_t count);

/* Commands for one character: the members that are set, in this order. The entities in `steer` and
 * `push` are ignored. */
typedef struct tr_client_order {
    uint32_t entity;
    const char *controller; /* NULL: the one it has; "": none */
    bool choose;            /* choose the next fragment */
    uint32_t fragment;
    bool mirrored;
    const double *offset; /* [offset_size], rad; NULL: unchanged */
    size_t offset_size;
    const tr_client_steer_def *steer; /* NULL: unchanged */
    const tr_client_push_def *push;   /* NULL: none; may push an object */
} tr_client_order;

typedef struct tr_client_advance_def {
    uint32_t ticks; /* 0: 1 */
    tr_client_fields fields;
    int order_count; /* at most 256 orders, and at most 256 parts in all */
    const tr_client_order *orders;
} tr_client_advance_def;

/* Sends orders, a step and a request for the state after it in one request, for a stepped world:
 * one round trip for each step of a learner (reply ADVANCED). */
TR_API uint64_t tr_client_advance(tr_client *client, uint32_t world,
                                  const tr_client_advance_def *def);

/* Makes the present state the reset point, to which tr_client_reset returns. */
TR_API uint64_t tr_client_mark(tr_client *client, tr_client_at at);

/* Returns the world to its reset point, which at first is its initial state with everything spawned
 * since. Waiting commands are answered TR_ABORTED. The reply has the tick and the hash of the
 * state. */
TR_API uint64_t tr_client_reset(tr_client *client, tr_client_at at);

/* Takes the complete state with the waiting commands. The reply has the bytes, which are valid as
 * long as the reply. TR_RESOURCE_EXHAUSTED: they do not fit into a frame. */
TR_API uint64_t tr_client_snapshot(tr_client *client, tr_client_at at);

/* Restores a snapshot of this world or of another. data: [size], copied. TR_INVALID_ARGUMENT: the
 * bytes are not a snapshot, or damaged; TR_NOT_FOUND, TR_FAILED_PRECONDITION: a model or controller
 * is not in the catalogue, or differs; TR_OUT_OF_RANGE: too large. */
TR_API uint64_t tr_client_restore(tr_client *client, tr_client_at at, const uint8_t *data,
                                  size_t size);

/* --- recordings and replays (recording.h) --- */

/* Records a world into a file of the daemon until it is stopped or the world ends. TR_ALREADY_EXISTS:
 * the name is taken; TR_FAILED_PRECONDITION: the world is already being recorded, or is a
 * replay. */
TR_API uint64_t tr_client_start_recording(tr_client *client, tr_client_at at,
                                          const tr_client_record_def *def);

/* Ends the recording of a world; answered when the file is complete. TR_FAILED_PRECONDITION: it is
 * not being recorded. */
TR_API uint64_t tr_client_stop_recording(tr_client *client, tr_client_at at);

/* Lists recordings by name (reply RECORDINGS). Uses only the prefix and the page of the query,
 * which may be NULL. */
TR_API uint64_t tr_client_list_recordings(tr_client *client, const tr_client_query *query);

/* Shows a recording (reply RECORDING). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_recording(tr_client *client, const char *name);

/* Deletes a recording's file. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it is being written. */
TR_API uint64_t tr_client_delete_recording(tr_client *client, const char *name);

/* Reads at most 1 MiB of a recording's file from `offset` on, bytes (reply RECORDING_PART).
 * TR_NOT_FOUND. */
TR_API uint64_t tr_client_download_recording(tr_client *client, const char *name, uint64_t offset);

/* Sends one part of a recording's file; send the parts in order. The last is answered with the
 * recording (reply RECORDING). TR_ALREADY_EXISTS: the name is taken; TR_DATA_LOSS: the file is
 * damaged. */
TR_API uint64_t tr_client_upload_recording(tr_client *client, const tr_client_upload_def *def);

/* Makes a world that shows a recording (reply WORLD): subscribe, pause, resume, step, set its rate
 * and destroy it like any world. TR_NOT_FOUND: the recording, or a controller in it;
 * TR_FAILED_PRECONDITION: made by a simulation with other results. */
TR_API uint64_t tr_client_replay(tr_client *client, const tr_client_replay_def *def);

/* Shows the position of a replay and the difference it has found, if any (reply REPLAY).
 * TR_NOT_FOUND; TR_FAILED_PRECONDITION: the world is not a replay. */
TR_API uint64_t tr_client_get_replay(tr_client *client, uint32_t world);

/* Moves a replay to a position, in steps from its start; answered when it has reached it.
 * TR_OUT_OF_RANGE: the recording has no such position; TR_ABORTED: replaced by another seek. */
TR_API uint64_t tr_client_seek(tr_client *client, uint32_t world, int64_t position);

/* Lets a replay restart at its end, or stop there. */
TR_API uint64_t tr_client_set_loop(tr_client *client, uint32_t world, bool loop);

/* Simulates the whole recording and compares; answered at the end, which may take long.
 * TR_DATA_LOSS: it differs; the message says where, and tr_client_get_replay has the fields. */
TR_API uint64_t tr_client_verify(tr_client *client, uint32_t world);

#if defined(__cplusplus)
}
#endif

#endif
