/* Drivers: a driver moves a character.
 *
 * A driver has a kind, and content of that kind: a chain of control fragments, a control graph,
 * recovery around another driver, and so on (DRIVERS.md says how to add a kind). A kind is a folder
 * controllers/control/NAME/ that ends in one const row of functions; drivers.c lists the rows. Code
 * that runs, stores or shows a driver does so through its row and knows no kind.
 *
 *   content   the learned data. Immutable; shared by any number of characters and threads.
 *   state     what one character is doing: plain data without pointers, described by a table of
 *             fields (state_fields.h), so that one walker stores it in snapshots, hashes, checks
 *             and restores it. A state of zeros is not valid until `enter` has filled it.
 *   entries   places at which a driver may begin and between which it decides: the fragments of a
 *             chain, the phases of a gait. Numbered from 0.
 *
 * A driver may hold others: a recovery holds the driver that it recovers. Within the holder's
 * state, their states follow the holder's part (tr_driver_held_offset).
 *
 * Everything is deterministic: the same content, state and sight give the same bits. */
#pragma once

#include "control/driver/driver_sheet.h"
#include "control/driver/rig.h"
#include "control/driver/steering.h"
#include "control/fields/bytes.h"
#include "control/fields/sections.h"
#include "control/fields/state_fields.h"
#include "physics/world/world.h"

typedef struct tr_driver_kind tr_driver_kind;

/* kind NULL: no driver. The owner of the driver owns the content. */
typedef struct tr_driver {
    const tr_driver_kind *kind;
    void *content;
} tr_driver;

/* The setting that a driver was made for; the same for all drivers that it holds.
 *   spawn: the state in which characters are spawned with it; heading 0, x = y = 0
 *   rig:   the objects and pins that characters bring, sound (rig.h); NULL: none */
typedef struct tr_driver_setting {
    const tr_model *model;
    double step_s;
    const tr_state *spawn;
    const tr_rig *rig;
} tr_driver_setting;

/* Hash of model, step and spawn state, with which the `hash` of a kind begins. The controller adds
 * the rig. */
uint64_t tr_driver_setting_hash(const tr_driver_setting *setting);

/* What a driver sees. Everything belongs to the caller and lives for the call. All of it, and all
 * that the functions of `world` return, is in snapshots and hashes: a restored world looks the same.
 *   contact:   [contact_count], all of the world's, of the last step
 *   ground:    around the character (tr_world_local_ground)
 *   target:    the steering target
 *   parameter: values of its parameters, in their order, arrays unrolled (driver_sheet.h)
 *   object:    [object_count], those that its rig brought, in the rig's order; object_id: their ids
 *   tick:      steps that the world has made */
typedef struct tr_sight {
    const tr_world *world;
    tr_entity_id character;
    const tr_model *model;
    const tr_state *state;
    const tr_contact *contact;
    int contact_count;
    tr_ground ground;
    const tr_steering_target *target;
    const double *parameter;
    const tr_object_state *object;
    const tr_entity_id *object_id;
    int object_count;
    int64_t tick;
    double step_s;
} tr_sight;

/* Bodies of the character in the world: [model->body_count]. Made when they are asked for. */
static inline const tr_body_state *tr_sight_bodies(const tr_sight *sight) {
    return tr_world_bodies(sight->world, sight->character);
}

/* How a driver moves the character in the coming step.
 *   HOLD     servos keep their targets and gains
 *   TARGETS  `target`, with gains; and `torque` where feeds_forward says so
 *   POSE     `pose` at the end of the step, whatever the forces: a kinematic character
 *   LIMP     servos are off */
typedef enum tr_drive_mode {
    TR_DRIVE_HOLD,
    TR_DRIVE_TARGETS,
    TR_DRIVE_POSE,
    TR_DRIVE_LIMP
} tr_drive_mode;

/* The caller hands over HOLD of entry 0 with gain set 0, everything false, and nothing else set.
 * Only what the mode calls for is read.
 *   entry, mirrored: what the coming step is part of
 *   completes:       the entry ends with this step
 *   gain_set:        of the model, or TR_SERVO_VALUES: kp, kd count
 *   target:          [body_count] joint rotations at the end of the step; [0] is unused
 *   kp, kd:          [body_count], N m/rad and N m s/rad
 *   torque:          [body_count], joint frame, N m, added to what the servos apply */
typedef struct tr_drive {
    tr_drive_mode mode;
    int entry;
    bool mirrored, completes;
    int gain_set;
    bool feeds_forward;
    tr_quat target[TR_BODY_MAX];
    double kp[TR_BODY_MAX], kd[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    tr_pose pose;
} tr_drive;

enum { TR_DRIVER_CHOICE_MAX = 5 };

/* An entry that a driver weighed when it decided what comes next.
 *   mirrored: in the mirrored half
 *   value:    as the driver estimates it; in a unit of the driver's choice */
typedef struct tr_driver_choice {
    int entry;
    bool mirrored;
    double value;
} tr_driver_choice;

enum { TR_DRIVER_SHOWN_MAX = 4 };

/* A value of the kind's own, for people and programs that know it by name.
 *   name, unit: as a parameter's; they live as long as the program
 *   value:      [count] */
typedef struct tr_driver_shown {
    const char *name, *unit;
    int count;
    double value[3];
} tr_driver_shown;

/* What a driver is doing, from its state.
 *   entry:        in progress, or next
 *   skill:        that the entry belongs to; index into the sheet's skills
 *   phase:        of the entry, from 0 at its start to 1
 *   mirrored:     in the mirrored half
 *   between:      no entry is in progress: another entry or another driver may begin
 *   ended:        the driver has reached its end, and holds its last targets
 *   down:         the character has fallen, and is not up again as far as the driver knows
 *   entries_done: since it began
 *   reached:      the reference at the end of the entry just done, mirrored if `mirrored`; NULL:
 *                 not known, or in the middle of an entry
 *   feedback_rad: size of the present feedback action
 *   text:         for people, in a few words; "" where the skill's name is enough. Lives as long as
 *                 the content
 *   choice:       [choice_count] the entries weighed by the last decision, the best first, which
 *                 the driver began
 *   out_of_sequence: skills and edges do not lead to the entry that it chose
 *   shown:        [shown_count] values of the kind's own */
typedef struct tr_doing {
    int entry, skill;
    double phase;
    bool mirrored, between, ended, down;
    int64_t entries_done;
    const tr_state *reached;
    double feedback_rad;
    const char *text;
    int choice_count;
    tr_driver_choice choice[TR_DRIVER_CHOICE_MAX];
    bool out_of_sequence;
    int shown_count;
    tr_driver_shown shown[TR_DRIVER_SHOWN_MAX];
} tr_doing;

/* The value of this name; NULL: the driver shows none. */
const tr_driver_shown *tr_doing_find(const tr_doing *doing, const char *name);

enum { TR_DRIVER_WAY_MAX = 8 };

/* The way to the skill that a steering target names, as the driver expects it.
 *   time_s: until the skill begins, if nothing disturbs the character on the way
 *   skill:  [count] the skills on the way, in order, without transitions and without the present
 *           one; the last is the requested one. They live as long as the content
 *   travel: until the skill begins, from the present place and heading
 *   later:  the same if the present skill is left at the next chance after the first one */
typedef struct tr_driver_way {
    double time_s;
    tr_displacement travel, later;
    int count;
    const char *skill[TR_DRIVER_WAY_MAX];
} tr_driver_way;

/* What a way is foreseen for: the skill that `target` names, on ground of this normal, which may be too
 * steep for a skill. */
typedef struct tr_driver_prospect {
    const tr_steering_target *target;
    double step_s;
    tr_vec3 normal;
} tr_driver_prospect;

/* The row of a kind. Functions of content are thread-safe. A function may be NULL only where its
 * comment says so. */
struct tr_driver_kind {
    const char *name; /* in catalogues, on the wire, to people; short of TR_NAME_MAX */

    /* For a kind with variants, which have names instead of the kind: that of this content, and all
     * of them by index, NULL past the last. May be NULL: no variants. */
    const char *(*name_of)(const void *content);
    const char *(*name_at)(int index);

    /* --- content --- */

    /* Is the content well formed, and does it fit the setting? Content that passes can be run,
     * mirrored, hashed and shown without further checks. TR_INVALID_ARGUMENT: the message names
     * place and field. */
    tr_status (*check)(const void *content, const tr_driver_setting *setting, tr_error *error);
    /* Covers everything that acts, the setting included; not names. */
    uint64_t (*hash)(const void *content, const tr_driver_setting *setting);
    /* Makes the content that does on the right what `content` does on the left. */
    tr_status (*mirror)(const void *content, const tr_driver_setting *setting, void **out);
    void (*destroy)(void *content); /* NULL is fine */

    /* Writes named sections, and reads them. The caller checks the loaded content; it need only be
     * safe to check and destroy. */
    tr_status (*save)(const void *content, tr_sections *out, tr_error *error);
    tr_status (*load)(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error);

    /* What it can do. outline: facts that cost little. entry: one entry (index below entry_count).
     * parameters: returns their number, at most TR_DRIVER_PARAMETER_MAX (may be NULL: none).
     * describe: puts skills and edges into the sheet (may be NULL: it has one skill, its
     * controller's). */
    void (*outline)(const void *content, double step_s, tr_driver_outline *out);
    void (*entry)(const void *content, int index, tr_driver_entry *out);
    int (*parameters)(const void *content, tr_driver_parameter *out);
    tr_status (*describe)(const void *content, tr_driver_sheet *sheet);

    /* Its control fragments (bank.h), for learning, and for catalogues, which store them as shared
     * rows. May be NULL: none. */
    struct tr_bank *(*bank)(void *content);

    /* Driver `index` that it holds, from 0; kind NULL past the last. May be NULL: none. */
    tr_driver (*held)(const void *content, int index);

    /* --- state --- */

    size_t state_size; /* of the state without the drivers that it holds */
    const tr_state_field *field;
    int field_count;
    /* The fields that this content uses; what is in no field stays zero in its states. May be NULL:
     * those above. */
    const tr_state_field *(*fields_of)(const void *content, int *out_count);

    /* Does a state whose fields are within their bounds make sense with this content? May be NULL:
     * all do. */
    bool (*fits)(const void *content, const void *state);
    /* Begins at an entry, from a fresh state (zeros) or from wherever the state is. `mirrored` only
     * where the outline says so. */
    void (*enter)(const void *content, void *state, int entry, bool mirrored);
    /* The entry whose start is most like `state`. */
    void (*nearest)(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored);
    void (*look)(const void *content, const void *state, tr_doing *out);
    /* Says what may be asked of it. out: zero. May be NULL: nothing. */
    void (*reach)(const void *content, tr_driver_reach *out);
    /* May a target name this skill? May be NULL: none. */
    bool (*performs)(const void *content, const char *skill);

    /* Expects the way to the skill that the target names. false: no way, or it is in that skill.
     * May be NULL: it changes no skills when asked. */
    bool (*foresee)(const void *content, const void *state, const tr_driver_prospect *prospect,
                    tr_driver_way *out);

    /* Its trips from rest to rest, for short ways; returns their number, *out is shared and lives as
     * long as the content. May be NULL: none. */
    int (*trips)(const void *content, const tr_driver_trip **out);

    /* Computes the coming step. TR_DATA_LOSS: the result is not finite; the caller then restores
     * the state. The world is only read. */
    tr_status (*drive)(const void *content, void *state, const tr_sight *sight, tr_drive *out);
};

/* All kinds, up to a NULL (drivers.c). A program that brings a new kind links another list
 * instead. */
extern const tr_driver_kind *const tr_driver_kinds[];

/* The kind of this name, its own or a variant's; NULL: no such kind. */
const tr_driver_kind *tr_driver_find_kind(const char *name);

/* The name of a driver's kind or variant. */
const char *tr_driver_kind_name(tr_driver driver);

/* --- drivers that hold drivers --- */

enum { TR_DRIVER_STATE_MAX = 8192, TR_DRIVER_DEPTH_MAX = 8 };

tr_driver tr_driver_held(tr_driver driver, int index);

/* The content of the first driver of a kind: this one or, of those that it holds, the first, whose
 * entries are numbered as the holder's; NULL: no driver of that kind. */
void *tr_driver_content(tr_driver driver, const tr_driver_kind *kind);

/* Bytes of the driver's state, with the states of all held drivers. */
size_t tr_driver_state_size(tr_driver driver);

/* Offset of a held driver's state within the holder's. */
size_t tr_driver_held_offset(tr_driver driver, int index);

/* Its state, within the holder's. */
void *tr_driver_held_state(tr_driver driver, const void *state, int index);

/* TR_INVALID_ARGUMENT: held drivers are nested too deep, or the state is larger than
 * TR_DRIVER_STATE_MAX; otherwise the status of the kind's check. */
tr_status tr_driver_check(tr_driver driver, const tr_driver_setting *setting,
                          tr_error *error) TR_NODISCARD;

/* Saves the content and loads it again. */
tr_status tr_driver_copy(tr_driver driver, const tr_driver_setting *setting,
                         void **out_content) TR_NODISCARD;

/* --- states in bytes --- */

void tr_driver_state_write(tr_driver driver, const void *state, tr_byte_writer *writer);
/* false: too short, a field out of its bounds, or a state that does not fit the content. */
bool tr_driver_state_read(tr_driver driver, tr_byte_reader *source, void *out_state);
uint64_t tr_driver_state_hash(tr_driver driver, const void *state, uint64_t hash);

/* --- what it can do, for people --- */

/* Returns the number of parameters. */
int tr_driver_parameters(tr_driver driver, tr_driver_parameter out[TR_DRIVER_PARAMETER_MAX]);

/* Returns what may be asked of it, besides a skill. */
tr_driver_reach tr_driver_reach_of(tr_driver driver);

/* Finds the skill that a word asks for: the one of that name, or the first that may be asked for with that
 * tag. false: none. out: [TR_NAME_MAX] */
bool tr_driver_find_skill(tr_driver driver, const char *word, char *out);

/* Can it follow the target, which names a skill by its name? */
bool tr_driver_follows(tr_driver driver, const tr_steering_target *target);

/* For a target that it cannot follow: says what it cannot do and what it can, as in "has no speed to
 * choose; it takes a heading". Of an unknown skill it says the three nearest names. */
void tr_driver_explain_refusal(tr_driver driver, const tr_steering_target *target, char *out,
                               size_t capacity);

/* Adds only skills and edges to a sheet whose outline is filled. */
tr_status tr_driver_describe_skills(tr_driver driver, tr_driver_sheet *sheet) TR_NODISCARD;

/* Fills the whole sheet. Its strings and states live as long as the content; destroy it with
 * tr_driver_sheet_deinit. TR_RESOURCE_EXHAUSTED. */
tr_status tr_driver_describe(tr_driver driver, double step_s, tr_driver_sheet *out) TR_NODISCARD;
