/* The command of a method: its options, read from the method's row, and its help. */
#ifndef TROUPE_TOOLS_METHOD_OPTIONS_H
#define TROUPE_TOOLS_METHOD_OPTIONS_H

#include "learn/method/method.h"
#include "tools/frame/command_line.h"
#include "tools/frame/options.h"

#include <stddef.h>
#include <stdio.h>

/* input: [input_count] path or controller of each, NULL: not given; minutes: of processor time, 0: no
 * limit */
typedef struct tr_method_options {
    const tr_method *method;
    const char *name, *catalogue, *model, *checkpoint, *curve;
    const char *input[TR_METHOD_INPUT_MAX];
    double minutes;
    bool resume, list;
    int threads;
    tr_command_line command;
    _Alignas(max_align_t) unsigned char settings[TR_METHOD_SETTINGS_MAX];
} tr_method_options;

/* Reads the words behind the command; argv[0] is the command. false: wrong, which is printed. */
bool tr_method_options_read(const tr_method *method, int argc, char **argv, tr_method_options *out);

/* Is the model that is learned on that of an input? */
bool tr_method_takes_model(const tr_method *method);

/* "CLIP --catalogue F --name NAME [options]", and the whole help. */
void tr_method_print_usage(const tr_method *method, FILE *out);
void tr_method_print_help(const tr_method *method, FILE *out);

#endif
