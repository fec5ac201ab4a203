/* How a controller is learned or made.
 *
 * A method is a folder that ends in one const row, listed in methods.c. From the row come its
 * command, with options and help (tools/learn), the loop that trains it, its checkpoints, its record
 * in the catalogue, and `troupe-train reproduce`. A new method changes none of these.
 *
 * A method that makes a controller without learning is done after its first advance (making.h). A
 * method may end in files instead of a controller; these are not recorded.
 *
 * Deterministic: a function of model, settings and inputs. The number of threads and interruptions
 * do not matter. One thread at a time. */
#pragma once

#include "control/driver/controller.h"
#include "learn/method/blocks.h"
#include "math/parameter_table.h"
#include "motion/poses/motion.h"

enum {
    TR_METHOD_INPUT_MAX = 4,
    TR_METHOD_PART_MAX = 144,
    TR_METHOD_METRIC_MAX = 12,
    TR_METHOD_MOTION_MAX = 64,
    TR_METHOD_SETTINGS_MAX = 8192 /* bytes of the settings of any method */
};

/* --- inputs --- */

typedef enum tr_method_input_kind {
    TR_INPUT_MOTION,     /* a motion that 'import' wrote */
    TR_INPUT_CONTROLLER, /* of the catalogue */
    TR_INPUT_FILE,       /* any other file, kept in the record byte by byte */
    TR_INPUT_TEXT,       /* the text on the command line */
    TR_INPUT_PARTS,      /* controllers that the row's `part` names, in one input of a method */
    TR_INPUT_MOTIONS     /* the arguments: one motion or more; of a method whose result is files */
} tr_method_input_kind;

/* One input of a method, besides model and settings.
 *   role      its name in the record
 *   option    of the command; NULL: it is the command's argument
 *   word      stands for it in help, as "CONTROLLER"
 *   needed    the method does not work without it
 *   gives_model  a controller on whose model is learned; otherwise the command has --model
 *   continued    the run that made this controller is the parent of this one
 *   recall    of a controller: the input as the controller that the method made shows it, a shallow
 *             copy. false: it does not show it; nor where this method made the input too. NULL: the
 *             controller of the parent is taken, which is made again if it is missing. Of a file:
 *             stands for it where older records do not keep the file
 *   inherits  of a file: is this one, which the run of the continued controller was given, an input
 *             too, if none is given? NULL: none is
 *   implies   a setting that changes with the input, unless a later option changes it again; value
 *             NULL: it is the text given */
typedef struct tr_method_input {
    const char *role, *option, *word, *meaning;
    tr_method_input_kind kind;
    bool needed, gives_model, continued;
    bool (*recall)(const tr_controller *made, tr_controller *out);
    bool (*inherits)(const char *content, size_t size);
    struct {
        const char *setting, *value;
    } implies;
} tr_method_input;

/* A controller that is a part, under the name by which it was asked for. */
typedef struct tr_method_part {
    char name[TR_NAME_MAX];
    const tr_controller *controller;
    const tr_model *model;
} tr_method_part;

/* An input as given; of its kind's fields, and all zero: not given. Borrowed until destroy. */
typedef struct tr_method_given {
    const tr_motion *motion;
    const tr_motion *const *motions; /* [motion_count] */
    int motion_count;
    const tr_method_part *part; /* [part_count] */
    int part_count;
    const tr_controller *controller;
    const tr_model *controller_model;
    uint64_t motion_hash; /* of the motion that the controller was learned from; 0: not known */
    const char *content;  /* [size] of a file */
    size_t size;
    char name[TR_NAME_MAX]; /* of the file or controller, for messages */
} tr_method_given;

/* given: [input_count], in the order of the row's inputs; settings: of the row's table; name: of the
 * controller; say: prints a line for people while the work advances. Settings and name are needed
 * while creating only; the model must outlive the work. */
typedef struct tr_method_def {
    const tr_model *model;
    const void *settings;
    const tr_method_given *given;
    const char *name;
    int threads;
    void (*say)(const char *line);
} tr_method_def;

/* --- what it reports --- */

typedef struct tr_method_metric {
    const char *name; /* unit last; static */
    double value;     /* not finite: not measured */
} tr_method_metric;

/* The result of one advance. iteration: greater than in the row before; best: the result is
 * better than all before; unsaved: a checkpoint taken after this row could not be continued;
 * previews: the method's `preview` can be called now, and not after later rows */
typedef struct tr_method_row {
    char phase[16]; /* "": none */
    int64_t iteration;
    bool best, unsaved, previews;
    char text[256]; /* what else people should read; "": nothing */
    int metric_count;
    tr_method_metric metric[TR_METHOD_METRIC_MAX];
} tr_method_row;

/* Adds a metric to a row, which has room for it. */
void tr_method_row_add(tr_method_row *row, const char *name, double value);

/* A result to use until there is a better one. controller: owned by the caller; NULL if none was found that holds;
 * text: about it, for people */
typedef struct tr_method_preview {
    tr_controller *controller;
    char text[256];
} tr_method_preview;

/* Where files are written, and what a record in them says: command, build, machine, time. */
typedef struct tr_method_writing {
    const char *out, *command, *build, *host;
    int64_t now_ns;
} tr_method_writing;

/* --- the row --- */

/*   name      of the method, the run's column `method`; rows of one name are one method with several
 *             commands, each with another `preset`
 *   formerly  its name in older records; NULL: the same
 *   command   the words of its command, as "balance learn"
 *   help      what it does and finds, several lines; options are not in it
 *   example   the words behind the command, as "--catalogue mine.troupe --name board"
 *   unrecorded  settings that older records do not list, with the values that repeat them, as lines
 *             "name = value"; NULL: none
 *   preset    a line "name = value" that the command sets, the first of its records; NULL: none
 *   options   settings that are options of the command too, as "seed push=push_n", the option before
 *             the setting; NULL: none
 *   named     how the command names its result, as "--as NEW"; NULL: "--name NAME"
 *   skill     of all controllers that it makes. Others of its runs were taken out of these. NULL: any
 *   part      writes the name of part k, where those before it are given; "": there are no more.
 *             *optional: leave it out if the catalogue has no such controller
 *   plans     a clip may be given for the motion; it is planned with the settings of a chain
 *   remark    lines for people before the work begins, written to `out`; may be NULL
 *   create    checks everything that can be checked before the work
 *   size      of the work, where it has no create; `begin` then does the same for a work of zeros,
 *             which is destroyed if that fails
 *   advance   works until the next row
 *   share     of the work that is done, 0 to 1
 *   preview   makes a result with the help of another controller; no record has it, and the
 *             work is as without it. NULL: the method makes none
 *   best      the best controller so far; lives until the next call; NULL where the result is files
 *   source    the motion that a file among its inputs was made of, for the record of its clip: only
 *             its name, rate and source are read; NULL, or the result: none
 *   file      of a method whose result is files: what --out names
 *   write     then: writes the best result so far to `out`, and beside it
 *   list      lists what a checkpoint holds (blocks.h)
 *   destroy   NULL is fine */
typedef struct tr_method {
    const char *name, *formerly, *command, *summary, *help, *example;
    const tr_parameter_table *settings;
    const char *unrecorded, *preset, *options, *named, *skill;
    bool plans;
    const tr_method_input *input; /* [input_count] */
    int input_count;
    tr_status (*part)(const tr_method_def *def, int k, char out[static TR_NAME_MAX], bool *optional,
                      tr_error *error);
    tr_status (*create)(const tr_method_def *def, void **out, tr_error *error);
    size_t size;
    tr_status (*begin)(const tr_method_def *def, void *work, tr_error *error);
    void (*remark)(const tr_method_def *def, const void *work, char *out, size_t capacity);
    tr_status (*advance)(void *work, tr_method_row *out, tr_error *error);
    bool (*is_done)(const void *work);
    double (*share)(const void *work);
    tr_status (*preview)(void *work, const tr_method_part *lender, tr_method_preview *out,
                         tr_error *error);
    tr_status (*best)(void *work, const tr_controller **out, tr_error *error);
    const tr_motion *(*source)(const void *work);
    const char *file;
    tr_status (*write)(void *work, const tr_method_writing *writing, tr_error *error);
    void (*list)(void *work, tr_blocks *blocks);
    void (*destroy)(void *work);
} tr_method;

/* All methods of this program, up to a NULL. A program with another list links that instead of
 * methods.c. */
extern const tr_method *const tr_methods[];

/* The method of a record; NULL: this program has none. parameters: of the record */
const tr_method *tr_method_find(const char *name, const char *parameters);

/* Creates the work of a method. */
tr_status tr_method_create(const tr_method *method, const tr_method_def *def, void **out,
                           tr_error *error) TR_NODISCARD;

/* Sets the settings to the defaults of the command. */
void tr_method_reset(const tr_method *method, void *settings);

/* Returns how many of the words a command of that name takes; 0: they are others. */
int tr_method_match(const char *command, int count, char *const *words);

/* Returns the method whose command begins the words; *out_words: how many words it takes. NULL:
 * none. */
const tr_method *tr_method_find_command(int count, char *const *words, int *out_words);
