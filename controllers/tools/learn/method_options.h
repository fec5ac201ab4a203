/* The command of a method: its options, read from the method's row, and its help. */
#pragma once

#include "learn/method/method.h"
#include "proto/argument.h"
#include "tools/frame/circumstances.h"
#include "tools/learn/lesson.h"

#include <stddef.h>
#include <stdio.h>

enum { TR_METHOD_CHANGE_MAX = 128 };

/* change: [change_count] settings in the order of the command line
 * out: of a method whose result is files; its name is then that of the file
 * default_checkpoint: the checkpoint of a planned training, which its end removes
 * motions: of the input of that kind
 * input: [input_count] path or controller of each, NULL: not given; minutes: of processor time, 0: no
 * limit */
typedef struct tr_method_options {
    const tr_method *method;
    const char *name, *catalogue, *out, *model, *checkpoint;
    const char *input[TR_METHOD_INPUT_MAX];
    tr_words motions;
    double minutes;
    bool resume, list;
    int threads;
    tr_command_line command;
    int change_count;
    struct {
        const char *name, *value; /* name NULL: of a task file */
        char own[TR_NAME_MAX];
    } change[TR_METHOD_CHANGE_MAX];
    tr_lesson_options lesson;
    char default_name[TR_NAME_MAX], default_checkpoint[TR_LESSON_PATH_MAX];
    _Alignas(max_align_t) unsigned char settings[TR_METHOD_SETTINGS_MAX];
} tr_method_options;

/* Reads the words behind the command; argv[0] is the command. false: wrong, which is printed. */
bool tr_method_options_read(const tr_method *method, int argc, char **argv, tr_method_options *out);

/* Sets the settings that the command line changes. */
tr_status tr_method_options_change(const tr_method_options *options, void *settings,
                                   tr_error *error) TR_NODISCARD;

/* The motion or clip that is learned; NULL: none. */
const char *tr_method_options_motion(const tr_method_options *options);

/* Makes the options those of a part of the clip: its frames, and NAME-PART for a name that is not
 * given for this part alone. false: the path of its checkpoint is too long, which is printed. */
bool tr_method_options_take_part(tr_method_options *options, const tr_plan_part *part);

/* Is the motion a clip, which is to be planned? */
bool tr_method_options_plan(const tr_method_options *options);

/* Is the model that is learned on that of an input? */
bool tr_method_takes_model(const tr_method *method);

/* "CLIP --catalogue F --name NAME [options]", and the whole help. */
void tr_method_print_usage(const tr_method *method, FILE *out);
void tr_method_print_help(const tr_method *method, FILE *out);
