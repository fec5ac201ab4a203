/* The catalogue: models, clips, training runs, controllers and their certificates. */
#ifndef TROUPE_CATALOGUE_H
#define TROUPE_CATALOGUE_H

#include "troupe/object.h"
#include "troupe/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct tr_client_model {
    const char *name, *digest;
    uint32_t body_count, dof_count;
} tr_client_model;

typedef enum tr_client_joint_kind {
    TR_CLIENT_FREE = 1,
    TR_CLIENT_BALL = 2,
    TR_CLIENT_HINGE = 3,
    TR_CLIENT_SLIDE = 4 /* the angle of its quaternion, rad, is its way along the axis, m */
} tr_client_joint_kind;

typedef struct tr_client_body {
    const char *name;
    int parent; /* index; -1 for the root */
    double mass_kg;
    double pos[3];    /* origin in the parent's frame, at rest */
    double rot[4];    /* orientation in the parent's frame, at rest */
    double anchor[3]; /* joint centre in this body's frame */
    double com[3];    /* centre of mass in this body's frame */
    double axis[3];   /* of a hinge or a slide: unit axis in the joint frame; else zeros */
    tr_client_joint_kind joint;
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
    const char *kind;    /* kind of driver: "chain", "graph", "gait", ... */
    const char *section; /* of the guide: "characters", "skills", ...; "": not in it */
    const char *purpose; /* one line: what it is for, and what it survives */
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
    const char *name, *tags,
        *summary; /* tags: words between spaces, by which it may be asked for too */
    uint32_t first_fragment, fragment_count;
    bool cyclic, mirrored;
    double turn_rad;               /* heading gained from start to end, or in a cycle */
    double speed_m_s;              /* over ground, unsteered; 0: cannot be steered */
    double turn_rad_s;             /* heading rate at full helm; 0: cannot turn */
    double faster_m_s, slower_m_s; /* largest increase and decrease of speed */
    bool on_request;               /* a steering target may name it */
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

/* What may be asked of a controller's characters, besides the skills on request.
 *   heading, place: a steering target may be a heading; a point or another character
 *   kinematic:      poses move them, so that forces do not */
typedef struct tr_client_reach {
    bool heading, place;
    double slowest_m_s, fastest_m_s; /* of a steering target; fastest 0: no speed */
    bool kinematic;
} tr_client_reach;

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
    tr_client_reach reach;
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
    const char *skill;              /* in which its trials began; "*": random walks over all; "" */
} tr_client_certificate;

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

/* Shows a controller with its fragments, skills and edges (reply CONTROLLER). skill: lists only the
 * skills of this name or with this tag; "": all. TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_controller(tr_client *client, const char *name, const char *skill);

/* Shows what a controller or a training run was made from, back to clips (reply LINEAGE). noun:
 * TR_CLIENT_NOUN_CONTROLLER or TR_CLIENT_NOUN_RUN, else TR_INVALID_ARGUMENT. TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name);

/* Shows a certificate of a controller: what it was measured to hold and survive (reply
 * CERTIFICATE). skill: of a graph, in which the trials began; "": the controller as a whole; "*":
 * random walks over all of its skills. back: 0 for the newest certificate, 1 for the one before, at
 * most 255. TR_NOT_FOUND: it has none, or fewer. */
TR_API uint64_t tr_client_get_skill_certificate(tr_client *client, const char *controller,
                                                const char *skill, uint32_t back);

#if defined(__cplusplus)
}
#endif

#endif
